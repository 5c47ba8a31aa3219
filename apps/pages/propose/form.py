"""The lines of the form for a published result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import Promise

CHARACTERS_MAX: Final = 400  # of a field: an address is the longest
MONTH_CHARACTERS: Final = 7


@dataclass(frozen=True, slots=True)
class FormLine:
    """One line of the form, with an example of what belongs into it."""

    name: str
    label: Promise
    hint: str = ""
    most: int = CHARACTERS_MAX
    is_required: bool = False
    value: str = ""


LINES: Final = (
    FormLine("address", _("Address"), "https://…", is_required=True),
    FormLine("title", _("Title"), is_required=True),
    FormLine("published", _("Published"), "2026-11", most=MONTH_CHARACTERS),
    FormLine(
        "find", _("Words beside the figure"), "fdatasync  10318 ops/sec", most=59, is_required=True
    ),
    FormLine("workload", _("Workload"), is_required=True),
    FormLine("rate", _("durable writes a second"), "10318", most=20, is_required=True),
    FormLine("provider", _("Provider"), "Hetzner"),
    FormLine("plan", _("Plan"), "AX102"),
    FormLine("drive", _("Drive"), "Micron 7500 PRO", most=140),
)

"""A fact as a line of a list: what, which value, and a remark in small print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


NOT_STATED = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: what, which value, and a remark in small print."""

    name: str
    value: StrOrPromise
    remark: StrOrPromise = ""
    is_english: bool = False  # what a source states stays in its own words


def yes_or_no(value: object) -> str:
    """A boolean as a word; what the kernel does not say is not stated."""
    return (_("yes") if value else _("no")) if isinstance(value, bool) else NOT_STATED

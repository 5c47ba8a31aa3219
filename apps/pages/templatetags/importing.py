"""What templates say of imported outputs: their tools, their figures by line, whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from django import template
from django.utils.translation import gettext_lazy

from apps.pages.show.phrases import join_names
from apps.words.imports import TOOLS_IN_WORDS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

register = template.Library()
LABELS: Final[Mapping[str, _StrPromise]] = {
    "provider": gettext_lazy("Provider"),
    "plan": gettext_lazy("Plan"),
    "drive": gettext_lazy("Drive"),
}


class UnlistedLike(Protocol):
    """A name that the catalogue lacks, and the nearest that it has."""

    @property
    def field(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def nearest(self) -> tuple[str, ...]: ...


class ShareLike(Protocol):
    """A form with what a sender says of the machine."""

    @property
    def claim(self) -> object: ...

    @property
    def unlisted(self) -> Iterable[UnlistedLike]: ...


@dataclass(frozen=True, slots=True)
class ClaimField:
    """One field of what a sender says of the machine."""

    name: str
    label: str
    value: str
    unlisted: bool
    nearest: str  # names of the catalogue, in words


@register.simple_tag
def imported_tools() -> str:
    """The tools whose outputs are read, as a sentence lists them."""
    return str(TOOLS_IN_WORDS)


@register.simple_tag
def claim_fields(share: ShareLike) -> list[ClaimField]:
    """The fields of a claim with what the catalogue lacks of them."""
    lacking = {each.field: each for each in share.unlisted}
    return [
        ClaimField(
            name=name,
            label=str(label),
            value=getattr(share.claim, name),
            unlisted=name in lacking,
            nearest=join_names(lacking[name].nearest) if name in lacking else "",
        )
        for name, label in LABELS.items()
    ]


@register.simple_tag
def as_typed(unlisted: Iterable[UnlistedLike]) -> str:
    """The names that were asked about, one a line: sent again they are kept as typed."""
    return "\n".join(each.name for each in unlisted)


@register.filter
def by_line(figures: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Names and figures by their lines; a database keeps no order of members."""
    return sorted(figures.items(), key=lambda each: (each[1]["line"], each[0]))

"""What a card is of: a thing, or several beside each other; by an address, and its addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.urls import Resolver404, resolve, reverse
from django.utils import translation

from apps.badges.answers import CACHE_NOTHING, figures_and_caching, shortest
from apps.badges.badge_facts import Absence, BadgeFacts, Figures
from apps.badges.cards.options import compared_in
from apps.badges.figures import CARD_KINDS
from apps.badges.standings import is_slug

if TYPE_CHECKING:
    from collections.abc import Sequence

THINGS_MAX: Final = 6  # of a comparison, as its page has
COMPARE: Final = "compare"
# A row of a plan, as a region of it, is shown by what stands for the plan.
REF: Final = re.compile(r"(?P<kind>[a-z]+):(?P<slug>[A-Za-z0-9][A-Za-z0-9_-]*)(?:[@~].*)?")
CARD_ROUTE: Final = "card-"
# The routes of pages, and of forms of a card, by what they are of.
OF_ROUTES: Final = {"run-workload": "run"} | {
    f"{kind}{form}": kind for kind in CARD_KINDS for form in ("", "-svg", "-png")
}


@dataclass(frozen=True, slots=True)
class CardSubject:
    """One thing by its kind and slug; or a comparison, of several of them."""

    kind: str  # run, plan, drive, provider; or compare
    things: tuple[tuple[str, str], ...]

    @property
    def page_path(self) -> str:
        """The page that says more."""
        if self.kind == COMPARE:
            return f"{reverse('pages:compare')}{self._on}"
        return reverse(f"pages:{self.kind}", args=[self.things[0][1]])

    @property
    def card_path(self) -> str:
        """The page to frame, without its options."""
        if self.kind == COMPARE:
            return f"{reverse('badges:card-compare')}{self._on}"
        return reverse(f"badges:card-{self.kind}", args=[self.things[0][1]])

    @property
    def picture_path(self) -> str | None:
        """The large picture of a shared link; None of a comparison."""
        if self.kind == COMPARE:
            return None
        return reverse("files:og", kwargs={"kind": self.kind, "slug": self.things[0][1]})

    def read(self) -> tuple[list[Figures], str]:
        """Return the figures of all of it, and how long caches may keep them."""
        read = [figures_and_caching(kind, slug) for kind, slug in self.things]
        caching = shortest(each for _, each in read) if read else CACHE_NOTHING
        return [cast("Figures", figures) for figures, _ in read], caching  # no card is a person's

    @property
    def _on(self) -> str:
        pairs = (f"on={quote(f'{kind}:{slug}', safe=':')}" for kind, slug in self.things)
        return f"?{'&'.join(pairs)}"


def is_known(figures: Sequence[Figures]) -> bool:
    """Whether something of ours is under these addresses, or may be while we cannot look."""
    return any(
        isinstance(each, BadgeFacts) or each.absence is not Absence.NOT_FOUND for each in figures
    )


def page_of(subject: CardSubject, figures: Sequence[Figures]) -> str:
    """Return the address of the page that says more, which of nothing known is the first."""
    has_page = is_known(figures) and all(is_slug(slug) for _, slug in subject.things)
    return settings.SITE_URL + (subject.page_path if has_page else "/")


def title_of(figures: Sequence[Figures]) -> str:
    """Return the names of what has one."""
    names = [each.name for each in figures if each.name]
    return ", ".join(names) or "Fsyncmark"


def compared(on: Sequence[str]) -> CardSubject:
    """Return the comparison of what is named; what names nothing is left out."""
    matches = (REF.fullmatch(each.strip()) for each in on)
    things = dict.fromkeys(
        (match["kind"], match["slug"]) for match in matches if match and match["kind"] in CARD_KINDS
    )
    return CardSubject(COMPARE, tuple(things)[:THINGS_MAX])


def subject_at(address: str) -> CardSubject | None:
    """Return what an address of this site is of, in any language; None of any other."""
    try:
        parts = urlsplit(address)
    except ValueError:  # brackets without an address of IPv6 in them
        return None
    if parts.scheme not in ("http", "https") or not _is_ours(parts.netloc):
        return None
    with translation.override(translation.get_language_from_path(parts.path) or "en"):
        try:
            match = resolve(parts.path)
        except Resolver404:
            return None
    name = match.url_name or ""
    if match.namespace == "badges":  # of a card as of its page, of a badge nothing
        name = name.removeprefix(CARD_ROUTE) if name.startswith(CARD_ROUTE) else ""
    elif match.namespace != "pages":
        return None
    if name.partition("-")[0] == COMPARE:
        subject = compared(compared_in(parts.query))
        return subject if subject.things else None
    slug = str(match.kwargs.get("slug", ""))
    kind = OF_ROUTES.get(name, "")
    return CardSubject(kind, ((kind, slug),)) if kind and is_slug(slug) else None


def _is_ours(netloc: str) -> bool:
    return netloc.lower() == urlsplit(settings.SITE_URL).netloc.lower()

"""What the page of badges says of a plan, a drive or a run: its name and its addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import PublicName
from apps.drives.models import DriveFamily
from apps.pages.show import phrases
from apps.pages.show.address.badges import PERSON
from apps.pages.show.table.rows import run_name
from apps.pages.show.words import badge_alt_of, badge_alt_of_person
from apps.plans.models import Plan, Provider

COMPARED_MIN: Final = 2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.pages.embed.selectors import BadgeMatch


@dataclass(frozen=True, slots=True)
class BadgeSubject:
    """One plan, drive, provider, run or person with its badge."""

    kind: str  # plan, drive, provider, run, by
    slug: str
    name: str
    is_waiting: bool  # an upload that has no run yet: its badge heals by itself
    rate_per_s: float | None  # the figure on its badge; of what a search found

    @property
    def of(self) -> str:
        """How an address names it."""
        return f"{self.kind}:{self.slug}"

    @property
    def page_path(self) -> str:
        """Its page; a person has none."""
        if self.kind == PERSON:
            return reverse("pages:home")
        return reverse(f"pages:{self.kind}", args=[self.slug])

    @property
    def badge_path(self) -> str:
        """Its picture."""
        return reverse(f"badges:{self.kind}", args=[self.slug])

    def badge_alt(self, metric: str) -> str:
        """The sentence for those who do not see the picture of this figure."""
        if self.kind == PERSON:
            return badge_alt_of_person(self.name)
        return badge_alt_of(self.name, metric)


@dataclass(frozen=True, slots=True)
class ComparedSubject:
    """Several things beside each other with their card."""

    things: tuple[BadgeSubject, ...]
    is_waiting = False

    @property
    def name(self) -> str:
        """The names of all of them."""
        return phrases.join_facts(each.name for each in self.things)

    @property
    def page_path(self) -> str:
        """Their comparison."""
        return f"{reverse('pages:compare')}?{self._on}"

    @property
    def badge_path(self) -> str:
        """The picture of their card."""
        return f"{reverse('badges:card-compare-svg')}?{self._on}"

    def badge_alt(self, _metric: str) -> str:
        """The sentence for those who do not see the picture."""
        return self.name

    @property
    def _on(self) -> str:
        return "&".join(f"on={each.of}" for each in self.things)


def compared_of(matches: Iterable[BadgeMatch | None]) -> ComparedSubject | None:
    """Those that are there beside each other; None of fewer than two."""
    things = tuple(subject for each in matches if (subject := subject_of(each)))
    return ComparedSubject(things) if len(things) >= COMPARED_MIN else None


def subject_of(match: BadgeMatch | None) -> BadgeSubject | None:
    """What was read, with its words; None of nothing."""
    if match is None:
        return None
    return BadgeSubject(match.kind, match.slug, name_of(match), match.row is None, match.rate_per_s)


def name_of(match: BadgeMatch) -> str:
    """A plan with its provider, a drive family, a provider, a person, or what a run is of."""
    if match.row is None:
        return _("your run")
    if isinstance(match.row, Plan):
        return match.row.full_name
    if isinstance(match.row, DriveFamily | Provider | PublicName):
        return match.row.name
    return run_name(match.row)

"""How an address names a plan, a drive or a run, and one row of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from apps.plans.naming import SLUG
from apps.plans.regions import GROUPS
from apps.rankings.standing_columns import NOT_STATED

# Which row of a plan or drive is meant: its group of regions, its kind of storage.
PLACE = re.compile(r"(?:@(?P<region>[a-z-]{1,16}))?(?:~(?P<variant>[1-9][0-9]{0,3}))?")


class RefKind(StrEnum):
    """What can be compared."""

    PLAN = "plan"
    DRIVE = "drive"
    RUN = "run"


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """One thing as an address names it: plan:hetzner-ax102, or one row of it.

    A plan has a row in each group of regions, and in each for every kind of storage:
    plan:aws-i4i-large@europe, plan:aws-i4i-large@not-stated~2. Without both it is the row that
    stands for the plan, which `apps.rankings.choice` says.
    """

    kind: RefKind
    slug: str
    region: str = ""  # a group of regions, or NOT_STATED; empty: whichever stands for the plan
    variant: int = 0  # of several kinds of storage; 0: all of them together, or one

    def __str__(self) -> str:
        region = f"@{self.region}" if self.region else ""
        return f"{self.kind}:{self.slug}{region}" + (f"~{self.variant}" if self.variant else "")

    @property
    def thing(self) -> Ref:
        """The plan, drive or run that it is of, whichever its row."""
        return Ref(self.kind, self.slug)

    @property
    def is_row(self) -> bool:
        """Whether one row of several is meant."""
        return self != self.thing

    @property
    def region_group(self) -> str:
        """The group of regions as standings have it."""
        return "" if self.region == NOT_STATED else self.region

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read kind:slug; None of anything else."""
        kind, colon, rest = text.strip().partition(":")
        slug = SLUG.match(rest)
        if not colon or kind not in set(RefKind) or slug is None:
            return None
        place = PLACE.fullmatch(rest, slug.end())
        if place is None or (kind == RefKind.RUN and place[0]):
            return None
        region = place["region"] or ""
        if region and region not in {*GROUPS, NOT_STATED}:
            return None
        return cls(RefKind(kind), slug[0], region, int(place["variant"] or 0))

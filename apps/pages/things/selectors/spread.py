"""What a standing rests on: its machines, its uploaders, and what each of them got.

It is read as it was stored with the standing, so its size does not grow with runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, OuterRef
from django.db.models.functions import JSONObject

from apps.drives.models import DriveFamily
from apps.plans.models import Plan
from apps.rankings.models import Standing, StandingSpread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class LotteryItem:
    """A thing to get: a drive family with a plan, or a plan around a drive."""

    slug: str  # empty: nobody named it
    name: str
    more: str  # PLP of a drive, provider of a plan


NOTHING_NAMED = LotteryItem("", "", "")
_IS_GOT = Func(
    F("slug"),
    OuterRef("items"),
    template="%(expressions)s)",
    arg_joiner=" = ANY(",
    output_field=BooleanField(),
)
# What people got with a plan, and the plans of a drive, as they are called now.
_DRIVES = ArraySubquery(
    DriveFamily.objects.filter(_IS_GOT).values(of=JSONObject(slug="slug", name="name", more="plp"))
)
_PLANS = ArraySubquery(
    Plan.objects.filter(_IS_GOT)
    .order_by()
    .values(of=JSONObject(slug="slug", name="name", more="provider__name"))
)


@dataclass(frozen=True, slots=True)
class Uploader:
    """One uploader, by number only: the page never says who it is."""

    number: int  # its rank among all of the cell, shown or not
    rate_per_s: float
    machines: tuple[float, ...]  # rates a second, the lowest first
    is_far: bool  # lies far from the others, and counts
    is_other_kind: bool  # got another kind of storage than the standing is of


@dataclass(frozen=True, slots=True)
class OutcomeSummary:
    """One kind of drive or plan that people got: how many, when, and its rates a second."""

    item: LotteryItem
    n_uploaders: int
    n_machines: int
    n_runs: int
    share: Fraction  # of the uploaders, each split evenly over what it got
    first: date | None  # None where its source states no day
    last: date | None
    rate_per_s: float  # median over uploaders
    low_per_s: float  # of the lowest and the highest uploader
    high_per_s: float
    run_slug: str = ""  # one of its runs


@dataclass(frozen=True, slots=True)
class MachineSpread:
    """The machines of a standing, and what was got with them."""

    uploaders: tuple[Uploader, ...] = ()  # that are shown, the fastest first
    n_uploaders: int = 0  # shown or not
    n_machines: int = 0
    lottery: tuple[OutcomeSummary, ...] = ()
    n_unlisted: int = 0  # kinds that the lottery leaves out

    @property
    def n_shown_machines(self) -> int:
        """How many machines are shown."""
        return sum(len(each.machines) for each in self.uploaders)

    @property
    def is_cut(self) -> bool:
        """Whether some uploaders or machines are not shown."""
        return self.n_shown_machines < self.n_machines

    @property
    def has_other_kind(self) -> bool:
        """Whether some uploaders got another kind of storage."""
        return any(each.is_other_kind for each in self.uploaders)

    @property
    def has_far(self) -> bool:
        """Whether some uploaders lie far from the others."""
        return any(each.is_far for each in self.uploaders)


def machine_spread(lead: Standing, cell: Iterable[Standing]) -> MachineSpread:
    """What a standing rests on, beside the other kinds of storage of its cell: one query.

    Nothing where the standing was stored before spreads were.
    """
    kinds = sorted(cell, key=lambda each: each.variant)
    things = _DRIVES if lead.plan_id else _PLANS
    stored = StandingSpread.objects.annotate(got=things).in_bulk([each.pk for each in kinds])
    if len(stored) < len(kinds):
        return MachineSpread()
    own = stored[lead.pk]
    return MachineSpread(
        uploaders=tuple(_uploaders(kinds, stored, lead)),
        n_uploaders=sum(each.n_uploaders for each in kinds),
        n_machines=sum(each.n_machines for each in kinds),
        lottery=_lottery(own),
        n_unlisted=own.n_unlisted,
    )


def _uploaders(
    kinds: Sequence[Standing], stored: Mapping[int, StandingSpread], lead: Standing
) -> Iterator[Uploader]:
    """Yield the uploaders with their machines, the fastest first, as kinds of storage come."""
    n_faster = 0
    for kind in kinds:
        for rank, rate_per_s, is_far, machines in stored[kind.pk].uploaders:
            yield Uploader(
                number=n_faster + rank,
                rate_per_s=rate_per_s,
                machines=tuple(machines),
                is_far=is_far,
                is_other_kind=kind.pk != lead.pk,
            )
        n_faster += kind.n_uploaders


def _lottery(spread: Any) -> tuple[OutcomeSummary, ...]:  # with what `got` adds to its columns
    """Return what was got, what the most uploaders got first."""
    items = {each["slug"]: LotteryItem(**each) for each in spread.got}
    summaries = [
        OutcomeSummary(
            item=items.get(slug, NOTHING_NAMED),
            n_uploaders=each["n_uploaders"],
            n_machines=each["n_machines"],
            n_runs=each["n_runs"],
            share=Fraction(each["share"]),
            first=_day(each["first"]),
            last=_day(each["last"]),
            rate_per_s=each["rate_per_s"],
            low_per_s=each["low_per_s"],
            high_per_s=each["high_per_s"],
            run_slug=each["run_slug"],
        )
        for slug, each in zip(spread.items, spread.outcomes, strict=True)
    ]
    return tuple(sorted(summaries, key=lambda each: (-each.share, each.item.name)))


def _day(stated: str | None) -> date | None:
    return date.fromisoformat(stated) if stated else None

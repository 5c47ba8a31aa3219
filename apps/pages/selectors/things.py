"""Plans, drives and providers, each with its standings, prices and runs."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q

from apps.drives.models import DriveFamily
from apps.pages.rows import DOT, Row, row_of_standing
from apps.pages.selectors.boards import (
    COMMIT_STANDINGS,
    GROUP,
    NEEDS_A_PAGE,
    ROW,
    Group,
    grouped,
    holds_useful,
    make_group,
    newest_prices,
)
from apps.pages.selectors.paging import Pages, paging
from apps.pages.selectors.runs import RunsOfThing, runs_of
from apps.plans.models import Plan, Price, Provider
from apps.rankings.choice import choice_order
from apps.rankings.models import Standing

PRICES_SHOWN_MAX = 40  # a plan in every region; the export has the rest


def kind_of(row: Row) -> int:
    """The group that a row of a thing stands in: the place of its title below."""
    if row.p99_limit_ns is not None:
        return 1
    return 0 if row.is_commit else 2


KINDS = (
    "Durable commits, one writer",
    "Useful IOPS: as many a second as are answered in time",
    "Not commits: nothing synced, or many in flight",
)


def by_workload(standings: Iterable[Standing]) -> tuple[Group, ...]:
    """The standings of one thing: its rows are workloads, in groups of what they time.

    The rows of one workload begin with the region that stands for the thing.
    """
    kinds: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for standing in regions_together(standings):
        row = row_of_standing(standing)
        under = DOT.join(part for part in (row.kind, row.workload_note) if part)
        kinds[kind_of(row), standing.evidence].append(
            replace(row, name=row.workload, url=row.run_url, under=under)
        )
    return tuple(
        make_group(workload="", title=KINDS[kind], evidence=evidence, rows=rows)
        for (kind, evidence), rows in sorted(kinds.items(), key=lambda each: each[0])
    )


def regions_together(standings: Iterable[Standing]) -> list[Standing]:
    """Bring the rows of a region together within each workload, in the order of their first."""
    first: dict[tuple[object, ...], int] = {}
    placed = []
    for place, each in enumerate(standings):
        workload = (each.evidence, each.workload, each.version)
        region = (*workload, each.region_group)
        placed.append((first.setdefault(workload, place), first.setdefault(region, place), each))
    return [each for *_, each in sorted(placed, key=lambda one: one[:2])]


@dataclass(frozen=True, slots=True)
class PlanDetails:
    """Everything about one plan."""

    plan: Plan
    groups: tuple[Group, ...]
    prices: tuple[Price, ...]
    of_it: RunsOfThing

    @property
    def holds_useful(self) -> bool:
        """Whether some of its rates are useful IOPS."""
        return holds_useful(self.groups)


def find_plan(slug: str) -> PlanDetails | None:
    """One plan: 6 queries."""
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    if plan is None:
        return None
    standings = (
        Standing.objects.filter(plan=plan)
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    prices = plan.prices.order_by("-valid_from", "region", "amount")[:PRICES_SHOWN_MAX]
    return PlanDetails(plan, by_workload(standings), tuple(prices), runs_of(Q(plan=plan)))


@dataclass(frozen=True, slots=True)
class DriveDetails:
    """Everything about one drive family."""

    drive: DriveFamily
    groups: tuple[Group, ...]
    of_it: RunsOfThing


def find_drive(slug: str) -> DriveDetails | None:
    """One drive family: 5 queries."""
    drive = DriveFamily.objects.select_related("ladder_class").filter(slug=slug).first()
    if drive is None:
        return None
    standings = (
        Standing.objects.filter(drive_family=drive)
        .select_related("drive_family", "price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    return DriveDetails(drive, by_workload(standings), runs_of(Q(drive_family=drive)))


@dataclass(frozen=True, slots=True)
class ProviderDetails:
    """A provider with its plans, measured and not."""

    provider: Provider
    groups: tuple[Group, ...]
    needs: tuple[Plan, ...]
    needs_pages: Pages


def find_provider(slug: str, needs_page: int) -> ProviderDetails | None:
    """One provider: 5 queries."""
    provider = Provider.objects.filter(slug=slug).first()
    if provider is None:
        return None
    standings = (
        COMMIT_STANDINGS.filter(plan__provider=provider)
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(*GROUP, "-rate_per_s", *ROW)
    )
    waiting = (
        Plan.objects.filter(provider=provider, is_listed=True)
        .filter(~Exists(COMMIT_STANDINGS.filter(plan=OuterRef("pk"))))
        .select_related("provider")
        .prefetch_related(newest_prices())
        .order_by("name")
    )
    pages, cut = paging(total=waiting.count(), page=needs_page, size=NEEDS_A_PAGE)
    return ProviderDetails(provider, grouped(standings), tuple(waiting[cut]), pages)

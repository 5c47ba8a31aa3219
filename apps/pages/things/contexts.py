"""What the pages of plans, drive families and providers are given: every name that templates use.

The parts of a page of this room read these names without having them handed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily, LadderClass
    from apps.pages.draw.curve import Curve
    from apps.pages.draw.dots import Strip
    from apps.pages.draw.lanes import Lanes
    from apps.pages.frame.structured import DateRange
    from apps.pages.show.answer import Answer
    from apps.pages.show.charts import JsonValue
    from apps.pages.show.facts.fact import Fact
    from apps.pages.show.table.groups import Group
    from apps.pages.show.table.paging import Pager
    from apps.pages.show.table.row import Row
    from apps.pages.things.catalogue_facts import SourceLine
    from apps.pages.things.decisions import RunLine
    from apps.pages.things.fitness import Fitness
    from apps.pages.things.kin import KinLine, Nearest
    from apps.pages.things.lottery import LotteryRow
    from apps.pages.things.pictures.frontier import Frontier
    from apps.pages.things.price_history import PriceHistory, PriceLine
    from apps.pages.things.selectors.months import Month
    from apps.pages.things.selectors.spread import MachineSpread
    from apps.pages.things.selectors.things import ProviderDetails, ThingSummary
    from apps.pages.things.standing_rows import Workloads
    from apps.pages.things.words import PageHead
    from apps.plans.models import Plan, Provider
    from apps.rankings.models import Standing


class PageLinks(TypedDict):
    """Where a page of a plan or a drive family leads."""

    kind: str  # plan or drive
    compare_url: str
    api_path: str
    board_url: str
    page_path: str
    badge_path: str


class LeadContext(TypedDict, total=False):
    """The standing at the head of a page; nothing of it where there is none."""

    covers: str  # what its interval covers
    curve: Curve | None
    lanes: Lanes | None  # where there is no curve
    rung: LadderClass | None  # whose typical range is drawn
    others_words: str  # how far its other comparable figures lie apart
    why_words: str  # behind its word of confidence


class SpreadContext(TypedDict, total=False):
    """The machines and the lottery behind that standing."""

    strip: Strip
    spread: MachineSpread
    cut_words: str  # how many of its machines are shown; empty: all
    lottery_words: str
    lottery_rows: tuple[LotteryRow, ...]


class MonthsContext(TypedDict, total=False):
    """The rate over the months."""

    months: tuple[Month, ...]
    months_words: str
    changes_words: str
    months_data: dict[str, JsonValue] | None


class ThingSummaryContext(LeadContext, SpreadContext, MonthsContext):
    """What the pages of plans and of drive families share."""

    summary: ThingSummary
    workloads: Workloads
    n_else: int  # workloads besides the one that leads the page
    below: str  # anchor of what there is besides commits of one writer; empty: nothing
    dataset_days: DateRange
    best: Row | None
    lead: Standing | None
    is_without_commits: bool
    is_made_up: bool
    lines: tuple[RunLine, ...]
    published_lines: tuple[RunLine, ...]
    imported_lines: tuple[RunLine, ...]
    runs_pager: Pager


class PlanContext(ThingSummaryContext, PageLinks):
    """The page of a plan."""

    head: PageHead
    answer: Answer | None
    plan: Plan
    nearest: Nearest | None  # where the plan has no comparable figure
    near: Answer | None  # the same as an answer, else what all kin come to
    kin: tuple[KinLine, ...]  # without the nearest
    facts: tuple[Fact, ...]
    price_lines: tuple[PriceLine, ...]
    histories: tuple[PriceHistory, ...]
    badge_alt: str


class DriveContext(ThingSummaryContext, PageLinks):
    """The page of a drive family."""

    drive: DriveFamily
    head: PageHead
    answer: Answer | None
    fitness: Fitness | None  # of a virtual disk nothing can be said
    is_by_other: bool  # the answer is by another standing than the one that leads
    is_of_many: bool
    nearest: Nearest | None  # where the drive has no comparable figure
    kin: tuple[KinLine, ...]  # without the nearest
    plp: str
    gap: float | None  # how many times its rate it is rated for
    guide_url: str
    facts: tuple[Fact, ...]
    source_lines: tuple[SourceLine, ...]
    badge_alt: str


class ProviderContext(TypedDict):
    """The page of a provider."""

    details: ProviderDetails
    groups: tuple[Group, ...]
    answer: Answer | None
    best: Row | None  # of the fastest plan
    why_words: str  # behind its word of confidence
    lanes: Lanes | None  # where there is no chart
    rung: LadderClass | None  # whose typical range is drawn behind them
    kin: tuple[KinLine, ...]  # of its cheapest plan, where none has a figure
    dataset_days: DateRange
    head: PageHead
    provider: Provider
    address: str
    board_url: str
    api_path: str
    badge_path: str
    badge_alt: str
    about_url: str
    has_contact: bool
    frontier: Frontier | None
    frontier_data: dict[str, JsonValue] | None
    frontier_says: str
    needs_pager: Pager

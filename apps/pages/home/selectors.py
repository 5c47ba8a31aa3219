"""What the first page reads: marks of the ladder, the best plans, the newest runs, counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import RowNumber

from apps.drives.models import DriveFamily, LadderClass
from apps.plans.models import Plan
from apps.rankings.choice import choice_order, headline_measurement
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import (
    BY_RATE,
    EVIDENCE_PLACE,
    FOR_RENT,
    REAL_COMMITS,
    ROW,
    WORKLOAD_PLACE,
    read_runs,
)
from apps.runs.models import NOT_EXAMPLE, Level, Measurement, Run
from apps.runs.selectors import (
    COMMITS,
    NEWEST_FIRST,
)
from apps.runs.sides import COMMIT_SIDES
from apps.wire.suites import HEADLINE_WORKLOAD

PUBLISHED_HEADLINE_WORKLOAD = "fallocated-8k-fsync"  # which most articles timed
UNSYNCED_WORKLOAD = "mix-4k-write"  # what a test that never syncs says about a drive
MARKS_READ_MAX = 400
BEST_A_GROUP = 5
PAIRS_READ_MAX = 60  # published plans among which the two of the contrast are sought
NEWEST_RUNS = 6
SENT = (Level.SIGNED, Level.WITNESSED)


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """How much there is."""

    plans: int = 0
    drives: int = 0
    runs: int = 0
    n_sent: int = 0  # runs that the machines sent which made them


@dataclass(frozen=True, slots=True)
class HomeRows:
    """What the first page reads from the database."""

    classes: Sequence[LadderClass]
    counts: SiteCounts
    marks: Sequence[Standing]  # of the ladder, the best documented first
    best: Sequence[Standing]  # the headline groups of plans, the fastest of each first
    runs: Sequence[Run]  # the newest ones, the one that was asked for first

    @property
    def top(self) -> list[Standing]:
        """The first rows of each group."""
        return [each for each in self.best if getattr(each, "number", 0) <= BEST_A_GROUP]

    @property
    def newest(self) -> list[Run]:
        """The newest runs with a figure and a day: none made up, none that does not count."""
        rows = [
            run
            for run in self.runs
            if not (run.is_example or run.is_kept_out or run.plan_in_doubt)
            and run.measured_at is not None
            and headline_measurement(run)
        ]
        return rows[:NEWEST_RUNS]


def read_home(slug: str = "") -> HomeRows:
    """The first page: 6 queries. `slug` names a run that is to stand on the ladder."""
    classes, counts = classes_and_counts()
    return HomeRows(
        classes=classes,
        counts=counts,
        marks=ladder_standings(),
        best=best_standings(),
        runs=newest_runs(slug),
    )


def newest_runs(slug: str) -> list[Run]:
    """The newest runs of commits on a stated day that may count, and the one asked for."""
    is_asked_for = Q(slug=slug) if slug else Q(pk__in=())
    asked_first = Case(
        When(is_asked_for, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    candidates = Run.objects.annotate(asked=asked_first).filter(
        is_asked_for
        | Q(
            Exists(COMMITS),
            is_example=False,
            measured_at__isnull=False,
            is_kept_out=False,
            plan_in_doubt=False,
        )
    )
    return read_runs(candidates.order_by("asked", *NEWEST_FIRST)[: NEWEST_RUNS + 1])


def best_standings() -> list[Standing]:
    """The headline groups of plans for rent, with what each plan does when nothing is synced."""
    unsynced = Measurement.objects.filter(
        run__plan=OuterRef("plan"),
        run__level=Level.PUBLISHED,  # an upload names its work as it likes
        workload=UNSYNCED_WORKLOAD,
        rate_per_s__gt=0,
    ).order_by("-rate_per_s")
    headline = Q(evidence=Evidence.MEASURED, workload=HEADLINE_WORKLOAD) | Q(
        evidence=Evidence.PUBLISHED, workload=PUBLISHED_HEADLINE_WORKLOAD
    )
    return list(
        Standing.objects.filter(headline, FOR_RENT, plan__isnull=False)
        .annotate(
            number=Window(
                RowNumber(),
                partition_by=[F("evidence"), F("workload"), F("version")],
                order_by=[*BY_RATE, *ROW],
            ),
            unsynced_per_s=Subquery(unsynced.values("rate_per_s")[:1]),
        )
        .filter(number__lte=PAIRS_READ_MAX)
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(EVIDENCE_PLACE, WORKLOAD_PLACE, "version", "number")
    )


def ladder_standings() -> list[Standing]:
    """One standing for each drive family, and for each plan whose drive has none of its own.

    Neither made-up figures nor those that their own source calls a sample.
    """
    has_median = Case(
        When(p50_ns__isnull=False, latency_side__in=COMMIT_SIDES, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    standings = list(
        REAL_COMMITS.filter(is_illustrative=False)
        .annotate(
            choice=Window(
                RowNumber(),
                partition_by=[F("drive_family"), F("plan")],
                order_by=[EVIDENCE_PLACE, has_median, WORKLOAD_PLACE, *choice_order()],
            )
        )
        .filter(choice=1)
        .select_related("plan__provider", "drive_family")
        .order_by("-n_uploaders", "-n_machines", "pk")[:MARKS_READ_MAX]
    )
    families = {each.drive_family.name for each in standings if each.drive_family is not None}
    return [each for each in standings if each.drive_family or each.drive_names not in families]


def subquery_count(rows: QuerySet[Plan] | QuerySet[DriveFamily] | QuerySet[Run]) -> Subquery:
    """The number of rows, as a subquery: several counts in one trip to the database."""
    in_one_group = rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk"))
    return Subquery(in_one_group.values("n"))


def classes_and_counts() -> tuple[Sequence[LadderClass], SiteCounts]:
    """The classes of the ladder, and how many plans, drives and runs there are: one query.

    The counts ride on the rows of the classes; without a catalogue there is nothing to count.
    """
    classes = list(
        LadderClass.objects.annotate(
            n_plans=subquery_count(Plan.objects.rentable()),
            n_drives=subquery_count(DriveFamily.objects.exclude(kind="virtual")),
            n_runs=subquery_count(Run.objects.filter(NOT_EXAMPLE, Exists(COMMITS))),
            n_sent=subquery_count(Run.objects.filter(is_example=False, level__in=SENT)),
        )
    )
    if not classes:
        return [], SiteCounts()
    names = ("n_plans", "n_drives", "n_runs", "n_sent")
    return classes, SiteCounts(*(getattr(classes[0], name) or 0 for name in names))

"""What the first page shows: the ladder with real marks, the best plans, the newest runs."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

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
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import DriveFamily, LadderClass
from apps.pages.draw.ladder import Lane, Mark, Ratio, Rung, draw_ratio, draw_rung
from apps.pages.show import units, words
from apps.pages.show.said import listed, told
from apps.pages.show.table.groups import Group, grouped
from apps.pages.show.table.rows import Row, row_of_run, run_name
from apps.plans.models import HOME, UNLISTED, Plan
from apps.rankings.choice import (
    choice_order,
    headline_latency,
    headline_measurement,
)
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
from apps.wire.suites import HEADLINE_WORKLOAD

EXAMPLES = re.compile(r" ?[(\uff08].*")
MARKS_A_RUNG = 4  # more would make the ladder longer than a screen
MARKS_READ_MAX = 400
BEST_A_GROUP = 5
PAIRS_READ_MAX = 60  # published plans among which the story looks for its two
NEWEST_RUNS = 6
SENT = (Level.SIGNED, Level.WITNESSED)
# Medians that hold the sync. A completion or a write ends where the sync begins: of a durable
# workload that states no other median, 1 / rate is the time that a commit takes.
QUANTITIES = {
    "commit": gettext_lazy("commit p50"),
    "sync": gettext_lazy("sync p50"),
}


@dataclass(frozen=True, slots=True)
class Story:
    """Two plans that look alike until each write must be durable."""

    fast: Standing
    slow: Standing
    synced: Ratio
    unsynced: Ratio
    fast_unsynced_per_s: float
    slow_unsynced_per_s: float


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is."""

    plans: int = 0
    drives: int = 0
    runs: int = 0
    sent: int = 0  # of runs, by the machines that made them


@dataclass(frozen=True, slots=True)
class Yours:
    """A run that somebody wants to see on the ladder."""

    row: Row
    name: str
    rung: Rung
    measured_class: str  # the class in whose range it lies, in words; empty: none

    @property
    def lane(self) -> Lane:
        """Its one mark."""
        return self.rung.lanes[0]


@dataclass(frozen=True, slots=True)
class Home:
    """Everything on the first page."""

    rungs: tuple[Rung, ...]
    yours: Yours | None
    story: Story | None
    best: tuple[Group, ...]
    best_workloads: str  # under which the best ones are, in words
    newest: tuple[Row, ...]
    counts: Counts


def read_home(slug: str = "") -> Home:
    """The first page: 6 queries. `slug` names a run that is to stand on the ladder."""
    best = best_standings()
    story = find_story([each for each in best if each.evidence == Evidence.PUBLISHED])
    classes, counts = classes_and_counts()
    runs = newest_runs(slug)
    yours = next((find_yours(run, classes) for run in runs if run.slug == slug), None)
    subjects = set(subject_names(story)) if story and not yours else set()
    newest = [
        run
        for run in runs
        if not run.is_example and run.measured_at is not None and headline_measurement(run)
    ]
    groups = grouped(top_of_each(best))
    return Home(
        rungs=ladder(classes, subjects),
        yours=yours,
        story=story,
        best=groups,
        best_workloads=listed(dict.fromkeys(group.title for group in groups)),
        newest=tuple(row_of_run(run) for run in newest[:NEWEST_RUNS]),
        counts=counts,
    )


def newest_runs(slug: str) -> list[Run]:
    """The newest runs of commits on a stated day, none made up, and the one asked for."""
    is_asked_for = Q(slug=slug) if slug else Q(pk__in=())
    asked = Case(When(is_asked_for, then=Value(0)), default=Value(1), output_field=IntegerField())
    wanted = Run.objects.annotate(asked=asked).filter(
        is_asked_for | Q(Exists(COMMITS), is_example=False, measured_at__isnull=False)
    )
    return read_runs(wanted.order_by("asked", *NEWEST_FIRST)[: NEWEST_RUNS + 1])


def find_yours(run: Run, classes: Sequence[LadderClass]) -> Yours | None:
    """The run as the subject of the ladder; None where it has no commits to show."""
    measurement = headline_measurement(run)
    if measurement is None or not measurement.is_durable_single_writer:
        return None
    latency = headline_latency(measurement)
    p50_ns = latency.p50_ns if latency and latency.side in QUANTITIES else None
    if p50_ns is None and not measurement.rate_per_s:
        return None
    mark = Mark(
        name=_("your run"),
        url=reverse("pages:run", args=[run.slug]),
        latency_ns=p50_ns or round(1e9 / (measurement.rate_per_s or 1)),
        quantity=quantity(latency.side if latency and p50_ns else ""),
        plp=run.drive_family.plp if run.drive_family else "unknown",
        whisker_ns=latency.p99_ns if latency and p50_ns else None,
        is_subject=True,
        is_measured=True,
    )
    rung = draw_rung(name="", low_ns=None, high_ns=None, is_claim=False, marks=[mark])
    names = {each.slug: short_class(each.name) for each in classes}
    name = words.made_up_title(run_name(run)) if run.is_example else run_name(run)
    return Yours(row_of_run(run), name, rung, names.get(run.measured_class_id or "", ""))


def subject_names(story: Story) -> Iterable[str]:
    """The names under which the two of the story may stand on the ladder."""
    for standing in (story.fast, story.slow):
        yield standing.drive_names
        if standing.plan is not None:
            yield standing.plan.name


def best_standings() -> list[Standing]:
    """The headline groups of plans for rent, with what each plan does when nothing is synced."""
    unsynced = Measurement.objects.filter(
        run__plan=OuterRef("plan"), workload=words.UNSYNCED_WORKLOAD
    ).order_by("-rate_per_s")
    headline = Q(evidence=Evidence.MEASURED, workload=HEADLINE_WORKLOAD) | Q(
        evidence=Evidence.PUBLISHED, workload=words.PUBLISHED_HEADLINE_WORKLOAD
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


def top_of_each(standings: Sequence[Standing]) -> list[Standing]:
    """The first rows of each group."""
    return [each for each in standings if getattr(each, "number", 0) <= BEST_A_GROUP]


def find_story(published: Sequence[Standing]) -> Story | None:
    """The two plans of one provider that are furthest apart once each write is synced.

    Both must be dedicated to one drive kind and have a figure for a test that never syncs.
    """
    known = [each for each in published if getattr(each, "unsynced_per_s", None)]
    pairs = [
        (fast, slow)
        for fast in known
        for slow in known
        if fast.rate_per_s > slow.rate_per_s and is_comparable(fast, slow)
    ]
    if not pairs:
        return None
    fast, slow = max(pairs, key=lambda pair: pair[0].rate_per_s / pair[1].rate_per_s)
    fast_unsynced = float(getattr(fast, "unsynced_per_s", 0))
    slow_unsynced = float(getattr(slow, "unsynced_per_s", 0))
    return Story(
        fast=fast,
        slow=slow,
        synced=draw_ratio(fast_per_s=fast.rate_per_s, slow_per_s=slow.rate_per_s),
        unsynced=draw_ratio(fast_per_s=fast_unsynced, slow_per_s=slow_unsynced),
        fast_unsynced_per_s=fast_unsynced,
        slow_unsynced_per_s=slow_unsynced,
    )


def is_comparable(fast: Standing, slow: Standing) -> bool:
    """Whether a buyer would take two plans for alike: one provider, one kind of storage."""
    if fast.plan is None or slow.plan is None:
        return False
    return (
        fast.plan_id != slow.plan_id
        and fast.plan.provider_id == slow.plan.provider_id
        and fast.plan.kind == slow.plan.kind
        and fast.plan.storage_kind == slow.plan.storage_kind
    )


def ladder_standings() -> list[Standing]:
    """One standing for each drive family, and for each plan whose drive has none of its own.

    Neither made-up figures nor those that their own source calls a sample.
    """
    has_median = Case(
        When(p50_ns__isnull=False, latency_side__in=QUANTITIES, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    found = list(
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
    families = {each.drive_family.name for each in found if each.drive_family is not None}
    return [each for each in found if each.drive_family or each.drive_names not in families]


def ladder(classes: Sequence[LadderClass], subjects: set[str]) -> tuple[Rung, ...]:
    """Every class with the best documented marks in it; those without a class come last."""
    by_class: dict[str, list[Mark]] = defaultdict(list)
    for standing in ladder_standings():
        marks = by_class[standing.ladder_class_id or ""]
        if len(marks) < MARKS_A_RUNG:
            marks.append(mark_of(standing, subjects))
    rungs = [
        replace(
            draw_rung(
                name=short_class(each.name),
                low_ns=each.low_ns,
                high_ns=each.high_ns,
                is_claim=each.is_claim,
                marks=by_class.get(each.slug, ()),
            ),
            claimed=units.latency_range(*each.claimed) if each.claimed else "",
        )
        for each in classes
    ]
    if by_class.get("") and rungs:
        rungs.append(
            draw_rung(
                name=_("Class not stated"),
                low_ns=None,
                high_ns=None,
                is_claim=False,
                marks=by_class[""],
            )
        )
    return tuple(rungs)


def short_class(name: str) -> str:
    """The name of a class where there is little room: in the reader's words, without examples."""
    return EXAMPLES.sub("", told(name)).replace(told("power-loss protection"), "PLP")


def mark_of(standing: Standing, subjects: set[str]) -> Mark:
    """A mark that says which quantity it shows."""
    if standing.drive_family is not None:
        name = standing.drive_family.name
        url = reverse("pages:drive", args=[standing.drive_family_id])
    elif standing.plan is not None:
        plan = standing.plan
        is_rented = plan.provider_id not in (HOME, UNLISTED)
        own_name = standing.drive_names or plan.name
        name = f"{plan.provider.name} {plan.name}" if is_rented else own_name
        url = reverse("pages:plan", args=[standing.plan_id])
    else:
        raise AssertionError("a standing is of a plan or of a drive family")
    p50_ns = standing.p50_ns if standing.latency_side in QUANTITIES else None
    return Mark(
        name=name,
        url=url,
        latency_ns=p50_ns or round(1e9 / standing.rate_per_s),
        quantity=quantity(standing.latency_side if p50_ns else ""),
        plp=standing.plp or "unknown",
        whisker_ns=standing.p99_ns if p50_ns else None,
        is_subject=name in subjects,
        is_measured=standing.evidence == Evidence.MEASURED,
    )


def quantity(side: str) -> str:
    """What a mark shows: the median of a side that holds the sync, else 1 / rate."""
    return str(QUANTITIES.get(side) or _("1 / rate"))


def subquery_count(rows: QuerySet[Plan] | QuerySet[DriveFamily] | QuerySet[Run]) -> Subquery:
    """The number of rows, as a subquery: several counts in one trip to the database."""
    counted = rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk"))
    return Subquery(counted.values("n"))


def classes_and_counts() -> tuple[Sequence[LadderClass], Counts]:
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
        return [], Counts()
    names = ("n_plans", "n_drives", "n_runs", "n_sent")
    return classes, Counts(*(getattr(classes[0], name) or 0 for name in names))

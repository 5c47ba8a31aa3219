"""What the first page reads: classes and marks of the ladder, the story, the board's first rows."""

from collections.abc import Sequence

from django.db.models import (
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import RowNumber

from apps.drives.models import LadderClass
from apps.pages.home.work import OVERWRITE, WITH_METADATA, workloads_of
from apps.rankings.choice import choice_order
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import (
    BY_RATE,
    COMMIT_STANDINGS,
    EVIDENCE_PLACE,
    FOR_RENT,
    ROW,
    WORKLOAD_PLACE,
    read_runs,
)
from apps.runs.models import Level, Measurement, Run
from apps.runs.sides import COMMIT_SIDES
from apps.wire.suites import HEADLINE_WORKLOAD

PUBLISHED_HEADLINE_WORKLOAD = "fallocated-8k-fsync"  # which most articles timed
UNSYNCED_WORKLOAD = "mix-4k-write"  # what a test that never syncs says about a drive
MARKS_READ_MAX = 400
PAIRS_READ_MAX = 60  # published plans among which the two of the contrast are sought
FIRST_ROWS = 5  # of the board: a taste; the board has all
EXAMPLES = Q(evidence=Evidence.EXAMPLE)
IS_COMPARABLE = Q(workload__in=workloads_of(OVERWRITE) | workloads_of(WITH_METADATA))
WORK = Case(  # overwrites first
    When(workload__in=workloads_of(OVERWRITE), then=Value(OVERWRITE)),
    default=Value(WITH_METADATA),
    output_field=IntegerField(),
)


def ladder_classes() -> list[LadderClass]:
    """The classes of the ladder from fast to slow: one query.

    Each knows whether there are made-up standings to look at, `has_examples`.
    """
    has_examples = Exists(Standing.objects.filter(EXAMPLES))
    return list(LadderClass.objects.annotate(has_examples=has_examples))


def asked_run(slug: str) -> Run | None:
    """The run that is to stand on the ladder: three queries, none without a slug."""
    return next(iter(read_runs(Run.objects.filter(slug=slug))), None) if slug else None


def first_rows(*, is_example: bool = False) -> list[Standing]:
    """The first rows of the board of plans for rent: one query."""
    measured = EXAMPLES if is_example else Q(evidence=Evidence.MEASURED)
    headline = Q(measured, workload=HEADLINE_WORKLOAD)
    if not is_example:
        headline |= Q(evidence=Evidence.PUBLISHED, workload=PUBLISHED_HEADLINE_WORKLOAD)
    return list(
        Standing.objects.filter(headline, FOR_RENT, plan__isnull=False)
        .annotate(
            number=Window(
                RowNumber(),
                partition_by=[F("evidence"), F("workload"), F("version")],
                order_by=[*BY_RATE, *ROW],
            )
        )
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(EVIDENCE_PLACE, WORKLOAD_PLACE, "version", "number")[:FIRST_ROWS]
    )


def contrast_candidates() -> list[Standing]:
    """Published plans by what they do when each write is synced, and when none is: one query."""
    unsynced = Measurement.objects.filter(
        run__plan=OuterRef("plan"),
        run__level=Level.PUBLISHED,  # an upload names its work as it likes
        workload=UNSYNCED_WORKLOAD,
        rate_per_s__gt=0,
    ).order_by("-rate_per_s")
    return list(
        Standing.objects.filter(
            FOR_RENT,
            plan__isnull=False,
            evidence=Evidence.PUBLISHED,
            workload=PUBLISHED_HEADLINE_WORKLOAD,
        )
        .annotate(unsynced_per_s=Subquery(unsynced.values("rate_per_s")[:1]))
        .filter(unsynced_per_s__isnull=False)
        .select_related("plan__provider")
        .order_by(*BY_RATE, *ROW)[:PAIRS_READ_MAX]
    )


def ladder_standings(*, is_example: bool = False) -> Sequence[Standing]:
    """One standing for each drive family, and for each plan whose drive has none of its own.

    Only work that one commit at a time does; neither made-up figures, unless they are asked for,
    nor those that their own source calls a sample. One query.
    """
    has_median = Case(
        When(p50_ns__isnull=False, latency_side__in=COMMIT_SIDES, then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    standings = list(
        COMMIT_STANDINGS.filter(EXAMPLES if is_example else ~EXAMPLES, is_illustrative=False)
        .filter(IS_COMPARABLE)
        .annotate(
            work=WORK,
            choice=Window(
                RowNumber(),
                partition_by=[F("drive_family"), F("plan")],
                order_by=[EVIDENCE_PLACE, WORK, has_median, WORKLOAD_PLACE, *choice_order()],
            ),
        )
        .filter(choice=1)
        .select_related("plan__provider", "drive_family")
        .order_by("-n_uploaders", "-n_machines", "work", "pk")[:MARKS_READ_MAX]
    )
    families = {each.drive_family.name for each in standings if each.drive_family is not None}
    return [each for each in standings if each.drive_family or each.drive_names not in families]

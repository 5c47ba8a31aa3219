"""What the first page reads: classes and marks of the ladder, the story, the board's first rows."""

from collections.abc import Sequence

from django.db.models import (
    Exists,
    OuterRef,
    Q,
    Subquery,
)

from apps.drives.models import LadderClass
from apps.rankings.advice.selectors import with_sources
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import (
    BY_RATE,
    COMPARABLE_PLACE,
    FOR_RENT,
    RATE,
    ROW,
    best_of_each,
    read_runs,
    with_volume_prices,
)
from apps.runs.models import Level, Measurement, Run

PUBLISHED_HEADLINE_WORKLOAD = "fallocated-8k-fsync"  # which most articles timed
UNSYNCED_WORKLOAD = "mix-4k-write"  # what a test that never syncs says about a drive
MARKS_READ_MAX = 400
PAIRS_READ_MAX = 60  # published plans among which the two of the contrast are sought
FIRST_ROWS = 4  # of the board: a taste; the board has all
EXAMPLES = Q(evidence=Evidence.EXAMPLE)


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
    """The first rows of the board of plans for rent: one query, two with volumes."""
    rows = Standing.objects.filter(
        EXAMPLES if is_example else ~EXAMPLES, FOR_RENT, plan__isnull=False
    )
    return with_volume_prices(
        best_of_each(rows, "plan")
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(COMPARABLE_PLACE, RATE.desc(), *ROW)[:FIRST_ROWS]
    )


def contrast_candidates() -> list[Standing]:
    """Published plans by what they do when each write is synced, and when none is: one query."""
    unsynced = Measurement.objects.filter(
        run__plan=OuterRef("plan"),
        run__level=Level.PUBLISHED,  # an upload names its work as it likes
        workload=UNSYNCED_WORKLOAD,
        rate_per_s__gt=0,
    ).order_by("-rate_per_s")
    published = Standing.objects.filter(
        FOR_RENT,
        plan__isnull=False,
        evidence=Evidence.PUBLISHED,
        workload=PUBLISHED_HEADLINE_WORKLOAD,
    )
    return list(
        with_sources(published)
        .annotate(unsynced_per_s=Subquery(unsynced.values("rate_per_s")[:1]))
        .filter(unsynced_per_s__isnull=False)
        .select_related("plan__provider")
        .order_by(*BY_RATE, *ROW)[:PAIRS_READ_MAX]
    )


def ladder_standings(*, is_example: bool = False) -> Sequence[Standing]:
    """The standing that represents each drive family, and each plan whose drive has none.

    Neither made-up figures, unless they are asked for, nor those that their own source calls a
    sample. Two queries.
    """
    rows = Standing.objects.filter(EXAMPLES if is_example else ~EXAMPLES)
    drives, plans = (
        list(
            best_of_each(rows.filter(**{f"{thing}__isnull": False}), thing)
            .select_related("plan__provider", "drive_family")
            .order_by("-n_uploaders", "-n_machines", COMPARABLE_PLACE, "pk")[:MARKS_READ_MAX]
        )
        for thing in ("drive_family", "plan")
    )
    families = {each.drive_family.name for each in drives if each.drive_family is not None}
    return [*drives, *(each for each in plans if each.drive_names not in families)]

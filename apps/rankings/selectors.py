"""Standings in their order, and which of them are real commits: reads that every door shares."""

from __future__ import annotations

from django.db.models import (
    Aggregate,
    BooleanField,
    Case,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    OrderBy,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from apps.plans.models import NOT_FOR_RENT
from apps.rankings.choice import (
    HEADLINE_ORDER,
    headline_measurement,
)
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Run
from apps.runs.selectors import LATENCIES, with_measurements

# What was measured comes first, then what others published, then what was made up.
EVIDENCE_PLACE = Case(
    When(evidence=Evidence.MEASURED, then=Value(0)),
    When(evidence=Evidence.PUBLISHED, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


WORKLOAD_PLACE = Case(
    *(When(workload=name, then=Value(place)) for place, name in enumerate(HEADLINE_ORDER)),
    default=Value(len(HEADLINE_ORDER)),
    output_field=IntegerField(),
)


# Of equals the first by address: the order must not depend on the database.
ROW = (F("plan").asc(), F("drive_family").asc(), F("region_group").asc(), F("variant").asc())


GROUP = (EVIDENCE_PLACE, WORKLOAD_PLACE, F("workload"), F("version"))


RATE = Coalesce("order_rate_per_s", "rate_per_s")
# The best first; what does not rank stands after all that does.
UNRANKED_LAST = OrderBy(ExpressionWrapper(Q(tier__isnull=True), output_field=BooleanField()))
BY_RATE = (UNRANKED_LAST, OrderBy(RATE, descending=True, nulls_last=True))


class MedianOf(Aggregate):
    """The median inside the database."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def newest_run() -> Subquery:
    """When the newest run of a standing was measured."""
    return Subquery(Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1])


COMMIT_STANDINGS = Standing.objects.filter(is_durable_single_writer=True)


# What makes a thing one that somebody measured. What is made up never does.
REAL_COMMITS = COMMIT_STANDINGS.exclude(evidence=Evidence.EXAMPLE)


# Whose machines nobody rents out: people at home, and claims that name no provider we know.


FOR_RENT = ~Q(plan__provider__in=NOT_FOR_RENT)


def read_runs(runs: QuerySet[Run]) -> list[Run]:
    """Runs with what a row needs of each: three queries for any number of them."""
    found = list(with_measurements(runs))
    headlines = [headline for run in found if (headline := headline_measurement(run)) is not None]
    prefetch_related_objects(headlines, LATENCIES)
    return found

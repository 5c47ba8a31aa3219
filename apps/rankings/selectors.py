"""Orders and filters of standings that pages, badges and the API share."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    Aggregate,
    BooleanField,
    Case,
    CharField,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    IntegerField,
    OrderBy,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from apps.plans.models import NOT_FOR_RENT
from apps.plans.prices.volumes import VolumeError
from apps.plans.regions import Place
from apps.rankings.choice import AnyStanding, choice_order, headline_measurement
from apps.rankings.comparable.order import headline_places
from apps.rankings.cost import is_orderable, price_volume
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Measurement, Run
from apps.runs.published.comparable import OVERWRITE, workloads_of
from apps.runs.selectors import with_things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Plan

# Measured standings come first, then laboratories', then published ones, then examples.
EVIDENCE_PLACE = Case(
    When(evidence=Evidence.MEASURED, then=Value(0)),
    When(evidence=Evidence.LAB, then=Value(1)),
    When(evidence=Evidence.PUBLISHED, then=Value(2)),
    default=Value(3),
    output_field=IntegerField(),
)


# One parameter in place of one for each workload: Django takes 3 ms for a statement with those.
_HEADLINES = Value(list(headline_places()), output_field=ArrayField(CharField()))
# From 1; what may not stand for a thing is last.
WORKLOAD_PLACE = Coalesce(
    Func(_HEADLINES, F("workload"), function="array_position", output_field=IntegerField()),
    Value(len(headline_places()) + 1),
)


class OneOf(Func):
    """Whether a text is one of an array, which is one parameter."""

    template = "%(expressions)s)"
    arg_joiner = " = ANY("
    output_field = BooleanField()


def one_of(workloads: Iterable[str]) -> OneOf:
    """Return the condition for any of these workloads."""
    return OneOf(F("workload"), Value(sorted(workloads), output_field=ArrayField(CharField())))


# Equal standings are in the order of their addresses, so that it does not depend on the database.
ROW = (F("plan").asc(), F("drive_family").asc(), F("region_group").asc(), F("variant").asc())


GROUP = (EVIDENCE_PLACE, WORKLOAD_PLACE, F("workload"), F("version"))


RATE = Coalesce("order_rate_per_s", "rate_per_s")
# The best first; standings that are not ranked come after all that are.
UNRANKED_LAST = OrderBy(ExpressionWrapper(Q(tier__isnull=True), output_field=BooleanField()))
BY_RATE = (UNRANKED_LAST, OrderBy(RATE, descending=True, nulls_last=True))


# Every price of a plan; `pick_price` chooses among them.
PRICES = Prefetch("prices", to_attr="list_prices")


def with_volume_prices(
    standings: Iterable[AnyStanding], *, also: Iterable[Plan] = ()
) -> list[AnyStanding]:
    """Standings, those of volumes of any size with their price; no IOPS are ordered.

    One query, which gives the plans `also` their `list_prices` too; none without any of both.
    """
    listed = list(standings)
    volumes = {
        each.pk: each.plan
        for each in listed
        if each.plan is not None and each.price_id is None and is_orderable(each.plan)
    }
    prefetch_related_objects([*volumes.values(), *also], PRICES)
    for each in listed:
        if plan := volumes.get(each.pk):
            prices = {plan.slug: getattr(plan, "list_prices", ())}
            with suppress(VolumeError):  # not every list of a cloud could be read
                each.volume = price_volume(plan, prices, region=Place(group=each.region_group))
    return listed


class MedianOf(Aggregate):
    """The median inside the database."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def newest_run() -> Subquery:
    """Return the time at which the newest run of a standing was measured, for use in a query."""
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).order_by()
    return Subquery(newest.values("measured_at"))  # one: slugs are unique


# Standings that may represent their plan or drive, as `choice.may_lead` says it.
MAY_LEAD = Q(one_of(headline_places()), is_durable_single_writer=True, is_illustrative=False)
# 0 for overwrites with a data sync, 1 for work whose syncs write metadata too.
COMPARABLE_PLACE = Case(
    When(one_of(workloads_of(OVERWRITE)), then=Value(0)),
    default=Value(1),
    output_field=IntegerField(),
)


def best_of_each(rows: QuerySet[Standing], thing: str) -> QuerySet[Standing]:
    """Return of these standings the one that represents each thing, as `choice.headline` does.

    `thing` is the column of what is represented: plan or drive_family.
    """
    chosen = (
        rows.filter(MAY_LEAD)
        .order_by(
            f"{thing}_id",
            EVIDENCE_PLACE,
            WORKLOAD_PLACE,
            "workload",
            F("version").desc(),
            *choice_order(),
        )
        .distinct(f"{thing}_id")
    )
    return rows.filter(pk__in=chosen.values("pk"))


COMMIT_STANDINGS = Standing.objects.filter(MAY_LEAD)
# Commits that somebody measured or published; examples are not among them.
REAL_COMMITS = COMMIT_STANDINGS.exclude(evidence=Evidence.EXAMPLE)
EXAMPLE_COMMITS = COMMIT_STANDINGS.filter(evidence=Evidence.EXAMPLE)


def has_examples() -> bool:
    """Return whether example data is loaded, so that a page may offer to show it: one query."""
    return Standing.objects.filter(evidence=Evidence.EXAMPLE).exists()


# Leaves out machines that nobody rents out: those at home, and claims without a known provider.
FOR_RENT = ~Q(plan__provider__in=NOT_FOR_RENT)


def read_runs(runs: QuerySet[Run]) -> list[Run]:
    """Return runs with what a row shows: three queries for any number of them.

    Of its measurements a run has only the one that represents it.
    """
    listed_runs = list(with_things(runs).prefetch_related(Prefetch("measurements", _headlines())))
    headlines = [
        headline for run in listed_runs if (headline := headline_measurement(run)) is not None
    ]
    prefetch_related_objects(headlines, "latencies")
    return listed_runs


def _headlines() -> QuerySet[Measurement]:
    """Return the measurement that represents each run, by the key of `measurement_key`."""
    in_order = ("run_id", "-is_durable_single_writer", WORKLOAD_PLACE, "-version", "pk")
    return Measurement.objects.defer("passes", "extra").order_by(*in_order).distinct("run_id")

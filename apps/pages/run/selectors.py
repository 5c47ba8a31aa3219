"""Runs: one with all that its page shows, one of its workloads, and the newest for the feed."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Case,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
    Window,
    prefetch_related_objects,
)
from django.db.models.functions import JSONObject, RowNumber

from apps.drives.models import LadderClass
from apps.moderation.models import Subject
from apps.moderation.selectors.standing import moderated
from apps.pages.run.workload_purposes import needs_passes
from apps.plans.models import Plan, Price
from apps.plans.regions import place_of
from apps.rankings.choice import (
    choice_order,
    headline_latency,
    headline_measurement,
    measurement_key,
)
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import EVIDENCE_PLACE, WORKLOAD_PLACE
from apps.rankings.standings.points import NS_PER_S, WHOLE_SHARE_MIN
from apps.runs.clouds.selectors import PROOFS
from apps.runs.models import (
    LISTED,
    NOT_EXAMPLE,
    KeepsOut,
    Label,
    Latency,
    Measurement,
    Run,
    Upload,
)
from apps.runs.selectors import (
    NEWEST_FIRST,
    agrees_to_publish,
    envelope_is_held,
    keeping_out,
    with_measurements,
)
from apps.runs.sides import COMMIT_SIDES, SYNC

VERSION_DIGITS_MAX = 4  # the schema takes no more
NEWEST_RUNS = 50  # of the feed
GHOSTS_MAX = 4  # grey curves behind a percentile chart; more cannot be told apart


# The classes of the ladder ride on the row of a run: no query of their own.
LADDER = LadderClass.objects.order_by("position").values(
    rung=JSONObject(
        **{
            name: name
            for name in (
                "slug",
                "name",
                "low_ns",
                "high_ns",
                "is_claim",
                "claimed_low_ns",
                "claimed_high_ns",
            )
        }
    )
)


@dataclass(frozen=True, slots=True)
class ComparisonCurve:
    """The curve of another plan under the same workload."""

    name: str
    curve: list[list[float]]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """Everything about one run."""

    run: Run
    measurements: tuple[Measurement, ...]
    labels: tuple[Label, ...]
    headline: Measurement | None
    latency: Latency | None
    ghosts: tuple[ComparisonCurve, ...]
    cost: Decimal | None
    price: Price | None
    own: Standing | None = None  # of the run's plan
    classes: tuple[dict[str, object], ...] = ()  # of the ladder, the fastest first

    @property
    def labels_that_keep_it_out(self) -> tuple[Label, ...]:
        """The labels for which it is in no standing."""
        return keeping_out(self.labels)

    @property
    def labels_against_its_plan(self) -> tuple[Label, ...]:
        """The labels for which it counts for its drive alone."""
        return tuple(label for label in self.labels if label.keeps_out == KeepsOut.PLAN)

    @property
    def others(self) -> tuple[Measurement, ...]:
        """Every measurement but the one that stands for the run."""
        return tuple(each for each in self.measurements if each != self.headline)

    @property
    def measurements_with_passes(self) -> tuple[Measurement, ...]:
        """The measurements of which the page needs every pass; other charts are on pages of their
        own.
        """
        more = (each for each in self.others if needs_passes(each))
        return (self.headline, *more) if self.headline else tuple(more)


def find_run(slug: str) -> RunDetails | None:
    """One run with its measurements, labels, comparison and price: 6 queries."""
    run = (
        with_measurements(Run.objects.filter(slug=slug))
        .select_related(
            "plan__provider",
            "provider",
            "drive_family",
            "expected_class",
            "measured_class",
            "citation",
            "upload__key",
            "imported_file",
        )
        .defer("upload__packed_payload", "imported_file__content")
        .annotate(ladder=ArraySubquery(LADDER), proofs=PROOFS, **moderated(Subject.RUN))
        .prefetch_related("labels")
        .first()
    )
    if run is None:
        return None
    prefetch_related_objects(list(run.measurements.all()), "latencies")
    measurements = sorted(run.measurements.all(), key=measurement_key)
    headline = headline_measurement(run)
    is_compared = headline and not (run.is_kept_out or run.plan_in_doubt)
    own, ghosts = comparison(run, headline) if headline and is_compared else (None, ())
    cost = None
    if own and own.cost_per_billion is not None and headline and headline.rate_per_s:
        # The price is that of the plan; the rate is that of this run.
        cost = own.cost_per_billion * Decimal(own.rate_per_s) / Decimal(headline.rate_per_s)
    return RunDetails(
        run=run,
        measurements=tuple(measurements),
        labels=tuple(run.labels.all()),
        headline=headline,
        latency=latency_of(headline) if headline else None,
        ghosts=ghosts,
        cost=cost,
        price=own.price if own else None,
        own=own,
        classes=tuple(getattr(run, "ladder", ())),
    )


def latency_of(measurement: Measurement) -> Latency | None:
    """The latency that represents a measurement; of one without a median its slowest commits."""
    by_side = {each.side: each for each in measurement.latencies.all() if each.p99_ns is not None}
    return headline_latency(measurement) or next(
        (by_side[side] for side in COMMIT_SIDES if side in by_side), None
    )


def is_sync_a_part(latency: Latency | None, rate_per_s: float | None) -> bool:
    """Whether a latency is of a sync that is but a part of the commits, whose rate is given."""
    if latency is None or latency.side != SYNC or not rate_per_s:
        return False
    sync_ns = latency.p50_ns if latency.mean_ns is None else latency.mean_ns
    return sync_ns is not None and sync_ns < WHOLE_SHARE_MIN * NS_PER_S / rate_per_s


def region_group_of(run: Run) -> str:
    """The group of regions in which a run was measured, or nothing."""
    return place_of(run.region, provider=run.provider_id or "").group


def first_where(condition: Q) -> Case:
    """An order that puts the rows of which this is true before all others."""
    return Case(When(condition, then=Value(0)), default=Value(1), output_field=IntegerField())


def comparison(
    run: Run, headline: Measurement
) -> tuple[Standing | None, tuple[ComparisonCurve, ...]]:
    """The standing of the run's own plan, and the curves of other plans: one query.

    Of the own plan that of the run's region, where there is one. Only plans with a curve of the
    same workload are compared, each once; the best documented come first. What is made up is drawn
    behind nothing that was measured.
    """
    if not headline.is_durable_single_writer:
        return None, ()
    own_plan = Q(plan=run.plan_id)
    here = own_plan & Q(region_group=region_group_of(run))
    others = ~Q(curve=[])
    if not run.is_example:
        others &= ~Q(evidence=Evidence.EXAMPLE)
    standings = list(
        Standing.objects.filter(
            own_plan | others,
            plan__isnull=False,
            workload=headline.workload,
            version=headline.version,
        )
        .annotate(
            choice=Window(
                RowNumber(),
                partition_by=[F("plan")],
                order_by=[first_where(here), EVIDENCE_PLACE, *choice_order()],
            )
        )
        .filter(choice=1)
        .select_related("plan", "price")
        .order_by(first_where(own_plan), "-n_uploaders", "-rate_per_s", "plan")[: GHOSTS_MAX + 1]
    )
    own = next((each for each in standings if each.plan_id == run.plan_id), None)
    with_curves = [each for each in standings if each.plan_id != run.plan_id and each.curve]
    ghosts = tuple(
        ComparisonCurve(name_of_ghost(each, each.plan), each.curve)
        for each in with_curves[:GHOSTS_MAX]
        if each.plan
    )
    return own, ghosts


def name_of_ghost(standing: Standing, plan: Plan) -> str:
    """What a curve of comparison is of: of somebody's own machine its drive says more."""
    return plan.name if plan.is_listed else standing.drive_names or plan.name


def fetch_passes(measurements: Sequence[Measurement]) -> None:
    """Fetch the passes of these measurements, samples included, and `extra`: one query."""
    rows = Measurement.objects.filter(pk__in=[each.pk for each in measurements])
    found = {pk: (passes, extra) for pk, passes, extra in rows.values_list("pk", "passes", "extra")}
    for each in measurements:
        each.passes, each.extra = found.get(each.pk, ([], {}))


def find_workload(slug: str, key: str) -> Measurement | None:
    """One workload of a run, by its name and version: 2 queries."""
    name, _, version = key.rpartition("-v")
    if not (version.isascii() and version.isdecimal() and len(version) <= VERSION_DIGITS_MAX):
        return None
    return (
        Measurement.objects.filter(run__slug=slug, workload=name, version=int(version))
        .select_related(
            "run__plan",
            "run__provider",
            "run__drive_family",
            "run__expected_class",
            "run__citation",
        )
        .prefetch_related("latencies")
        .first()
    )


class EnvelopeHeldError(Exception):
    """The signed bytes of a run are not handed out until a moderator has read its names."""


def public_envelope(slug: str) -> bytes | None:
    """The signed envelope of a run, where its sender agreed that everybody may have it.

    Raises EnvelopeHeldError.
    """
    run = Run.objects.filter(slug=slug, upload__isnull=False).select_related("upload").first()
    if run is None or run.upload is None or not agrees_to_publish(run):
        return None
    if envelope_is_held(run):
        raise EnvelopeHeldError(slug)
    return run.upload.envelope


def run_of_short_code(code: str) -> UUID | None:
    """The run of a short address, or None."""
    return Upload.objects.filter(short_code=code).values_list("pk", flat=True).first()


def newest_runs() -> list[tuple[Run, Measurement | None]]:
    """The runs of the feed, newest first, each with the measurement that names it: 2 queries."""
    headline = Measurement.objects.filter(run=OuterRef("pk")).order_by(
        "-is_durable_single_writer", WORKLOAD_PLACE, "-version", "pk"
    )
    runs = list(
        Run.objects.filter(NOT_EXAMPLE, LISTED, measured_at__isnull=False)
        .select_related("provider", "plan__provider", "drive_family", "citation")
        .annotate(headline=Subquery(headline.values("pk")[:1]))
        .defer("environment")
        .order_by(*NEWEST_FIRST)[:NEWEST_RUNS]
    )
    named = Measurement.objects.only(
        "run", "workload", "version", "title", "is_durable_single_writer", "rate_per_s"
    ).in_bulk([run.headline for run in runs if run.headline])
    return [(run, named.get(run.headline)) for run in runs]

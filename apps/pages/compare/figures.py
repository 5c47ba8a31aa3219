"""From stored standings and runs to the figures of a comparison."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.compare.things import (
    RangeTest,
    ThingFigures,
    shape_of_measurement,
    shape_of_standing,
)
from apps.pages.show import phrases, words
from apps.pages.show.table.row import DOT
from apps.pages.show.table.rows import interval_of, is_out, run_title, run_under, subject_of
from apps.rankings.cost import cost_per_billion, cost_range, price_month_per_1000
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.confidence import support_of_run, support_of_standing
from apps.runs.models import Latency, Measurement, Outcome, Run
from apps.wire.suites import p99_limit_of
from apps.words.confidence import basis_of, basis_of_run
from apps.words.facts import sentences_in_words
from apps.words.standings import warnings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from decimal import Decimal

    from apps.plans.models import Price


def point_at(curve: Sequence[Sequence[float]], q: float) -> int | None:
    """The latency of a quantile that a curve holds as a point of its own; nothing between two."""
    return next((round(ns) for at, ns in curve if math.isclose(at, q, abs_tol=1e-9)), None)


def range_test_of(standing: Standing) -> RangeTest | None:
    """What tells a standing from others of its board, where it has enough evidence."""
    if standing.median_sd_ln is None or standing.apart_sds is None:
        return None
    return RangeTest(standing.median_sd_ln, standing.apart_sds)


def count_of_standing(standing: Standing) -> str:
    """How many stand behind a standing, in words."""
    runs = words.count(standing.n_runs, "run")
    if not Evidence.is_judged(standing.evidence):
        return runs
    uploaders = words.count(standing.n_uploaders, "uploader")
    return DOT.join((uploaders, words.count(standing.n_machines, "machine"), runs))


def figures_of_standing(
    standing: Standing, curve: Sequence[Sequence[float]], newest: Run | None
) -> ThingFigures:
    """What a plan or a drive family says under the workload of a standing."""
    limit_ns = p99_limit_of(standing.workload, version=standing.version)
    low, high = standing.rate_per_s_low, standing.rate_per_s_high
    has_cost = standing.is_durable_single_writer and standing.price is not None
    return ThingFigures(
        rate_per_s=standing.rate_per_s,
        low=low,
        high=high,
        interval=interval_of(standing) if low else "",
        p50_ns=standing.p50_ns,
        p99_ns=standing.p99_ns,
        p999_ns=standing.p999_ns,
        p9999_ns=standing.p9999_ns,
        side=standing.latency_side,
        curve=curve,
        count=count_of_standing(standing),
        n_runs=standing.n_runs,
        n_machines=standing.n_machines,
        n_uploaders=standing.n_uploaders,
        level=words.level_of(standing.evidence, is_reproduced=standing.is_reproduced),
        measured_at=newest.measured_at if newest else None,
        is_commit=standing.is_durable_single_writer,
        shape=shape_of_standing(standing),
        support=support_of_standing(standing),
        basis=basis_of(standing),
        p99_limit_ns=limit_ns,
        p99_low_ns=standing.p99_low_ns,
        p99_high_ns=standing.p99_high_ns,
        region=words.region(standing.region_group),
        cost=standing.cost_per_billion if has_cost else None,
        cost_range=cost_interval(standing.price, low, high) if has_cost else None,
        month_per_1000=standing.price_month_per_1000 if limit_ns else None,
        range_test=range_test_of(standing),
        is_of_few=standing.needs_runs,
        warning=phrases.join_sentences(warnings_of(standing)),
        run_slug=standing.newest_run_slug,
    )


def is_of_one_work(figures: Iterable[ThingFigures | None]) -> bool:
    """Whether all that is known is of the same work."""
    return len({each.shape for each in figures if each}) == 1


def apart(figures: Sequence[ThingFigures | None]) -> Sequence[ThingFigures | None]:
    """These figures; of different work none is called the better, only the ratio is stated."""
    if is_of_one_work(figures):
        return figures
    return [each and replace(each, is_of_few=True) for each in figures]


def cost_interval(
    price: Price | None, low: float | None, high: float | None
) -> tuple[Decimal, Decimal] | None:
    """What a billion commits cost at both ends of the rate's interval."""
    if price is None or not low or not high:
        return None
    return cost_range(price, rate_low_per_s=low, rate_high_per_s=high)


def figures_of_measurement(
    measurement: Measurement, latency: Latency | None, price: Price | None
) -> ThingFigures | None:
    """What one run says; its cost is that of its plan's list price at the run's own rate."""
    rate, run = measurement.rate_per_s, measurement.run
    if not rate:
        return None
    limit_ns = p99_limit_of(measurement.workload, version=measurement.version)
    low, high = measurement.rate_per_s_low, measurement.rate_per_s_high
    has_cost = measurement.is_durable_single_writer and price is not None
    return ThingFigures(
        rate_per_s=rate,
        low=low,
        high=high,
        interval=str(words.INTERVALS["samples"]) if low else "",
        p50_ns=latency.p50_ns if latency else None,
        p99_ns=latency.p99_ns if latency else None,
        p999_ns=latency.p999_ns if latency else None,
        p9999_ns=latency.p9999_ns if latency else None,
        side=latency.side if latency else "",
        curve=latency.curve if latency else (),
        count=words.count(1, "run"),
        n_runs=1,
        n_machines=1,
        n_uploaders=1,
        level=run.shown_level,
        measured_at=run.measured_at,
        is_commit=measurement.is_durable_single_writer,
        shape=shape_of_measurement(measurement),
        support=support_of_run(run),
        basis=basis_of_run(run),
        p99_limit_ns=limit_ns,
        cost=cost_per_billion(price, rate_per_s=rate) if has_cost and price else None,
        cost_range=cost_interval(price, low, high) if has_cost else None,
        month_per_1000=price_month_per_1000(price, rate_per_s=rate) if limit_ns and price else None,
        warning=run_warning(run),
        is_out=is_out(run) or run.outcome == Outcome.QUARANTINE,
        run_slug=run.slug,
    )


def run_warning(run: Run) -> str:
    """What has to be known beside the figures of a run."""
    if run.outcome == Outcome.QUARANTINE:
        return _("Quarantine: the figures cannot be what they say.")
    if is_out(run):
        return _("does not count")
    if run.is_example:
        return _("made-up example")
    citation = getattr(run, "citation", None)
    return sentences_in_words(citation.warning) if citation else ""


def words_of_standing(standing: Standing) -> tuple[str, str, str]:
    """Name, line below it and page of what a standing is of."""
    subject = subject_of(standing)
    return subject.name, subject.under, subject.url


def words_of_run(run: Run) -> tuple[str, str, str]:
    """Name, line below it and page of a run."""
    return run_title(run), run_under(run), reverse("pages:run", args=[run.slug])

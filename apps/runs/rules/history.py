"""What was stored before a run: figures that are equal or nearly so, and how its sender behaves.

Only uploads that came earlier by the server's clock count, so that a rebuild finds the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import F, Q
from django.db.models.functions import Abs

from apps.runs.models import Latency, Run
from apps.stats.analysis.likeness import correlation_of_rates, deviations_of_likeness
from apps.stats.histogram import Histogram
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.runs.models import Upload
    from apps.runs.rules.workloads import MeasuredWorkload

COPY_COMMITS_MIN: Final = 100  # with fewer, two honest runs may agree on a coarse clock
MACHINE_PERIOD: Final = timedelta(days=30)  # in which the keys of a machine are counted
BURST_PERIOD: Final = timedelta(days=1)  # in which the new keys of a plan are counted
CHALLENGES_PERIOD: Final = timedelta(days=30)  # in which the challenges of a key are counted
# Independent samples of one distribution are never so much alike. A device that paces its answers
# is more even than chance: two such series, simulated, came to 6.5. Replays came to 12.5 and more.
LIKENESS_DEVIATIONS_MIN: Final = 10.0
# No repeat of a machine came beyond 0.43, of 56 pairs. Neighbouring changes share a value, so that
# the deviation of n of them is root(1.5 / n): of 50 it is 4.6 standard deviations.
RATES_CORRELATION_MIN: Final = 0.8
MEDIAN_SHARE_BESIDE: Final = 0.02  # where a replay stays that is to pass for the same drive
NEAREST_MAX: Final = 20  # runs that are compared bucket by bucket, those of the nearest mean


@dataclass(frozen=True, slots=True)
class NearCopy:
    """An earlier run of which this one is more alike than chance lets two measurements be."""

    slug: str
    deviations: float  # by so many the counts of latencies differ less than chance makes them
    correlation: float  # of the changes of the rate; 0 where it tells nothing

    @property
    def is_too_near(self) -> bool:
        """Whether the counts or the rates are those of the earlier run."""
        has_its_counts = self.deviations >= LIKENESS_DEVIATIONS_MIN
        return has_its_counts or self.correlation >= RATES_CORRELATION_MIN


@dataclass(frozen=True, slots=True)
class History:
    """What was stored before a run, as rules need it."""

    copied_from: str | None = None  # slug of the first run of another key or machine that is equal
    near_copy: NearCopy | None = None  # a run that is more alike than chance allows
    keys_of_machine: int = 1  # keys that sent runs of this machine from this network, with this one
    new_keys_on_plan: int = 0  # keys first seen within a day, with this one; 0 if it is not new
    challenges_issued: int | None = None  # None: not counted
    challenges_abandoned: int | None = None


def figures_sha256(headline: MeasuredWorkload | None) -> str:
    """Return the SHA-256 of the headline's commit histogram: buckets, counts, sum, min and max.

    Empty for fewer than COPY_COMMITS_MIN commits.
    """
    commits = headline.histograms.get("commit") if headline else None
    if commits is None or commits.count < COPY_COMMITS_MIN:
        return ""
    exact = [commits.buckets, commits.counts, commits.sum_ns, commits.min_ns, commits.max_ns]
    return hashlib.sha256(json.dumps(exact).encode()).hexdigest()


def history_of(run: Run, upload: Upload, headline: MeasuredWorkload | None) -> History:
    """Return the history before this run, which may be unsaved: 4 queries."""
    copied_from = _copied_from(run, upload)
    return History(
        copied_from=copied_from,
        near_copy=None if copied_from else _near_copy(upload, headline),
        keys_of_machine=1 + _other_keys_of_machine(run, upload),
        new_keys_on_plan=_new_keys_on_plan(run, upload),
        challenges_issued=upload.challenges_issued,
        challenges_abandoned=upload.challenges_abandoned,
    )


def _earlier(upload: Upload) -> QuerySet[Run]:
    """Return the runs that were sent before; at the same instant the smaller id is first."""
    was_before = Q(upload__received_at__lt=upload.received_at) | Q(
        upload__received_at=upload.received_at, pk__lt=upload.run_id
    )
    return Run.objects.filter(was_before)


def _earlier_of_others(upload: Upload) -> QuerySet[Run]:
    """Return the runs that other keys sent before."""
    return _earlier(upload).exclude(upload__key=upload.key_id)


def _copied_from(run: Run, upload: Upload) -> str | None:
    if not run.figures_sha256:
        return None
    same = _earlier(upload).filter(figures_sha256=run.figures_sha256)
    same = same.exclude(upload__key=upload.key_id, machine=run.machine)
    return same.order_by("upload__received_at", "pk").values_list("slug", flat=True).first()


def _near_copy(upload: Upload, headline: MeasuredWorkload | None) -> NearCopy | None:
    """Return the earlier run that is the most alike, of any key, if it is too much so."""
    commits = headline.histograms.get("commit") if headline else None
    if headline is None or commits is None or commits.count < COPY_COMMITS_MIN:
        return None
    rates = [one.rate_samples for one in headline.workload.passes]
    alike = [
        NearCopy(
            slug=slug,
            deviations=-(deviations_of_likeness(commits, earlier) or 0.0),
            correlation=correlation_of_rates(rates, earlier_rates) or 0.0,
        )
        for slug, earlier, earlier_rates in _nearest(upload, commits)
    ]
    too_near = [each for each in alike if each.is_too_near]
    return max(too_near, key=lambda each: (each.deviations, each.correlation), default=None)


def _nearest(upload: Upload, commits: Histogram) -> list[tuple[str, Histogram, list[list[int]]]]:
    """Return the headlines of earlier runs with nearly this median, the nearest means first."""
    p50_ns, mean_ns = commits.percentile_ns(0.5), commits.sum_ns // commits.count
    beside_ns = round(p50_ns * MEDIAN_SHARE_BESIDE)
    stored = Latency.objects.filter(
        side="commit",
        p50_ns__range=(p50_ns - beside_ns, p50_ns + beside_ns),
        measurement__workload=HEADLINE_WORKLOAD,
        measurement__run__in=_earlier(upload),
        histogram__isnull=False,
    ).order_by(Abs(F("mean_ns") - mean_ns), "pk")
    columns = ("histogram", "sum_ns", "min_ns", "max_ns")
    rows = stored.values_list("measurement__run__slug", "measurement__passes", *columns)
    return [
        (
            slug,
            Histogram(tuple(histogram.buckets), tuple(histogram.counts), *exact),
            [one["rate_samples"] for one in passes],
        )
        for slug, passes, histogram, *exact in rows[:NEAREST_MAX]
    ]


def _other_keys_of_machine(run: Run, upload: Upload) -> int:
    same = _earlier_of_others(upload).filter(
        machine=run.machine,
        upload__network=upload.network,  # whoever claims its keys later
        upload__received_at__gt=upload.received_at - MACHINE_PERIOD,
    )
    return same.values("upload__key").distinct().count()


def _new_keys_on_plan(run: Run, upload: Upload) -> int:
    since = upload.received_at - BURST_PERIOD
    if upload.key.first_seen <= since:
        return 0
    new = _earlier_of_others(upload).filter(
        plan=run.plan_id, upload__received_at__gt=since, upload__key__first_seen__gt=since
    )
    return 1 + new.values("upload__key").distinct().count()

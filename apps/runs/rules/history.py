"""What was stored before a run: figures that are equal or nearly so, and how its sender behaves.

Only uploads that came earlier by the server's clock count, so that a rebuild finds the same.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from apps.runs.packed.packing import unpacked, unpacked_counts
from apps.stats.analysis.likeness import correlation_of_rates, deviations_of_likeness
from apps.stats.histogram import Histogram
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from apps.runs.models import Run, Upload
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


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """What of a run is compared with those that came before it."""

    run_id: UUID
    received_at: datetime
    key: str
    key_first_seen: datetime
    network: str
    machine: str
    plan: str | None
    figures_sha256: str
    challenges_issued: int | None
    challenges_abandoned: int | None
    commits: Histogram | None  # of the headline
    rates: Sequence[Sequence[int]]  # of its passes, sample by sample

    @property
    def can_be_compared(self) -> bool:
        """Whether there are so many commits that two honest runs differ."""
        return self.commits is not None and self.commits.count >= COPY_COMMITS_MIN

    @property
    def without_history(self) -> History:
        """The history of a run before which nothing was sent."""
        return History(
            challenges_issued=self.challenges_issued,
            challenges_abandoned=self.challenges_abandoned,
        )


def sent_of(run: Run, upload: Upload, headline: MeasuredWorkload | None) -> ComparedRun:
    """Return what is compared of a run, which may be unsaved."""
    return ComparedRun(
        run_id=upload.run_id,
        received_at=upload.received_at,
        key=upload.key_id,
        key_first_seen=upload.key.first_seen,
        network=upload.network,
        machine=run.machine,
        plan=run.plan_id,
        figures_sha256=run.figures_sha256,
        challenges_issued=upload.challenges_issued,
        challenges_abandoned=upload.challenges_abandoned,
        commits=headline.histograms.get("commit") if headline else None,
        rates=[one.rate_samples for one in headline.workload.passes] if headline else (),
    )


# Of runs as rows of an upload, `measured_at` is when it was received and `id` is its run_id.
_SENT: Final = """
    WITH sent AS (SELECT * FROM unnest(
        %(ids)s::uuid[], %(times)s::timestamptz[], %(keys)s::text[], %(first_seen)s::timestamptz[],
        %(networks)s::text[], %(machines)s::text[], %(plans)s::text[], %(figures)s::text[],
        %(p50_lows)s::bigint[], %(p50_highs)s::bigint[], %(means)s::bigint[]
    ) AS sent (
        run_id, at, key, first_seen, network, machine, plan, figures, p50_low_ns, p50_high_ns,
        mean_ns
    ))
"""
_EARLIER: Final = "run.upload_id IS NOT NULL AND (run.listed_at, run.id) < (sent.at, sent.run_id)"
_FACTS: Final = f"""
    {_SENT}
    SELECT sent.run_id,
        (SELECT run.slug FROM runs_run run JOIN runs_upload upload ON upload.run_id = run.upload_id
            WHERE sent.figures <> '' AND run.figures_sha256 = sent.figures AND {_EARLIER}
                AND NOT (upload.key_id = sent.key AND run.machine = sent.machine)
            ORDER BY run.listed_at, run.id LIMIT 1),
        1 + (SELECT count(DISTINCT upload.key_id)
            FROM runs_run run JOIN runs_upload upload ON upload.run_id = run.upload_id
            WHERE run.machine = sent.machine AND {_EARLIER}
                AND run.listed_at > sent.at - %(machine_period)s
                AND upload.network = sent.network  -- whoever claims its keys later
                AND upload.key_id <> sent.key),
        CASE WHEN sent.first_seen <= sent.at - %(burst_period)s THEN 0 ELSE
            1 + (SELECT count(DISTINCT upload.key_id)
                FROM runs_run run JOIN runs_upload upload ON upload.run_id = run.upload_id
                    JOIN accounts_agentkey key ON key.keyid = upload.key_id
                WHERE run.plan_id = sent.plan AND {_EARLIER}
                    AND run.listed_at > sent.at - %(burst_period)s
                    AND key.first_seen > sent.at - %(burst_period)s
                    AND upload.key_id <> sent.key)
        END
    FROM sent
"""  # noqa: S608  of constants
# From the mean of a run up and from there down, each as far as its limit: an index has them so.
_BESIDE: Final = f"""
    SELECT run.listed_at, run.id, run.slug, one.passes, latency.histogram, latency.sum_ns,
        latency.min_ns, latency.max_ns, abs(latency.mean_ns - sent.mean_ns) AS away_ns
    FROM runs_latency latency
        JOIN runs_measurement one ON one.id = latency.measurement_id
        JOIN runs_run run ON run.id = one.run_id
    WHERE latency.side = 'commit' AND latency.histogram IS NOT NULL
        AND latency.p50_ns BETWEEN sent.p50_low_ns AND sent.p50_high_ns
        AND one.workload = '{HEADLINE_WORKLOAD}' AND {_EARLIER}
"""  # noqa: S608  of constants
_NEAREST: Final = f"""
    {_SENT}
    SELECT sent.run_id, near.* FROM sent CROSS JOIN LATERAL (
        (({_BESIDE} AND latency.mean_ns >= sent.mean_ns
            ORDER BY latency.mean_ns, run.listed_at, run.id LIMIT {NEAREST_MAX})
        UNION ALL
        ({_BESIDE} AND latency.mean_ns < sent.mean_ns
            ORDER BY latency.mean_ns DESC, run.listed_at, run.id LIMIT {NEAREST_MAX}))
        ORDER BY away_ns, listed_at, id LIMIT {NEAREST_MAX}
    ) near
"""  # noqa: S608  of constants


def histories_of(runs: Sequence[ComparedRun]) -> dict[UUID, History]:
    """Return the history before each of these runs, by its id: 2 queries."""
    if not runs:
        return {}
    columns = _columns_of(runs) | {
        "machine_period": MACHINE_PERIOD,
        "burst_period": BURST_PERIOD,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FACTS, columns)
        facts = {run_id: found for run_id, *found in cursor.fetchall()}
    compared = [run for run in runs if run.can_be_compared and facts[run.run_id][0] is None]
    near_copies = _near_copies(compared)
    return {
        run.run_id: replace(
            run.without_history,
            copied_from=facts[run.run_id][0],
            near_copy=near_copies.get(run.run_id),
            keys_of_machine=facts[run.run_id][1],
            new_keys_on_plan=facts[run.run_id][2],
        )
        for run in runs
    }


def _columns_of(runs: Sequence[ComparedRun]) -> dict[str, Any]:
    p50_lows, p50_highs, means = zip(*map(_medians_beside, runs), strict=True)
    return {
        "ids": [run.run_id for run in runs],
        "times": [run.received_at for run in runs],
        "keys": [run.key for run in runs],
        "first_seen": [run.key_first_seen for run in runs],
        "networks": [run.network for run in runs],
        "machines": [run.machine for run in runs],
        "plans": [run.plan for run in runs],
        "figures": [run.figures_sha256 for run in runs],
        "p50_lows": list(p50_lows),
        "p50_highs": list(p50_highs),
        "means": list(means),
    }


def _medians_beside(run: ComparedRun) -> tuple[int | None, int | None, int | None]:
    """Return the lowest and highest median that is near that of a run, and the mean of the run."""
    if run.commits is None or not run.can_be_compared:
        return None, None, None
    p50_ns = run.commits.percentile_ns(0.5)
    beside_ns = round(p50_ns * MEDIAN_SHARE_BESIDE)
    return p50_ns - beside_ns, p50_ns + beside_ns, run.commits.mean_ns


def _near_copies(runs: Sequence[ComparedRun]) -> dict[UUID, NearCopy]:
    """Return for each of these runs the earlier one that is the most alike, if it is too much so.

    Of any key. Those of the nearest means are compared.
    """
    if not runs:
        return {}
    by_id = {run.run_id: run for run in runs}
    alike: dict[UUID, list[NearCopy]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_NEAREST, _columns_of(runs))
        for run_id, _, _, slug, passes, histogram, *exact, _ in cursor:
            earlier = histogram_of(histogram, *exact)
            near = _likeness(by_id[run_id], slug, earlier, rates_of(passes))
            if near.is_too_near:
                alike[run_id].append(near)
    return {
        run_id: max(found, key=lambda each: (each.deviations, each.correlation))
        for run_id, found in alike.items()
    }


def histogram_of(counts: bytes, sum_ns: int, min_ns: int, max_ns: int) -> Histogram:
    """Return a stored histogram, of packed counts."""
    buckets, of_buckets = unpacked_counts(bytes(counts))
    return Histogram(tuple(buckets), tuple(of_buckets), sum_ns, min_ns, max_ns)


def rates_of(passes: bytes) -> list[list[int]]:
    """Return the rates of stored passes, sample by sample."""
    return [one["rate_samples"] for one in unpacked(bytes(passes))]


def _likeness(
    run: ComparedRun, slug: str, earlier: Histogram, earlier_rates: Sequence[Sequence[int]]
) -> NearCopy:
    commits = run.commits
    return NearCopy(
        slug=slug,
        deviations=-((commits and deviations_of_likeness(commits, earlier)) or 0.0),
        correlation=correlation_of_rates(run.rates, earlier_rates) or 0.0,
    )

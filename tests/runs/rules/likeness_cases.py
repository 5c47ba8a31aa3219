"""Cases of the rules about figures that nobody measured, on each side of their thresholds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from apps.intake.services.work import drain
from apps.runs.models import Upload
from apps.runs.rules.physics import figures_without_device
from apps.stats.histogram import Histogram, bucket_low_ns, bucket_of
from tests import make
from tests.runs.rules.behaviour_cases import A_DAY
from tests.runs.rules.changes import SYNCS, silent, speaks, workload

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

WRITE_NS = 400
MEDIAN_NS = 40_000
DEVIATION = 0.25  # in ln


def drawn(
    seed: int, *, deviation: float = DEVIATION, longest: float = 1.0
) -> Callable[[make.Json], None]:
    """Return a change of the headline to commits that were drawn, each pass for itself.

    The first of each pass takes `longest` times the median.
    """

    def change(document: make.Json) -> None:
        headline = document["workloads"][0]
        generator = np.random.default_rng(seed)
        commits: list[int] = []
        for one in headline["passes"]:
            times = generator.lognormal(np.log(MEDIAN_NS), deviation, one["operations"])
            times[0] = MEDIAN_NS * longest
            times_ns = times.astype(np.int64)
            commits += times_ns.tolist()
            ends = np.cumsum(times_ns)
            one["elapsed_ns"] = int(ends[-1])
            intervals = one["elapsed_ns"] // make.SAMPLE_NS
            samples = np.bincount(ends // make.SAMPLE_NS, minlength=intervals + 1)
            one["rate_samples"] = samples[:intervals].tolist()
        headline["elapsed_ns"] = sum(one["elapsed_ns"] for one in headline["passes"])
        headline["histograms"] = {
            "write": sent([WRITE_NS] * len(commits)),
            "sync": sent([ns - WRITE_NS for ns in commits]),
            "commit": sent(commits),
        }

    return change


def sent(values_ns: list[int]) -> make.Json:
    histogram = Histogram.from_values(values_ns)
    return {
        "kind": "log128", "sum_ns": histogram.sum_ns, "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "counts": [list(pair) for pair in zip(histogram.buckets, histogram.counts, strict=True)],
    }  # fmt: skip


def earlier(disguise: Callable[[make.Json], None], **changes: Any) -> Callable[[Upload], None]:
    """Return what stores, a day before, the run with its headline disguised."""

    def before(upload: Upload) -> None:
        document = make.payload(**changes)
        document["workloads"][0] = workload(upload)["workloads"][0]
        disguise(document)
        make.upload(
            document,
            received_at=upload.received_at - A_DAY,
            next_attempt_at=upload.next_attempt_at - A_DAY,
        )
        drain(most=1)

    return before


def jittered(share: float) -> Callable[[make.Json], None]:
    """Return a disguise that changes each count by up to this share."""

    def disguise(document: make.Json) -> None:
        generator = np.random.default_rng(7)
        for pair in document["workloads"][0]["histograms"]["commit"]["counts"]:
            pair[1] = max(round(pair[1] * generator.uniform(1 - share, 1 + share)), 1)

    return disguise


def shaken(share: float) -> Callable[[make.Json], None]:
    """Return a disguise that moves up to this share of each bucket into the next one."""

    def disguise(document: make.Json) -> None:
        generator = np.random.default_rng(8)
        counts = document["workloads"][0]["histograms"]["commit"]["counts"]
        for pair, after in pairwise(counts):
            moved = int(pair[1] * generator.uniform(0, share))
            pair[1], after[1] = max(pair[1] - moved, 1), after[1] + moved

    return disguise


def rescaled(document: make.Json) -> None:
    """Disguise each latency by 1 % more, which leaves the rate to rise and fall as it did."""
    for histogram in document["workloads"][0]["histograms"].values():
        longer: Counter[int] = Counter()
        for bucket, count in histogram["counts"]:
            longer[bucket_of(round(bucket_low_ns(bucket) * 1.01))] += count
        histogram["counts"] = [list(pair) for pair in sorted(longer.items())]


def one_too_few(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(figures_without_device, "COMMITS_MIN", SYNCS + 1)


LIKENESS = [
    speaks("figures-without-device", "1.48 times", drawn(3, deviation=0.05, longest=1.48)),
    silent("figures-without-device", "1.52 times", drawn(3, deviation=0.05, longest=1.52)),
    silent("figures-without-device", "a commit too few",
           drawn(3, deviation=0.05, longest=1.48), patch=one_too_few),
    speaks("near-copy", "counts 1 % beside those of another key", drawn(1),
           before=earlier(jittered(0.01))),
    speaks("near-copy", "counts 2 % beside, under another machine's name", drawn(1),
           before=earlier(jittered(0.02), machine="f" * 32)),
    speaks("near-copy", "one in a hundred moved by a bucket", drawn(1),
           before=earlier(shaken(0.02))),
    speaks("near-copy", "latencies that were scaled", drawn(1, deviation=0.5),
           before=earlier(rescaled)),
    silent("near-copy", "drawn from the same distribution", drawn(1), before=earlier(drawn(2))),
    silent("near-copy", "too few buckets to tell", before=earlier(jittered(0.01))),
]  # fmt: skip

"""A fixture on each side of the threshold of every rule about figures that fit each other."""

from __future__ import annotations

from tests import make
from tests.runs.rules.changes import (
    IN_MILLISECONDS,
    SYNCS,
    added,
    adding,
    both,
    ended,
    hurried,
    instant,
    lasting,
    setting,
    silent,
    speaks,
    stretched,
    without_histogram,
)

NAMELESS = setting("devices", [make.device(model="NO SUCH DRIVE")])  # which may take any time
MILLISECONDS = make.payload()["workloads"][0]["passes"][0]["elapsed_ns"] // 1_000_000

CONSISTENCY = [
    silent("histogram-totals", "each latency once"),
    speaks(
        "histogram-totals",
        "a latency missing",
        setting("workloads/0/histograms/write/counts/0/1", SYNCS - 1),
    ),
    speaks("histogram-totals", "the commits left out", without_histogram("commit")),
    speaks("histogram-totals", "the writes left out", without_histogram("write")),
    speaks(
        "histogram-totals",
        "a sum beyond its buckets",
        both(
            adding("workloads/3/histograms/read/sum_ns", 80_000_000),
            adding("workloads/3/elapsed_ns", 80_000_000),
            adding("workloads/3/passes/0/elapsed_ns", 80_000_000),
        ),
    ),
    speaks(
        "histogram-totals",
        "a shortest commit outside its bucket",
        setting("workloads/0/histograms/commit/min_ns", 1),
    ),
    speaks("pass-totals", "an operation in no pass", adding("workloads/0/passes/1/operations", 1)),
    speaks("pass-totals", "bytes in no pass", adding("workloads/0/passes/1/bytes", 1)),
    speaks("pass-totals", "time in no pass", adding("workloads/0/passes/1/elapsed_ns", 1)),
    speaks(
        "pass-totals",
        "samples of more than was done",
        both(IN_MILLISECONDS, setting("workloads/0/passes/0/rate_samples", [SYNCS // 3 + 1])),
    ),
    silent(
        "pass-totals",
        "as many samples as fit",
        both(
            IN_MILLISECONDS,
            setting("workloads/0/passes/0/rate_samples", [SYNCS // 3] + [0] * (MILLISECONDS - 1)),
        ),
    ),
    speaks(
        "pass-totals",
        "more samples than fit",
        both(
            IN_MILLISECONDS, setting("workloads/0/passes/0/rate_samples", [0] * (MILLISECONDS + 1))
        ),
    ),
    silent("pass-limits", "the bytes of a pass"),
    silent("pass-limits", "the time of a pass", NAMELESS, latency_ns=1_000_000),
    speaks("pass-limits", "an end by time too early", ended("time"), latency_ns=40_000),
    speaks(
        "pass-limits",
        "an end by a share of bytes of writers that it does not have",
        both(
            ended("bytes"),
            setting("workloads/0/engine/writers", 64),
            setting("workloads/0/engine/queue_depth", 64),
            NAMELESS,
        ),
        latency_ns=1_000_000,
    ),
    speaks("pass-limits", "the latest end too early", ended("time-limit")),
    speaks(
        "pass-limits",
        "an end by bytes too early",
        both(ended("bytes"), NAMELESS),
        latency_ns=1_000_000,
    ),
    speaks("pass-limits", "twice the bytes", hurried("commit-8k-writers-32", by=132, in_time=5)),
    silent("bytes-per-operation", "a block each"),
    speaks(
        "bytes-per-operation",
        "a byte more than the blocks",
        both(adding("workloads/0/bytes", 1), adding("workloads/0/passes/0/bytes", 1)),
    ),
    silent("rate-against-latency", "one per cent between operations", stretched(1.01)),
    speaks("rate-against-latency", "three per cent between operations", stretched(1.03)),
    speaks("rate-against-latency", "more latency than time", stretched(0.97)),
    silent(
        "rate-against-latency", "32 in flight", hurried("commit-8k-writers-32", by=63, in_time=2)
    ),
    speaks("rate-against-latency", "64 where 32 fit", hurried("commit-8k-writers-32", by=64)),
    silent(
        "rate-against-latency", "32 reads in flight", hurried("randread-4k-qd32", by=63, in_time=2)
    ),
    speaks("rate-against-latency", "64 reads where 32 fit", hurried("randread-4k-qd32", by=64)),
    silent(
        "rate-against-latency",
        "two thirds of the time with a read in flight",
        hurried("randread-4k-qd32", by=2, in_time=3),
    ),
    speaks(
        "rate-against-latency",
        "a third of the time with a read in flight",
        hurried("randread-4k-qd32", by=1, in_time=3),
    ),
    silent(
        "rate-against-latency",
        "a search, whose arrivals wait",
        hurried("slo-randread-4k-1ms", by=100),
    ),
    silent("no-latency", "a nanosecond", instant("commit", 1)),
    speaks("no-latency", "a commit of 0 ns", instant("commit", 0)),
    silent("beyond-bus", "111 GB/s", added("seqread-256k-qd8", latency_ns=2_000)),
    speaks("beyond-bus", "148 GB/s", added("seqread-256k-qd8", latency_ns=1_500)),
    silent("effective-depth", "as the histograms say"),
    speaks(
        "effective-depth",
        "a thousandth more",
        adding("workloads/0/engine/effective_depth_milli", 1),
    ),
    silent("commit-parts", "write and sync"),
    speaks(
        "commit-parts",
        "a write that the commit lacks",
        setting("workloads/0/histograms/write", make.histogram_json([2000] * SYNCS)),
    ),
    silent("elapsed-totals", "two seconds besides the workloads"),
    speaks("elapsed-totals", "longer than the run", setting("clock/mono_elapsed_ns", 1)),
    speaks("elapsed-totals", "no time for the warm-ups", lasting(beside_ns=300_000_000)),
    speaks("elapsed-totals", "no time to fill 1 GiB", lasting(beside_ns=720_000_000)),
    silent("elapsed-totals", "time for both", lasting(beside_ns=760_000_000)),
    speaks(
        "elapsed-totals",
        "a boot-time clock that stood still",
        setting("clock/boottime_elapsed_ns", 900_000_000),
    ),
    silent(
        "server-clock",
        "a machine that slept before the upload",
        setting("clock/boottime_elapsed_ns", 299_000_000_000),
    ),
    speaks(
        "server-clock",
        "longer than between challenge and upload",
        setting("clock/boottime_elapsed_ns", 310_000_000_000),
    ),
    silent("seed-proof", "the proof of the seed"),
    speaks("seed-proof", "another proof", upload={"challenge_seed": b"\x01" * 32}),
    speaks("seed-proof", "no proof", setting("seed_proof", None)),
    silent("suite-unknown", "ours"),
    speaks("suite-unknown", "another suite", setting("suite/sha256", "0" * 64)),
    speaks("suite-unknown", "another version of the suite", setting("suite/version", 7)),
]

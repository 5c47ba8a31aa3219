"""fio beside us: where it is, what it is asked, and how its JSON is read."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.bench.engine.readings import Cost, Latency, PassError, Reading
from tests.bench.engine.shapes import Shape
from tests.bench.failure import BenchmarkError

NO_FIO: Final = """fio is not installed; its packages are what we are compared with.
  Debian, Ubuntu: apt-get install fio        (3.33 in Debian 12)
  Fedora:         dnf install fio"""

# Percentiles of lat: from before the submission to the completion, as ours. fio's default, clat,
# leaves the submission out, and with it all of an I/O that the kernel finishes at once.
COMMON: Final = (
    "--output-format=json", "--group_reporting=1", "--percentile_list=50:99",
    "--lat_percentiles=1", "--clat_percentiles=0",
)  # fmt: skip


def find() -> tuple[str, str]:
    """The path of fio and its version."""
    path = shutil.which("fio")
    if path is None:
        raise BenchmarkError(NO_FIO)
    said = subprocess.run([path, "--version"], check=False, capture_output=True, text=True)
    return path, said.stdout.strip() or "fio of unknown version"


def command(
    path: str, shape: Shape, words: Sequence[str], *, file: str, seconds: float
) -> list[str]:
    """A command line; 0 seconds are a single operation, which costs what starting costs."""
    length = [f"--runtime={round(seconds * 1000)}ms"] if seconds else ["--number_ios=1"]
    if seconds and not shape.file.ends_a_pass:
        length.append("--time_based=1")
    return [path, f"--name={shape.name}", f"--filename={file}", *words, *length, *COMMON]


def read(output: str) -> Reading:
    """The JSON of one job or one group as a reading; its cost is that of the job alone.

    The JSON may follow lines of warnings. With `fdatasync=1` fio 3.33 says `total_ios: 0` for syncs
    and keeps their latencies nevertheless.
    """
    start = output.find("{")
    if start < 0:
        raise PassError(f"fio printed no JSON: {output[:200]}")
    job = json.loads(output[start:])["jobs"][0]
    if job.get("error"):
        raise PassError(f"fio's job ended with error {job['error']}")
    sides = [job[side] for side in ("read", "write") if job[side]["total_ios"] > 0]
    if not sides:
        raise PassError("fio did no operation")
    milliseconds = max(side["runtime"] for side in sides)
    latencies = {
        side: latency_of(job[side]["lat_ns"])
        for side in ("read", "write", "sync")
        if job[side]["lat_ns"].get("N", 0) > 0
    }
    busy_ns = sum(side["lat_ns"].get("mean", 0.0) * side["total_ios"] for side in sides)
    in_flight = busy_ns / (max(milliseconds, 1) * 1e6)
    return Reading(
        operations=sum(side["total_ios"] for side in sides),
        seconds=max(milliseconds, 1) / 1000,
        latencies=latencies,
        depth=in_flight / wanted_depth(job) if in_flight > 0 else None,
        cost=cost_of(job),
    )


def cost_of(job: Mapping[str, Any]) -> Cost:
    """CPU time of the threads that did the I/O, from fio's shares of their time: fio's own start,
    which is a tenth of a second of CPU time, is not in it.
    """
    run_ns = job["job_runtime"] * 1e6  # all threads of a group together
    return Cost(job["usr_cpu"] / 100 * run_ns, job["sys_cpu"] / 100 * run_ns, job["ctx"])


def wanted_depth(job: Mapping[str, Any]) -> int:
    """Operations that a job was asked to keep in flight, all of its processes together."""
    options = job.get("job options", {})
    return int(options.get("iodepth", 1)) * int(options.get("numjobs", 1))


def latency_of(kept: Mapping[str, Any]) -> Latency:
    percentiles = kept.get("percentile", {})
    return Latency(kept["mean"], percentiles.get("50.000000"), percentiles.get("99.000000"))

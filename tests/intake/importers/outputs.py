"""Outputs for tests of the importers: those that lie here, whole or with a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apps.intake.importers import as_document, read_output
from apps.intake.importers.limits import FIGURES_MAX, PERCENTILES_MAX

FIXTURES = Path(__file__).parent / "fixtures"
MADE = FIXTURES / "made"
FSYNC = FIXTURES / "fio-3.33-debian.fsync.json"


def jobs_of(raw: bytes | str) -> list[dict[str, Any]]:
    jobs: list[dict[str, Any]] = as_document(
        read_output(raw.encode() if isinstance(raw, str) else raw)
    )["jobs"]
    return jobs


def made(name: str) -> list[dict[str, Any]]:
    return jobs_of((FIXTURES / "made" / name).read_bytes())


def changed(
    change: dict[str, Any], *, path: Path = FSYNC, drop: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the one job of an output in which some values were changed, by their dotted names."""
    document = json.loads(path.read_text())
    for place, value in change.items():
        *parents, last = place.split(".")
        target = document
        for parent in parents:
            target = target[int(parent) if parent.isdecimal() else parent]
        target[last] = value
    for place in drop:
        *parents, last = place.split(".")
        target = document
        for parent in parents:
            target = target[int(parent) if parent.isdecimal() else parent]
        del target[last]
    (job,) = jobs_of(json.dumps(document, indent=1))
    return job


def text_changed(name: str, *changes: tuple[str, str]) -> list[dict[str, Any]]:
    text = (FIXTURES / name).read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return jobs_of(text)


def ranks_of_json(count: int = 98_000) -> bytes:
    """Return an output of one job with so many percentiles of one latency, 17 bytes each."""
    ranks = ",".join(f'"{1 + n // 9999}.{n % 9999 + 1:06}":{n + 1}' for n in range(count))
    return (
        '{"fio version":"fio-3.33","jobs":[{"jobname":"a","groupid":0,"error":0,'
        '"job options":{"rw":"write"},"job_runtime":1000,"write":{"io_bytes":4096,"iops":1,'
        '"total_ios":99999,"runtime":1000,"clat_ns":{"min":1,"max":2,"mean":1.5,"percentile":{'
        f"{ranks}}}}}}}}}]}}"
    ).encode()


def ranks_of_text(count: int = 97_000) -> bytes:
    """Return the same as text, up to eight percentiles a line."""
    ranks = [f"{1 + n // 9999}.{n % 9999 + 1:06}th=[{n % 9999:5}]" for n in range(count)]
    lines = ["     | " + ", ".join(ranks[n : n + 8]) for n in range(0, count, 8)]
    head = (
        "a: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
        "ioengine=psync, iodepth=1\nfio-3.33\n\na: (groupid=0, jobs=1): err= 0: pid=1: Sun\n"
        "  write: IOPS=1000, BW=4000KiB/s (4096kB/s)(4096KiB/1000msec)\n"
        "    clat percentiles (nsec):\n"
    )
    return f"{head}{chr(10).join(lines)}\n".encode()


def as_many_figures_as_may_be() -> bytes:
    """Return an output with FIGURES_MAX figures, each amid signs that grow when HTML is made."""
    quotes = '\\"' * 40
    ranks = ",".join(f'"{n + 1}.0":{n + 1},"{n}":"{quotes}"' for n in range(PERCENTILES_MAX))
    latency = f'{{"min":1,"max":2,"mean":1.5,"stddev":1,"percentile":{{{ranks}}}}}'
    job = (
        '{"jobname":"a","groupid":0,"error":0,"job options":{"rw":"write"},"job_runtime":1,'
        f'"write":{{"io_bytes":4096,"runtime":1,"clat_ns":{latency},"lat_ns":{latency}}}}}'
    )
    one = '{"jobname":"b","groupid":1,"write":{"io_bytes":1,"runtime":1}}'
    count, rest = divmod(FIGURES_MAX, 49)
    jobs = [job] * count + [one] * rest
    return f'{{"fio version":"fio-3.33","jobs":[{",".join(jobs)}]}}'.encode()


def value(job: dict[str, Any], name: str) -> float | None:
    figure = job["figures"].get(name)
    return figure["value"] if figure else None


def says(job: dict[str, Any], words: str) -> bool:
    return any(words in note for note in job["notes"])

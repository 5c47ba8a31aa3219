"""Our side of the comparison: agent/benches/engine, which times the agent's own loops."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from agent import static_build
from apps.embedded.progress import Progress
from tests.bench.engine.readings import Latency, Reading

NAME = "engine"


def build(progress: Progress) -> Path:
    """The program, built as the agent is: the same target, the same optimisation."""
    target = f"{static_build.host_architecture()}-unknown-linux-musl"
    found = static_build.add_target(target)
    toolchain = (
        static_build.toolchain_for(target, progress) if found else static_build.Toolchain(target="")
    )
    return static_build.build(toolchain, progress, example=NAME)


def command(path: Path, words: Sequence[str], *, file: str, seconds: float) -> list[str]:
    """A command line: FILE in the words stands for the file, MS for the milliseconds."""
    values = {"FILE": file, "MS": str(round(seconds * 1000))}
    return [str(path), *(values.get(word, word) for word in words)]


def read(output: str) -> Reading:
    """The program's JSON as a reading, its cost left open."""
    told = json.loads(output)
    return Reading(
        operations=told["operations"],
        seconds=max(told["elapsed_ns"], 1) / 1e9,
        latencies={
            side: Latency(kept["mean_ns"], kept["p50_ns"], kept["p99_ns"])
            for side, kept in told["latencies"].items()
        },
        depth=told.get("effective_depth"),
    )

"""Why a goal was missed: where both programs spend their time, by perf where it is allowed."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.engine.readings import TIMEOUT_SECONDS

SYMBOLS_SHOWN: Final = 6
START_MILLISECONDS: Final = 400  # fio calibrates its clocks for that long: not looked at
SAMPLES_A_SECOND: Final = 499  # not a divisor of the kernel's tick
LINE: Final = re.compile(r"^\s*(?P<share>\d+\.\d+)%\s+\[(?P<where>[k.])\]\s+(?P<symbol>\S+)")


def sample(argv: Sequence[str]) -> list[str]:
    """The symbols with the most samples of a run; nothing where perf is missing or forbidden."""
    perf = shutil.which("perf")
    if perf is None:
        return []
    with tempfile.TemporaryDirectory(prefix="fsyncmark-perf-") as folder:
        data = str(Path(folder) / "data")
        record = [perf, "record", "--quiet", f"--delay={START_MILLISECONDS}",
                  f"--freq={SAMPLES_A_SECOND}", f"--output={data}", "--"]  # fmt: skip
        report = [perf, "report", f"--input={data}", "--stdio", "--no-children",
                  "--fields=overhead,sym"]  # fmt: skip
        try:
            recorded = run([*record, *argv])
            return symbols(run(report).stdout) if recorded.returncode == 0 else []
        except subprocess.TimeoutExpired:
            return []


def run(argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(argv), check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=TIMEOUT_SECONDS,
    )  # fmt: skip


def symbols(report: str) -> list[str]:
    """The first lines of perf's report as words: `12.3 % _copy_to_iter (kernel)`."""
    found = [match for line in report.splitlines() if (match := LINE.match(line))]
    return [
        f"{float(match['share']):.0f} % {match['symbol']}"
        + (" (kernel)" if match["where"] == "k" else "")
        for match in found[:SYMBOLS_SHOWN]
    ]

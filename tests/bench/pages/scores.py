"""`./run bench pages`: Lighthouse's four scores of the pages that people open first, on a phone."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.failure import BenchmarkError
from tests.bench.own_site import own_site
from tests.support.browsing.chromium import Chromium, find_chromium

RESULT: Final = ROOT / "build" / "bench" / "pages.json"
LOCKED: Final = Path(__file__).with_name("lighthouse")  # package.json and its lock
INSTALLED: Final = ROOT / ".tools" / "lighthouse"
PROGRAM: Final = INSTALLED / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
SCORE_MIN: Final = 95  # of each category, out of 100
ROUNDS: Final = 3  # of each page; the score is their median
LIGHTHOUSE_SECONDS_MAX: Final = 180.0  # half a minute a page on two cores
TRIES_MAX: Final = 3  # of a report: on a busy machine a trace may miss the page (NO_NAVSTART)
# What a page may weigh, in bytes as sent: HTML, styles and scripts. Without a chart the heaviest
# is the method with its tables: half a second at 1 Mbit/s.
WEIGHT_MAX: Final = {False: 62_000, True: 150_000}  # without and with a chart
_WEIGHED: Final = frozenset({"document", "stylesheet", "script"})


@dataclass(frozen=True)
class Page:
    """A page of the shipped catalogue and published results."""

    name: str
    path: str
    has_chart: bool


PAGES: Final = (
    Page("home", "/", has_chart=False),
    Page("board", "/plans/", has_chart=False),
    Page("plan", "/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/", has_chart=True),
    Page("run", "/runs/webp-ax102-fio-fsync-8k/", has_chart=True),
)


def bench_pages(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every page could be measured, whatever the goals say."""
    rounds = parse(arguments).rounds
    install(progress)
    chromium = find_chromium()
    with own_site("pages", progress) as product:
        scores = {}
        for page in PAGES:
            url = product.setting.url + page.path
            with progress.step(f"Lighthouse on {page.path}"):
                reports = [lighthouse(url, chromium, progress) for _ in range(rounds)]
            scores[page.name] = scored(page, reports)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(scores, indent=2) + "\n", encoding="utf-8")
    progress.say(table(scores))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench pages",
        description="Lighthouse with its phone profile (simulated slow 4G, a slow processor) on a "
        "site of its own with the shipped catalogue.",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each page; default 3")
    return parser.parse_args(arguments)


def install(progress: Progress) -> None:
    """Put the locked Lighthouse into .tools, unless it is there."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise BenchmarkError("Lighthouse needs Node 18 or newer with npm: install them first.")
    lock = (LOCKED / "package-lock.json").read_bytes()
    installed = INSTALLED / "package-lock.json"
    if PROGRAM.exists() and installed.exists() and installed.read_bytes() == lock:
        return
    shutil.copytree(LOCKED, INSTALLED, dirs_exist_ok=True)
    with progress.step("Installing Lighthouse"):
        done = subprocess.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            check=False, cwd=INSTALLED, capture_output=True, text=True,
        )  # fmt: skip
    if done.returncode != 0:
        raise BenchmarkError(f"npm ci failed:\n{done.stderr}")


def lighthouse(url: str, chromium: Chromium, progress: Progress) -> dict[str, Any]:
    """One report of one page, as Lighthouse prints it; tried again where it got none."""
    failure = ""
    for number in range(1, TRIES_MAX + 1):
        done = _lighthouse(url, chromium)
        if done.returncode == 0:
            report: dict[str, Any] = json.loads(done.stdout)
            return report
        failure = done.stderr
        progress.say(f"Lighthouse got no report, try {number} of {TRIES_MAX}")
    raise BenchmarkError(f"Lighthouse failed on {url}:\n{failure}")


def _lighthouse(url: str, chromium: Chromium) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **chromium.environment}
    if chromium.path is not None:
        environment["CHROME_PATH"] = str(chromium.path)
    return subprocess.run(
        [
            "node", str(PROGRAM), url, "--quiet", "--output=json",
            f"--only-categories={','.join(CATEGORIES)}",
            "--chrome-flags=--headless=new --no-sandbox",
        ],
        check=False, env=environment, capture_output=True, text=True,
        timeout=LIGHTHOUSE_SECONDS_MAX,
    )  # fmt: skip


def scored(page: Page, reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The median of each score, 0-100, and what keeps it from the whole."""
    return {
        "path": page.path,
        "rounds": len(reports),
        **{category: median_score(category, reports) for category in CATEGORIES},
        "weight_bytes": weight(reports[0]),
        "weight_bytes_max": WEIGHT_MAX[page.has_chart],
        "lost": lost(reports[0]),
    }


def median_score(category: str, reports: Sequence[Mapping[str, Any]]) -> int:
    score: float = statistics.median(each["categories"][category]["score"] for each in reports)
    return round(100 * score)


def weight(report: Mapping[str, Any]) -> int:
    """Bytes of HTML, styles and scripts as they were sent."""
    items = report["audits"]["resource-summary"]["details"]["items"]
    return sum(int(item["transferSize"]) for item in items if item["resourceType"] in _WEIGHED)


def lost(report: Mapping[str, Any]) -> list[str]:
    """The audits that cost points, worst first."""
    costs = {}
    for category in CATEGORIES:
        for each in report["categories"][category]["auditRefs"]:
            audit = report["audits"][each["id"]]
            if each["weight"] and audit["score"] is not None and audit["score"] < 1:
                costs[f"{audit['title']} ({audit.get('displayValue', audit['score'])})"] = each[
                    "weight"
                ] * (1 - audit["score"])
    return sorted(costs, key=lambda title: -costs[title])


def table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """One line a page: its scores with `!` at those below the goal, and its weight."""
    lines = [f"{'page':8}{''.join(f'{category:>16}' for category in CATEGORIES)}{'kB':>10}"]
    for name, page in scores.items():
        cells = [marked(page[each], is_missed=page[each] < SCORE_MIN) for each in CATEGORIES]
        is_heavy = page["weight_bytes"] > page["weight_bytes_max"]
        kilobytes = marked(page["weight_bytes"] / 1000, is_missed=is_heavy)
        lines.append(f"{name:8}{''.join(f'{cell:>16}' for cell in cells)}{kilobytes:>10}")
        lines += [f"        {title}" for title in page["lost"]]
    lines.append(f"Goal: {SCORE_MIN} in each; ! is below it, or heavier than the page may be.")
    return "\n".join(lines)


def marked(value: float, *, is_missed: bool) -> str:
    return f"{value:.0f}{'!' if is_missed else ''}"

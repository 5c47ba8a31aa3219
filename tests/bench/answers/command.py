"""`./run bench answers`: shared pages beside static files of the same server, in turn.

A page is asked for whole and with the ETag that it has; the static file is the largest one that is
not larger than the page as sent. All three come from the same processes, which turns and medians of
rounds compare. Time on the processors is that of the web processes, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import http
import http.client
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

from apps.config.one_machine.environment import ROOT
from apps.config.one_machine.product import Product
from apps.embedded.progress import Progress
from tests.bench.answers.client import GZIP, Answers, ask
from tests.bench.failure import BenchmarkError
from tests.bench.own_site import own_site

RESULT: Final = ROOT / "build" / "bench" / "answers.json"
PAGES: Final = (
    "/",
    "/plans/",
    "/drives/?sort=p99",
    "/providers/",
    "/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/",
    "/providers/hetzner/",
    "/runs/",
    "/runs/webp-ax102-fio-fsync-8k/",
    "/search/",
    "/advisor/",
    "/guides/",
    "/compare/",
    "/coverage/",
    "/method/",
    "/badge/run/webp-ax102-fio-fsync-8k.svg",
    "/sitemap.xml",
    "/runs.atom",
)
STATIC_KB: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
GOAL: Final = 0.5  # of the rate of the static file
CONNECTIONS: Final = 16


@dataclass(frozen=True)
class Turn:
    """What one way of asking gave in one round."""

    per_s: float
    p99_ms: float
    cpu_ms: float  # of the web processes, an answer


def bench_answers(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every page could be asked for, whatever the goal says."""
    words = parse(arguments)
    rows = {}
    files = {static_name(each): os.urandom(each * 1024) for each in STATIC_KB}
    with own_site("answers", progress, more_static=files) as product:
        for path in words.pages or PAGES:
            with progress.step(f"Asking for {path}"):
                rows[path] = measured(product, path, rounds=words.rounds, seconds=words.seconds)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    progress.say(table(rows))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench answers",
        description="Shared pages, whole and as 304, beside static files of the same server.",
    )
    parser.add_argument("pages", nargs="*", metavar="PATH", help="default: one of each kind")
    parser.add_argument("--rounds", type=int, default=5, help="of each page; default 5")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a turn; default 1")
    return parser.parse_args(arguments)


def static_name(kilobytes: int) -> str:
    """Where a file of so many bytes lies, which do not compress."""
    return f"answers/{kilobytes}.bin"


def measured(product: Product, path: str, *, rounds: int, seconds: float) -> dict[str, Any]:
    """Return medians of rounds, and the ratios within rounds."""
    url = product.setting.url
    size, etag = first_answer(url + path)
    kilobytes = max((each for each in STATIC_KB if each * 1024 <= size), default=STATIC_KB[0])
    ways = {
        "static": (f"{url}/static/{static_name(kilobytes)}", {}),
        "page": (url + path, {}),
        "unchanged": (url + path, {"If-None-Match": etag}),
    }
    turns: dict[str, list[Turn]] = {name: [] for name in ways}
    for number in range(rounds):
        for name in list(ways)[:: -1 if number % 2 else 1]:
            address, headers = ways[name]
            before = web_cpu_s(product)
            answers = ask(address, seconds=seconds, connections=CONNECTIONS, headers=headers)
            cpu_s = web_cpu_s(product) - before
            turns[name].append(turn(answers, cpu_s=cpu_s, seconds=seconds))
    return {"bytes": size, "static_bytes": kilobytes * 1024, "rounds": rounds} | {
        name: {
            "per_s": median(each.per_s for each in turns[name]),
            "p99_ms": median(each.p99_ms for each in turns[name]),
            "cpu_ms": median(each.cpu_ms for each in turns[name]),
            "of_static": median(
                ours.per_s / theirs.per_s
                for ours, theirs in zip(turns[name], turns["static"], strict=True)
            ),
        }
        for name in ways
    }


def first_answer(url: str) -> tuple[int, str]:
    """Return how many bytes are sent, and the ETag. Raises BenchmarkError."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    connection.request("GET", url.removeprefix(f"http://{parts.netloc}"), headers=GZIP)
    answer = connection.getresponse()
    if answer.status != http.HTTPStatus.OK:
        raise BenchmarkError(f"{url} answers with status {answer.status}")
    return len(answer.read()), answer.headers.get("ETag", "")


def turn(answers: Answers, *, cpu_s: float, seconds: float) -> Turn:
    return Turn(answers.per_s, answers.p99_ms, cpu_s * 1000 / (answers.per_s * seconds))


def web_cpu_s(product: Product) -> float:
    """Seconds of processors that the web server and its workers have used, by /proc."""
    group = product.children["web"].process.pid
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """One line a page."""
    head = f"{'page':46}{'kB':>6}{'static/s':>10}{'page/s':>9}{'ratio':>7}{'304/s':>9}{'ratio':>7}"
    lines = [f"{head}{'CPU ms':>8}{'p99 ms':>8}"]
    for path, row in rows.items():
        page, unchanged = row["page"], row["unchanged"]
        is_missed = page["of_static"] < GOAL or unchanged["of_static"] < 1
        lines.append(
            f"{path:46}{row['bytes'] / 1000:>6.1f}{row['static']['per_s']:>10,.0f}"
            f"{page['per_s']:>9,.0f}{page['of_static']:>7.2f}{unchanged['per_s']:>9,.0f}"
            f"{unchanged['of_static']:>7.2f}{page['cpu_ms']:>8.3f}{page['p99_ms']:>8.1f}"
            f"{' !' if is_missed else ''}"
        )
    lines.append(f"Goals: a page {GOAL} of the static file, a 304 as fast as it; ! misses one.")
    return "\n".join(lines)

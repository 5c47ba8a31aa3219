"""Lies: every figure was really taken, by us or by those who are cited; every rule exists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from apps.pages.guides.all import GUIDES
from apps.pages.guides.lies import published
from apps.pages.guides.lies.all import LIES
from apps.pages.guides.recordings import recordings
from apps.pages.show.answer import WORDS_MAX
from apps.runs.rules import RULES
from apps.wire.suites import find_suite
from tests.pages.site import text, unmarked

if TYPE_CHECKING:
    from django.test import Client

    from apps.pages.guides.lies.lie import Lie

RESULTS = Path(settings.BASE_DIR) / "apps" / "runs" / "data" / "published_results.jsonl"


def figures_of(metrics: dict[str, object]) -> set[float]:
    """Return every number of a published result: rates as they are, microseconds as ns."""
    found: set[float] = set()
    for key, value in metrics.items():
        if isinstance(value, dict):
            found |= {
                round(each * 1000) for each in value.values() if isinstance(each, int | float)
            }
        elif isinstance(value, int | float) and key == "iops":
            found.add(value)
    return found


def test_published_figures_are_those_of_the_catalogue() -> None:
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    results = {each["id"]: each["metrics"] for each in map(json.loads, lines)}
    used = [value for value in vars(published).values() if isinstance(value, tuple)]
    assert len(used) > 10
    for result, figure in used:
        assert figure in figures_of(results[result]), result


def test_sentences_say_what_the_recorded_figures_say() -> None:
    taken = recordings()
    mean = taken.times("fallocated-8k-fsync", "commit")
    assert round(mean.mean_ns / 1_000) == 638
    assert round((mean.p50_ns or 0) / 1_000) == 240
    assert 19 < (mean.p99_ns or 0) / (mean.p50_ns or 1) < 19.5
    assert taken.times("read-4k-floor", "read").n == pytest.approx(56_000, rel=0.01)
    assert round(taken.times("read-4k-floor", "read").min_ns / 1_000) == 26
    assert round(taken.figures["dd"].per_s / taken.figures["dd-dsync"].per_s) == 29
    writes, reads = (taken.figures[f"seq{each}-256k-qd8"].per_s for each in ("write", "read"))
    assert round(writes / reads, 1) == 3.9
    rates = [f"{taken.figures[each].per_s:,.0f}" for each in
             ("commit-8k", "append-8k-fdatasync", "fallocated-8k-fsync", "fio-tmpfs",
              "fio-page-cache", "fio-direct", "dd", "dd-dsync")]  # fmt: skip
    told = " ".join(
        str(each)
        for lie in LIES
        for each in (lie.title, lie.claim, lie.says, lie.figure, lie.truth)
    )
    assert [rate for rate in rates if rate not in told] == []


def test_rated_and_durable_are_of_the_same_two_machines_and_say_their_work() -> None:
    """One picture holds two workloads, which is what it is about: each mark names its own."""
    lie = next(each for each in LIES if each.anchor == "rated-iops")
    assert lie.picture
    points = [lane.point for lane in lie.picture.lanes]
    assert [point.name for point in points] == ["AX102", "AX41", "AX102", "AX41"]
    works = [str(point.quantity) for point in points]
    assert works == ["4 KiB, 128 in flight, no sync"] * 2 + ["8 KiB alone, each synced"] * 2
    rated = published.AX102_UNSYNCED_PER_S[1] / published.AX41_UNSYNCED_PER_S[1]
    durable = published.AX102_SYNCED_PER_S[1] / published.AX41_SYNCED_PER_S[1]
    assert f"{rated:.1f} times apart" in str(lie.claim)
    assert f"{durable:.0f} times apart" in str(lie.says)


def test_every_step_of_a_guide_was_taken() -> None:
    taken = recordings()
    for guide in GUIDES:
        for step in guide.steps:
            assert taken.times(step.figure, step.side).p50_ns, step.figure


def test_what_an_undated_article_alone_says_is_borderline() -> None:
    sure = {lie.anchor: lie.answer.sure for lie in LIES}
    assert sure["queue"] == "Borderline: 1 published run"
    assert sure["668-ns"] == "Likely: 1 published run, 1 run of ours"
    assert sure["rated-iops"] == "Likely: 4 published runs"


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.anchor)
def test_each_lie_can_be_caught(lie: Lie) -> None:
    assert lie.tests
    assert set(lie.rules) <= set(RULES)
    assert lie.picture or lie.anchor == "macos"
    assert 0 < len(lie.answer.sentence.split()) <= WORDS_MAX
    assert lie.answer.sure.partition(":")[0] in {"Likely", "Borderline", "Unknown"}
    for test in lie.tests:
        words = test.command.split()
        if "--only" not in words:
            continue
        suite_id = words[words.index("--suite") + 1] if "--suite" in words else "quick"
        suite = find_suite(suite_id, version=1)
        assert suite
        names = words[words.index("--only") + 1].split(",")
        assert [name for name in names if suite.workload(name, version=1) is None] == []


@pytest.mark.django_db
def test_the_page_has_an_anchor_for_each_and_says_which_machine(client: Client) -> None:
    page = text(client, "/lies/")
    for lie in LIES:
        assert f'id="{lie.anchor}"' in page
        assert f'href="#{lie.anchor}"' in page
    assert "ext4 without a journal" in " ".join(page.split('class="lie-list"')[0].split())
    for words in ("Firecracker", "ext4 without a journal", "2026-11-22", "--only commit-8k,"):
        assert words in unmarked(page)
    assert 'href="/rules/reads-from-cache/"' in page


def test_a_picture_draws_the_figures_that_its_lie_names() -> None:
    lie = next(each for each in LIES if each.anchor == "file-state")
    assert lie.picture
    points = [lane.point for lane in lie.picture.lanes]
    assert [round(1e9 / point.at_ns) for point in points] == [8142, 2878, 1566]
    assert "preallocated, fsync" in [str(point.name) for point in points]


def test_what_nobody_measured_has_no_figure() -> None:
    unmeasured = [lie for lie in LIES if "nobody measured it" in lie.answer.sure]
    assert [(lie.anchor, lie.figure) for lie in unmeasured] == [("slc-cliff", "")]

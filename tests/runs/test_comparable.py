"""Every workload has a class of comparable work."""

from __future__ import annotations

import json

from apps.runs.published.comparable import comparable_class
from apps.runs.published.services import WORKLOADS_FILE
from apps.wire.suites import find_workload


def test_the_agents_classes_are_those_of_their_definitions() -> None:
    assert comparable_class("commit-8k") == 1
    assert comparable_class("append-8k-fdatasync") == 2
    assert comparable_class("commit-8k-writers-8") == 3


def test_a_published_workload_has_the_class_that_its_file_says() -> None:
    entries = json.loads(WORKLOADS_FILE.read_text(encoding="utf-8"))
    said = {slug: entry["comparable_class"] for slug, entry in entries.items()}
    assert {slug: comparable_class(slug) for slug in said} == said, (
        "a workload of the agent has another class in published_workloads.json than its definition"
    )
    assert [slug for slug in said if find_workload(slug, version=1)]


def test_what_nobody_classed_is_apart() -> None:
    assert comparable_class("no-such-workload") == 3

"""The suites that this server knows."""

from __future__ import annotations

import hashlib

from apps.wire.suites import (
    HEADLINE_WORKLOAD,
    SUITES_DIRECTORY,
    find_suite,
    find_workload,
    suites,
)


def test_the_quick_suite_takes_about_a_minute_at_most() -> None:
    suite = find_suite("quick", version=1)
    assert suite
    assert suite.duration_ns_max == 63_000_000_000
    definition = (SUITES_DIRECTORY / "quick.v1.json").read_bytes()
    assert suite.sha256 == hashlib.sha256(definition).hexdigest()


def test_files_are_named_after_what_they_define() -> None:
    names = {f"{suite}.v{version}.json" for suite, version in suites()}
    assert names == {path.name for path in SUITES_DIRECTORY.glob("*.json")}


def test_the_headline_is_a_durable_single_writer_and_the_read_floor_is_not() -> None:
    headline = find_workload(HEADLINE_WORKLOAD, version=1)
    floor = find_workload("read-4k-floor", version=1)
    assert headline
    assert floor
    assert headline.is_durable_single_writer
    assert not floor.is_durable_single_writer


def test_what_is_not_known_is_none() -> None:
    assert find_suite("quick", version=99) is None
    assert find_workload("commit-8k", version=99) is None

"""The suites that this server knows."""

from __future__ import annotations

import hashlib

from apps.wire.suites import (
    HEADLINE_WORKLOAD,
    SUITES_DIRECTORY,
    find_suite,
    find_workload,
    is_read,
    p99_limit_of,
    sessions_of_group_commits,
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


def test_a_read_is_known_by_its_operation() -> None:
    assert is_read("seqread-256k-qd8", version=1)
    assert is_read("read-4k-floor", version=1)
    assert not is_read("commit-8k", version=1)
    assert not is_read("mix-4k-read", version=1)  # of no suite of ours


def test_only_a_search_for_useful_iops_has_a_limit_of_its_p99() -> None:
    assert p99_limit_of("slo-randread-4k-1ms", version=1) == 1_000_000
    assert p99_limit_of("slo-randread-4k-10ms", version=1) == 10_000_000
    assert p99_limit_of("commit-8k", version=1) is None
    assert p99_limit_of("slo-randread-4k-1ms", version=99) is None


def test_sessions_that_share_a_sync_are_counted_by_the_definition() -> None:
    assert sessions_of_group_commits(block_bytes=8192) == {
        f"group-commit-8k-{sessions}": sessions for sessions in (2, 4, 8, 16, 32)
    }
    assert sessions_of_group_commits(block_bytes=4096) == {}


def test_a_class_of_comparable_work_follows_from_the_definition() -> None:
    ids = {
        each.id: each.comparable_class for suite in suites().values() for each in suite.workloads
    }
    assert {name for name, number in ids.items() if number == 1} == {
        "commit-8k", "commit-8k-dsync", "commit-8k-rwf-dsync", "direct-16k-fdatasync",
    }  # fmt: skip
    assert {name for name, number in ids.items() if number == 2} == {
        "commit-8k-fsync", "fallocated-8k-fsync", "fallocated-2300-fdatasync",
        "append-8k-fdatasync", "direct-16k-fsync", "randwrite-4k-fsync",
    }  # fmt: skip
    assert ids["direct-2m-fdatasync"] == ids["commit-8k-writers-2"] == ids["read-4k-floor"] == 3

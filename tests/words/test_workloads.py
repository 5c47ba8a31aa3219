"""What workloads are called."""

from __future__ import annotations

from collections import Counter

from apps.runs.published.services import published_workloads
from apps.wire.suites import suites
from apps.words.workloads import workload_short, workload_words

IDS = sorted({each.id for suite in suites().values() for each in suite.workloads})
DURABLE = {
    each.id for suite in suites().values() for each in suite.workloads if each.comparable_class < 3
}


def test_every_workload_has_a_short_name_of_three_words_at_most() -> None:
    assert not [name for name in IDS if not workload_words(name)]
    assert not [name for name in IDS if not 1 <= len(workload_short(name).split()) <= 3]


def test_workloads_that_stand_in_one_list_have_names_of_their_own() -> None:
    assert len({workload_short(name) for name in DURABLE}) == len(DURABLE)


def test_no_two_published_works_of_one_writer_share_a_short_name() -> None:
    durable = [
        name for name, entry in published_workloads().items() if entry["is_durable_single_writer"]
    ]
    names = Counter(map(workload_short, durable))
    assert not [name for name, n in names.items() if n > 1]


def test_a_family_fills_its_number_in() -> None:
    assert workload_short("commit-8k-writers-8") == "8 writers"
    assert workload_short("direct-16k-fsync-x4") == "4 jobs, fsync"


def test_what_these_pages_do_not_know_keeps_the_name_it_came_with() -> None:
    assert workload_short("pg_test_fsync-9", "their title") == "their title"
    assert workload_short("pg_test_fsync-9") == "pg_test_fsync-9"

"""The workloads of a long run: groups, graphs, and a page for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from apps.pages.run import graphs, workloads
from apps.pages.run.facts.workload import workload_facts
from apps.pages.run.selectors import fetch_passes, find_run
from apps.runs.models import Run
from apps.wire.suites import suites
from apps.words.workloads import workload_title
from tests import make

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

ENGINE = {
    "kind": "uring", "writers": 4, "queue_depth": 32, "effective_depth_milli": 124_800,
    "cpu_ns": 3_000_000, "fallback": None,
}  # fmt: skip


@pytest.fixture
def long_run() -> Run:
    run = make.run()
    make.measurements_of(run, suite="deep")
    return run


def test_every_workload_of_every_suite_has_words_of_its_own() -> None:
    ids = {each.id: each.title for suite in suites().values() for each in suite.workloads}
    titles = {name: workload_title(name, title) for name, title in ids.items()}
    assert len({*titles.values()}) == len(titles)
    assert titles["direct-2m-fdatasync-x16"] == "2 MiB, O_DIRECT, fdatasync, 16 jobs"
    assert titles["drain-64k"] == "Flush after 64 KiB"
    assert not [name for name in ids if workload_title(name) == name]


def test_a_long_run_has_a_line_for_each_workload_and_a_page_behind_it(
    client: Client, long_run: Run
) -> None:
    page = client.get(f"/runs/{long_run.slug}/").content.decode()
    others = long_run.measurements.exclude(workload="commit-8k")
    assert page.count('data-chart="percentiles"') == 1
    addresses = [f"/runs/{long_run.slug}/{each.workload}-v1/" for each in others]
    assert not [address for address in addresses if f'href="{address}"' not in page]
    answer = client.get(addresses[-1])
    assert answer.status_code == 200
    assert "How it was measured" in answer.content.decode()


def test_a_short_run_has_rows_too_and_one_curve(client: Client) -> None:
    run = make.run()
    make.measurements_of(run, suite="quick")
    page = client.get(f"/runs/{run.slug}/").content.decode()
    assert page.count('data-chart="percentiles"') == 1
    for each in run.measurements.exclude(workload="commit-8k"):
        assert f'href="/runs/{run.slug}/{each.workload}-v1/"' in page


def test_groups_are_told_by_names_and_by_what_was_synced(long_run: Run) -> None:
    found = {
        group.kind.key: {row.under for row in group.rows}
        for group in workloads.groups_of(long_run, list(long_run.measurements.all()))
    }
    assert list(found) == ["commit", "writers", "medium", "slo", "probe", "endurance"]
    assert {"commit-8k-dsync", "append-8k-fdatasync", "doublewrite-16k-batch"} <= found["commit"]
    assert {"group-commit-8k-2", "commit-8k-files-32", "direct-2m-fsync-x4"} <= found["writers"]
    assert {"randread-4k-qd32", "read-4k-floor", "direct-16k-nosync"} <= found["medium"]
    assert {"hiccup", "drain-64m", "write-64k-zeros"} <= found["probe"]
    assert "steady-randwrite-4k-qd32" in found["endurance"]


def test_graphs_are_drawn_from_the_numbers_in_the_names(long_run: Run) -> None:
    details = find_run(long_run.slug)
    assert details is not None
    drawn = {graph.key: graph for graph in graphs.graphs_of(details.measurements)}
    assert list(drawn) == ["writers", "direct-16k", "direct-2m", "drain", "area"]
    one_file, _, group = drawn["writers"].series
    assert [x for x, _ in one_file.points] == [1, 2, 4, 8, 16, 32]
    assert [x for x, _ in group.points] == [2, 4, 8, 16, 32]
    assert [x for x, _ in drawn["drain"].series[0].points] == [
        4096,
        65536,
        1 << 20,
        1 << 24,
        1 << 26,
    ]
    assert drawn["drain"].limit is not None
    first, cells = drawn["writers"].table[0]
    assert (first, cells[2]) == ("1", graphs.NO_FIGURE)
    assert "one file 1,000 (1) \u2192" in drawn["writers"].sentence


def test_one_point_is_no_line() -> None:
    run = make.run()
    make.measurements_of(run, suite="quick")
    details = find_run(run.slug)
    assert details is not None
    assert graphs.graphs_of(details.measurements) == ()


def test_what_measured_a_workload_is_told() -> None:
    measurement = make.measurement(
        workload="mix-4k", operation="mix", sync="none", operations=1000, queue_depth=128,
        engine=ENGINE, passes=[{"operations": 1000, "elapsed_ns": 1, "ended_by": "bytes"}],
    )  # fmt: skip
    told = {fact.name: (fact.value, fact.remark) for fact in workload_facts(measurement)}
    assert told["Measured by"][0] == "uring \u00d7 4"
    assert told["In flight on average"][0] == "125 / 128"
    assert told["Processor time of each"][0] == "3.00\u202fµs"
    assert told["Passes"] == ("1", "")
    assert told["File"] == ("2\u202fGiB / 4\u202fGiB", "overwritten")


def test_a_queue_that_was_not_kept_full_and_a_fallback_are_said() -> None:
    engine = {**ENGINE, "kind": "psync", "effective_depth_milli": 64_000, "fallback": "no io_uring"}
    measurement = make.measurement(workload="mix-4k", queue_depth=128, engine=engine)
    assert workloads.depth_words(measurement) == "64 / 128"
    assert workloads.engine_words(measurement).endswith("no io_uring")


def test_a_newer_workload_is_shown_without_a_definition(client: Client) -> None:
    run = make.run()
    make.measurement(run=run, workload="scrub-1g", title="Scrub", rate_per_s=5.0)
    page = client.get(f"/runs/{run.slug}/scrub-1g-v1/").content.decode()
    assert "Scrub" in page
    assert "<dt>File" not in page


@pytest.mark.parametrize(
    "name", ["commit-8k-v2", "commit-8k", "commit-8k-v", "x-v99999", "x-v\u0661"]
)
def test_a_workload_that_the_run_has_not_is_not_found(
    client: Client, long_run: Run, name: str
) -> None:
    assert client.get(f"/runs/{long_run.slug}/{name}/").status_code == 404


def test_passes_are_fetched_at_once(
    long_run: Run, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    details = find_run(long_run.slug)
    assert details is not None
    with django_assert_num_queries(1):
        fetch_passes(details.measurements)
        assert all(each.passes is not None for each in details.measurements)

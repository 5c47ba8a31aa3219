"""What probes and repeats say, on both sides of each threshold."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.pages.run.device_evidence import device_evidence
from apps.pages.run.graphs import graphs_of
from apps.pages.run.workloads import groups_of
from apps.pages.show.facts.fact import Fact
from apps.runs.models import Measurement, Run
from tests import make

pytestmark = pytest.mark.django_db
SECOND = 10**9
FLUSH = "Flush after 64 MiB / after nothing"
AREAS, STEADY = "Reads, large / small area", "Steady state (SNIA)"


@pytest.fixture
def run() -> Run:
    return make.run()


def passes(*rates: int, **more: Any) -> list[dict[str, Any]]:
    """Passes of a second at these rates."""
    return [
        {"operations": rate, "elapsed_ns": SECOND, "ended_by": "time", **more} for rate in rates
    ]


def latency(run: Run, workload: str, side: str, p50_ns: int, **more: Any) -> Measurement:
    """A workload of which a median is known."""
    measurement = make.measurement(run=run, workload=workload, **more)
    make.latency(measurement=measurement, side=side, p50_ns=p50_ns)
    return measurement


def told(*measurements: Measurement) -> dict[str, Fact]:
    return {fact.name: fact for fact in device_evidence(measurements)}


def test_a_run_without_any_of_it_says_nothing(run: Run) -> None:
    assert device_evidence(()) == ()
    assert told(make.measurement(run=run, workload="mix-4k")) == {}


@pytest.mark.parametrize(("slowest", "words"), [(950, ""), (800, "unsteady")])
def test_repeats_are_steady_up_to_a_tenth(run: Run, slowest: int, words: str) -> None:
    headline = make.measurement(run=run, passes=passes(1000, slowest, 1000))
    assert told(headline)["Passes apart"].remark == words
    stopped = make.measurement(run=make.run(), passes=passes(1000, 200, ended_by="error"))
    assert "Passes apart" not in told(stopped)


def test_stalls_are_a_share(run: Run) -> None:
    headline = make.measurement(run=run, stall_share_milli=123)
    assert told(headline)["Stalls"].value == "12.3 %"


@pytest.mark.parametrize(
    ("device", "cpu", "value", "is_too_much"),
    [
        (0, 4, "disk 0 %, processors 0.4 %", False),
        (50, 50, "disk 5 %, processors 5 %", False),
        (970, 4, "disk 97 %, processors 0.4 %", True),
        (0, 51, "disk 0 %, processors 5.1 %", True),
        (None, 4, "disk unknown, processors 0.4 %", False),
        (None, None, "disk unknown, processors unknown", False),
    ],
)
def test_others_are_shares_of_the_most_disturbed_pass(
    run: Run, device: int | None, cpu: int | None, value: str, *, is_too_much: bool
) -> None:
    headline = make.measurement(run=run, others_device_permille=device, others_cpu_permille=cpu)
    found = told(headline)["Other programs"]
    assert (found.value, "does not count" in found.remark) == (value, is_too_much)


@pytest.mark.parametrize(
    ("after_64m_ns", "words"),
    [
        (16_000, "undecided"),
        (120_000, "flat: protected cache, no cache or ignored flushes"),
        (200_000, "undecided"),
        (900_000, "grows: a volatile cache"),
    ],
)
def test_what_a_flush_costs_tells_what_may_be_behind_it(
    run: Run, after_64m_ns: int, words: str
) -> None:
    empty = latency(run, "empty-flush", "sync", 50_000)
    full = latency(run, "drain-64m", "sync", after_64m_ns)
    assert words in told(empty, full)[FLUSH].remark
    assert FLUSH not in told(full)
    full.latencies.update(count=2)
    assert FLUSH not in told(empty, make_fresh(full))


def make_fresh(measurement: Measurement) -> Measurement:
    return Measurement.objects.get(pk=measurement.pk)


def test_a_commit_is_laid_beside_a_read(run: Run) -> None:
    found = told(
        latency(run, "commit-8k", "commit", 100_000), latency(run, "read-4k-floor", "read", 50_000)
    )
    fact = found["Commit / read"]
    assert (fact.value, fact.remark) == ("2.00\u00d7", "100\u202fµs / 50\u202fµs")


@pytest.mark.parametrize(
    ("zeros", "words"), [(1190, ""), (1200, "compressed, or zeros are detected")]
)
def test_zeros_are_treated_alike_or_not(run: Run, zeros: int, words: str) -> None:
    pair = [
        make.measurement(run=run, workload=f"write-64k-{what}", rate_per_s=rate)
        for what, rate in (("zeros", zeros), ("random", 1000))
    ]
    assert told(*pair)["Zeros / random bytes"].remark == words
    pair[0].passes, pair[1].passes = passes(900, 1500), passes(1000)
    assert "compressed" not in told(*pair)["Zeros / random bytes"].remark


def test_a_step_between_areas_is_a_cache(run: Run) -> None:
    small = latency(run, "read-4k-area-1m", "read", 20_000, passes=passes(50_000, 49_000))
    large = latency(run, "read-4k-area-4g", "read", 80_000, passes=passes(12_000, 12_500))
    assert told(small, large)[AREAS].value == "4.00\u00d7"
    large.passes = passes(12_000, 60_000)
    assert told(small, large)[AREAS].value == "no step"
    assert AREAS not in told(small)


def test_a_sustained_write_has_a_cliff_or_none(run: Run) -> None:
    counts = [100] * 100 + [30] * 100
    written = make.measurement(
        run=run, workload="sustained-write-128k-qd16", operations=13_000, bytes=13_000 << 17,
        sample_ns=SECOND // 10, passes=passes(13_000, rate_samples=counts),
    )  # fmt: skip
    found = told(written)["Sustained write"]
    assert found.value == "slower after 1.22\u202fGiB"
    assert found.remark == "125\u202fMiB/s \u2192 37.5\u202fMiB/s"
    written.passes = passes(13_000, rate_samples=[65] * 200)
    assert told(written)["Sustained write"].value == "no step"
    written.passes = passes(13_000)
    assert "Sustained write" not in told(written)
    written.passes = passes(*[13_000] * 6, rate_samples=([100] * 20 + [1000] * 20) * 102)
    assert told(written)["Sustained write"].value == "no step"


def test_the_steady_state_is_found_by_rounds(run: Run) -> None:
    rates = passes(900, 500, 400, 400, 400, 400, 400)
    rounds = make.measurement(run=run, workload="steady-randwrite-4k-qd32", passes=rates)
    assert told(rounds)[STEADY].value == "400 /s"
    rounds.passes = passes(900, 700, 500, 300, 200)
    assert told(rounds)[STEADY].value == "not in 5 rounds"
    rounds.passes = passes(900)
    assert STEADY not in told(rounds)


def searched(run: Run) -> Measurement:
    """Three searches that find 4,000 a second, and three loads."""
    capacity = passes(10_000)
    trials = [
        *[
            {**one, "open_loop": trial(offered, 500_000 if offered <= 4000 else 50_000_000)}
            for offered in (5000, 2500, 4000, 4500, 4250, 4100, 4050, 4025)
            for one in passes(offered)
        ],
    ]
    loads = [
        {**one, "open_loop": {**trial(offered, 9_000_000), "purpose": "load"}}
        for offered in (5000, 8000, 9000)
        for one in passes(offered)
    ]
    return make.measurement(
        run=run, workload="slo-randread-4k-10ms", operation="read", sync="none",
        passes=[*(capacity + trials) * 3, *loads],
        rate_per_s=4000.0, rate_per_s_low=4000.0, rate_per_s_high=4000.0,
    )  # fmt: skip


def trial(offered: int, p99_ns: int) -> dict[str, Any]:
    return {
        "purpose": "search", "offered_per_s": offered, "p50_ns": 90_000, "p99_ns": p99_ns,
        "lag_p99_ns": 1000,
    }  # fmt: skip


def test_the_useful_rate_is_the_highest_in_time(client: Client, run: Run) -> None:
    search = searched(run)
    (found,) = device_evidence((search,))
    assert "10" in found.name
    assert found.value == "4,000 /s"
    assert "80 % \u2192 p99 9.00\u202fms" in found.remark
    (graph,) = graphs_of((search,))
    assert graph.limit is not None
    assert [x for x, _ in graph.series[0].points][:2] == [2500, 4000]
    (row,) = (row for group in groups_of(run, (search,)) for row in group.rows)
    assert (row.figures.rate_per_s, row.figures.low, row.figures.high, row.figures.p99_ns) == (
        4000,
        4000,
        4000,
        None,
    )
    page = client.get(f"/runs/{run.slug}/slo-randread-4k-10ms-v1/").content.decode()
    assert "4,000 /s" in page
    assert 'data-chart="xy"' in page
    search.passes, search.rate_per_s = search.passes[:9], None
    assert device_evidence((search,))[0].value == "not finished"
    (row,) = (row for group in groups_of(run, (search,)) for row in group.rows)
    assert (row.figures.rate_per_s, row.evidence.note) == (None, "not finished")


def test_a_search_of_which_every_trial_was_too_slow_found_no_rate(run: Run) -> None:
    search = searched(run)
    for each in search.passes:
        if "open_loop" in each:
            each["open_loop"].update(p99_ns=50_000_000, lag_p99_ns=20_000_000)
    (found,) = device_evidence((search,))
    assert found.value == "0 /s"
    assert "trials begun late: 24" in found.remark


def test_the_oldest_version_of_a_workload_speaks(run: Run) -> None:
    first = make.measurement(run=run, stall_share_milli=1)
    second = make.measurement(run=run, stall_share_milli=2, version=2)
    assert told(first, second)["Stalls"].value == told(second, first)["Stalls"].value == "0.1 %"


def test_names_that_only_look_like_a_family_are_left_alone(client: Client) -> None:
    run = make.run(upload=make.upload(witnessed=True, state="done"))
    strange = ("drain-xyz", "drain-", "read-4k-area-9z", "slo-foo", "sustained-x", "steady-x",
               "commit-8k-writers-99999999999", "direct-16k-fsync-x0")  # fmt: skip
    for name in strange:
        latency(run, name, "sync", 1000, passes=[{}, {"open_loop": {}}], operations=0)
    assert client.get(f"/runs/{run.slug}/").status_code == 200
    for name in strange:
        if not name.endswith("-"):
            assert client.get(f"/runs/{run.slug}/{name}-v1/").status_code == 200


def test_evidence_is_on_the_page_of_a_measured_run(client: Client) -> None:
    upload = make.upload(witnessed=True, state="done")
    run = make.run(upload=upload)
    make.measurement(run=run, passes=passes(1000, 990, 1000), stall_share_milli=4)
    searched(run)
    page = client.get(f"/runs/{run.slug}/").content.decode()
    assert 'id="evidence"' in page
    assert "4,000 /s" in page

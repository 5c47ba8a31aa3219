"""Every page, badge, picture and feed survives every run that the schema allows.

Rules keep most such runs out of standings. They are let in here: what a page draws must not hang
on a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.rankings.services import refresh_cells
from apps.runs.models import Level, Run, Upload
from apps.runs.services import record_run
from apps.wire.run import read_run
from tests import make
from tests.support.caching import forget_cache
from tests.support.catalogue import store_catalogue
from tests.support.documents import numbers_of, with_extremes

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db

PLAN = "hetzner-ax102-15-36-tb-nvme-dc-drive"
CLAIM = {"provider": "Hetzner", "plan": "AX102 (15.36 TB NVMe DC drive)", "region": None}
LAST_BUCKET, LONGEST_NS = 4095, 864 * 10**12
MOST = 10**12  # operations


def each_histogram(change: Callable[[dict[str, Any]], None]) -> Callable[[make.Json], None]:
    def of_run(document: make.Json) -> None:
        for workload in document["workloads"]:
            for histogram in workload["histograms"].values():
                change(histogram)

    return of_run


def zeros(histogram: dict[str, Any]) -> None:
    """60 of 100 operations took no time at all."""
    total = sum(count for _, count in histogram["counts"])
    (bucket, _), few = histogram["counts"][-1], total * 4 // 10
    histogram["counts"] = [[0, total - few], [bucket, few]]
    histogram["min_ns"] = 0


def nothing_but_zeros(histogram: dict[str, Any]) -> None:
    total = sum(count for _, count in histogram["counts"])
    histogram.update(counts=[[0, total]], min_ns=0, max_ns=0, sum_ns=0)


def maxima(histogram: dict[str, Any]) -> None:
    histogram.update(
        counts=[[LAST_BUCKET, MOST]], min_ns=LONGEST_NS, max_ns=LONGEST_NS, sum_ns=LONGEST_NS
    )


def both_ends(histogram: dict[str, Any]) -> None:
    histogram.update(
        counts=[[0, 1], [LAST_BUCKET, 1]], min_ns=0, max_ns=LONGEST_NS, sum_ns=LONGEST_NS
    )


def single_sample(histogram: dict[str, Any]) -> None:
    bucket = histogram["counts"][0][0]
    histogram["counts"] = [[bucket, 1]]


def empty_series(document: make.Json) -> None:
    for workload in document["workloads"]:
        for one in workload["passes"]:
            one["rate_samples"] = []


def standstill(document: make.Json) -> None:
    for workload in document["workloads"]:
        for one in workload["passes"]:
            one["rate_samples"] = [0] * 4096


def no_operation(document: make.Json) -> None:
    for workload in document["workloads"]:
        workload.update(operations=0, bytes=0, elapsed_ns=0, flushes=0, device_bytes=0)
        for one in workload["passes"]:
            one.update(operations=0, bytes=0, elapsed_ns=0, rate_samples=[])


def no_time(document: make.Json) -> None:
    for workload in document["workloads"]:
        for part in (workload, *workload["passes"]):
            part.update(operations=MOST, elapsed_ns=1)


def no_end(document: make.Json) -> None:
    for workload in document["workloads"]:
        for part in (workload, *workload["passes"]):
            part.update(operations=1, elapsed_ns=LONGEST_NS)


def nothing_known(document: make.Json) -> None:
    document.update(devices=[], stack=["unknown"])
    for workload in document["workloads"]:
        workload.update(flushes=None, device_bytes=None)
        del workload["engine"]
        for one in workload["passes"]:
            del one["interference"]


def let_in(document: make.Json) -> Run:
    """Store a run and compute its standings, whatever the rules say of it."""
    Upload.objects.all().delete()
    run = record_run(upload=make.upload(document, witnessed=True, state="done"))
    Run.objects.filter(pk=run.pk).update(in_standings=True, level=Level.WITNESSED)
    refresh_cells(run_ids=[run.pk])
    forget_cache()
    return Run.objects.select_related("plan", "drive_family").get(pk=run.pk)


def addresses(run: Run) -> list[str]:
    """Where the run, or a figure of it, is shown."""
    of_run = [
        f"/runs/{run.slug}/", f"/og/run/{run.slug}.png", f"/badge/run/{run.slug}.svg",
        f"/api/v1/runs/{run.pk}", f"/runs/{run.slug}/envelope.json",
        f"/compare/?on=run:{run.slug}&on=plan:{PLAN}",
    ]  # fmt: skip
    things = []
    if run.plan:
        things += [
            f"/plans/{run.plan.slug}/", f"/og/plan/{run.plan.slug}.png",
            f"/badge/plan/{run.plan.slug}.svg", f"/api/v1/plans/{run.plan.slug}",
        ]  # fmt: skip
    if run.drive_family:
        slug = run.drive_family.slug
        things += [f"/drives/{slug}/", f"/og/drive/{slug}.png", f"/badge/drive/{slug}.svg"]
    everywhere = [
        "/", "/plans/", "/plans.csv", "/plans.json", "/drives/", "/drives.csv", "/providers/",
        "/providers.json", "/runs/", "/runs.csv", "/runs.json", "/runs.atom", "/coverage/",
        "/advisor/?software=postgresql&rate=100", "/guides/oltp/", "/search/?q=ax102",
        "/uploads/", "/embed/", "/rules/", "/api/v1/runs", "/api/v1/standings",
    ]  # fmt: skip
    return [*of_run, *things, *everywhere]


def assert_all_answer(client: Client, run: Run) -> None:
    failed = []
    for address in addresses(run):
        answer = client.get(address)
        if answer.status_code != 200:
            failed.append(f"{address}: {answer.status_code}")
    assert not failed


EXTREMES = {
    "both-ends": each_histogram(both_ends),
    "no-operation": no_operation,
    "no-time": no_time,
    "nothing-known": nothing_known,
}
MORE_EXTREMES = {
    "zeros": each_histogram(zeros),
    "nothing-but-zeros": each_histogram(nothing_but_zeros),
    "maxima": each_histogram(maxima),
    "single-sample": each_histogram(single_sample),
    "empty-series": empty_series,
    "standstill": standstill,
    "no-end": no_end,
}


@pytest.mark.parametrize(
    "change",
    [
        *(pytest.param(each, id=name) for name, each in EXTREMES.items()),
        *(
            pytest.param(each, id=name, marks=pytest.mark.daily)
            for name, each in MORE_EXTREMES.items()
        ),
    ],
)
def test_an_extreme_run_takes_no_page_down(
    client: Client, change: Callable[[make.Json], None]
) -> None:
    store_catalogue()
    document = make.payload(claim=CLAIM)
    change(document)
    read_run(make.as_bytes(document))
    run = let_in(document)
    client.raise_request_exception = False
    assert_all_answer(client, run)


@given(data=st.data())
@settings(
    max_examples=6,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow,
    ],
)  # fmt: skip
def test_no_run_that_fits_the_schema_takes_a_page_down(client: Client, data: st.DataObject) -> None:
    """All examples share one transaction: each run takes the place of the one before."""
    store_catalogue()
    document = make.payload(claim=CLAIM)
    run = let_in(with_extremes(data, document, list(numbers_of(document)), changes_max=12))
    client.raise_request_exception = False
    assert_all_answer(client, run)

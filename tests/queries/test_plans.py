"""No query of a page reads, sorts or counts what grows with runs, by PostgreSQL's own plan.

The planner is told of a million runs. A table is then read by an index with a condition, or in the
order of one as far as the page goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.accounts.credit.names import choose_name
from apps.rankings.services import refresh_all
from apps.runs.models import Label, RunDrive
from tests import make
from tests.pages.site import measured_run
from tests.queries.statistics import GROWING, INDEX_OF_EXAMPLES, grow
from tests.rankings import build

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

ROWS_MAX: Final = 50_000  # that a node may read: those of a popular plan or drive, not of all
RUNS_ON_PAGE_MAX: Final = 40  # 20 measured ones, 10 published and 10 imported
READS_ALL: Final = frozenset(
    {"Sort", "Incremental Sort", "Aggregate", "Hash", "WindowAgg", "Unique"}
)
BEFORE: Final = "20300101T000000.000000.00000000000000000000000000000001"
PAGES: Final = (
    "/",
    "/plans/",
    "/plans/?provider=acme",
    "/drives/?sort=p99",
    "/providers/",
    "/plans/{plan}/",
    "/drives/{drive}/",
    "/providers/{provider}/",
    "/runs/",
    "/runs/?shape=all",
    "/runs/?plan={plan}",
    "/runs/?drive={drive}",
    "/runs/?level=signed",
    "/runs/?provider={provider}",
    "/runs/?day=2026-10-06",
    "/runs/?day=undated",
    "/runs/?work=overwrites",
    "/runs/?level=example",
    f"/runs/?before={BEFORE}",
    "/runs/{run}/",
    "/search/?q={plan}",
    "/search/?q=database",
    "/advisor/?work=oltp",
    "/guides/",
    "/guides/oltp/",
    "/compare/",
    "/coverage/",
    "/moderation/",
    "/runs.atom",
    "/sitemap.xml",
    "/badge/run/{run}.svg",
    "/badge/plan/{plan}.svg",
    "/badge/by/{person}.svg",
    "/api/v1/runs",
    "/api/v1/plans",
    "/api/v1/drives",
    "/api/v1/standings",
    "/api/v1/runs/{run}",
    "/api/v1/runs?workload=commit-8k",
    "/api/v1/labels",
    "/api/v1/labels?rule=other-cpu",
    "/api/v1/prices",
    "/api/v1/envelopes",
    "/api/v1/changes",
    "/ranks.atom",
    "/shifts.atom",
    "/prices.atom",
)


@contextmanager
def explained() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Collect each query of the block with its plan."""
    found: list[tuple[str, dict[str, Any]]] = []

    def wrapper(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        words = sql.lstrip(" (").upper()
        if words.startswith(("SELECT", "WITH")):
            with connection.cursor() as cursor:  # of its own: the query's may be a server's
                cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
                ((answer,),) = cursor.fetchall()
            plan = answer if isinstance(answer, list) else json.loads(answer)
            found.append((sql, plan[0]["Plan"]))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield found


def faults_of(node: dict[str, Any], *, is_cut: bool = False) -> Iterator[str]:
    """Yield what in a plan grows with runs. `is_cut`: a LIMIT above stops it early."""
    kind, table = node["Node Type"], node.get("Relation Name", "")
    children = node.get("Plans", [])
    if table in GROWING:
        index = node.get("Index Name")
        has_condition = "Index Cond" in node or kind == "Bitmap Heap Scan"
        has_condition = has_condition or index == INDEX_OF_EXAMPLES
        if kind == "Seq Scan":
            yield f"reads all of {table}"
        elif not has_condition and not is_cut:
            yield f"reads all of {table} by {index}"
        elif not is_cut and node["Plan Rows"] > ROWS_MAX:
            yield f"reads {node['Plan Rows']:,} rows of {table}"
    if kind in READS_ALL and any(child["Plan Rows"] > ROWS_MAX for child in children):
        yield f"{kind} of {max(child['Plan Rows'] for child in children):,} rows"
    # what has fewer rows than the limit is read to its end
    is_limit = kind == "Limit" and children[0]["Plan Rows"] > node["Plan Rows"]
    cuts = (is_cut or is_limit) and kind not in READS_ALL
    for child in children:
        yield from faults_of(child, is_cut=cuts)


@pytest.fixture
def things() -> dict[str, str]:
    """A plan, a drive and a run with a row in each table, and statistics of a million runs."""
    plan, drive = build.plan(), build.family("a-drive")
    runs = [
        build.run(1_000 + number, plan=plan, drive_family=drive, uploader=f"u{number}")
        for number in range(4)
    ]
    make.upload()
    make.measurement(run=make.run(is_example=True, has_commit=True))
    other = measured_run()
    RunDrive.objects.create(run=other, place=0)
    Label.objects.create(run=other, rule="other-cpu", rule_version=1, outcome="label")
    refresh_all()
    person = User.objects.create_user("measurer")
    choose_name(person, "measurer")
    grow()
    with connection.cursor() as cursor:  # however small the tables of a test are
        cursor.execute("SET LOCAL enable_seqscan = off")
    return {
        "plan": plan.slug,
        "drive": drive.slug,
        "provider": plan.provider_id,
        "run": runs[0].slug,
        "person": "measurer",
    }


@pytest.mark.parametrize("page", PAGES)
def test_no_query_of_a_page_grows_with_runs(
    client: Client, things: dict[str, str], page: str
) -> None:
    with explained() as queries:
        answer = client.get(page.format(**things))
    assert answer.status_code == 200
    assert queries
    faults = {fault: sql for sql, plan in queries for fault in faults_of(plan)}
    assert not faults


def test_what_reads_everything_is_noticed(things: dict[str, str]) -> None:
    with explained() as queries, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM runs_run WHERE NOT is_example")
        cursor.execute("SELECT id FROM runs_measurement ORDER BY rate_per_s LIMIT 5")
    counted, sorted_ = (set(faults_of(plan)) for _, plan in queries)
    assert any("runs_run" in fault for fault in counted)
    assert any(fault.startswith("Aggregate of ") for fault in counted)
    assert any(fault.startswith("Sort of ") for fault in sorted_)


def rows_of(node: dict[str, Any], table: str, *, is_cut: bool = False) -> int:
    """Return how many rows of a table a plan reads, where no LIMIT stops it."""
    kind = node["Node Type"]
    cuts = (is_cut or kind == "Limit") and kind not in READS_ALL
    own = 0 if is_cut or node.get("Relation Name") != table else int(node["Plan Rows"])
    return own + sum(rows_of(child, table, is_cut=cuts) for child in node.get("Plans", []))


@pytest.mark.parametrize("page", ["/plans/{plan}/", "/drives/{drive}/"])
def test_the_runs_of_a_thing_are_read_as_far_as_the_page_goes(
    client: Client, things: dict[str, str], page: str
) -> None:
    with explained() as queries:
        client.get(page.format(**things))
    lists = [plan for sql, plan in queries if "headline" in sql and "runs_label" in sql]
    assert len(lists) == 1
    assert rows_of(lists[0], "runs_run") <= RUNS_ON_PAGE_MAX


@pytest.mark.usefixtures("things")
def test_envelopes_are_read_by_their_own_index(client: Client) -> None:
    with explained() as queries:
        assert client.get("/api/v1/envelopes").status_code == 200
    assert any("run_newest_envelopes" in json.dumps(plan) for _, plan in queries)

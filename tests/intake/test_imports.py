"""POST /api/v1/imports: an output comes in, is stored as it came, and is shown as Imported."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.http import UnreadablePostError
from django.utils import timezone
from psycopg.sql import SQL, Identifier

from apps.intake.importers import without_measures
from apps.intake.importers.limits import FIGURES_MAX, OUTPUT_BYTES_MAX, PERCENTILES_MAX
from apps.intake.models import OutputReading
from apps.intake.services import imports
from apps.intake.services.imports import ImportClaim, content_digest, import_output
from apps.intake.services.rate_limits import IMPORTS_PER_NETWORK
from apps.plans.held import UNSEEN_NAME
from apps.plans.models import Plan
from apps.rankings.models import Standing, StandingRun
from apps.rankings.services import refresh_all, refresh_cells
from apps.runs.models import ImportedFile, Latency, Level, Run
from tests import make
from tests.intake.conftest import Answer, problem_of
from tests.intake.importers.outputs import (
    as_many_figures_as_may_be,
    ranks_of_json,
    ranks_of_text,
)
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db
FIXTURES = Path(__file__).parent / "importers" / "fixtures"
FIO = (FIXTURES / "fio-3.33-debian.fsync.json").read_bytes()
PG = (FIXTURES / "pg_test_fsync-15.txt").read_bytes()


def post(client: Client, raw: bytes, query: str = "", **extra: Any) -> Answer:
    extra.setdefault("content_type", "application/x-www-form-urlencoded")  # as curl says
    return client.generic("POST", f"/api/v1/imports{query}", raw, **extra)


def test_an_output_is_stored_as_it_came_and_shown(client: Client) -> None:
    answer = post(client, FIO, "?provider=Hetzner&plan=CCX33&drive=unknown")
    assert answer.status_code == 201, answer.content
    body = answer.json()
    file = ImportedFile.objects.get()
    assert bytes(file.content) == FIO
    assert bytes(file.content_sha256) == content_digest(FIO)
    assert body["run_id"] == str(file.run_id)
    assert body["run_url"].endswith(f"/runs/{file.run_id}/")
    assert body["understood"] == {**without_measures(file.document), "labels": []}
    run = Run.objects.get()
    assert (run.level, run.in_standings, run.measured_at) == (Level.IMPORTED, False, None)
    assert (file.claimed_provider, file.claimed_plan) == ("Hetzner", "CCX33")
    assert (run.claimed_provider, run.claimed_plan, run.plan) == (UNSEEN_NAME, UNSEEN_NAME, None)
    assert "Nobody signed it" in run.citation.warning
    assert client.get(f"/runs/{run.slug}/").status_code == 200
    shown = client.get(body["status_url"].removeprefix("http://testserver"))
    assert shown.json()["level"] == Level.IMPORTED


def test_the_same_bytes_are_the_same_run_whoever_sends_them(client: Client) -> None:
    first = post(client, FIO)
    second = post(client, FIO, "?plan=another", REMOTE_ADDR="203.0.113.9")
    assert second.status_code == 200
    assert second.json() == first.json()
    assert Run.objects.count() == 1


def test_the_same_bytes_at_the_same_time_are_stored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    understood = imports.understand

    def overtaken(raw: bytes, **network: str) -> dict[str, object]:
        monkeypatch.setattr(imports, "understand", understood)
        import_output(
            raw=raw, claim=ImportClaim(), network="a" * 32
        )  # the twin is a moment earlier
        return understood(raw, **network)

    monkeypatch.setattr(imports, "understand", overtaken)
    assert not import_output(raw=FIO, claim=ImportClaim(), network="b" * 32).is_new
    assert ImportedFile.objects.get().network == "a" * 32


def test_any_other_breach_of_the_database_is_no_fault_of_the_sender(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_file: ImportedFile) -> Run:
        raise IntegrityError("a twin that was taken back, a class of the ladder that went away")

    with monkeypatch.context() as patched:
        patched.setattr(imports, "record_import", breaks)
        answer = post(client, FIO)
    assert problem_of(answer) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) == imports.RETRY_SECONDS
    assert not ImportedFile.objects.exists()
    assert post(client, FIO).status_code == 201


def test_a_claim_is_shown_as_the_word_of_who_sent_it_first(client: Client) -> None:
    post(client, FIO, "?provider=Hetzner&plan=CCX33&drive=PM9A3")
    page = client.get(f"/runs/{Run.objects.get().slug}/").content.decode()
    answer = page.split('<div class="answer">')[1].split("</div>")[0]
    assert "machine and drive are the sender" in answer
    post(client, PG)
    nameless = client.get(f"/runs/{ImportedFile.objects.get(content=PG).run_id}/").content.decode()
    assert "are the sender" not in nameless


def test_what_is_not_understood_is_refused_and_not_stored(client: Client) -> None:
    answer = post(client, FIO[:2000])
    assert problem_of(answer) == (422, "unreadable-output")
    assert "Cut short: the JSON ends in the middle, at line" in answer.json()["detail"]
    assert problem_of(post(client, b" ")) == (422, "unreadable-output")
    assert not ImportedFile.objects.exists()


def test_an_output_has_a_largest_size(client: Client) -> None:
    assert problem_of(post(client, b"x" * (OUTPUT_BYTES_MAX + 1))) == (413, "too-large")


def test_how_it_is_sent_is_checked(client: Client) -> None:
    without = client.generic("POST", "/api/v1/imports", FIO, CONTENT_LENGTH="")
    assert problem_of(without) == (411, "length-required")
    packed = post(client, FIO, HTTP_CONTENT_ENCODING="gzip")
    assert problem_of(packed) == (422, "unreadable-output")
    other = client.get("/api/v1/imports")
    assert problem_of(other) == (405, "method-not-allowed")
    assert other.headers["Allow"] == "POST"


def test_a_body_that_ends_early_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> bytes:
        raise UnreadablePostError

    monkeypatch.setattr(WSGIRequest, "read", broken)
    assert problem_of(post(client, FIO)) == (422, "unreadable-output")


def test_a_network_has_its_share_of_an_hour(client: Client) -> None:
    post(client, FIO)
    file = ImportedFile.objects.get()
    for _ in range(IMPORTS_PER_NETWORK - 1):
        file.run_id, file.content_sha256 = uuid4(), uuid4().bytes * 2
        file.save(force_insert=True)
    answer = post(client, PG)
    assert problem_of(answer) == (429, "too-many-requests")
    assert 0 < int(answer.headers["Retry-After"]) <= 3600
    assert post(client, FIO).status_code == 200  # what is there already costs nothing
    assert post(client, PG, REMOTE_ADDR="203.0.113.9").status_code == 201
    ImportedFile.objects.update(received_at=file.received_at - timedelta(hours=2))
    third = (FIXTURES / "yabs.txt").read_bytes()
    assert post(client, third).status_code == 201


def test_a_network_has_so_many_readings_whatever_comes_of_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.READINGS_PER_NETWORK", 2)
    for _ in range(2):
        assert problem_of(post(client, b"not an output")) == (422, "unreadable-output")
    answer = post(client, FIO)
    assert problem_of(answer) == (429, "too-many-requests")
    assert "2 outputs read within an hour" in answer.json()["detail"]
    assert not ImportedFile.objects.exists()
    assert post(client, FIO, REMOTE_ADDR="203.0.113.9").status_code == 201
    assert post(client, FIO).status_code == 200  # what is there already is not read again
    OutputReading.objects.update(read_at=timezone.now() - timedelta(hours=2))
    assert post(client, PG).status_code == 201
    (left,) = OutputReading.objects.all()  # older ones are forgotten
    assert str(left) == f"output read at {left.read_at}"


def test_programs_are_told_what_speaks_against_an_output(client: Client) -> None:
    raw = (FIXTURES / "made/fio-3.33-tmpfs.json").read_bytes()
    for status in (201, 200):
        answer = post(client, raw)
        assert answer.status_code == status
        understood = answer.json()["understood"]
        assert [job["is_durable_single_writer"] for job in understood["jobs"]] == [False]
        assert understood["labels"] == [
            {
                "rule": "faster-than-medium",
                "text": "faster than durable media — cache likely",
                "detail": "By its rate a commit took 2.2 µs; the floor is 5 µs (any block device).",
            },
            {"rule": "memory-filesystem", "text": "in memory", "detail": "The file lay on tmpfs."},
        ]


def test_a_claim_is_words_and_nothing_else(client: Client) -> None:
    post(client, FIO, "?provider=%3Cb%3E%3D1%2B1&plan=" + "p" * 999)
    file = ImportedFile.objects.get()
    assert (file.claimed_provider, len(file.claimed_plan)) == ("?b??1+1", 64)


def test_an_import_stands_nowhere(client: Client) -> None:
    post(client, FIO)
    post(client, PG)
    refresh_cells(run_ids=list(Run.objects.values_list("pk", flat=True)))
    refresh_all()
    assert not Standing.objects.exists()


@pytest.mark.usefixtures("few_published")
def test_a_rebuild_makes_imported_runs_again(client: Client) -> None:
    store_catalogue()
    for name in ("fio-3.33-debian.fsync.json", "pg_test_fsync-15.txt", "yabs.json"):
        post(client, (FIXTURES / name).read_bytes())
    tables = ("runs_measurement", "runs_latency", "runs_citation", "runs_run")
    before = {table: rows(table) for table in tables}
    call_command("rebuild")
    assert {table: rows(table) for table in tables} == before
    assert Run.objects.filter(level=Level.IMPORTED).count() == 3


def test_outputs_are_read_again_when_readers_have_learned(client: Client) -> None:
    post(client, FIO)
    post(client, PG)
    assert imports.read_again() == (0, 2)
    file = ImportedFile.objects.get(content=FIO)
    file.document = {**file.document, "reader_version": 0, "jobs": []}
    file.save()
    broken = ImportedFile.objects.get(content=PG)
    broken.document, broken.content = {**broken.document, "reader_version": 0}, b"no more"
    broken.save()
    assert imports.read_again() == (1, 2)
    assert len(ImportedFile.objects.get(content=FIO).document["jobs"]) == 1
    assert ImportedFile.objects.get(pk=broken.pk).document["reader_version"] == 0
    call_command("reread_imports")


@pytest.mark.parametrize(("broken", "whole"), [(FIO, PG), (PG, FIO)])
def test_an_output_that_is_not_understood_any_more_stops_no_other(
    client: Client, broken: bytes, whole: bytes
) -> None:
    post(client, FIO)
    post(client, PG)
    for file in ImportedFile.objects.all():
        file.document = {**file.document, "reader_version": 0}
        file.content = b"no more" if bytes(file.content) == broken else file.content
        file.save()
    assert imports.read_again() == (1, 2)
    assert ImportedFile.objects.get(content=whole).document["reader_version"] > 0


def rows(table: str) -> list[tuple[object, ...]]:
    """Everything in a table but its numbers, which are given anew."""
    with connection.cursor() as cursor:
        cursor.execute(
            SQL("SELECT (to_jsonb(t) - 'id' - 'measurement_id')::text FROM {} t ORDER BY 1").format(
                Identifier(table)
            )
        )
        return list(cursor.fetchall())


def test_an_output_is_shown_on_the_plan_and_drive_that_it_names_and_stands_nowhere() -> None:
    """Beside a witnessed run of the same plan and drive: its standing stays as it was."""
    plan = make.plan(provider=make.provider(slug="hetzner", name="Hetzner"), slug="hetzner-ccx33")
    family = make.drive_family(match=r"^ACME FAST 1$")
    run = make.run(plan=plan, provider=plan.provider, drive_family=family)
    make.measurement(run=run, rate_per_s=1_000)
    refresh_all()
    before = list(Standing.objects.order_by("pk").values())
    assert len(before) == 2
    claim = ImportClaim(provider="Hetzner Cloud", plan="ccx33", drive="ACME FAST 1")
    for raw in (FIO, PG):
        imported = import_output(raw=raw, claim=claim, network="a" * 32)
        shown = Run.objects.get(pk=imported.file.run_id)
        assert (shown.plan, shown.provider, shown.drive_family) == (plan, plan.provider, family)
        assert shown.measurements.filter(is_durable_single_writer=True).exists()
        refresh_cells(run_ids=[shown.pk])
    refresh_all()
    assert list(Standing.objects.order_by("pk").values()) == before
    assert not StandingRun.objects.exclude(run_id=run.pk).exists()


def test_an_output_makes_no_plan() -> None:
    import_output(raw=FIO, claim=ImportClaim(provider="Nobody", plan="<b>x</b>"), network="a" * 32)
    assert Run.objects.get().plan is None
    assert not Plan.objects.exists()


@pytest.mark.parametrize("name", ["runtime", "total_ios", "bw_bytes", "max", "mean", "N"])
def test_figures_beyond_all_columns_are_no_fault_of_ours(client: Client, name: str) -> None:
    largest = f'"{name}" : {2**63 - 1}'
    answer = post(client, re.sub(f'"{name}" : [0-9.]+', largest, FIO.decode()).encode())
    assert answer.status_code == 201, answer.content
    run = Run.objects.get()
    assert client.get(f"/runs/{run.slug}/").status_code == 200
    assert client.get(f"/api/v1/runs/{run.slug}").status_code == 200


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("clients: 2", "clients: 9000000000"),
        ("average = 6.159", "average = 9000000000000000000"),
        ("tps = 324.734458", "tps = 0.000001"),
    ],
)
def test_odd_figures_of_pgbench_are_shown_too(client: Client, before: str, after: str) -> None:
    raw = (FIXTURES / "made/pgbench-15.txt").read_text()
    assert before in raw
    assert post(client, raw.replace(before, after).encode()).status_code == 201
    assert client.get(f"/runs/{Run.objects.get().slug}/").status_code == 200


PAGE_BYTES_MAX = 6 * 1024 * 1024  # of HTML, most of it the same few tags: a tenth when packed
ANSWER_BYTES_MAX = 2 * 1024 * 1024


@pytest.mark.parametrize("make", [ranks_of_json, ranks_of_text, as_many_figures_as_may_be])
def test_what_is_stored_and_shown_of_an_output_is_bounded(
    client: Client, make: Callable[[], bytes]
) -> None:
    answer = post(client, make())
    assert answer.status_code == 201
    assert len(answer.content) <= ANSWER_BYTES_MAX
    run = Run.objects.get()
    assert (
        len(json.dumps(without_measures(ImportedFile.objects.get().document))) <= ANSWER_BYTES_MAX
    )
    page = client.get(f"/runs/{run.slug}/").content
    assert page.count(b'<tr><th scope="row">') <= FIGURES_MAX + 100  # and the tables of charts
    assert len(page) <= PAGE_BYTES_MAX
    assert len(client.get(f"/api/v1/runs/{run.slug}").content) <= ANSWER_BYTES_MAX
    points = [len(each.curve) for each in Latency.objects.all()]
    assert all(count <= PERCENTILES_MAX for count in points)

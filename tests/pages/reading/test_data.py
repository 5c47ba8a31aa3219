"""The open data: a page that lists the newest dump, and its files at addresses that last."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, cast

import pytest
from django.conf import settings

from apps.rankings.dumps.envelopes import PREFIX
from apps.rankings.dumps.store import REST, dump_if_due
from apps.rankings.models import Dump
from apps.runs.models import RunRuling, Tombstone
from tests import make

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.http import FileResponse
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dumps_folder")]


def test_before_the_first_dump_there_is_none(client: Client) -> None:
    page = client.get("/data/")
    assert page.status_code == 200
    assert "none yet" in page.text
    assert client.get("/data/latest/runs.parquet").status_code == 404


def test_the_page_lists_every_file_and_gives_it_out_as_its_checksum_says(client: Client) -> None:
    dump = dump_if_due()
    assert dump is not None
    page = client.get("/data/")
    assert page.headers["Cache-Control"] == "no-store"
    assert f'{settings.SITE_URL}/data/latest/runs.parquet"' in page.text.replace("&quot;", '"')
    for each in dump.files:
        assert f'/data/{dump.name}/{each["name"]}"' in page.text
        answer = client.get(
            f"/data/{dump.name}/{each['name']}", headers={"accept-encoding": "gzip"}
        )
        content = b"".join(cast("Iterator[bytes]", cast("FileResponse", answer).streaming_content))
        assert hashlib.sha256(content).hexdigest() == each["sha256"]
        assert answer.headers["Content-Length"] == str(each["bytes"])
        assert "Content-Encoding" not in answer.headers
        assert answer.headers["Cache-Control"].startswith("public")


def test_the_newest_file_has_an_address_that_stays(client: Client) -> None:
    dump = dump_if_due()
    assert dump is not None
    answer = client.get("/data/latest/plans.csv")
    assert answer.headers["Location"] == f"/data/{dump.name}/plans.csv"
    assert answer.headers["Cache-Control"] == "no-store"


def test_nothing_but_the_files_of_a_whole_dump_is_handed_out(
    client: Client, dumps_folder: Path
) -> None:
    dump = dump_if_due()
    assert dump is not None
    (dumps_folder / dump.name / "secret.txt").write_text("of nobody")
    names = ("secret.txt", "..", "../x", "%2e%2e%2fx", ".")
    assert {client.get(f"/data/{dump.name}/{name}").status_code for name in names} <= {404, 301}
    (dumps_folder / dump.name / "plans.csv").unlink()
    assert client.get(f"/data/{dump.name}/plans.csv").status_code == 404
    Dump.objects.update(finished_at=None)
    assert client.get(f"/data/{dump.name}/prices.csv").status_code == 404


def test_envelopes_are_kept_by_no_cache_and_go_as_soon_as_a_run_is_taken_back(
    client: Client, dumps_folder: Path
) -> None:
    dump = dump_if_due()
    assert dump is not None
    name = f"{PREFIX}2026-11.tar.zst"
    (dumps_folder / dump.name / name).write_bytes(b"x")
    dump.files.append({"name": name, "bytes": 1, "sha256": "0" * 64, "rows": None})
    dump.begun_at -= REST
    dump.save()
    address = f"/data/{dump.name}/{name}"
    answer = client.get(address)
    assert answer.getvalue() == b"x"
    assert answer.headers["Cache-Control"] == "no-store"
    make_rulings = (
        lambda: RunRuling.objects.create(run_id=make.uuid7(), kind=RunRuling.Kind.HIDDEN),
        lambda: Tombstone.objects.create(run_id=make.uuid7(), by_owner=True),
    )
    for make_one in make_rulings:
        made = make_one()
        assert client.get(address).status_code == 404
        assert name not in client.get("/data/").text
        assert client.get(f"/data/{dump.name}/plans.csv").getvalue()
        made.delete()
    assert name in client.get("/data/").text

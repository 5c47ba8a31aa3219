"""A site is backed up, destroyed and restored: every upload and every page is what it was."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from apps.config.one_machine.environment import ROOT
from apps.config.operation import backups
from apps.config.processes import WEB
from tests.faults.site.own_site import OwnSite, own_site

FILL: Final = """
from tests import make
for number in range(6):
    make.upload(witnessed=number % 2 == 0)
make.imported_run()
make.upload(state="poison", attempts=5, last_error="kept as it is")
"""
MOVING: Final = re.compile(r'csrfmiddlewaretoken" value="[^"]+"')

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("backups")]  # one site


@pytest.fixture(scope="module")
def site() -> Iterator[OwnSite]:
    """A site with a few runs, whose pages are rendered for each request."""
    with own_site(processes=[WEB], web_workers=1, PAGES_BYTES="0") as site:
        run(site, "shell", "-c", FILL)
        run(site, "drain")
        yield site


def run(site: OwnSite, *words: str, status: int = 0, **changes: str) -> str:
    """What manage.py says, on both streams."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        check=False, cwd=ROOT, env={**site.product.setting.environment, **changes},
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def query(site: OwnSite, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(site.database_url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def destroy(site: OwnSite) -> None:
    query(site, "DROP SCHEMA public CASCADE")
    query(site, "CREATE SCHEMA public")


def uploads(site: OwnSite) -> list[tuple[object, ...]]:
    return query(site, "SELECT * FROM runs_upload ORDER BY run_id")


def pages(site: OwnSite) -> Mapping[str, str]:
    """Every page that the sitemap names, by its address, and what the API says of each upload."""
    index = site.get("/sitemap.xml").text
    files = re.findall(r"<loc>([^<]+)</loc>", index)
    listed = [
        address.removeprefix(site.url)
        for file in files
        for address in re.findall(r"<loc>([^<]+)</loc>", site.get(file.removeprefix(site.url)).text)
    ]
    english = [each for each in listed if not each.startswith("/zh-hans/")]
    assert len(english) > 60
    ids = [f"{run_id}" for (run_id,) in query(site, "SELECT run_id FROM runs_upload")]
    answers = [f"/api/v1/runs/{run_id}" for run_id in ids]
    return {path: shown(site, path) for path in [*english, *answers]}


def shown(site: OwnSite, path: str) -> str:
    answer = site.get(path)
    assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return MOVING.sub("", answer.text)


def test_what_is_destroyed_comes_back_byte_for_byte(site: OwnSite, tmp_path: Path) -> None:
    before, pages_before = uploads(site), pages(site)
    assert len(before) == 7
    folder = tmp_path / "backup"
    said = run(site, "backup", str(folder))
    assert f"{folder}: 7 uploads and " in said
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / backups.DUMP).stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("*.partial"))

    destroy(site)
    assert site.get("/").status_code >= 500
    said = run(site, "restore", str(folder))
    assert "7 uploads and " in said
    assert "SECRET_KEY is not" not in said
    assert uploads(site) == before
    assert pages(site) == pages_before
    run(site, "migrate", "--check")

    destroy(site)
    said = run(site, "restore", str(folder), SECRET_KEY="k" * 64)
    assert "SECRET_KEY is not that of the backup" in said


@pytest.mark.daily
def test_nothing_is_overwritten(site: OwnSite, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    run(site, "backup", str(folder))
    assert "is there already" in run(site, "backup", str(folder), status=1)
    before = uploads(site)
    assert "nothing is overwritten" in run(site, "restore", str(folder), status=1)
    assert uploads(site) == before


@pytest.mark.daily
def test_a_backup_that_is_not_whole_restores_nothing(site: OwnSite, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    run(site, "backup", str(folder))
    dump, manifest = folder / backups.DUMP, folder / backups.MANIFEST
    whole, facts = dump.read_bytes(), json.loads(manifest.read_text())
    destroy(site)

    dump.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "not the file that was written" in run(site, "restore", str(folder), status=1)

    short = whole[: len(whole) // 2]  # whoever made it said so: pg_restore finds it in the middle
    dump.write_bytes(short)
    said = {**facts, "dump_sha256": hashlib.sha256(short).hexdigest()}
    manifest.write_text(json.dumps(said))
    assert "pg_restore failed" in run(site, "restore", str(folder), status=1)
    assert not query(site, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")

    dump.write_bytes(whole)
    facts["tables"]["runs_upload"]["digest"] += "1"
    facts["tables"]["runs_run"]["rows"] += 1
    manifest.write_text(json.dumps(facts))
    assert "not as they were backed up: runs_run, runs_upload" in run(
        site, "restore", str(folder), status=1
    )

    manifest.unlink()
    assert "is no backup" in run(site, "restore", str(folder), status=1)


@pytest.mark.daily
def test_a_backup_that_fails_leaves_no_folder(site: OwnSite, tmp_path: Path) -> None:
    destroy(site)  # no table of uploads, as if it were another database
    query(site, "CREATE TABLE hidden ()")
    query(site, "REVOKE SELECT ON hidden FROM CURRENT_USER")
    said = run(site, "backup", str(tmp_path / "backup"), status=1)
    assert "pg_dump failed" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.daily
@pytest.mark.django_db
def test_the_address_has_words_that_older_programs_know() -> None:
    told = conninfo_to_dict(backups._address())
    assert {"host", "port", "dbname", "user"} <= told.keys() <= set(backups.ADDRESS_WORDS)


def test_the_program_is_of_the_server_s_version_or_newer() -> None:
    assert backups.program("pg_dump", major=1)
    with pytest.raises(backups.BackupError, match="postgresql-client-99"):
        backups.program("pg_dump", major=99)

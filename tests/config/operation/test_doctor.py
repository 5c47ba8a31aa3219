"""`manage.py doctor` finds what is broken on real servers, and says what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

from apps.config.one_machine.environment import ROOT
from apps.config.operation import examination
from apps.config.operation.examination import Condition
from apps.config.processes import PROCESSES
from apps.embedded.postgres import free_port
from apps.runs.models import Upload
from tests import make
from tests.faults.site.own_site import OwnSite, own_site

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("doctor")]  # one site


@pytest.fixture(scope="module")
def site() -> Iterator[OwnSite]:
    with own_site(processes=PROCESSES, web_workers=1) as site:
        yield site


def doctor(site: OwnSite, *, status: int | None = None, **changes: str) -> dict[str, Any]:
    """What it found, by name."""
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        check=False, cwd=ROOT, env={**site.product.setting.environment, **changes},
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout, done.stderr
    found = {each["name"]: each for each in json.loads(done.stdout)}
    is_broken = any(each["condition"] == Condition.BROKEN for each in found.values())
    assert done.returncode == is_broken
    assert status is None or done.returncode == status
    assert all(each["advice"] for each in found.values() if each["condition"] != Condition.GOOD)
    return found


def broken(found: dict[str, Any]) -> set[str]:
    return {name for name, each in found.items() if each["condition"] == Condition.BROKEN}


def test_a_site_that_is_well_has_nothing_broken(site: OwnSite) -> None:
    found = doctor(site)
    assert broken(found) == {"commits"}, found  # servers of tests do not wait for the medium
    looked = {
        "static files", "disk space", "mail", "Valkey", "worker", "sweeper", "database", "role",
        "migrations", "extension", "clock", "waiting uploads", "poison",
    }  # fmt: skip
    assert looked <= found.keys()


def test_people_read_it_line_by_line(site: OwnSite) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        check=False, cwd=ROOT, env=dict(site.product.setting.environment),
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "good    role: fsyncmark_site, no superuser\n" in done.stdout
    assert "broken  commits: fsync, full_page_writes off\n        Turn it on" in done.stdout


@pytest.mark.daily
def test_what_is_away_is_broken(site: OwnSite, tmp_path: Path) -> None:
    nothing = free_port()
    found = doctor(
        site, status=1,
        DATABASE_URL=f"postgresql://nobody@127.0.0.1:{nothing}/none",
        REDIS_URL=f"redis://127.0.0.1:{nothing}/0",
        EMAIL_URL=f"smtp://127.0.0.1:{nothing}",
        STATIC_ROOT=str(tmp_path), HEARTBEAT_FOLDER=str(tmp_path),
        SECRET_KEY="short", ALLOWED_HOSTS="elsewhere.example",
        SITE_URL="https://fsyncmark.example",
    )  # fmt: skip
    assert broken(found) >= {
        "database", "Valkey", "worker", "sweeper", "mail", "static files", "secret key",
        "host names", "settings fsyncmark.E003", "settings fsyncmark.E006",
    }  # fmt: skip
    assert "role" not in found  # without a database nothing is said of it


@pytest.mark.daily
def test_a_queue_of_another_name_has_no_worker(site: OwnSite) -> None:
    assert "worker" in broken(doctor(site, CELERY_QUEUE="another"))


@pytest.mark.daily
def test_a_valkey_that_evicts_is_broken(site: OwnSite) -> None:
    with Redis.from_url(
        site.servers.addresses.redis_url.replace("redis+socket://", "unix://")
    ) as valkey:
        valkey.config_set("maxmemory-policy", "allkeys-lru")
        try:
            assert "Valkey" in broken(doctor(site))
        finally:
            valkey.config_set("maxmemory-policy", "noeviction")


@pytest.mark.daily
def test_a_sweeper_that_stands_still_is_broken(site: OwnSite, tmp_path: Path) -> None:
    beat = tmp_path / "heartbeat-sweeper"
    beat.touch()
    os.utime(beat, (0, 0))
    assert "sweeper" in broken(doctor(site, HEARTBEAT_FOLDER=str(tmp_path)))
    without = doctor(site, HEARTBEAT_FOLDER="")
    assert without["sweeper"]["condition"] == Condition.WEAK


@pytest.mark.daily
def test_missing_migrations_and_newer_ones(site: OwnSite) -> None:
    with psycopg.connect(site.database_url, autocommit=True) as connection:
        change = "UPDATE django_migrations SET name = %s WHERE app = 'intake' AND name = %s"
        connection.execute(change, ["9999_later", "0002_output_readings"])
        assert "migrations" in broken(doctor(site))
        connection.execute(change, ["0002_output_readings", "9999_later"])
        connection.execute("INSERT INTO django_migrations (app, name, applied)"
                           " VALUES ('intake', '9999_later', now())")  # fmt: skip
        found = doctor(site)["migrations"]
        assert found["condition"] == Condition.WEAK
        assert "intake.9999_later" in found["found"]
        connection.execute("DELETE FROM django_migrations WHERE name = '9999_later'")


@pytest.mark.django_db
@pytest.mark.daily
def test_uploads_that_wait_for_long_and_poison_are_told() -> None:
    assert examination._waiting().condition is Condition.GOOD
    assert examination._poison().condition is Condition.GOOD
    make.upload(attempts=2)  # received long ago
    make.upload(state=Upload.State.POISON)
    assert examination._waiting().condition is Condition.BROKEN
    assert examination._poison().condition is Condition.WEAK

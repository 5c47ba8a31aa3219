"""Where a fault is tried: a usual rig, a small disk, a wrong clock, an archive."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.account import Account
from tests.faults.site.own_site import new_home
from tests.faults.site.rig import Rig, rig
from tests.faults.uploads import Programs

SMALL_MIB: Final = 400  # an empty cluster with its log takes 90
CODE: Final = ("apps", "templates", "static", "locale", "docs", "manage.py", "pyproject.toml")
CLOCK: Final = ROOT / "tests" / "faults" / "site" / "clock.c"

Ground = Callable[[Programs], "contextlib.AbstractContextManager[Rig]"]


class NotHereError(Exception):
    """This machine cannot try it; the message says why."""


@contextlib.contextmanager
def usual(programs: Programs) -> Iterator[Rig]:
    """Nothing special."""
    with rig(programs) as found:
        yield found


@contextlib.contextmanager
def small_disk(programs: Programs) -> Iterator[Rig]:
    """Servers on a filesystem of 400 MiB."""
    home = new_home()
    try:
        with mounted(home, mib=SMALL_MIB), rig(programs, home=home) as found:
            yield found
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def small_home(programs: Programs) -> Iterator[Rig]:
    """Beside the others a sender whose home has room for some twenty runs."""
    with rig(programs) as found:
        home = small_home_of(found)
        home.mkdir()
        with mounted(home, mib=1):
            yield found


def small_home_of(found: Rig) -> Path:
    return found.senders / "home-small"


@contextlib.contextmanager
def mounted(folder: Path, *, mib: int) -> Iterator[None]:
    """A filesystem in memory of so many MiB at a folder."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=755", "faults", str(folder)],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise NotHereError(f"a small disk needs root: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def wrong_clock(off_s: int) -> Ground:
    """Web, worker and sweeper by another clock than PostgreSQL's."""

    @contextlib.contextmanager
    def ground(programs: Programs) -> Iterator[Rig]:
        home = new_home()
        library = home / "clock.so"
        compiler = shutil.which("cc")
        if compiler is None:
            raise NotHereError("a wrong clock needs a C compiler")
        argv = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(CLOCK), "-ldl"]
        try:
            subprocess.run(argv, check=True)
            preload = {"LD_PRELOAD": str(library), "CLOCK_OFF": str(off_s)}
            with rig(programs, home=home, more=preload) as found:
                yield found
        finally:
            shutil.rmtree(home, ignore_errors=True)

    return ground


@contextlib.contextmanager
def archived(programs: Programs) -> Iterator[Rig]:
    """PostgreSQL archives its log, and a base backup was taken before the first upload."""
    with rig(programs) as found:
        archive = archive_of(found)
        archive.mkdir(mode=0o700)
        Account.for_servers().give(archive)
        for name, value in {
            "archive_mode": "on",
            "archive_command": f"test ! -f {archive}/%f && cp %p {archive}/%f",
        }.items():
            found.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        with found.stopped("PostgreSQL"):
            pass
        found.site.wait_until_ready()
        subprocess.run(
            [program(found, "pg_basebackup"), "--dbname", found.superuser_url,
             "--pgdata", str(backup_of(found)), "--checkpoint=fast"],
            check=True, stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        )  # fmt: skip
        yield found


@contextlib.contextmanager
def catalogued(programs: Programs) -> Iterator[Rig]:
    """With the plans, drives and published runs that ship with the product."""
    with rig(programs) as found:
        subprocess.run(
            [sys.executable, "manage.py", "load_catalogue", "--verbosity", "0"], check=True,
            cwd=ROOT, env=found.site.product.setting.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        yield found


@contextlib.contextmanager
def released(programs: Programs) -> Iterator[Rig]:
    """The product runs from a copy of its code, which a deploy may change."""
    with rig(programs) as found:
        for name in CODE:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
            copy(ROOT / name, release_of(found) / name)
        found.run_from(release_of(found))
        yield found


def release_of(found: Rig) -> Path:
    folder = found.folder / "release"
    folder.mkdir(exist_ok=True)
    return folder


def archive_of(found: Rig) -> Path:
    return found.folder / "archive"


def backup_of(found: Rig) -> Path:
    return found.folder / "backup"


def program(found: Rig, name: str) -> str:
    """A program of the PostgreSQL that runs."""
    return str(Path(found.child("PostgreSQL").command.argv[0]).with_name(name))

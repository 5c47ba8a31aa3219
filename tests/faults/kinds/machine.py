"""What befalls the whole machine: a full disk, wrong clocks, loss with a restore, all at once."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from apps.embedded.account import Account
from tests.faults.kinds.processes import kill_a_web_worker, kill_sweeper, kill_worker
from tests.faults.kinds.senders import HOUR, YEARS_10
from tests.faults.kinds.servers import kill_a_backend, kill_postmaster, kill_valkey
from tests.faults.site.grounds import archive_of, archived, backup_of, small_disk, wrong_clock
from tests.faults.site.rig import Rig
from tests.faults.trial import Fault

ARCHIVED_SECONDS: Final = 0.2
BALLAST_BYTES: Final = 1 << 20


def fill_the_disk(rig: Rig) -> Iterator[float]:
    ballast = rig.folder / "ballast"
    try:
        with ballast.open("wb") as file:
            try:
                while True:
                    file.write(bytes(BALLAST_BYTES))
                    file.flush()
            except OSError:
                pass  # it is full
        yield rig.outage(10)
    finally:
        ballast.unlink()


def all_at_once(rig: Rig) -> Iterator[float]:
    for harm in (kill_a_web_worker, kill_worker, kill_valkey, kill_sweeper, kill_a_backend):
        yield from harm(rig)
        yield rig.outage(0.5)
    yield from kill_postmaster(rig)
    rig.kill("web")
    yield 0


def restore(rig: Rig) -> Iterator[float]:
    """The disk of PostgreSQL is lost after its log was archived; base backup and log replace it."""
    data = Path(rig.child("PostgreSQL").command.argv[2])  # behind -D
    archive = archive_of(rig)
    with rig.stopped("web"):  # so that nothing is acknowledged behind the last archived byte
        ((last,),) = rig.sql("SELECT pg_walfile_name(pg_switch_wal())")
        while not (archive / last).exists():
            yield ARCHIVED_SECONDS
        with rig.stopped("PostgreSQL", signal.SIGKILL):
            shutil.rmtree(data)
            shutil.copytree(backup_of(rig), data)
            with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
                settings.write(f"restore_command = 'cp {archive}/%f %p'\n")
            (data / "recovery.signal").touch()
            data.chmod(0o700)
            owner = Account.for_servers()
            subprocess.run(["chown", "-R", f"{owner.uid}:{owner.gid}", str(data)], check=True)
    yield 0


def clock_of_the_site(off_s: int, words: str) -> Fault:
    """Web, worker and sweeper have another time than PostgreSQL."""

    def act(_rig: Rig) -> Iterator[float]:
        yield 0

    return Fault(
        f"site-clock{off_s:+d}", f"clocks of web and workers {words}", act,
        ground=wrong_clock(off_s),
    )  # fmt: skip


MACHINE: Final = (
    Fault("all-at-once", "web, worker, sweeper, Valkey and PostgreSQL killed at once", all_at_once),
    Fault("full-disk", "a full disk for 10 s", fill_the_disk, ground=small_disk),
    clock_of_the_site(-HOUR, "an hour late"),
    clock_of_the_site(HOUR, "an hour early"),
    clock_of_the_site(-YEARS_10, "ten years late"),
    clock_of_the_site(YEARS_10, "ten years early"),
    Fault("restore", "PostgreSQL's disk lost, base backup and archived log", restore,
          ground=archived),
)  # fmt: skip

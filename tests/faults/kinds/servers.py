"""PostgreSQL and Valkey that die, stop, refuse and forget."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Final

from tests.faults.site.proxy import Proxy
from tests.faults.site.rig import Rig
from tests.faults.trial import Fault

OUTAGE_SECONDS: Final = 20.0
REFUSING: Final = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON runs_upload EXECUTE FUNCTION refuse()
"""


def kill_valkey(rig: Rig) -> Iterator[float]:
    rig.kill("Valkey")
    yield 0


def stop_valkey(rig: Rig) -> Iterator[float]:
    with rig.stopped("Valkey"):
        yield rig.outage(OUTAGE_SECONDS)


def flush_valkey(rig: Rig) -> Iterator[float]:
    rig.ask_valkey(lambda client: client.flushall())
    yield 0


def swallow_valkey(rig: Rig) -> Iterator[float]:
    yield from _swallow(rig, rig.valkey_proxy)


def swallow_postgres(rig: Rig) -> Iterator[float]:
    yield from _swallow(rig, rig.postgres_proxy)


def _swallow(rig: Rig, proxy: Proxy) -> Iterator[float]:
    proxy.swallow()
    try:
        yield rig.outage(OUTAGE_SECONDS)
    finally:
        proxy.pass_on()


def kill_a_backend(rig: Rig) -> Iterator[float]:
    """The kernel's memory killer does so; PostgreSQL then restarts all of them."""
    found = "SELECT pid FROM pg_stat_activity WHERE application_name = 'fsyncmark-web' LIMIT 1"
    for (number,) in rig.sql(found):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    yield 0


def kill_postmaster(rig: Rig) -> Iterator[float]:
    rig.kill("PostgreSQL")
    yield 0


def stop_postgres(rig: Rig) -> Iterator[float]:
    with rig.stopped("PostgreSQL"):
        yield rig.outage(OUTAGE_SECONDS)


def stop_postgres_at_once(rig: Rig) -> Iterator[float]:
    with rig.stopped("PostgreSQL", signal.SIGQUIT):  # pg_ctl stop -m immediate
        yield rig.outage(2)


def refuse_inserts(rig: Rig) -> Iterator[float]:
    rig.sql(REFUSING)
    try:
        yield rig.outage(5)
    finally:
        rig.sql("DROP FUNCTION refuse CASCADE")


SERVERS: Final = (
    Fault("kill-valkey", "kill -9 of Valkey", kill_valkey),
    Fault("stop-valkey", "Valkey away for 20 s", stop_valkey),
    Fault("flush-valkey", "FLUSHALL", flush_valkey),
    Fault("swallow-valkey", "Valkey a black hole for 20 s", swallow_valkey),
    Fault("kill-backend", "kill -9 of one backend of PostgreSQL", kill_a_backend),
    Fault("kill-postgres", "kill -9 of PostgreSQL's postmaster", kill_postmaster),
    Fault("stop-postgres", "PostgreSQL away for 20 s", stop_postgres),
    Fault("swallow-postgres", "PostgreSQL a black hole for 20 s", swallow_postgres),
    Fault("immediate-stop", "pg_ctl stop -m immediate, started 2 s later", stop_postgres_at_once),
    Fault("refused-insert", "a trigger refuses each INSERT for 5 s", refuse_inserts),
)

"""Senders that die, repeat themselves, stop halfway or send what cannot be read."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from tests.faults.oracle import sha256_of
from tests.faults.site.grounds import small_home, small_home_of
from tests.faults.site.rig import Rig
from tests.faults.trial import Fault
from tests.faults.uploads import (
    RUN,
    Sending,
    SpooledRun,
    payload_of,
    read_spooled,
    send,
    spool,
)

COPIES: Final = 20
REFUSED: Final = 76  # what the agent ends with where a server refuses for good
SLOW_CONNECTIONS: Final = 60
RESET_AT_ONCE: Final = struct.pack("ii", 1, 0)  # linger for no time: RST instead of FIN
SPOOLED: Final = 300  # runs that are being written when the agent dies
LOOK_SECONDS: Final = 0.05
HOUR: Final = 3600
YEARS_10: Final = 10 * 365 * 24 * HOUR
NOT_NORMALISED: Final = """
    CREATE FUNCTION choke() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'cannot be read'; END $$;
    CREATE TRIGGER choke BEFORE INSERT ON runs_run FOR EACH ROW
        WHEN (NEW.upload_id = '{}') EXECUTE FUNCTION choke()
"""


def one_more(rig: Rig, *words: str) -> SpooledRun:
    """A run beside those of the trial, from a machine of its own."""
    (run,) = spool(rig.programs, rig.senders / "home-other", 1, *words)
    rig.others.add(run.run_id)
    return run


def until_ended(*sendings: Sending) -> Iterator[float]:
    """Let the others go on until these agents have ended."""
    while any(each.process.poll() is None for each in sendings):
        yield LOOK_SECONDS


def kill_agents(rig: Rig) -> Iterator[float]:
    for _ in range(5):
        for number in list(rig.sent_pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        yield LOOK_SECONDS


def kill_while_spooling(rig: Rig) -> Iterator[float]:
    home = rig.senders / "home-killed"
    process = subprocess.Popen(
        [rig.programs.spool, home, RUN, str(SPOOLED)],
        stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    while not list(home.glob("spool/*.json")) and process.poll() is None:
        yield LOOK_SECONDS
    process.kill()
    process.wait()
    for file in home.glob("spool/*.json"):
        try:
            payload_of(file)
        except ValueError:
            rig.found.append(f"{file.name} was half written when the agent died")
    shutil.rmtree(home)


def fill_the_spool(rig: Rig) -> Iterator[float]:
    """A sender's disk is full: it says so, and what it had kept before is whole and is taken."""
    home = small_home_of(rig)
    done = subprocess.run(
        [rig.programs.spool, home, RUN, str(SPOOLED)],
        capture_output=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode == 0 or b"No space left" not in done.stderr:
        rig.found.append(f"a full spool ended with status {done.returncode}: {done.stderr!r}")
    kept = [file.name.partition(".")[0] for file in home.glob("spool/*.dsse.json")]
    if sorted(kept) != sorted(done.stdout.decode().split()):
        rig.found.append(f"{len(kept)} runs are in the full spool, other ones than were named")
    for run in [read_spooled(home, run_id) for run_id in kept]:
        rig.others.add(run.run_id)
        sending = send(rig.programs, run, rig.site.url)
        yield from until_ended(sending)
        if sending.end()[0]:
            rig.found.append(f"{run.run_id} was not taken out of a full spool")


def duplicates(rig: Rig) -> Iterator[float]:
    """A run twenty times at once, then other bytes under its id."""
    run = one_more(rig)
    copies = [run.file.with_name(f"copy-{number}.json") for number in range(COPIES)]
    for copy in copies:
        shutil.copyfile(run.file, copy)
    sendings = [send(rig.programs, run, rig.site.url, copy) for copy in copies]
    yield from until_ended(*sendings)
    if {each.end()[0] for each in sendings} != {0}:
        rig.found.append(f"of {COPIES} copies of {run.run_id} not all were taken")
    other = one_more(rig, f"--run-id={run.run_id}")
    sending = send(rig.programs, other, rig.site.url)
    yield from until_ended(sending)
    if sending.end()[0] != REFUSED:
        rig.found.append(f"other bytes under the id of {run.run_id} were not refused")
    rows = rig.sql("SELECT packed_payload FROM runs_upload WHERE run_id = %s", [run.run_id])
    stored = [sha256_of(packed) for (packed,) in rows]
    if stored != [run.sha256]:
        rig.found.append(f"{run.run_id} is stored as {stored}")


def stop_halfway(rig: Rig) -> Iterator[float]:
    """A body that ends early, and a connection that is reset: nothing of it may be seen."""
    run = one_more(rig)
    whole = run.file.read_bytes()
    for part in (0, len(whole) // 2, len(whole) - 1):
        for is_reset in (False, True):
            with _begun(rig, run, len(whole)) as connection:
                connection.sendall(whole[:part])
                if is_reset:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_ONCE)
            yield LOOK_SECONDS
    if rig.sql("SELECT run_id FROM runs_upload WHERE run_id = %s", [run.run_id]):
        rig.found.append(f"a part of {run.run_id} was stored")
    sending = send(rig.programs, run, rig.site.url)
    yield from until_ended(sending)
    if sending.end()[0]:
        rig.found.append(f"{run.run_id} was not taken after its parts")


def slowly(rig: Rig) -> Iterator[float]:
    """Many connections that send a byte now and then."""
    run = one_more(rig)
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(_begun(rig, run, 10_000)) for _ in range(SLOW_CONNECTIONS)]
        end = time.monotonic() + rig.outage(10)
        while time.monotonic() < end:
            for connection in slow:
                with contextlib.suppress(OSError):  # refused: one network may not have so many
                    connection.sendall(b"{")
            yield LOOK_SECONDS * 4


def _begun(rig: Rig, run: SpooledRun, length: int) -> socket.socket:
    parts = urlsplit(rig.site.url)
    connection = socket.create_connection((str(parts.hostname), parts.port or 0), timeout=5)
    connection.sendall(
        f"PUT /api/v1/runs/{run.run_id} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Content-Type: application/vnd.fsyncmark.dsse.v1+json\r\nContent-Length: {length}\r\n\r\n"
        .encode()
    )  # fmt: skip
    return connection


def poison(rig: Rig) -> Iterator[float]:
    """An upload that cannot be normalised: set aside, and done once what it chokes on is mended."""
    run = one_more(rig)
    rig.sql(NOT_NORMALISED.format(run.run_id))
    state = "SELECT state FROM runs_upload WHERE run_id = %s"
    try:
        sending = send(rig.programs, run, rig.site.url)
        yield from until_ended(sending)
        sending.end()
        while rig.sql(state, [run.run_id]) != [("poison",)]:
            hasten = "UPDATE runs_upload SET next_attempt_at = now() WHERE state = 'retry'"
            rig.sql(f"{hasten} AND run_id = %s", [run.run_id])  # seven minutes in a moment
            yield LOOK_SECONDS
    finally:
        rig.sql("DROP FUNCTION choke CASCADE")
    again = "UPDATE runs_upload SET state = 'retry', attempts = 0, next_attempt_at = now()"
    rig.sql(f"{again} WHERE run_id = %s", [run.run_id])  # as staff do in /staff/
    yield 0


def clock_of_agents(off_s: int, words: str) -> Fault:
    """All senders' clocks are wrong."""

    def act(_rig: Rig) -> Iterator[float]:
        yield 0

    return Fault(f"agent-clock{off_s:+d}", f"clocks of senders {words}", act, clock_off=off_s)


SENDERS: Final = (
    Fault("kill-agents", "kill -9 of agents that send", kill_agents),
    Fault("kill-spooling", "kill -9 of an agent that writes its spool", kill_while_spooling),
    Fault("full-spool", "a sender's disk is full", fill_the_spool, ground=small_home),
    Fault("duplicates", "a run twenty times at once, then other bytes under its id", duplicates),
    Fault("halfway", "bodies that end early, connections that are reset", stop_halfway),
    Fault("slowly", "60 connections that send a byte now and then", slowly),
    Fault("poison", "an upload that cannot be normalised", poison),
    clock_of_agents(-HOUR, "an hour late"),
    clock_of_agents(HOUR, "an hour early"),
    clock_of_agents(-YEARS_10, "ten years late"),
    clock_of_agents(YEARS_10, "ten years early"),
)

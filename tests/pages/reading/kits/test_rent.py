"""The script that rents a machine, really run: whatever happens, in the end nothing is rented."""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from apps.embedded.process import wait_until
from apps.pages.reading.kits.clients import CLIENTS
from apps.wire.challenge import read_run_id
from tests.pages.reading.kits.places import NAME, RENTED, KitTexts, offer, rented_plan

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

FAKE: Final = Path(__file__).with_name("fake_client.sh")
STILL_RENTED: Final = 70
CLOCK: Final = """#!/bin/sh
now=$(($(cat "$FAKE/clock" 2>/dev/null || echo 1796000000) + {}))
echo $now >"$FAKE/clock"
echo $now
"""
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
USUAL: Final = (
    "sh", "awk", "base64", "basename", "cat", "cp", "curl", "cut", "date", "grep", "head", "mkdir",
    "mktemp", "od", "rm", "sed", "sleep", "ssh-keygen", "tr",
)  # fmt: skip


class Asked(BaseHTTPRequestHandler):
    """A site that has the run from the asking on that `arrives_at` says, or never."""

    def __init__(self, *words: Any, site: Site) -> None:
        self.site = site
        super().__init__(*words)

    def do_GET(self) -> None:
        site = self.site
        if self.path == "/measure/download/SHA256SUMS":
            self.send_response(404 if site.sums is None else 200)
            self.end_headers()
            self.wfile.write((site.sums or "").encode())
            return
        site.asked.append(self.path)
        has_arrived = site.arrives_at is not None and len(site.asked) >= site.arrives_at
        self.send_response(200 if has_arrived else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Site:
    """What was asked of the site, and from which asking on it has the run."""

    sums: str | None = None  # of its agents
    url: str = ""
    arrives_at: int | None = 2
    asked: list[str] = field(default_factory=list)


def hear_signals() -> None:
    """As on a terminal: in the background two are ignored, and no shell may trap such."""
    for each in STOPPING:
        signal.signal(each, signal.SIG_DFL)


@dataclass
class Desk:
    """A person's computer with the program of a provider, which is ours."""

    home: Path
    site: Site
    client: Client
    clock_step_s: int = 0  # how far the clock moves each time it is asked; 0: a true one

    @property
    def fake(self) -> Path:
        return self.home / "fake"

    def says(self, **files: int) -> None:
        """Write how the program behaves."""
        for name, value in files.items():
            (self.fake / name.replace("_", "-")).write_text(f"{value}\n", encoding="ascii")

    def start(
        self, provider: str = "hetzner", word: str = "--yes", *, closed: str = ""
    ) -> subprocess.Popen[str]:
        """Begin to rent the plan of a provider; `closed` may be 2>&-."""
        rented_plan(provider)
        script = KitTexts(self.client, provider).text("sh")
        file = self.home / "rent.sh"
        file.write_text(script, "utf-8")
        programs = self.home / "programs"
        programs.mkdir()
        for name in USUAL:
            (programs / name).symlink_to(str(shutil.which(name)))
        (programs / CLIENTS[provider].program).symlink_to(FAKE)
        if self.clock_step_s:
            (programs / "date").unlink()
            (programs / "date").write_text(CLOCK.format(self.clock_step_s), encoding="ascii")
            (programs / "date").chmod(0o700)
        (self.home / "tmp").mkdir()
        environment = {
            "PATH": str(programs), "HOME": str(self.home), "TMPDIR": str(self.home / "tmp"),
            "FAKE": str(self.fake), "FSYNCMARK_PAUSE": "0",
        }  # fmt: skip
        return subprocess.Popen(
            ["/bin/sh", "-c", f'exec sh "$0" "$1" {closed}', str(file), word],
            env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            preexec_fn=hear_signals,  # noqa: PLW1509  nothing but system calls
        )  # fmt: skip

    def rent(self, provider: str = "hetzner", word: str = "--yes") -> tuple[int, str]:
        """Rent the plan of a provider; return status and what was said."""
        process = self.start(provider, word)
        said, _ = process.communicate(timeout=60)
        return process.returncode, said

    @property
    def is_rented(self) -> bool:
        return (self.fake / "machine").exists()

    @property
    def calls(self) -> str:
        file = self.fake / "calls"
        return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.fixture
def desk(tmp_path: Path, client: Client, settings: Settings) -> Iterator[Desk]:
    site = Site()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Asked, site=site)) as server:
        site.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        offer(tmp_path / "dist", settings, site.url)
        site.sums = (tmp_path / "dist" / "SHA256SUMS").read_text(encoding="ascii")
        (tmp_path / "home" / "fake").mkdir(parents=True)
        yield Desk(tmp_path / "home", site, client)
        server.shutdown()


@pytest.mark.parametrize("provider", RENTED)
def test_it_is_rented_measured_and_deleted(desk: Desk, provider: str) -> None:
    desk.says(late=1)
    status, said = desk.rent(provider)

    assert status == 0, said
    assert not desk.is_rented
    run_id = desk.site.asked[0].removeprefix("/api/v1/runs/")
    assert read_run_id(run_id), run_id
    assert f"measured: {desk.site.url}/runs/{run_id}/" in said
    user_data = yaml.safe_load((desk.fake / "user-data").read_text(encoding="utf-8"))
    assert f"\nrun_id={run_id}\n" in user_data["write_files"][0]["content"]
    assert "root password" not in said
    assert list((desk.home / "tmp").iterdir()) == []


def test_the_price_is_said_first_and_without_a_yes_nothing_is_rented(desk: Desk) -> None:
    status, said = desk.rent(word="")
    assert status == 1
    assert "about €0.36 (an hour at €0.360 an hour in fsn1, list price of 2026-11-01)" in said
    assert "nothing was rented" in said
    assert desk.calls == ""


def test_what_was_made_although_renting_failed_is_deleted(desk: Desk) -> None:
    desk.says(fails_rent=1, late=2)
    status, said = desk.rent()
    assert status == 1
    assert "could not rent" in said
    assert not desk.is_rented
    assert "hcloud server delete 42" in desk.calls


def test_where_nothing_was_made_nothing_is_deleted(desk: Desk) -> None:
    desk.says(fails_rent=1, no_machine=1)
    status, _said = desk.rent()
    assert status == 1
    assert "delete" not in desk.calls
    assert desk.calls.count("server list") == 1 + 3  # before, and after


def test_a_run_that_never_comes_is_waited_for_by_the_clock(desk: Desk) -> None:
    desk.site.arrives_at = None
    desk.clock_step_s = 900
    status, said = desk.rent()
    assert status == 1
    assert "no result came in time" in said
    assert not desk.is_rented
    assert len(desk.site.asked) == 3  # after 15, 30 and 45 minutes


def test_who_is_not_logged_in_rents_nothing(desk: Desk) -> None:
    desk.says(logged_out=1)
    status, said = desk.rent()
    assert status == 1
    assert said.endswith("cannot list machines here: log in first. Nothing was rented.\n")
    assert desk.calls == "hcloud server list -o noheader -o columns=id,name,status\n"


@pytest.mark.parametrize(
    ("sums", "why"),
    [
        (f"{'0' * 64}  {NAME}\n", "is older than the site's agent: fetch it again."),
        (None, "does not answer."),
    ],
)
def test_where_the_machine_would_not_get_its_agent_nothing_is_rented(
    desk: Desk, sums: str | None, why: str
) -> None:
    desk.site.sums = sums
    status, said = desk.rent()
    assert status == 1
    assert said.endswith(f"{why} Nothing was rented.\n")
    assert desk.calls == ""


def test_whoever_reads_no_more_pays_no_longer(desk: Desk) -> None:
    desk.site.arrives_at = None
    desk.says(fails_delete=2)  # which is said, to nobody
    process = desk.start()
    wait_until(lambda: len(desk.site.asked) > 1, what="the run is waited for", seconds=30)
    assert process.stdout is not None
    process.stdout.close()
    desk.site.arrives_at = 1
    process.wait(60)
    assert not desk.is_rented


def test_without_errors_output_it_is_measured_and_deleted_all_the_same(desk: Desk) -> None:
    desk.says(fails_delete=2)
    process = desk.start(closed="2>&-")
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, (said, desk.calls)
    assert len(desk.site.asked) == 2
    assert not desk.is_rented


def test_a_machine_that_ended_without_a_result_is_deleted_soon(desk: Desk) -> None:
    desk.site.arrives_at = None
    desk.says(no_machine=1)
    status, said = desk.rent()
    assert status == 1
    assert "the machine ended without a result" in said
    assert len(desk.site.asked) == 8


def test_a_list_that_fails_is_no_proof_that_nothing_is_rented(desk: Desk) -> None:
    desk.says(fails_list=12, fails_delete=2)
    desk.site.arrives_at = 1
    status, said = desk.rent()
    assert status == 0
    assert "42 could not be deleted yet" in said
    assert not desk.is_rented


def test_what_cannot_be_deleted_is_said_loudly(desk: Desk) -> None:
    desk.says(fails_delete=1000)
    status, said = desk.rent()
    assert status == STILL_RENTED
    assert "STILL RENTED" in said
    assert re.search(r"fsyncmark-[0-9a-f]{12}\. Delete it by hand", said)


@pytest.mark.parametrize("sent", STOPPING)
def test_who_stops_it_pays_no_longer(desk: Desk, sent: signal.Signals) -> None:
    desk.site.arrives_at = None
    process = desk.start()
    wait_until(lambda: len(desk.site.asked) > 1, what="the run is waited for", seconds=30)
    os.killpg(process.pid, sent)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert not desk.is_rented


def test_without_the_provider_s_program_nothing_begins(desk: Desk) -> None:
    rented_plan("hetzner")
    script = KitTexts(desk.client, "hetzner").text("sh")
    ended = subprocess.run(
        ["/bin/sh", "-s", "--", "--yes"], input=script, text=True, capture_output=True, check=False,
        env={"PATH": "/nonexistent"},
    )  # fmt: skip
    assert ended.returncode == 1
    assert "hcloud is not here: https://github.com/hetznercloud/cli" in ended.stderr

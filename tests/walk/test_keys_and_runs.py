"""The agent's commands about keys and runs, against the real server."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pty
import re
import subprocess
import termios
import urllib.request
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from apps.accounts.attempts import LOGINS
from apps.accounts.linking.logins import decide_login, find_login
from apps.accounts.models import AgentKey, KeyLogin, Person
from apps.accounts.services import revoke_key
from apps.embedded.process import wait_until
from apps.runs.models import Run, RunRuling, Upload
from tests import make
from tests.support.live_site import LiveSite

PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")  # RFC 8410, section 7
SECONDS_MAX = 60  # each command takes a second or two

pytestmark = pytest.mark.slow


@dataclass
class Machine:
    """A machine with the agent, whose key the test knows."""

    binary: Path
    site: LiveSite
    home: Path
    agent: make.Agent = field(default_factory=make.Agent)

    def __post_init__(self) -> None:
        self.home.mkdir(mode=0o700)
        body = base64.b64encode(PKCS8_PREFIX + bytes(self.agent.signing_key)).decode()
        pem = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
        descriptor = os.open(self.home / "key", os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(pem)

    def start(self, *arguments: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "FSYNCMARK_HOME": str(self.home),
            "FSYNCMARK_SERVER": self.site.url,
        }
        return subprocess.Popen(
            [self.binary, *arguments],
            env=environment, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=stderr,
        )  # fmt: skip

    def run(self, *arguments: str, ends_in: int = 0) -> tuple[str, str]:
        """What a command prints on stdout and stderr."""
        process = self.start(*arguments)
        printed, said = process.communicate(timeout=SECONDS_MAX)
        assert process.returncode == ends_in, printed + said
        return printed, said

    def upload(self, *options: str, ends_in: int = 0, **changes: Any) -> tuple[str, str, str]:
        """Send a made-up run; return its id and what the agent prints."""
        run_id = make.uuid7()
        file = self.home / f"{run_id}.json"
        file.write_bytes(self.agent.seal(make.payload(run_id=run_id, **changes)))
        arguments = ("upload", str(file), "--server", self.site.url, "--yes", *options)
        return str(run_id), *self.run(*arguments, ends_in=ends_in)

    @property
    def key(self) -> AgentKey:
        connection.ensure_connection()
        return AgentKey.objects.get(pk=self.agent.keyid)


@pytest.fixture
def machine(built_agent: Path, live_site: LiveSite, tmp_path: Path) -> Machine:
    return Machine(built_agent, live_site, tmp_path / "home")


@pytest.fixture
def person(live_site: LiveSite) -> User:
    user = User.objects.create_user("owner", "owner@example.org", password=None)
    Person.objects.create(user=user, verified_at=make.NOON)
    return user


def test_an_upload_is_told_what_the_server_makes_of_it(machine: Machine) -> None:
    run_id, printed, said = machine.upload("--json")
    told = json.loads(printed)
    upload = Upload.objects.get(pk=run_id)
    assert told["run_url"] == f"{machine.site.url}/runs/{run_id}/"
    assert told["short_url"] == f"{machine.site.url}/r/{upload.short_code}"
    assert told["claim_url"].startswith(f"{machine.site.url}/claim/")
    run = Run.objects.get(pk=run_id)
    assert told["outcome"]["level"] == run.level
    assert told["outcome"]["counts"] == run.in_standings
    assert any("without a challenge" in reason for reason in told["outcome"]["because"])
    labels = set(run.labels.values_list("rule", flat=True))
    assert {each["rule"] for each in told["outcome"]["labels"]} == labels
    for shown in (told["short_url"], told["claim_url"], told["outcome"]["badge_markdown"]):
        assert shown in said
    status, _ = machine.site.get(f"/badge/run/{run_id}.svg")
    assert status == 200
    kept = b"".join(path.read_bytes() for path in machine.home.rglob("*") if path.is_file())
    assert told["claim_url"].rsplit("/", 2)[1].encode() not in kept


def test_sixty_columns_cut_nothing(machine: Machine) -> None:
    run_id = make.uuid7()
    file = machine.home / f"{run_id}.json"
    file.write_bytes(machine.agent.seal(make.payload(run_id=run_id)))
    terminal, its_other_side = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 60))
    process = machine.start("upload", str(file), "--yes", "--json", "--server", machine.site.url,
                            stderr=its_other_side)  # fmt: skip
    os.close(its_other_side)
    shown = b""
    with contextlib.suppress(OSError):  # Linux' way to say that the other side is closed
        while part := os.read(terminal, 4096):
            shown += part
    os.close(terminal)
    printed, _ = process.communicate(timeout=SECONDS_MAX)
    told = json.loads(printed)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r", "")
    lines = [
        line.rpartition("\x1b[K")[2] for line in plain.split("\n")
    ]  # what is drawn over is gone
    assert told["outcome"]["badge_markdown"] in lines
    assert f"  {told['claim_url']}" in lines
    assert any(told["short_url"] in line for line in lines)
    words = " ".join(" ".join(lines).split())
    for label in told["outcome"]["labels"]:
        assert " ".join(label["text"].split()) in words
    assert max(len(line) for line in lines if "://" not in line) <= 60


def test_a_login_links_the_key_when_its_owner_says_yes(machine: Machine, person: User) -> None:
    process = machine.start("login")
    assert process.stdout is not None
    address, code = process.stdout.readline().strip(), process.stdout.readline().strip()
    assert address == f"{machine.site.url}/account/link/"
    login = find_login(code)
    assert login is not None
    assert login.key_id == machine.agent.keyid
    assert decide_login(login, person, approve=True)
    _, said = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 0, said
    assert machine.agent.keyid in said.replace(" ", "")
    assert machine.key.owner == person
    printed, _ = machine.run("key")
    assert "state       claimed, linked with an account" in printed


def test_a_login_that_its_owner_denies_links_nothing(machine: Machine, person: User) -> None:
    process = machine.start("login")
    assert process.stdout is not None
    _, code = process.stdout.readline(), process.stdout.readline()
    login = find_login(code)
    assert login is not None
    decide_login(login, person, approve=False)
    _, said = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 76, said
    assert machine.key.owner is None


def test_neighbours_keep_no_known_machine_from_a_login(machine: Machine, person: User) -> None:
    machine.upload()
    body = json.dumps({"keyid": machine.agent.keyid, "agent_version": "1.0.0"}).encode()
    asked = urllib.request.Request(  # noqa: S310 -- our own server
        f"{machine.site.url}/api/v1/key-logins", body, method="POST"
    )
    asked.add_header("Content-Type", "application/json")
    for _ in range(LOGINS.most):
        urllib.request.urlopen(asked).close()  # noqa: S310 -- our own server
    machine.run("login", ends_in=75)  # its key is of today
    Upload.objects.update(received_at=timezone.now() - timedelta(days=2))
    process = machine.start("login")
    assert process.stdout is not None
    _, code = process.stdout.readline(), process.stdout.readline()
    login = find_login(code)
    assert login is not None
    assert decide_login(login, person, approve=True)
    _, said = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 0, said


def test_a_run_is_withdrawn_by_its_short_address_and_taken_back(machine: Machine) -> None:
    run_id, _, said = machine.upload()
    short = next(word for word in said.split() if "/r/" in word)
    printed, _ = machine.run("withdraw", short, "--reason", "the disk was broken: 读写")
    assert printed.strip() == run_id
    ruling = RunRuling.objects.get(run_id=run_id)
    assert (ruling.kind, ruling.reason) == ("withdrawn", "the disk was broken: 读写")
    machine.run("withdraw", run_id, "--undo")
    wait_until(
        lambda: Run.objects.get(pk=run_id).is_listed,
        what="the run is listed again",
        seconds=SECONDS_MAX,
        children=list(machine.site.product.children.values()),
    )


def test_a_new_key_stands_in_for_the_old_one(machine: Machine, person: User) -> None:
    run_id, _, _ = machine.upload()
    old = machine.key
    old.owner, old.claimed_at, old.state = person, make.NOON, AgentKey.State.CLAIMED
    old.save()
    printed, _ = machine.run("key", "rotate")
    assert printed.count("kept in") == 2
    old.refresh_from_db()
    assert old.state == AgentKey.State.ROTATED
    assert old.replaced_by is not None
    assert old.replaced_by.owner == person
    shown, _ = machine.run("key")
    assert old.replaced_by.pk in shown
    machine.run("withdraw", run_id)
    # what the old key signed meanwhile is refused, and says what to do
    _, _, said = machine.upload(ends_in=65)
    assert "none of them is by key" in said


def test_a_rotation_after_a_crash_is_what_the_server_has_heard(machine: Machine) -> None:
    machine.upload()
    key = (machine.home / "key").read_bytes()
    machine.run("key", "rotate")
    # as if the power had failed before the new key was in force
    (machine.home / "key").rename(machine.home / "key.next")
    (machine.home / "key").write_bytes(key)
    (machine.home / "key").chmod(0o600)
    new = (machine.home / "key.next").read_bytes()
    _, said = machine.run("key", "rotate")
    assert "interrupted" in said
    assert (machine.home / "key").read_bytes() == new
    assert not (machine.home / "key.next").exists()


def test_a_revoked_key_is_told_how_to_go_on(machine: Machine) -> None:
    machine.upload()
    revoke_key(machine.key, None, None, "lost")
    _, _, said = machine.upload(ends_in=76)
    assert "this machine's key was revoked" in said
    assert "the next run makes a new key" in said
    _, said = machine.run("login", ends_in=76)
    assert "revoked" in said
    assert not KeyLogin.objects.exists()
    printed, _ = machine.run("key")
    assert "state       revoked" in printed

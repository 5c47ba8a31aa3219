"""What a rented machine does, run by a real shell: it measures, or not, and turns itself off."""

from __future__ import annotations

import functools
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.pages.reading.kits.places import NAME, KitTexts, offer, rented_plan

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

USUAL: Final = ("sh", "uname", "sed", "sha256sum", "chmod", "mkdir", "curl")
# Programs that a test must not run; each says how it was called.
KEPT_AWAY: Final = ("shutdown", "poweroff", "mkfs.ext4", "mount")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def with_settings(script: str, **changes: str) -> str:
    """A script of a kit with some of its settings changed."""
    for name, value in changes.items():
        assert f"\n{name}=" in script
        script = script.replace(f"\n{name}=", f"\n{name}={value} #")
    return script


@dataclass
class Machine:
    """A machine that somebody rented."""

    home: Path
    served: Path
    client: Client

    def script(self, provider: str = "hetzner", **changes: str) -> str:
        """What cloud-init would run, with some of its settings changed."""
        return with_settings(KitTexts(self.client, provider).on_the_machine(), **changes)

    def run(self, script: str, **environment: str) -> int:
        """Run a script where nothing but the usual programs is; return its status."""
        programs = self.home / "programs"
        programs.mkdir(parents=True)
        for name in USUAL:
            (programs / name).symlink_to(str(shutil.which(name)))
        for name in KEPT_AWAY:
            file = programs / name
            file.write_text(f'#!/bin/sh\necho "{name} $*" >>{self.home}/done\n', encoding="ascii")
            file.chmod(0o700)
        usual = {"PATH": str(programs), "FSYNCMARK_PLACE": str(self.home / "place")}
        return subprocess.run(
            ["/bin/sh", "-c", script], check=False, env={**usual, **environment}
        ).returncode

    def boot(self, provider: str = "hetzner", **changes: str) -> int:
        """Run what cloud-init would; return its status."""
        return self.run(self.script(provider, **changes))

    @property
    def did(self) -> list[str]:
        """What it did besides measuring."""
        return (self.home / "done").read_text(encoding="utf-8").splitlines()

    @property
    def calls(self) -> list[str]:
        """How the agent was called."""
        file = self.home / "place" / "calls"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path, client: Client, settings: Settings) -> Iterator[Machine]:
    served = tmp_path / "served"
    handler = functools.partial(Quiet, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        offer(served / "measure" / "download", settings, site)
        yield Machine(tmp_path / "home", served, client)
        server.shutdown()


def test_it_measures_as_the_plan_sends_and_turns_itself_off(
    machine: Machine, settings: Settings
) -> None:
    rented_plan("hetzner")
    assert machine.boot(run_id="0199d1c5-0000-7000-8000-0123456789ab") == 0
    (call,) = machine.calls
    assert call == (
        "run data --suite standard --wait-quiet=300 --ask-cloud=type --server "
        f"{settings.SITE_URL} --provider Hetzner --plan CX23 --yes --region fsn1 "
        "--run-id 0199d1c5-0000-7000-8000-0123456789ab"
    )
    assert machine.did == ["shutdown --no-wall +30", "poweroff "]


def test_a_disk_beside_is_the_one_that_is_measured_and_the_cloud_vouches(
    machine: Machine, tmp_path: Path
) -> None:
    rented_plan("aws")
    assert (
        "disk='/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*'"
        in KitTexts(machine.client, "aws").on_the_machine()
    )
    for name in ("disk-1", "disk-2"):
        (tmp_path / name).touch()
    assert machine.boot("aws", disk=f"'{tmp_path}/disk-*'") == 0
    assert machine.did[1:3] == [
        f"mkfs.ext4 -q -F {tmp_path}/disk-1", f"mount {tmp_path}/disk-1 data",
    ]  # fmt: skip
    assert "--ask-cloud=proof" in machine.calls[0]


def test_another_program_than_the_one_named_never_runs(machine: Machine) -> None:
    rented_plan("hetzner")
    sums = (machine.served / "measure" / "download" / "SHA256SUMS").read_text(encoding="ascii")
    other = f"'{'0' * 64}  {NAME}'"
    assert sums
    assert machine.boot(sums=other) != 0
    assert machine.calls == []
    assert machine.did[-1] == "poweroff "


def test_a_run_that_fails_sends_what_it_kept_and_the_machine_goes_all_the_same(
    machine: Machine, settings: Settings
) -> None:
    rented_plan("hetzner")
    place = machine.home / "place"
    place.mkdir(parents=True)
    (place / "fails-run").touch()
    (place / "fails-upload").touch()
    assert machine.boot() != 0
    assert machine.calls[1:] == [f"upload --server {settings.SITE_URL} --yes"]
    assert machine.did[-1] == "poweroff "


def test_a_machine_without_an_agent_of_ours_turns_itself_off(machine: Machine) -> None:
    rented_plan("hetzner")
    assert machine.boot(sums=f"'{'0' * 64}  fsyncmark-vax-unknown-linux-musl'") != 0
    assert machine.did == ["shutdown --no-wall +30", "poweroff "]
    assert list((machine.home / "place" / "data").iterdir()) == []

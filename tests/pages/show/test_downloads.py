"""The agent's binaries: only what SHA256SUMS names leaves the folder."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from apps.pages.show import downloads
from tests import make
from tests.pages.site import copied, main

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db  # the connection is looked at when a streamed answer ends

BINARY = b"\x7fELF a binary"
NAME = "fsyncmark-x86_64-unknown-linux-musl"


@pytest.fixture
def dist(tmp_path: Path, settings: Settings) -> Path:
    settings.AGENT_DIST = tmp_path
    return tmp_path


def fill(dist: Path, *names: str) -> None:
    lines = []
    for name in names:
        (dist / name).write_bytes(BINARY)
        lines.append(f"{hashlib.sha256(BINARY).hexdigest()}  {name}\n")
    (dist / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def test_nothing_is_offered_before_anything_was_built(dist: Path) -> None:
    assert downloads.downloads() == ()
    assert downloads.path_of("SHA256SUMS") is None


def test_the_binary_for_most_machines_comes_first(dist: Path) -> None:
    fill(dist, "fsyncmark-aarch64-unknown-linux-musl", NAME)
    assert [each.architecture for each in downloads.downloads()] == ["x86-64", "arm64"]
    assert downloads.downloads()[0].size_bytes == len(BINARY)


def test_a_line_that_is_not_a_checksum_is_passed_over(dist: Path) -> None:
    fill(dist, NAME)
    with (dist / "SHA256SUMS").open("a", encoding="ascii") as sums:
        sums.write(f"nonsense\n{'0' * 64}  ../../secret\n{'0' * 64}  missing\n")
    assert [each.name for each in downloads.downloads()] == [NAME]


def test_a_link_out_of_the_folder_is_not_followed(dist: Path, tmp_path: Path) -> None:
    fill(dist, NAME)
    (dist / NAME).unlink()
    (dist / NAME).symlink_to("/etc/passwd")
    assert downloads.downloads() == ()


def test_the_page_shows_the_checksum_and_the_file_is_what_it_says(
    client: Client, dist: Path
) -> None:
    fill(dist, NAME)
    page = client.get("/measure/").content.decode()
    digest = hashlib.sha256(BINARY).hexdigest()
    assert digest in page
    answer = client.get(f"/measure/download/{NAME}")
    assert hashlib.sha256(b"".join(answer)).hexdigest() == digest
    assert answer.headers["Content-Disposition"].startswith("attachment")
    answer.close()


@pytest.mark.parametrize("name", ["passwd", "..", "%2e%2e%2fsecret", "SHA256SUMS.bak"])
def test_other_names_are_not_there(client: Client, dist: Path, name: str) -> None:
    fill(dist, NAME)
    assert client.get(f"/measure/download/{name}").status_code == 404


def test_without_a_binary_the_page_says_how_to_build_one(client: Client, dist: Path) -> None:
    page = client.get("/measure/").content.decode()
    assert "./run agent" in page


def test_the_checksums_are_text(client: Client, dist: Path) -> None:
    fill(dist, NAME)
    answer = client.get("/measure/download/SHA256SUMS")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    answer.close()


def test_what_is_not_built_is_named(client: Client, dist: Path, settings: Settings) -> None:
    fill(dist, NAME)
    assert downloads.not_built(downloads.downloads()) == ("Linux arm64", "macOS arm64")
    settings.SOURCE_URL = "https://source.example/fsyncmark"
    page = main(client, "/measure/")
    assert "No binary here for Linux arm64, macOS arm64" in page
    assert 'href="https://source.example/fsyncmark"' in page
    settings.SOURCE_URL = ""
    page = main(client, "/measure/")
    assert "has not named where its source is" in page
    assert "of the source" not in page


def test_one_file_for_every_mac_stands_for_those_of_some(client: Client, dist: Path) -> None:
    universal = "fsyncmark-universal-apple-darwin"
    fill(dist, NAME, "fsyncmark-aarch64-apple-darwin", universal)
    available = downloads.downloads()
    assert downloads.not_built(available) == ("Linux arm64",)
    assert [each.name for each in downloads.offered(available)] == [NAME, universal]
    page = main(client, "/measure/")
    assert 'data-machine="macOS universal"' in page
    assert "aarch64-apple-darwin" not in page


def test_who_measures_fetches_the_agent_first_where_it_is_offered(
    client: Client, dist: Path, settings: Settings
) -> None:
    def command_on(address: str) -> str:
        return copied(main(client, address), '[a-z0-9-]*command[^"]*')

    plan = make.plan(name="AX 41")
    options = f"--provider {plan.provider_id} --plan 'AX 41'"
    settings.SITE_URL = "https://bench.example"
    run = f"run . --server https://bench.example {options}"
    assert command_on(f"/plans/{plan.slug}/") == f"./fsyncmark {run}"
    fill(dist, NAME)
    assert command_on(f"/plans/{plan.slug}/") == (
        "curl --proto '=https' --tlsv1.2 -fsSL https://bench.example/install.sh \\\n"
        f"  | sh -s -- --to . {run}"
    )
    assert command_on("/coverage/").startswith("./fsyncmark run .")

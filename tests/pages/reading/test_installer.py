"""install.sh, run by a real shell: what it fetches is what the page names, or nothing is kept."""

from __future__ import annotations

import functools
import hashlib
import platform
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.pages.site import copied, main

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

# It says how it was called. What is installed need not be ours for what is tried here.
PROGRAM: Final = b'#!/bin/sh\necho "ran: $*"\n'
OTHER: Final = b'#!/bin/sh\necho "an impostor ran"\n'
NAME: Final = f"fsyncmark-{platform.machine()}-unknown-linux-musl"
USUAL: Final = (
    "sh", "uname", "mktemp", "chmod", "mv", "rm", "mkdir", "sed", "cut", "tr", "grep", "cat",
)  # fmt: skip
EVERY_BYTES: Final = 97  # a script that breaks off is tried at so many places


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Place:
    """A site that hands out one binary, and the machine of somebody who fetches it."""

    served: Path
    home: Path
    client: Client
    settings: Settings

    @property
    def files(self) -> Path:
        return self.served / "measure" / "download"

    @property
    def program(self) -> Path:
        return self.home / ".local" / "bin" / "fsyncmark"

    def publish(self, binary: bytes) -> None:
        """Hand out this binary, with its checksum."""
        (self.files / NAME).write_bytes(binary)
        line = f"{hashlib.sha256(binary).hexdigest()}  {NAME}\n"
        (self.files / "SHA256SUMS").write_text(line, encoding="ascii")
        self.keep_script()

    def keep_script(self) -> None:
        """Serve the script as the site makes it now."""
        answer = self.client.get("/install.sh")
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        (self.served / "install.sh").write_bytes(answer.content)

    def shell(self, command: str, *tools: str) -> subprocess.CompletedProcess[str]:
        """Run a command in an empty home that has these tools beside the usual ones."""
        programs = self.home.with_name("programs")
        shutil.rmtree(programs, ignore_errors=True)
        programs.mkdir()
        for name in (*USUAL, *tools):
            (programs / name).symlink_to(str(shutil.which(name)))
        return subprocess.run(
            ["/bin/sh", "-c", command], cwd=self.home, text=True, capture_output=True, check=False,
            env={"PATH": str(programs), "HOME": str(self.home)}, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    def install(self, *words: str, tools: str = "curl sha256sum") -> tuple[int, str]:
        """Run the script with these words; return its status and all that it said."""
        script = self.served / "install.sh"
        ended = self.shell(f"sh {script} {' '.join(words)}", *tools.split())
        return ended.returncode, ended.stdout + ended.stderr

    def left(self) -> list[str]:
        """The files in the home."""
        return sorted(str(each.relative_to(self.home)) for each in self.home.rglob("*")
                      if each.is_file())  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, client: Client, settings: Settings) -> Iterator[Place]:
    served, home = tmp_path / "served", tmp_path / "home"
    (served / "measure" / "download").mkdir(parents=True)
    home.mkdir()
    handler = functools.partial(Quiet, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings.SITE_URL = f"http://127.0.0.1:{server.server_port}"
        settings.AGENT_DIST = served / "measure" / "download"
        made = Place(served, home, client, settings)
        made.publish(PROGRAM)
        yield made
        server.shutdown()


@pytest.mark.parametrize(
    "tools", ["curl sha256sum", "wget sha256sum", "curl openssl", "curl perl shasum"]
)
def test_it_is_fetched_checked_and_run(place: Place, tools: str) -> None:
    if "shasum" in tools and not shutil.which("shasum"):
        pytest.skip("shasum is of macOS and of perl")
    status, said = place.install("run", ".", "--yes", tools=tools)
    assert status == 0, said
    assert "ran: run . --yes" in said
    assert "Checked: SHA-256; this site signs no releases." in said
    assert f'export PATH="{place.program.parent}:$PATH"' in said
    assert place.left() == [".local/bin/fsyncmark"]


@pytest.mark.parametrize(
    ("tools", "names"), [("sha256sum", "neither curl nor wget"), ("curl", "nothing can be checked")]
)
def test_without_a_tool_it_says_which_and_keeps_nothing(
    place: Place, tools: str, names: str
) -> None:
    status, said = place.install("run", tools=tools)
    assert status == 1
    assert names in said
    assert "ran:" not in said
    assert place.left() == []


def test_another_binary_is_neither_kept_nor_run_and_the_older_one_stays(place: Place) -> None:
    place.install()
    (place.files / NAME).write_bytes(OTHER)
    status, said = place.install("run")
    assert status == 1
    assert "Nothing was installed" in said
    assert "ran" not in said
    assert place.program.read_bytes() == PROGRAM
    assert place.left() == [".local/bin/fsyncmark"]


def test_what_cannot_be_fetched_is_said(place: Place) -> None:
    (place.files / NAME).unlink()
    status, said = place.install("run")
    assert status == 1
    assert f"{place.settings.SITE_URL}/measure/download/{NAME} cannot be fetched" in said
    assert place.left() == []


def copied_command(place: Place) -> str:
    """What somebody copies from the page."""
    return copied(main(place.client, "/measure/"), "get-command")


@pytest.mark.django_db
def test_the_line_of_the_page_runs_what_it_checked_and_nothing_else(place: Place) -> None:
    command = copied_command(place)
    good = place.shell(command, "curl", "sha256sum")
    assert f"ran: run . --server {place.settings.SITE_URL}" in good.stdout
    assert "export PATH" not in good.stderr
    (place.files / NAME).write_bytes(OTHER)
    bad = place.shell(command, "curl", "sha256sum")
    assert bad.returncode == 1
    assert "ran" not in bad.stdout
    (place.served / "install.sh").unlink()
    assert "ran" not in place.shell(command, "curl", "sha256sum").stdout
    assert (place.home / "fsyncmark").read_bytes() == PROGRAM


@pytest.mark.django_db
def test_the_page_names_the_checksum_of_the_script(place: Place) -> None:
    script = (place.served / "install.sh").read_bytes()
    assert hashlib.sha256(script).hexdigest() in main(place.client, "/measure/")


def test_over_https_nothing_else_is_asked(place: Place) -> None:
    place.settings.SITE_URL = "https://bench.example.org"
    place.keep_script()
    status, said = place.install(tools="curl sha256sum")
    assert status == 1
    assert "https://bench.example.org/measure/download/" in said


@pytest.mark.django_db
def test_the_line_of_the_page_asks_for_https(place: Place) -> None:
    place.settings.SITE_URL = "https://bench.example.org"
    assert "curl --proto '=https' --tlsv1.2 -fsSL https://bench" in copied_command(place)


def test_a_script_that_came_in_part_does_nothing(place: Place) -> None:
    script = (place.served / "install.sh").read_bytes()
    whole = len(script) - len(b'main "$@"\n')
    for length in [*range(0, whole, EVERY_BYTES), whole]:
        (place.served / "install.sh").write_bytes(script[:length])
        _, said = place.install("run")
        assert "ran" not in said, length
        assert place.left() == [], length


# --- the signature of a release -------------------------------------------------------------------


def sign(place: Place, key: Ed25519PrivateKey) -> None:
    sums = (place.files / "SHA256SUMS").read_bytes()
    (place.files / "SHA256SUMS.sig").write_bytes(key.sign(sums))


@pytest.fixture
def key(place: Place, tmp_path: Path) -> Ed25519PrivateKey:
    """The key of a site that signs its releases; its public half is in the script."""
    made = Ed25519PrivateKey.generate()
    pem = made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "key.pem").write_bytes(pem)
    place.settings.AGENT_RELEASE_KEY = str(tmp_path / "key.pem")
    sign(place, made)
    place.keep_script()
    return made


@pytest.mark.django_db  # the connection is looked at when a streamed answer ends
def test_a_signature_is_checked_where_openssl_is(place: Place, key: Ed25519PrivateKey) -> None:
    status, said = place.install("run", tools="curl sha256sum openssl")
    assert status == 0, said
    assert "Checked: SHA-256 and the signature of the release." in said
    status, said = place.install("run")
    assert "Checked: SHA-256; not the signature, as OpenSSL 3 is not here." in said
    answer = place.client.get("/measure/download/SHA256SUMS.sig")
    assert b"".join(answer) == key.sign((place.files / "SHA256SUMS").read_bytes())
    answer.close()


@pytest.mark.parametrize("fault", ["of another key", "of other checksums", "gone"])
def test_a_wrong_signature_keeps_nothing(place: Place, key: Ed25519PrivateKey, fault: str) -> None:
    if fault == "of another key":
        sign(place, Ed25519PrivateKey.generate())
    elif fault == "gone":
        (place.files / "SHA256SUMS.sig").unlink()
    else:
        (place.files / "SHA256SUMS").write_text(f"{'0' * 64}  {NAME}\n", encoding="ascii")
        sign(place, key)
    status, said = place.install("run", tools="curl sha256sum openssl")
    assert status == 1
    assert "ran" not in said
    assert place.left() == []


# --- what else it can be told ---------------------------------------------------------------------


def test_a_dry_run_touches_nothing(place: Place) -> None:
    status, said = place.install("--dry-run", "run")
    assert status == 0
    assert f"would fetch {place.settings.SITE_URL}/measure/download/{NAME}" in said
    assert place.left() == []


def test_it_goes_where_it_is_told_and_goes_away_again(place: Place) -> None:
    status, _ = place.install("--to", "bin")
    assert status == 0
    assert place.left() == ["bin/fsyncmark"]
    status, said = place.install("--to", "bin", "--uninstall")
    assert status == 0
    assert "bin/fsyncmark is gone" in said
    assert place.left() == []


@pytest.mark.parametrize(
    ("words", "says"),
    [("--to", "--to needs a folder"), ("--bogus", "no option --bogus"), ("--help", "--dry-run"),
     ("--version", "fsyncmark 0.")],
)  # fmt: skip
def test_other_words(place: Place, words: str, says: str) -> None:
    assert says in place.install(words)[1]
    assert place.left() == []


def test_a_machine_without_a_binary_is_told_which_there_are(place: Place) -> None:
    (place.files / NAME).rename(place.files / "fsyncmark-other")
    line = (place.files / "SHA256SUMS").read_text(encoding="ascii").replace(NAME, "fsyncmark-other")
    (place.files / "SHA256SUMS").write_text(line, encoding="ascii")
    place.keep_script()
    status, said = place.install("run")
    assert status == 1
    assert f"no binary for this machine ({NAME}). There are: fsyncmark-other" in said


@pytest.mark.parametrize(
    "name", ["fsyncmark-aarch64-apple-darwin", "fsyncmark-universal-apple-darwin"]
)
def test_a_mac_takes_the_file_for_its_processor_or_that_for_all(place: Place, name: str) -> None:
    (place.files / NAME).rename(place.files / name)
    line = (place.files / "SHA256SUMS").read_text(encoding="ascii").replace(NAME, name)
    (place.files / "SHA256SUMS").write_text(line, encoding="ascii")
    place.keep_script()
    mac = place.home.with_name("mac")
    mac.mkdir()
    (mac / "uname").write_text('#!/bin/sh\n[ "$1" = -s ] && echo Darwin || echo arm64\n')
    (mac / "uname").chmod(0o755)
    script = place.served / "install.sh"
    ended = place.shell(f"PATH={mac}:$PATH sh {script} run .", "curl", "sha256sum")
    assert "ran: run ." in ended.stdout, ended.stderr


def test_a_site_without_binaries_has_no_script(place: Place) -> None:
    (place.files / "SHA256SUMS").unlink()
    assert place.client.get("/install.sh").status_code == 404

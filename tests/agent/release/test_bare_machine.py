"""The line of the page in a Debian that was made a moment ago; once a day."""

from __future__ import annotations

import re
import subprocess
from html import unescape
from typing import TYPE_CHECKING

import pytest

from agent.static_build import publish
from tests.agent.release.conftest import HERE, needs
from tests.pages.site import main

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.daily, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def served(dist: Path, live_server: LiveServer, settings: Settings, tmp_path: Path) -> str:
    """The address of a site that hands out the agent; the network of the new root is this one's."""
    settings.AGENT_DIST, settings.SITE_URL = tmp_path / "offered", live_server.url
    publish({HERE: dist / f"fsyncmark-{HERE}"}, settings.AGENT_DIST)
    return str(live_server.url)


def test_one_line_measures_with_curl_with_wget_and_says_that_neither_is_there(
    served: str, client: Client, tmp_path: Path
) -> None:
    needs("debootstrap", root=True)
    root = tmp_path / "root"
    subprocess.run(
        ["debootstrap", "--variant=minbase", "--include=curl,wget", "stable", root],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="ascii")

    def said(command: str) -> str:
        """What a shell says in an empty folder of the new root."""
        fresh = "rm -rf /disk && mkdir /disk && cd /disk && mount -t proc none /proc && "
        ended = subprocess.run(
            ["unshare", "--mount", "chroot", root, "/bin/sh", "-c", fresh + command],
            check=False, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        return ended.stdout

    def measure(command: str) -> None:
        output = said(command + " --yes --no-upload --only commit-8k")
        assert "durable commits" in output, output
        assert program.stat().st_mode & 0o111

    program = root / "disk" / "fsyncmark"
    page = main(client, "/measure/")
    line = copied(page, "get-command", "pre")
    by_wget = line.replace(line.partition(" \\\n")[0], copied(page, "by-wget", "code"))
    assert by_wget != line
    measure(line)
    (root / "usr/bin/curl").unlink()
    measure(by_wget)
    (root / "usr/bin/wget").unlink()
    (root / "install.sh").write_bytes(client.get("/install.sh").content)
    assert "neither curl nor wget is here" in said("sh /install.sh --to . run .")
    assert not program.exists()


def copied(page: str, name: str, element: str) -> str:
    """What somebody copies of an element of the page."""
    found = re.search(f'<{element} id="{name}">(.*?)</{element}>', page, re.DOTALL)
    assert found
    return unescape(re.sub("<[^>]+>", "", found[1]))

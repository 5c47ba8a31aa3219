"""The database of a real site stops, then its Valkey: badges go on, with the figures they had."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from apps.badges.answers import CACHE_NOTHING
from apps.config.one_machine.environment import ROOT
from apps.config.processes import WEB
from tests.faults.site.own_site import OwnSite, own_site

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("badges away")  # one site
PNG = b"\x89PNG\r\n\x1a\n"
THINGS = """
from datetime import UTC, datetime
from tests import make
drive = make.drive_family(slug="pro", name="PRO")
plan = make.plan(slug="acme-x1", provider=make.provider(slug="acme", name="Acme"), name="X1")
run = make.run(slug="a-run", plan=plan, measured_at=datetime.now(UTC))
make.measurement(run=run, rate_per_s=2345.0)
facts = {"is_durable_single_writer": True, "rate_per_s": 2345.0, "newest_run_slug": "a-run"}
make.provider_standing(best=make.standing(plan=plan, **facts))
make.standing(drive_family=drive, **facts)
"""
SEEN = ("run/a-run", "plan/acme-x1", "drive/pro", "provider/acme")
ASKED = [
    f"/badge/{thing}.{form}?style={style}&metric={metric}&label={label}"
    for thing in SEEN
    for form, style, metric, label in (
        ("svg", "flat", "fsync", ""),
        ("svg", "axis", "p99", "mine"),
        ("svg", "for-the-badge", "tier", ""),
        ("svg", "no-such", "no-such", "%3Cscript%3E"),
        ("png", "flat-square", "fsync", ""),
        ("json", "flat", "fsync", ""),
    )
]

# Of what was seen as a badge: the card is made of the same facts.
CARDS = [
    *(f"/embed/{thing}{end}" for thing in SEEN for end in ("/", ".svg?theme=dark", ".png")),
    "/embed/compare/?on=plan:acme-x1&on=run:a-run&on=drive:never",
]


@pytest.fixture(scope="module")
def seen() -> Iterator[tuple[OwnSite, dict[str, bytes]]]:
    """A site whose servers have stopped, and the picture of each thing from before that."""
    with own_site(processes=[WEB], web_workers=2, PAGES_BYTES="0") as site:
        subprocess.run(
            [sys.executable, "manage.py", "shell", "-c", THINGS],
            check=True, cwd=ROOT, env=dict(site.product.setting.environment), capture_output=True,
        )  # fmt: skip
        pictures = {thing: site.get(f"/badge/{thing}.svg").content for thing in SEEN}
        for name in ("PostgreSQL", "Valkey"):
            process = site.server(name).process
            os.kill(process.pid, signal.SIGQUIT if name == "PostgreSQL" else signal.SIGKILL)
            process.wait()
        yield site, pictures


@pytest.mark.parametrize("thing", SEEN)
def test_what_was_seen_is_shown_to_the_byte(
    seen: tuple[OwnSite, dict[str, bytes]], thing: str
) -> None:
    site, pictures = seen
    assert b"2,345" in pictures[thing]
    for _ in range(4):  # both processes of the server
        answer = site.get(f"/badge/{thing}.svg")
        assert (answer.status_code, answer.content) == (200, pictures[thing])
        assert answer.headers["Cache-Control"] == CACHE_NOTHING


@pytest.mark.parametrize("path", ASKED)
def test_every_other_form_of_it_is_a_picture_too(
    seen: tuple[OwnSite, dict[str, bytes]], path: str
) -> None:
    answer = seen[0].get(path)
    assert answer.status_code == 200
    if ".png" in path:
        assert answer.content.startswith(PNG)
    elif "fsync" in path:
        assert "2,345" in answer.text
    assert "<script" not in answer.text
    assert "back in a moment" not in answer.text


@pytest.mark.parametrize("path", CARDS)
def test_a_card_of_it_goes_on_too(seen: tuple[OwnSite, dict[str, bytes]], path: str) -> None:
    answer = seen[0].get(path)
    assert answer.status_code == 200
    if ".png" in path:
        assert answer.content.startswith(PNG)
    else:
        assert "2,345" in answer.text
        assert ("back in a moment" in answer.text) is ("never" in path)
    assert answer.headers["Cache-Control"] == ("no-store" if "never" in path else CACHE_NOTHING)


def test_it_is_said_how_to_frame_a_card(seen: tuple[OwnSite, dict[str, bytes]]) -> None:
    address = seen[0].product.setting.url + "/plans/acme-x1/"
    answer = seen[0].get(f"/oembed?url={address}")
    assert (answer.status_code, answer.json()["title"]) == (200, "Acme X1")


def test_what_was_never_seen_is_a_grey_picture(seen: tuple[OwnSite, dict[str, bytes]]) -> None:
    answer = seen[0].get("/badge/plan/never.svg")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert "back in a moment" in answer.text

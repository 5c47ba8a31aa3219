"""`manage.py published --online`: each address is asked once and politely, and losses are named."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.runs.published.check.files import SHIPPED
from apps.runs.published.check.online import USER_AGENT, ask_all
from tests.runs.published.made import RECORD_ID, entries_of, some, write

CLOSED = "http://127.0.0.1:9/"  # the port of the discard service, which nobody has open


class Page(BaseHTTPRequestHandler):
    """Answers by its path, and keeps what was asked."""

    asked: list[tuple[str, str, str]]

    def do_HEAD(self) -> None:
        self._answer({"/there": 200, "/get-only": 405}.get(self.path, 404))

    def do_GET(self) -> None:
        self._answer({"/get-only": 200}.get(self.path, 410))
        self.wfile.write(b"x" * 100)

    def _answer(self, status: int) -> None:
        self.asked.append((self.command, self.path, self.headers["User-Agent"]))
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    Page.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_each_address_is_asked_once_and_by_name(site: str) -> None:
    answers = list(ask_all([f"{site}/there", f"{site}/there"], pause_s=0))
    assert [answer.is_there for answer in answers] == [True]
    assert Page.asked == [("HEAD", "/there", USER_AGENT)]


def test_a_server_without_head_is_asked_for_the_page(site: str) -> None:
    (answer,) = ask_all([f"{site}/get-only"], pause_s=0)
    assert (answer.status, [command for command, *_ in Page.asked]) == (200, ["HEAD", "GET"])


def test_what_is_gone_and_what_never_answers_differ(site: str) -> None:
    gone, silent = ask_all([f"{site}/gone", CLOSED], pause_s=0)
    assert str(gone) == f"{site}/gone: HTTP 410"
    assert silent.status is None
    assert "refused" in str(silent)


def test_one_host_is_asked_with_pauses(site: str) -> None:
    waits: list[float] = []
    list(ask_all([f"{site}/there", f"{site}/gone", CLOSED], pause_s=60, wait=waits.append))
    (wait,) = waits  # for the second page of the same host alone
    assert 50 < wait <= 60


def cite(folder: Path, address: str) -> None:
    row = some(RECORD_ID)
    row["locator"]["url"] = address
    sources = entries_of(SHIPPED.sources, {row["source"]})
    sources[row["source"]]["url"] = address
    write(folder, row, sources=sources)


def asked(folder: Path) -> tuple[str, str]:
    out, faults = StringIO(), StringIO()
    call_command("published", "--online", "--folder", str(folder), stdout=out, stderr=faults)
    return out.getvalue(), faults.getvalue()


def test_the_command_says_that_all_answer(tmp_path: Path, site: str) -> None:
    cite(tmp_path, f"{site}/there")
    assert asked(tmp_path) == ("1 records of 1 sources: ok\n1 addresses answer\n", "")


def test_the_command_names_what_is_lost(tmp_path: Path, site: str) -> None:
    cite(tmp_path, f"{site}/gone")
    with pytest.raises(CommandError, match="1 of 1 addresses are not there"):
        asked(tmp_path)


def test_the_command_says_that_it_is_offline(tmp_path: Path) -> None:
    cite(tmp_path, CLOSED)
    with pytest.raises(CommandError, match="seems to be offline"):
        asked(tmp_path)

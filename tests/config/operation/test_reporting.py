"""What a report of an error holds: the error, and nothing of who asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import brotli

from apps.config.one_machine.environment import ROOT

FAILING: Final = """
import sentry_sdk
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory
from django.urls import path
from apps.config import urls

def fail(request):
    inner = request.headers["X-Inner"]
    raise RuntimeError("it broke")

urls.urlpatterns.insert(0, path("fails/", fail))
asked = RequestFactory().get(
    "/fails/?q=asked-for", headers={"X-Inner": "a-header", "Cookie": "session=a-cookie"},
    REMOTE_ADDR="203.0.113.77",
)
b"".join(get_wsgi_application()(asked.environ, lambda *_: None))
sentry_sdk.flush()
"""


class Collector(ThreadingHTTPServer):
    """Takes reports, as Sentry does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), CollectorHandler)
        self.taken: list[bytes] = []


class CollectorHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Content-Encoding"] == "br"
        assert isinstance(self.server, Collector)
        self.server.taken.append(brotli.decompress(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def collecting() -> Iterator[Collector]:
    with Collector() as collector:
        thread = threading.Thread(target=collector.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield collector
        finally:
            collector.shutdown()
            thread.join()


def test_a_report_has_the_error_and_nothing_of_who_asked() -> None:
    with collecting() as collector:
        environment = {
            **os.environ,
            "SENTRY_DSN": f"http://key@127.0.0.1:{collector.server_port}/1",
            "ALLOWED_HOSTS": "testserver",
            "SITE_URL": "http://testserver",
        }
        subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", FAILING],
            check=True, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    events = [
        json.loads(line)
        for body in collector.taken
        for line in body.splitlines()
        if b'"exception"' in line
    ]
    (event,) = events
    assert event["exception"]["values"][0]["value"] == "it broke"
    assert event["request"] == {"method": "GET", "url": "http://testserver/fails/"}
    assert event["tags"]["role"] == "command"
    taken = b"".join(collector.taken)
    for told in (b"asked-for", b"a-header", b"a-cookie", b"203.0.113.77", b'"vars"'):
        assert told not in taken

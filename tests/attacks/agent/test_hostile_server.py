"""A hostile server, and other users of the machine, against the agent."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests import make

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")  # RFC 8410, section 7
SECONDS_MAX = 60
ORDERS: Final = [
    "\u001b[2Jgone", "\u009b31mred", "\u001b]0;title\u0007", "a\r\u001b[Aforged",
    "\u202egnirts", "\u2066isolated", "\u200bhidden\u200b", "\u0000\u0008\u007f",
]  # fmt: skip

pytestmark = pytest.mark.attack

Answer = tuple[int, dict[str, str], bytes]


class HostileServer:
    """Answers what a test says, and remembers what it was sent."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[str], Answer]] = {}
        self.seen: list[tuple[str, str, bytes]] = []
        hostile = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                hostile.seen.append((self.command, self.path, self.rfile.read(length)))
                kind = f"{self.command} {self.path.split('/')[3]}"
                status, headers, body = hostile.answers[kind](self.path)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT = do_POST = answer  # noqa: N815  the library's names

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def says(self, kind: str, document: Any, *, status: int = 200) -> None:
        body = json.dumps(document).encode()
        headers = {"Content-Type": "application/json"}
        self.answers[kind] = lambda _: (status, headers, body)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def hostile() -> Iterator[HostileServer]:
    server = HostileServer()
    server.says("PUT keys", {})
    server.says("POST runs", {})
    yield server
    server.stop()


class Victim:
    """A user with the agent."""

    def __init__(self, binary: Path, home: Path) -> None:
        self.binary, self.home, self.agent = binary, home, make.Agent()
        home.mkdir(mode=0o700)
        body = base64.b64encode(PKCS8_PREFIX + bytes(self.agent.signing_key)).decode()
        pem = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"
        (home / "key").touch(mode=0o600)
        (home / "key").write_text(pem)

    def run(self, *arguments: str, agent: Path | None = None) -> tuple[int, str]:
        done = subprocess.run(
            [agent or self.binary, *arguments],
            env={**os.environ, "FSYNCMARK_HOME": str(self.home)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False, timeout=SECONDS_MAX,
        )  # fmt: skip
        return done.returncode, done.stdout.decode()

    def result(self) -> tuple[str, Path]:
        run_id = make.uuid7()
        file = self.home / f"{run_id}.json"
        file.write_bytes(self.agent.seal(make.payload(run_id=run_id)))
        return str(run_id), file


@pytest.fixture
def victim(built_agent: Path, tmp_path: Path) -> Victim:
    return Victim(built_agent, tmp_path / "home")


def obeys(text: str) -> set[str]:
    """The characters of a text by which a terminal is told to do something, or that deceive."""
    return {each for each in text if not each.isprintable() and each != "\n"}


def has_signed(hostile: HostileServer) -> bool:
    """Whether a server was sent something that a key signed."""
    return any(b'"signatures"' in body for _, _, body in hostile.seen)


@pytest.mark.parametrize(
    "order",
    [ORDERS[0], *(pytest.param(order, marks=pytest.mark.daily) for order in ORDERS[1:])],
)
def test_a_label_of_a_server_orders_the_terminal_to_do_nothing(
    weakened: Weakened, victim: Victim, hostile: HostileServer, order: str
) -> None:
    run_id, file = victim.result()
    receipt = {"run_url": f"{hostile.url}/runs/{run_id}/{order}", "short_url": order}
    hostile.says("PUT runs", {**receipt, "claim_url": order}, status=201)
    label = {"rule": order, "text": order, "keeps_out": "run", "is_released": False}
    hostile.says("GET runs", {"state": "done", "level": order, "slug": run_id, "labels": [label],
                              "claimed_provider": order, "claimed_plan": order})  # fmt: skip
    status, shown = victim.run("upload", str(file), "--server", hostile.url, "--yes")
    assert status == 0, shown
    assert "Label" in shown
    assert obeys(shown) == set()
    with weakened.agent_without("filters of texts") as weak:
        _, shown = victim.run("upload", str(file), "--server", hostile.url, "--yes", agent=weak)
    assert obeys(shown)


@pytest.mark.parametrize("order", ORDERS)
def test_a_user_code_orders_the_terminal_to_do_nothing(
    weakened: Weakened, victim: Victim, hostile: HostileServer, order: str
) -> None:
    hostile.says("POST key-logins", {
        "device_code": "d", "user_code": order, "verification_url": order, "expires_in": 1,
        "interval": 1, "state": "denied",
    })  # fmt: skip
    status, shown = victim.run("login", "--server", hostile.url)
    assert status == 76, shown
    assert obeys(shown) == set()
    with weakened.agent_without("filters of texts") as weak:
        _, shown = victim.run("login", "--server", hostile.url, agent=weak)
    assert obeys(shown)


@pytest.mark.parametrize("order", ORDERS)
def test_a_problem_orders_the_terminal_to_do_nothing(
    weakened: Weakened, victim: Victim, hostile: HostileServer, order: str
) -> None:
    problem = {"type": "https://a/problems/some-other", "title": order, "detail": order,
               "instance": order, "errors": [{"pointer": order, "detail": order}]}  # fmt: skip
    body = json.dumps(problem).encode()
    headers = {"Content-Type": "application/problem+json"}
    hostile.answers["POST runs"] = lambda _: (403, headers, body)
    status, shown = victim.run("withdraw", str(make.uuid7()), "--server", hostile.url)
    assert status == 76, shown
    assert obeys(shown) == set()
    with weakened.agent_without("filters of texts") as weak:
        _, shown = victim.run("withdraw", str(make.uuid7()), "--server", hostile.url, agent=weak)
    assert obeys(shown)


@pytest.mark.parametrize("name", ["../../keys/x", "0", "", "01890A5D-AC96-774B-BCCE-B302099A8057"])
def test_a_server_has_nothing_signed_but_the_id_of_a_run(
    weakened: Weakened, victim: Victim, hostile: HostileServer, name: str
) -> None:
    hostile.says("GET runs", {"run_id": name, "state": "done"})
    status, shown = victim.run("withdraw", f"{hostile.url}/r/k3f9x2ab")
    assert status == 75, shown
    assert [method for method, _, _ in hostile.seen] == ["GET"]
    with weakened.agent_without("ids of runs") as weak:
        victim.run("withdraw", f"{hostile.url}/r/k3f9x2ab", agent=weak)
    signed = [json.loads(body)["payload"] for method, _, body in hostile.seen if method == "POST"]
    assert json.loads(base64.b64decode(signed[0]))["run_id"] == name


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_takes_no_statement_elsewhere(
    weakened: Weakened, victim: Victim, hostile: HostileServer, status: int
) -> None:
    other = HostileServer()
    other.says("POST runs", {})
    hostile.answers["POST runs"] = lambda path: (status, {"Location": other.url + path}, b"")
    withdraw = ("withdraw", str(make.uuid7()), "--server", hostile.url)
    ends_in, shown = victim.run(*withdraw)
    assert ends_in == 75, shown
    assert other.seen == []
    with weakened.agent_without("one server") as weak:
        victim.run(*withdraw, agent=weak)
    other.stop()
    assert has_signed(other)


def test_an_answer_without_an_end_is_given_up(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    body = b'{"state": "anonymous", "first_seen": "x"' + b" " * (9 << 20) + b"}"
    hostile.answers["GET keys"] = lambda _: (200, {"Content-Type": "application/json"}, body)
    status, shown = victim.run("key", "--server", hostile.url)
    assert status == 75, shown
    with weakened.agent_without("end of answers") as weak:
        status, shown = victim.run("key", "--server", hostile.url, agent=weak)
    assert status == 0, shown


def test_a_rotation_that_a_server_only_claims_puts_no_other_key_in_force(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    """It answers that another key stands in for ours, which is not the one that we made."""
    problem = {"type": "https://a/problems/rotated-key", "instance": "/", "errors": []}
    headers = {"Content-Type": "application/problem+json"}
    hostile.answers["POST keys"] = lambda _: (403, headers, json.dumps(problem).encode())
    hostile.says("GET keys", {"state": "rotated", "first_seen": "x", "replaced_by": "a" * 64})
    before = (victim.home / "key").read_bytes()
    status, shown = victim.run("key", "rotate", "--server", hostile.url)
    assert status == 76, shown
    assert (victim.home / "key").read_bytes() == before
    with weakened.agent_without("own successor") as weak:
        status, shown = victim.run("key", "rotate", "--server", hostile.url, agent=weak)
    assert status == 0, shown
    assert (victim.home / "key").read_bytes() != before


def test_no_request_carries_a_private_key(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    hostile.says("POST keys", {})
    old = (victim.home / "key").read_bytes()
    status, shown = victim.run("key", "rotate", "--server", hostile.url)
    assert status == 0, shown
    new = (victim.home / "key").read_bytes()
    assert not carries(hostile, old)
    assert not carries(hostile, new)
    with weakened.agent_without("secret keys") as weak:
        victim.run("key", "rotate", "--server", hostile.url, agent=weak)
    assert carries(hostile, new)


def carries(hostile: HostileServer, pem: bytes) -> bool:
    """Whether a server was sent a private key, in any of its forms."""
    sent = b"".join(body for _, _, body in hostile.seen)
    payloads = b"".join(
        base64.b64decode(json.loads(body)["payload"]) for _, _, body in hostile.seen if body
    )
    text = pem.splitlines()[1]
    seed = base64.b64decode(text)[-32:]
    forms = (text, seed, base64.b64encode(seed), seed.hex().encode())
    return any(secret in sent + payloads for secret in forms)


@pytest.mark.parametrize("exists", [True, False])
def test_a_planted_link_has_no_file_overwritten(
    weakened: Weakened, victim: Victim, tmp_path: Path, *, exists: bool
) -> None:
    _, result = victim.result()
    target, link = tmp_path / "shadow", tmp_path / "page.html"
    if exists:
        target.write_text("of root")
    link.symlink_to(target)
    status, shown = victim.run("report", str(result), "--html", str(link))
    assert status == 73, shown
    assert "symbolic link" in shown
    assert (target.read_text() == "of root") if exists else not target.exists()
    with weakened.agent_without("links of pages") as weak:
        status, shown = victim.run("report", str(result), "--html", str(link), agent=weak)
    assert status == 0, shown
    assert "<html" in target.read_text()


def test_a_key_that_others_can_read_signs_nothing(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    (victim.home / "key").chmod(0o644)
    status, shown = victim.run("login", "--server", hostile.url)
    assert status == 77, shown
    assert hostile.seen == []
    with weakened.agent_without("modes of keys") as weak:
        victim.run("login", "--server", hostile.url, agent=weak)
    assert has_signed(hostile)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of other users")
def test_root_signs_with_no_key_of_another_user(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    os.chown(victim.home / "key", 1000, 1000)
    for verb in (
        ["login", "--server", hostile.url],
        ["key"],
        ["withdraw", str(make.uuid7()), "--server", hostile.url],
    ):
        status, shown = victim.run(*verb)
        assert status == 77, shown
        assert "belongs to another user" in shown
    assert hostile.seen == []
    with weakened.agent_without("owners of keys") as weak:
        victim.run("login", "--server", hostile.url, agent=weak)
    assert has_signed(hostile)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make links of other users")
def test_root_follows_no_link_of_another_user_to_a_key(
    weakened: Weakened, victim: Victim, hostile: HostileServer
) -> None:
    (victim.home / "key").rename(victim.home / "of-root")
    (victim.home / "key").symlink_to("of-root")
    os.chown(victim.home / "key", 1000, 1000, follow_symlinks=False)
    status, shown = victim.run("login", "--server", hostile.url)
    assert status == 77, shown
    assert "a link of another user" in shown
    assert hostile.seen == []
    with weakened.agent_without("links to keys") as weak:
        victim.run("login", "--server", hostile.url, agent=weak)
    assert has_signed(hostile)

"""Somebody else's sign-in on this machine: GitHub, GitLab and Google as far as we speak with them.

Real HTTP on loopback. It agrees to whatever is asked, for the person that the test names, checks
what OAuth 2 and PKCE demand of us, and signs the identity tokens that stand for Google's.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENTS: Final = {name: f"client-of-{name}" for name in ("github", "gitlab", "google")}
SECRET: Final = "a secret that both know"
AUTHORIZE: Final = ("/login/oauth/authorize", "/oauth/authorize", "/o/oauth2/v2/auth")
TOKEN: Final = ("/login/oauth/access_token", "/oauth/token", "/token")


@dataclass
class Identity:
    """Who signs in there."""

    uid: int = 4711
    email: str = "somebody@example.org"
    is_verified: bool = True
    refuses: bool = False  # the person says no over there


@dataclass
class IdentityProvider:
    """The running provider; `identity` is who its next visitor is."""

    url: str
    identity: Identity = field(default_factory=Identity)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )

    def environment(self) -> dict[str, str]:
        """What the site is told: where each provider answers."""
        told = {f"{name.upper()}_URL": self.url for name in CLIENTS}
        for name, client in CLIENTS.items():
            told |= {f"{name.upper()}_CLIENT_ID": client, f"{name.upper()}_CLIENT_SECRET": SECRET}
        return told

    def authorize(self, asked: dict[str, str]) -> str:
        """Return where the browser is sent back to."""
        back = asked["redirect_uri"]
        if self.identity.refuses:
            return f"{back}?{urlencode({'error': 'access_denied', 'state': asked['state']})}"
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return f"{back}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Exchange a code once, for who asked for it and knows the verifier."""
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None or form.get("client_secret") != SECRET:
            self.faults.append(f"no such code, or another secret: {form}")
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (form["client_id"], form["redirect_uri"], challenge) != (
            asked["client_id"], asked["redirect_uri"], asked.get("code_challenge"),
        ):  # fmt: skip
            self.faults.append(f"another client, address or verifier: {form} {asked}")
            return None
        access = secrets.token_urlsafe()
        self.tokens.add(access)
        answer: dict[str, Any] = {"access_token": access, "token_type": "bearer"}
        if asked["client_id"] == CLIENTS["google"]:
            answer["id_token"] = self.id_token(asked["client_id"])
        return answer

    def id_token(self, audience: str) -> str:
        now = int(time.time())
        who = self.identity
        claims = {
            "iss": self.url, "aud": audience, "sub": str(who.uid), "iat": now, "exp": now + 600,
            "email": who.email, "email_verified": who.is_verified,
        }  # fmt: skip
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "test"})

    def profile(self, path: str) -> Any:
        """What GitHub (`/api/v3`) and GitLab (`/api/v4`) tell about who signed in."""
        who = self.identity
        if path == "/api/v3/user/emails":
            return [{"email": who.email, "primary": True, "verified": who.is_verified}]
        if path == "/api/v3/user":
            return {"id": who.uid, "login": "somebody", "email": None}
        if path == "/api/v4/user":
            return {"id": who.uid, "username": "somebody", "email": who.email}
        return None


def handler_of(provider: IdentityProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(url.query).items()}
            if url.path in AUTHORIZE:
                self.send_response(302)
                self.send_header("Location", provider.authorize(asked))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            token = self.headers.get("Authorization", "").rpartition(" ")[2]
            known = {token, asked.get("access_token", "")} & provider.tokens
            self.answer(provider.profile(url.path) if known else None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self.answer(provider.token(form) if self.path in TOKEN else None)

        def answer(self, document: Any) -> None:
            body = json.dumps({"error": "refused"} if document is None else document).encode()
            self.send_response(403 if document is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing: a fault is in `faults`."""

    return Handler


@pytest.fixture(scope="session")
def identity_provider_process() -> Iterator[IdentityProvider]:
    """The provider of this process of tests."""
    provider = IdentityProvider(url="")
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(provider))
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield provider
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def identity_provider(
    identity_provider_process: IdentityProvider,
) -> Iterator[IdentityProvider]:
    """The provider with a visitor of its own for each test, and without a fault after it."""
    provider = identity_provider_process
    provider.identity, provider.faults = Identity(uid=secrets.randbelow(10**9)), []
    yield provider
    assert not provider.faults

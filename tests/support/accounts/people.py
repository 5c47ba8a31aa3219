"""People with accounts, and what they would read in their mail."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone

from apps.accounts.models import AgentKey
from apps.accounts.people import mark_verified
from apps.accounts.services import accept_terms
from apps.accounts.terms import TERMS_VERSION
from tests import make

if TYPE_CHECKING:
    from apps.runs.models import Run

PASSWORD: Final = "correct horse battery staple"
RECORDS: Final = "account_authentication_methods"  # allauth's own names
USER_OF_RECORDS: Final = "account_authentication_methods_user"
CODE: Final = re.compile(r"^  (\S+)$", re.MULTILINE)  # what a mail is about has a line of its own
_addresses = count(1)
_hashed: dict[str, str] = {}


class QuickArgon2(Argon2PasswordHasher):
    """As Django has it, but not made slow: 62 attempts of a test took 9 s of a processor."""

    time_cost = 1
    memory_cost = 8  # KiB
    parallelism = 1


def pytest_configure() -> None:
    """The processes of the live site keep the slow one, and read what this one made."""
    hashers = [f"{QuickArgon2.__module__}.{QuickArgon2.__qualname__}"]
    settings.PASSWORD_HASHERS = [*hashers, *settings.PASSWORD_HASHERS[1:]]


@pytest.fixture
def person(db: None) -> User:
    """Somebody with a verified address and a password."""
    return make_person()


@pytest.fixture
def other(db: None) -> User:
    """Somebody else."""
    return make_person()


def new_address() -> str:
    return f"person-{next(_addresses)}@example.org"


def make_person(email: str = "") -> User:
    """Return somebody with a verified address and PASSWORD, which is hashed once a process."""
    if not _hashed:
        _hashed[PASSWORD] = make_password(PASSWORD)
    address = email or new_address()
    user = User.objects.create(username=address, email=address, password=_hashed[PASSWORD])
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    mark_verified(user)
    accept_terms(user, version=TERMS_VERSION)
    return user


def sign_in(client: Client, user: User, password: str = PASSWORD, **more: str) -> Any:
    """Send the form of the sign-in."""
    form = {"login": user.email, "password": password, **more}
    return client.post("/account/login/", form)


def signed_in(user: User) -> Client:
    """Return a browser in which somebody signed in and said once more that it is them, just now."""
    client = Client()
    answer = sign_in(client, user)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    assert "_auth_user_id" in client.session
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def just_signed_in(client: Client, user: User) -> Client:
    """Let somebody have said a moment ago that it is them, here or at a provider."""
    session = client.session
    session[USER_OF_RECORDS] = str(user.pk)
    session[RECORDS] = [{"method": "socialaccount", "at": time.time()}]
    session.save()
    return client


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def long_ago(client: Client) -> Client:
    """Let that be an hour ago, so that what hurts asks again."""
    session = client.session
    for record in session[RECORDS]:
        record["at"] -= timedelta(hours=1).total_seconds()
    session.save()
    return client


def last_mail(to: str) -> str:
    """Return the newest mail to an address, subject first."""
    found = [each for each in mail.outbox if each.to == [to]]
    assert found, [each.to for each in mail.outbox]
    return f"{found[-1].subject}\n{found[-1].body}"


def value_in_mail(to: str) -> str:
    """Return the code or the address that the newest mail to somebody is about."""
    found = CODE.search(last_mail(to))
    assert found
    return found[1]


def add_totp(user: User) -> str:
    """Give somebody an authenticator app with recovery codes, and return its secret."""
    secret = str(totp.generate_totp_secret())
    totp.TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


@pytest.fixture
def stopped_app_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Apps and the server stay within one step of 30 s: a code is good in its own step alone."""
    step = next(totp.yield_hotp_counters_from_time())
    monkeypatch.setattr(totp, "yield_hotp_counters_from_time", lambda: iter([step]))


def totp_now(secret: str) -> str:
    """Return what an authenticator app shows now; with `stopped_app_clock` it stays good."""
    step = next(totp.yield_hotp_counters_from_time())
    return str(totp.format_hotp_value(totp.hotp_value(secret, step)))


def own_run(user: User) -> Run:
    """Return a run of an agent whose key is somebody's."""
    agent = make.Agent()
    upload = make.upload(agent=agent, state="done")
    claim(upload.key, user)
    return make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload)


def claim(key: AgentKey, user: User) -> AgentKey:
    key.owner, key.claimed_at, key.state = user, timezone.now(), AgentKey.State.CLAIMED
    key.save()
    return key

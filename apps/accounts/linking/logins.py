"""Links a key with who types its code (RFC 8628): no token is issued, a key gets an owner.

The device code is the agent's secret, the user code the person's. Both are stored as hashes, that
of the user code with a key, as its 34 bits could be tried.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from apps.accounts.clock import database_now
from apps.accounts.models import (
    LOGIN_LIFE,
    POLL_INTERVAL_S,
    AgentKey,
    KeyLogin,
    new_token,
    token_sha256,
)
from apps.accounts.services import claim_key

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

CONSONANTS: Final = "BCDFGHJKLMNPQRSTVWXZ"  # RFC 8628, 6.1: no word comes of them
CODE_CHARACTERS: Final = 8
CODE_TRIES: Final = 3  # of 20^8 two that are open at once are hardly ever equal
SLOWER_BY_S: Final = 5  # RFC 8628, 3.5
INTERVAL_S_MAX: Final = 60
LOGINS_KEPT: Final = timedelta(days=1)  # to tell an expired code from one that never was
EXPIRED: Final = "expired"


@dataclass(frozen=True, slots=True)
class NewLogin:
    """The codes of a login, which exist nowhere else."""

    device_code: str
    user_code: str


@dataclass(frozen=True, slots=True)
class PollAnswer:
    """What a poll is answered with; `is_too_fast`: it came before its interval was over."""

    state: str
    interval_s: int
    is_too_fast: bool = False


def begin_login(
    key: AgentKey, *, agent_version: str, network: str, network_provider: str
) -> NewLogin:
    """Store a login of a key and return its codes; nobody can approve it before the key signs."""
    now = database_now()
    KeyLogin.objects.filter(not_after__lt=now - LOGINS_KEPT).delete()
    for _ in range(CODE_TRIES):
        codes = NewLogin(device_code=new_token(), user_code=_new_user_code())
        try:
            with transaction.atomic():
                KeyLogin.objects.create(
                    device_code_sha256=token_sha256(codes.device_code),
                    user_code_hmac=_code_hmac(codes.user_code),
                    key=key,
                    agent_version=agent_version,
                    network=network,
                    network_provider=network_provider,
                    asked_at=now,
                    not_after=now + LOGIN_LIFE,
                )
        except IntegrityError:
            continue
        return codes
    raise RuntimeError("no free code: the source of chance is broken")


@transaction.atomic
def poll_login(key: AgentKey, *, device_code: str) -> PollAnswer:
    """Return how a login stands, asked by its key, which has signed the device code.

    A device code of another key is answered as one that never was.
    """
    login = _login_of(key, device_code=device_code)
    now = database_now()
    if login is None:
        return PollAnswer(EXPIRED, POLL_INTERVAL_S)
    is_too_fast = login.polled_at is not None and now < login.polled_at + timedelta(
        seconds=login.interval_s
    )
    if is_too_fast:
        login.interval_s = min(login.interval_s + SLOWER_BY_S, INTERVAL_S_MAX)
    login.polled_at = now
    login.proved_at = login.proved_at or now
    login.save(update_fields=("interval_s", "polled_at", "proved_at"))
    is_over = login.state == KeyLogin.State.PENDING and now > login.not_after
    return PollAnswer(EXPIRED if is_over else login.state, login.interval_s, is_too_fast)


def find_login(user_code: str) -> KeyLogin | None:
    """Return the open login of a code that a person typed, or None.

    Its key has proved that it asked. Dashes, blanks and small letters do no harm.
    """
    typed = "".join(each for each in user_code.upper() if each.isalpha())
    return _open_logins().filter(user_code_hmac=_code_hmac(typed)).first()


def find_login_by_id(login_id: str) -> KeyLogin | None:
    """Return an open login that a person found by its code before, or None."""
    return _open_logins().filter(pk=login_id).first()


@transaction.atomic
def decide_login(login: KeyLogin, user: User, *, approve: bool) -> bool:
    """Approve or deny an open login, and return whether it was still open.

    Raises KeyRefusedError.
    """
    locked = _open_logins().select_for_update(of=("self",)).filter(pk=login.pk).first()
    if locked is None:
        return False
    if approve:
        claim_key(locked.key, user)
    locked.state = KeyLogin.State.APPROVED if approve else KeyLogin.State.DENIED
    locked.save(update_fields=("state",))
    return True


def as_shown(user_code: str) -> str:
    """Return a code as people read it: in two halves."""
    half = CODE_CHARACTERS // 2
    return f"{user_code[:half]}-{user_code[half:]}"


def _login_of(key: AgentKey, *, device_code: str) -> KeyLogin | None:
    logins = KeyLogin.objects.select_for_update().filter(pk=token_sha256(device_code), key=key)
    return logins.first()


def _open_logins() -> QuerySet[KeyLogin]:
    return KeyLogin.objects.select_related("key").filter(
        state=KeyLogin.State.PENDING, proved_at__isnull=False, not_after__gte=database_now()
    )


def _new_user_code() -> str:
    return "".join(secrets.choice(CONSONANTS) for _ in range(CODE_CHARACTERS))


def _code_hmac(user_code: str) -> str:
    return salted_hmac("fsyncmark.user-code", user_code, algorithm="sha256").hexdigest()

"""Servers without one of their guards of keys, of what keys state, and of agents."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from unittest import mock

from django.db import connection
from django.db.models import QuerySet

from apps.accounts import attempts, services
from apps.accounts.clock import database_now
from apps.accounts.linking import claim_links, logins
from apps.accounts.models import AgentKey, Attempt, ClaimLink, KeyLogin, token_sha256
from apps.accounts.selectors import keys_by_id
from apps.accounts.services import release_key
from apps.intake import opening
from apps.intake.services.accept import AcceptedUpload
from apps.pages.account import link_views
from apps.runs.models import Run
from apps.wire.statements import read_rotation
from tests.attacks.weakened import changed, void
from tests.support.sent import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager as Server
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from apps.accounts.attempts import AttemptLimit
    from apps.accounts.linking.claim_links import LinkState

LINKS = "apps.accounts.linking.claim_links"
LOGINS = "apps.accounts.linking.logins"
STATEMENTS = "apps.intake.services.key_statements"
END_OF_TIME = datetime(2999, 1, 1, tzinfo=UTC)
SECONDS_MAX = 30  # that threads wait for each other


def _links_as_if(change: Callable[[ClaimLink], None]) -> Server[None]:
    state_of = claim_links._state_of

    def state(link: ClaimLink) -> LinkState:
        seen = ClaimLink.objects.select_related("key").get(pk=link.pk)
        change(seen)
        return state_of(seen)

    return changed((f"{LINKS}._state_of", state))


def with_links_used_again() -> Server[None]:
    """A claim link is good as often as somebody opens it."""
    return _links_as_if(lambda link: setattr(link, "used_at", None))


def with_links_for_ever() -> Server[None]:
    """No claim link is too old."""
    return _links_as_if(lambda link: setattr(link, "not_after", END_OF_TIME))


def with_links_of_any_key() -> Server[None]:
    """A claim link does not look whether its key is free; whoever claims it still does."""
    return _links_as_if(lambda link: setattr(link.key, "state", AgentKey.State.ANONYMOUS))


def with_secrets_stored() -> Server[None]:
    """The database holds tokens and codes as they are."""
    return changed(
        (f"{LINKS}.token_sha256", lambda token: token),
        (f"{LOGINS}.token_sha256", lambda token: token),
        (f"{LOGINS}._code_hmac", lambda code: code),
    )


def with_links_for_whoever_sends() -> Server[None]:
    """Public bytes prove that who sends them again made them."""
    return changed(("apps.intake.views.is_envelope_public", lambda _: False))


def with_old_bytes_taken_for_new() -> Server[None]:
    """Bytes without a run have never had one."""

    def has_run(run_id: UUID) -> bool:
        return Run.objects.filter(pk=run_id).exists()

    return changed(("apps.intake.views.is_envelope_public", has_run))


def with_any_bytes_under_an_id() -> Server[None]:
    """Other bytes under the id of a run are taken for the run itself."""

    def same(stored: Any, **_: object) -> Any:
        return AcceptedUpload(upload=stored, is_new=False)

    return changed(("apps.intake.services.accept._same_bytes", same))


def with_several_links_of_a_run() -> Server[None]:
    """A new claim link leaves the one before: that moves away, as a run has one row."""

    def leave(*, key: AgentKey, run_id: UUID) -> str | None:
        ClaimLink.objects.filter(run_id=run_id).update(run_id=uuid7())
        return claim_links.new_claim_link(key=key, run_id=run_id)

    return changed(("apps.intake.views.new_claim_link", leave))


@contextlib.contextmanager
def without_locks(people: int) -> Iterator[None]:
    """Rows that are about to change are read without a lock, by everybody at once."""
    all_have_read = threading.Barrier(people, timeout=SECONDS_MAX)

    def read(key: AgentKey) -> AgentKey:
        found = AgentKey.objects.get(pk=key.pk)
        all_have_read.wait()
        return found

    with (
        mock.patch.object(QuerySet, "select_for_update", lambda rows, **_: rows.all()),
        mock.patch.object(services, "_locked", read),
    ):
        yield


def with_rotations_released() -> Server[None]:
    """Who takes a rotation back gives both of its keys up."""
    return changed(("apps.pages.account.link_views.undo_rotation", release_key))


def with_addresses_that_press() -> Server[None]:
    """Who opens a page presses its button; the address fills in its form."""
    return changed(
        ("apps.pages.account.link_views.pressed", lambda request: request.POST or request.GET)
    )


def without_sign_in() -> Server[None]:
    """Who is not signed in passes for somebody who is, just now."""
    required = "allauth.account.internal.flows.reauthentication.is_reauthentication_required"
    return changed(
        ("django.contrib.auth.models.AnonymousUser.is_authenticated", True),
        ("django.contrib.auth.models.AnonymousUser.is_anonymous", False),
        (required, lambda *_, **__: False),
    )


def without_signing_in_again() -> Server[None]:
    """A session of yesterday is as good as one of a minute ago."""
    required = "allauth.account.internal.flows.reauthentication.is_reauthentication_required"
    return changed((required, lambda *_, **__: False))


def without_rules_for_pages_of_people() -> Server[None]:
    """Pages of accounts and links are kept by caches, and told to other sites, as any page is."""

    def answer(middleware: Any, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = middleware.get_response(request)
        return response

    return changed(("apps.config.middleware.AccountPagesMiddleware.__call__", answer))


def without_attempt_limits() -> Server[None]:
    """Anything may be tried without end."""
    return changed(
        ("apps.pages.account.link_views.count_attempt", lambda *_: []),
        (f"{STATEMENTS}.count_attempt", lambda *_: []),
    )


def with_attempts_counted_by(whose: str) -> Server[None]:
    """Attempts on codes and links are counted for a `user` alone, or for a `network` alone."""
    senders = link_views._senders

    def some(request: Any, limit: AttemptLimit) -> dict[str, AttemptLimit]:
        every = senders(request, limit)
        return {by: limit for by in every if by.startswith(f"{whose}:")}

    return changed(("apps.pages.account.link_views._senders", some))


@contextlib.contextmanager
def with_attempts_looked_at_first(guesses: int) -> Iterator[None]:
    """An attempt is stored once it has passed, so that all at once pass."""
    all_have_looked = threading.Barrier(guesses, timeout=SECONDS_MAX)
    count = attempts.count_attempt

    def look(kind: str, limits: Any) -> list[int]:
        passed = count(kind, limits)
        all_have_looked.wait()
        rows = [Attempt(kind=kind, by=by, at=database_now()) for by in limits]
        Attempt.objects.get_queryset().bulk_create(rows)
        return passed

    with (
        mock.patch.object(attempts, "_stored", return_value=[]),
        mock.patch.object(attempts, "count_attempt", look),
    ):
        yield


def with_undos_for_ever() -> Server[None]:
    """The address in a mail takes back each later claim too."""
    return changed(("apps.accounts.mail._claimed_at", lambda _: 0.0))


def with_anybodys_signature() -> Server[None]:
    """What our secret should have signed is believed as it is."""
    return changed(
        (
            "django.core.signing.Signer.unsign",
            lambda signer, text: text.rsplit(signer.sep, 1)[0],
        )
    )


def _open_logins_of(**conditions: Any) -> Server[None]:
    def found() -> QuerySet[KeyLogin]:
        wanted = {
            "state": KeyLogin.State.PENDING, "proved_at__isnull": False,
            "not_after__gte": database_now(),
        } | conditions  # fmt: skip
        rows = KeyLogin.objects.select_related("key")
        return rows.filter(**{name: each for name, each in wanted.items() if each is not ...})

    return changed((f"{LOGINS}._open_logins", found))


def with_unproved_logins() -> Server[None]:
    """A login can be approved before its key has signed."""
    return _open_logins_of(proved_at__isnull=...)


def with_decided_logins() -> Server[None]:
    """A login can be approved again."""
    return _open_logins_of(state=...)


def with_expired_logins() -> Server[None]:
    """A login can be approved at any time."""
    return _open_logins_of(not_after__gte=...)


def with_logins_of_any_key() -> Server[None]:
    """Whoever has a device code asks about its login, and proves it."""
    return changed(
        (
            f"{LOGINS}._login_of",
            lambda _key, *, device_code: KeyLogin.objects.filter(
                pk=token_sha256(device_code)
            ).first(),
        )
    )


def with_user_codes_for_devices() -> Server[None]:
    """What a person types is also the secret of the agent."""
    return changed(
        (
            f"{LOGINS}._login_of",
            lambda _key, *, device_code: logins.find_login(device_code),
        )
    )


def without_signer_checks() -> Server[None]:
    """A key asks in the name of any key; its own logins are still all that it finds."""
    return changed((f"{STATEMENTS}._check_signer", lambda *_: None))


def with_logins_of_no_session() -> Server[None]:
    """A press is for whatever login is open, whoever typed its code."""
    return changed(
        ("apps.pages.account.link_views.find_login_by_id", lambda _: logins._open_logins().first())
    )


def with_polls_at_any_time() -> Server[None]:
    """Nobody asks too soon."""

    def poll(key: AgentKey, *, device_code: str) -> logins.PollAnswer:
        return replace(logins.poll_login(key, device_code=device_code), is_too_fast=False)

    return changed((f"{STATEMENTS}.poll_login", poll))


def without_owner_checks() -> Server[None]:
    """A key of somebody else can be claimed."""
    return changed(("apps.accounts.services._check_is_nobodys", lambda *_, **__: None))


def with_dead_keys_of_people() -> Server[None]:
    """A key that is revoked or rotated can be claimed, and rotated again."""
    return changed(("apps.accounts.services._check_in_use", void))


def with_dead_keys_that_sign() -> Server[None]:
    """A key that is revoked or rotated signs on."""
    return changed(("apps.intake.opening.check_in_use", void))


def with_dead_keys_that_log_in() -> Server[None]:
    """A key that is revoked or rotated asks for a login."""
    return changed((f"{STATEMENTS}.check_in_use", void))


@contextlib.contextmanager
def with_successors_of_several() -> Iterator[None]:
    """A key stands in for many: neither the code nor the table says that it cannot."""
    table = AgentKey._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        found = connection.introspection.get_constraints(cursor, table)
        (name,) = (
            name
            for name, each in found.items()
            if each["unique"] and each["columns"] == ["replaced_by_id"]
        )
        cursor.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')  # until the rollback
    with changed(("apps.accounts.services._check_succeeds_nobody", lambda *_, **__: None)):
        yield


def with_claims_since(moment: datetime) -> Server[None]:
    """A key that stands in for another was claimed when that one was."""
    return changed(("apps.accounts.services.database_now", lambda: moment))


def with_enrolments_that_begin_anew() -> Server[None]:
    """Who enrols a key again has a new one."""

    def enrol(*, keyid: str, public_key: bytes) -> tuple[AgentKey, bool]:
        fresh = {"public_key": public_key, "state": AgentKey.State.ANONYMOUS}
        return AgentKey.objects.update_or_create(keyid=keyid, defaults=fresh)

    return changed(("apps.intake.key_views.enrol_key", enrol))


def with_rotations_by_anybody() -> Server[None]:
    """Any signature rotates the keys that a statement names."""

    def opened(raw: bytes, **_: object) -> tuple[bytes, dict[str, AgentKey]]:
        payload = opening._read(raw, payload_bytes_max=10_000).payload
        named = read_rotation(payload)
        return payload, keys_by_id([named.old, named.new])

    return changed((f"{STATEMENTS}.open_rotation", opened))


def without_server_names() -> Server[None]:
    """What was signed for another server counts here."""
    return changed((f"{STATEMENTS}._check_server", lambda *_: None))


def without_addresses_in_statements() -> Server[None]:
    """A statement counts for what it names, wherever it was sent."""
    return changed((f"{STATEMENTS}._check_address", lambda *_, **__: None))


def with_statements_of_any_key() -> Server[None]:
    """Any enrolled key states what it likes of any run."""
    return changed((f"{STATEMENTS}.stands_in", lambda *_, **__: True))


def with_statements_of_any_time() -> Server[None]:
    """An old statement counts as a new one does, and one of the future too."""
    return changed((f"{STATEMENTS}._check_is_news", lambda *_, **__: None))


def without_times_in_statements() -> Server[None]:
    """Nobody looks at when a statement says that it was made."""
    return changed(("apps.wire.statements._issued_at", lambda _: time.time_ns()))


def with_texts_as_sent() -> Server[None]:
    """A text of a statement is shown as it came, cut to what the table holds."""
    return changed(
        ("apps.wire.statements._text", lambda members, name, *, most: str(members[name])[:most])
    )


def with_deleted_runs_anew() -> Server[None]:
    """The id of a deleted run is free."""
    return changed(
        ("apps.intake.services.accept.refuse_deleted", void),
        ("apps.intake.services.challenges.refuse_deleted", void),
    )


def with_bytes_of_deleted_runs() -> Server[None]:
    """A deleted run keeps its bytes, and with them its place."""
    return changed(("apps.runs.rulings._delete_bytes", void))

"""Writes about keys and people: whose a key is, and whether it is still believed.

Whoever keeps rows about the runs of a key hears of it by `keys_changed`, in the same transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.accounts.clock import database_now
from apps.accounts.mail import tell_owner_of_link
from apps.accounts.models import REASON_CHARACTERS_MAX, AgentKey, KeyEvent, TermsAcceptance
from apps.accounts.signals import keys_changed

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

State = AgentKey.State


class KeyRefusedError(ValueError):
    """What was asked for does not fit the state of a key; `reason` says why."""

    def __init__(self, key: AgentKey, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.reason = reason


SOMEBODY_ELSES = "somebody-elses"  # it has another owner
OUT_OF_USE = "out-of-use"  # revoked or rotated
NOT_A_SUCCESSOR = "not-a-successor"  # it is the same key, or it has replaced another


def enrol_key(*, keyid: str, public_key: bytes) -> tuple[AgentKey, bool]:
    """Return the enrolled key and whether it is new. The same key twice is one key."""
    return AgentKey.objects.get_or_create(keyid=keyid, defaults={"public_key": public_key})


@transaction.atomic
def claim_key(key: AgentKey, user: User) -> AgentKey:
    """Make a key a person's, and tell them by mail; of two at once the second is refused.

    Raises KeyRefusedError.
    """
    locked = _locked(key)
    _check_in_use(locked)
    if locked.owner_id == user.pk:
        return locked
    _check_is_nobodys(locked, but=None)
    locked.owner, locked.claimed_at, locked.state = user, database_now(), State.CLAIMED
    locked.save(update_fields=("owner", "claimed_at", "state"))
    _note(locked, KeyEvent.Kind.CLAIMED, by=user)
    transaction.on_commit(lambda: tell_owner_of_link(locked, user), robust=True)
    return locked


@transaction.atomic
def release_key(key: AgentKey, by: User | None = None) -> AgentKey:
    """Take a key, and those before and after it, from its owner; its runs are their network's."""
    locked = _locked(key)
    if locked.owner_id is None:
        return locked
    for each in (locked, *_rotated_with(locked)):
        each.owner, each.claimed_at, each.name = None, None, ""
        each.state = State.ANONYMOUS if each.state == State.CLAIMED else each.state
        each.save(update_fields=("owner", "claimed_at", "state", "name"))
        _note(each, KeyEvent.Kind.RELEASED, by=by)
    return locked


@transaction.atomic
def revoke_key(
    key: AgentKey, by: User | None, compromised_since: datetime | None, reason: str
) -> KeyEvent:
    """Refuse a key from now on; its runs received since `compromised_since` are in quarantine.

    None: no run is in doubt. Both are by our clock. Of several revocations the earliest day holds.
    """
    locked = _locked(key)
    event = KeyEvent.objects.create(
        key=locked,
        kind=KeyEvent.Kind.REVOKED,
        by=by,
        reason=" ".join(reason.split())[:REASON_CHARACTERS_MAX],
        compromised_since=compromised_since,
    )
    _apply_revocations(locked)
    return event


@transaction.atomic
def restore_key(
    key: AgentKey, by: User | None, reason: str, revocation: int | None = None
) -> AgentKey:
    """Take a revocation back, or all of them: without any the key is believed as before.

    `revocation` is the id of its event.
    """
    locked = _locked(key)
    if locked.state != State.REVOKED:
        return locked
    standing = _revocations_of(locked)
    taken = standing if revocation is None else standing.filter(pk=revocation)
    taken.update(is_taken_back=True)
    KeyEvent.objects.create(key=locked, kind=KeyEvent.Kind.RESTORED, by=by, reason=reason)
    _apply_revocations(locked)
    return locked


@transaction.atomic
def rotate_key(old: AgentKey, new: AgentKey) -> AgentKey:
    """Let a new key stand in for an old one, with its owner, and return the old one.

    The old one keeps its runs and its owner, and signs nothing new. What the new one sent before
    gains nothing. Raises KeyRefusedError.
    """
    pks = sorted({old.pk, new.pk})
    keys = AgentKey.objects.select_for_update(no_key=True).order_by("pk").in_bulk(pks)
    before, after = keys[old.pk], keys[new.pk]
    _check_succeeds_nobody(after, but=before)
    for each in (before, after):
        _check_in_use(each)
    _check_is_nobodys(after, but=before.owner_id)
    owner = before.owner
    if owner is not None and after.owner_id is None:
        after.owner, after.claimed_at = owner, database_now()
        after.state = State.CLAIMED
        after.name = after.name or before.name
        after.save(update_fields=("owner", "claimed_at", "state", "name"))
        _note(after, KeyEvent.Kind.CLAIMED, by=None)
        transaction.on_commit(lambda: tell_owner_of_link(after, owner), robust=True)
    before.state, before.replaced_by = State.ROTATED, after
    before.save(update_fields=("state", "replaced_by"))
    _note(before, KeyEvent.Kind.ROTATED, by=None)
    return before


@transaction.atomic
def undo_rotation(new: AgentKey) -> None:
    """Revoke a key that was linked by a rotation which its owner did not make.

    The old one is as before, with its owner and its runs. The new one, and any that replaced it, is
    nobody's, and what it sent since is in doubt. Undone already, nothing happens.
    """
    pks = [each.pk for each in (new, *_rotated_with(new))]
    list(AgentKey.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"))
    old = AgentKey.objects.filter(replaced_by=new, owner=new.owner_id).first()
    if old is None:
        return
    for each in (_locked(new), *_successors_of(new)):
        since = each.claimed_at
        each.owner, each.claimed_at, each.name = None, None, ""
        each.save(update_fields=("owner", "claimed_at", "name"))
        _note(each, KeyEvent.Kind.RELEASED, by=None)
        revoke_key(each, by=None, compromised_since=since, reason="")
    old.replaced_by = None
    old.save(update_fields=("replaced_by",))
    _apply_revocations(old)


def was_linked_by_rotation(key: AgentKey) -> bool:
    """Whether a key has its owner because it took the place of one of theirs: nobody claimed it."""
    claimed = key.events.filter(kind=KeyEvent.Kind.CLAIMED).first()
    return claimed is not None and claimed.by_id is None and hasattr(key, "replaces")


def accept_terms(user: User, *, version: int) -> None:
    """Keep that a person agreed to a version of the terms; the first time counts."""
    TermsAcceptance.objects.get_or_create(user=user, version=version)


def _check_in_use(key: AgentKey) -> None:
    if key.state in (State.REVOKED, State.ROTATED):
        raise KeyRefusedError(key, OUT_OF_USE)


def _check_is_nobodys(key: AgentKey, *, but: int | None) -> None:
    """Raise KeyRefusedError for the key of another than the person of this id."""
    if key.owner_id not in (None, but):
        raise KeyRefusedError(key, SOMEBODY_ELSES)


def _check_succeeds_nobody(key: AgentKey, *, but: AgentKey) -> None:
    """Raise KeyRefusedError for a key that stands in for one already, or would for itself."""
    if key.pk == but.pk or AgentKey.objects.filter(replaced_by=key).exists():
        raise KeyRefusedError(key, NOT_A_SUCCESSOR)


def _locked(key: AgentKey) -> AgentKey:
    return AgentKey.objects.select_for_update(no_key=True).get(pk=key.pk)


def _note(key: AgentKey, kind: str, *, by: User | None, reason: str = "") -> None:
    """Keep what happened to a key, and tell whoever keeps rows about its runs."""
    KeyEvent.objects.create(key=key, kind=kind, by=by, reason=reason)
    keys_changed.send(sender=AgentKey, keyids=[key.pk])


def _rotated_with(key: AgentKey) -> list[AgentKey]:
    """Return the keys before and after this one, as its owner rotated them."""
    of_owner = AgentKey.objects.filter(owner=key.owner_id)
    found: list[AgentKey] = []
    older: AgentKey | None = key
    while older := of_owner.filter(replaced_by=older).first():
        found.append(older)
    return found + _successors_of(key)


def _successors_of(key: AgentKey) -> list[AgentKey]:
    """Return the keys after this one, as its owner rotated them."""
    found: list[AgentKey] = []
    newest = key
    while newer := AgentKey.objects.filter(pk=newest.replaced_by_id, owner=key.owner_id).first():
        found.append(newer)
        newest = newer
    return found


def _revocations_of(key: AgentKey) -> QuerySet[KeyEvent]:
    return key.events.filter(kind=KeyEvent.Kind.REVOKED, is_taken_back=False)


def _apply_revocations(key: AgentKey) -> None:
    """Set what the revocations of a key that stand make of it, and tell of it."""
    events = list(_revocations_of(key).order_by("pk"))
    days = [each.compromised_since for each in events if each.compromised_since]
    # A moderator's reason stands before its owner's.
    of_staff = [each for each in events if each.by_id not in (None, key.owner_id)]
    key.state = State.REVOKED if events else _state_before_revocation(key)
    key.revoked_at = events[0].at if events else None
    key.compromised_since = min(days, default=None)
    key.revoked_reason = (of_staff or events)[-1].reason if events else ""
    key.save(update_fields=("state", "revoked_at", "compromised_since", "revoked_reason"))
    keys_changed.send(sender=AgentKey, keyids=[key.pk])


def _state_before_revocation(key: AgentKey) -> str:
    if key.replaced_by_id is not None:
        return State.ROTATED
    return State.ANONYMOUS if key.owner_id is None else State.CLAIMED

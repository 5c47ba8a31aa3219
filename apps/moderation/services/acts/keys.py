"""Decisions about a key: revoke it, and grant or withdraw that it is a laboratory's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from apps.accounts.models import AgentKey, KeyEvent
from apps.accounts.services import restore_key, revoke_key
from apps.accounts.signals import keys_changed
from apps.moderation.models import Subject
from apps.moderation.services.acts.act import DecisionError, Done

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order

_WEB_ADDRESS = URLValidator(schemes=["https"])


def revoke(order: Order) -> Done:
    """Revoke a key; runs received since the day that is given go into quarantine.

    Of a key that is revoked already, for an earlier day alone.
    """
    key = _key(order.subject_id)
    since = _moment(order.given.get("compromised_since", ""))
    if key.state == AgentKey.State.REVOKED and not _is_earlier(since, key.compromised_since):
        raise DecisionError(_("The key is revoked already."))
    event = revoke_key(key, order.by, since, order.reason)
    return Done(Subject.KEY, key.keyid, {"event": event.pk})


def undo_revoke(decision: Decision) -> None:
    """Believe the key and its runs as before, but for what others revoked."""
    event = decision.details.get("event")
    restore_key(_key(decision.subject_id), decision.by, decision.reason, event)


def grant_lab(order: Order) -> Done:
    """Say that a key is a laboratory's; its set-up is described at an address."""
    key, url = _key(order.subject_id), order.given.get("setup_url", "").strip()
    try:
        _WEB_ADDRESS(url)
    except ValidationError:
        raise DecisionError(_("A laboratory needs the https address of its set-up.")) from None
    was = key.lab_setup_url
    _set_lab(key, url, order.by, order.reason)
    return Done(Subject.KEY, key.keyid, {"was": was})


def withdraw_lab(order: Order) -> Done:
    """Say that a key is no laboratory's any more."""
    key = _key(order.subject_id)
    if not key.lab_setup_url:
        raise DecisionError(_("The key is no laboratory's."))
    was = key.lab_setup_url
    _set_lab(key, "", order.by, order.reason)
    return Done(Subject.KEY, key.keyid, {"was": was})


def undo_lab(decision: Decision) -> None:
    """Give the key the address of its set-up back that it had before."""
    _set_lab(_key(decision.subject_id), decision.details["was"], decision.by, decision.reason)


def _set_lab(key: AgentKey, url: str, by: User | None, reason: str) -> None:
    key.lab_setup_url = url
    key.save(update_fields=("lab_setup_url",))
    kind = KeyEvent.Kind.LAB_GRANTED if url else KeyEvent.Kind.LAB_WITHDRAWN
    KeyEvent.objects.create(key=key, kind=kind, by=by, reason=reason)
    keys_changed.send(sender=AgentKey, keyids=[key.pk])


def _key(keyid: str) -> AgentKey:
    key = AgentKey.objects.filter(pk=keyid).first()
    if key is None:
        raise DecisionError(_("There is no such key."))
    return key


def _is_earlier(since: datetime | None, other: datetime | None) -> bool:
    """Whether a day puts more runs in doubt than another; None puts none."""
    return since is not None and (other is None or since < other)


def _moment(text: str) -> datetime | None:
    """Return the beginning of a day that a form gave, or None where it gave none."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise DecisionError(_("Write the day as 2026-11-26.")) from None

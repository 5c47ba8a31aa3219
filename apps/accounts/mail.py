"""Mails about keys, plain text in the language of the page that caused them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from django.contrib.auth.models import User

UNLINK_DAYS: Final = 30  # in which the link of the mail takes a key back
_SALT: Final = "fsyncmark.unlink"


def tell_owner_of_link(key: AgentKey, user: User) -> None:
    """Tell a person that a key was linked with their account, and how to take that back."""
    context = {
        "key": key,
        "unlink_url": settings.SITE_URL + reverse("pages:unlink", args=[unlink_token(key)]),
        "days": UNLINK_DAYS,
    }
    send_mail(
        f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}"
        + render_to_string("accounts/key_linked_subject.txt", context).strip(),
        render_to_string("accounts/key_linked.txt", context),
        None,
        [user.email],
    )


def unlink_token(key: AgentKey) -> str:
    """Return what lets who has the mail take this link of a key back, and no later one."""
    assert key.claimed_at is not None, "only a linked key is taken back"
    return signing.dumps([key.pk, key.claimed_at.timestamp()], salt=_SALT)


def key_to_unlink(token: str) -> AgentKey | None:
    """Return the key that a token takes back; None: it is no token, too old, or used."""
    try:
        keyid, claimed_at = signing.loads(token, salt=_SALT, max_age=UNLINK_DAYS * 86_400)
    except signing.BadSignature:
        return None
    key = AgentKey.objects.filter(pk=keyid, owner__isnull=False).first()
    is_same = key is not None and key.claimed_at and key.claimed_at.timestamp() == claimed_at
    return key if is_same else None

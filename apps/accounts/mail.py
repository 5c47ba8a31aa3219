"""Mails about keys, plain text in the language of the page that caused them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from django.contrib.auth.models import User

UNLINK_DAYS: Final = 30  # in which the link of the mail takes a key back
_SALT: Final = "fsyncmark.unlink"


def tell_owner_of_link(key: AgentKey, user: User) -> None:
    """Tell a person that a key was linked with their account, and how to take that back."""
    address = settings.SITE_URL + reverse("pages:unlink", args=[unlink_token(key)])
    sentences = (
        _("The key %(key)s and its runs are on your account now.") % {"key": key},
        _("If this was not you, take it back within %(days)s days:") % {"days": UNLINK_DAYS},
    )
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("a key was linked with your account")
    send_mail(subject, "\n\n".join((*sentences, address)) + "\n", None, [user.email])


def unlink_token(key: AgentKey) -> str:
    """Return what lets who has the mail take this link of a key back, and no later one."""
    return signing.dumps([key.pk, _claimed_at(key)], salt=_SALT)


def key_to_unlink(token: str) -> AgentKey | None:
    """Return the key that a token takes back; None: it is no token, too old, or used."""
    try:
        keyid, claimed_at = signing.loads(token, salt=_SALT, max_age=UNLINK_DAYS * 86_400)
    except signing.BadSignature:
        return None
    key = AgentKey.objects.filter(pk=keyid, owner__isnull=False).first()
    return key if key is not None and _claimed_at(key) == claimed_at else None


def _claimed_at(key: AgentKey) -> float:
    """Return the second at which a key was linked, to the microsecond; 0 where it is not."""
    return key.claimed_at.timestamp() if key.claimed_at else 0.0

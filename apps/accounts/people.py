"""Writes about people: when they were first verified, and a change of their mail address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import (
    EMAIL_CHANGE_WAIT,
    EmailChange,
    Person,
    new_token,
    token_sha256,
)

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser, User


class NoSuchChangeError(LookupError):
    """The change was stopped, finished or replaced meanwhile."""


class AddressTakenError(Exception):
    """Somebody else verified the address while the old one was asked."""


def mark_verified(user: AbstractBaseUser) -> None:
    """Keep when an address, or the account of another provider, was first verified."""
    person, _ = Person.objects.get_or_create(user=user)
    Person.objects.filter(pk=person.pk, verified_at=None).update(verified_at=timezone.now())


def has_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether a sign-in of this person asks for more than a password."""
    return bool(is_mfa_enabled(user))


def verified_address(user: AbstractBaseUser) -> str:
    """Return the address that is verified; empty where none is."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary").first()
    return found.email if found else ""


def ask_old_address(user: AbstractBaseUser, new: str) -> str:
    """Keep a verified new address until the old one has spoken, and return the token for its mail.

    A later wish replaces an earlier one, and with it the token.
    """
    token = new_token()
    EmailChange.objects.update_or_create(
        user=user,
        defaults={
            "email": new.lower(), "token_sha256": token_sha256(token), "asked_at": timezone.now(),
        },
    )  # fmt: skip
    return token


def find_email_change(token: str) -> EmailChange | None:
    """Return the change that a mail to the old address is about."""
    found = EmailChange.objects.select_related("user").filter(token_sha256=token_sha256(token))
    return found.first()


def free_email_change(user: AbstractBaseUser) -> EmailChange | None:
    """Return the change that waited long enough for the old address, or None."""
    until = timezone.now() - EMAIL_CHANGE_WAIT
    return EmailChange.objects.filter(user_id=user.pk, asked_at__lte=until).first()


@transaction.atomic
def finish_email_change(change: EmailChange) -> str:
    """Make the new address the only one, and return the old one.

    Raises NoSuchChangeError, AddressTakenError.
    """
    if not _hold(change):
        raise NoSuchChangeError(change)
    user: User = change.user
    old = verified_address(user)
    taken = EmailAddress.objects.filter(email=change.email, verified=True).exclude(user=user)
    change.delete()
    if taken.exists():
        raise AddressTakenError(change.email)
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=change.email, verified=True, primary=True)
    user.email = change.email
    user.save(update_fields=["email"])
    return old


def stop_email_change(change: EmailChange) -> None:
    """Forget the new address: the account stays with the old one. Raises NoSuchChangeError."""
    same = EmailChange.objects.filter(pk=change.pk, token_sha256=change.token_sha256)
    if not same.delete()[0]:
        raise NoSuchChangeError(change)


def _hold(change: EmailChange) -> bool:
    """Lock a change, and return whether it is still the one that was found."""
    same = EmailChange.objects.filter(pk=change.pk, token_sha256=change.token_sha256)
    return same.select_for_update().first() is not None

"""Registers the app: people and the keys of their agents."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app of people and the keys of their agents."""

    name = "apps.accounts"
    label = "accounts"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed, user_signed_up  # noqa: PLC0415  they need the apps that are being loaded
        from allauth.socialaccount.signals import social_account_added  # noqa: PLC0415  as above

        email_confirmed.connect(note_address, dispatch_uid="note-address")
        user_signed_up.connect(note_provider, dispatch_uid="note-provider-of-new")
        social_account_added.connect(note_provider, dispatch_uid="note-provider")


def note_address(*, email_address: Any, **_: Any) -> None:
    """An address was verified."""
    from apps.accounts.people import mark_verified  # noqa: PLC0415  it needs the apps that are loaded

    mark_verified(email_address.user)


def note_provider(*, sociallogin: Any = None, **_: Any) -> None:
    """An account of another provider belongs to a person now."""
    from apps.accounts.people import mark_verified  # noqa: PLC0415  it needs the apps that are loaded

    if sociallogin is not None:
        mark_verified(sociallogin.user)

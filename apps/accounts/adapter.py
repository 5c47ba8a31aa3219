"""What allauth leaves to us: whose address a request has, and what a new person is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import DefaultAccountAdapter
from django.utils.crypto import get_random_string

from apps.accounts.networks import client_address

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpRequest

NAME_CHARACTERS = 12  # of 36 letters and digits: 62 bits


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts of this site."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that limits of sign-ins count by, behind our own proxies."""
        return client_address(request)

    def populate_username(self, _request: HttpRequest, user: User) -> None:
        """Give a random name: one made of the mail address would tell it to others."""
        user.username = f"person-{get_random_string(NAME_CHARACTERS).lower()}"

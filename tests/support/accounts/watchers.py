"""People who watch plans, without the way through the forms that made them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.services import accept_terms
from apps.accounts.terms import TERMS_VERSION
from apps.watches.services import begin_watch

if TYPE_CHECKING:
    from apps.plans.models import Plan
    from apps.watches.models import Watch

_places = count(1)


def today() -> date:
    return datetime.now(tz=UTC).date()


def tomorrow() -> date:
    return today() + timedelta(days=1)


def watcher(*, verified: bool = True, agreed: bool = True) -> User:
    """Return somebody with an address, verified or not."""
    address = f"watcher-{next(_places)}@example.org"
    user = User.objects.create(username=address, email=address, password="!")
    EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)
    if agreed:
        accept_terms(user, version=TERMS_VERSION)
    return user


def browser_of(user: User, **more: bool) -> Client:
    """Return a browser in which somebody is signed in."""
    client = Client(**more)  # type: ignore[arg-type]  # its options are booleans
    client.force_login(user)
    return client


def watch(user: User, plan: Plan, language: str = "en") -> Watch:
    return begin_watch(user, plan, language=language, today=today())

"""People who work at the desk, and what waits there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from apps.moderation.models import Report, Subject
from apps.moderation.roles import MODERATOR
from apps.moderation.services.reports import NewReport, store_report
from tests.support.accounts.people import add_totp, make_person

if TYPE_CHECKING:
    from django.contrib.auth.models import User

REASON: Final = "The figures cannot be of this machine."


@pytest.fixture
def moderator(db: None) -> User:
    """Somebody who decides, with a second factor."""
    return make_staff()


def make_staff(role: str = MODERATOR, *, second_factor: bool = True) -> User:
    """Return somebody of a role, with a second factor or without."""
    user = make_person()
    user.groups.add(Group.objects.get(name=role))
    if second_factor:
        add_totp(user)
    return user


def at_desk(user: User) -> Client:
    """Return a browser in which somebody is signed in."""
    client = Client()
    client.force_login(user)
    return client


def make_report(subject: Subject = Subject.RUN, subject_id: str = "", **changes: str) -> str:
    """Store a report and return the token of its private address."""
    fields = {
        "kind": Report.Kind.REPORT.value,
        "text": "This cannot be.",
        "email": "",
        "language": "en",
        "network": "4" * 32,
        **changes,
    }
    return store_report(NewReport(subject=subject, subject_id=subject_id, **fields))

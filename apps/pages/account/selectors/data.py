"""Everything that is kept of a person, as they may have it: no secret of theirs is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession

from apps.accounts.models import (
    AgentKey,
    EmailChange,
    MachineName,
    Person,
    PublicName,
    RunNote,
    TermsAcceptance,
    Ticket,
)
from apps.accounts.selectors import key_events_of
from apps.pages.account.selectors.runs import uploads_of
from apps.runs.models import RunRuling
from apps.runs.trust.ownership import runs_of_account
from apps.watches.models import Watch

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

Json = dict[str, Any]


def data_of(user: User) -> Json:
    """Return what is stored of a person and of what is theirs, as values of JSON or times."""
    keys = AgentKey.objects.filter(owner=user)
    uploads = uploads_of(user)
    return {
        "account": _account(user),
        "addresses": _rows(
            EmailAddress.objects.filter(user=user), "email", "verified", "primary"
        ),
        "address_change": _rows(EmailChange.objects.filter(user=user), "email", "asked_at"),
        "public_names": _rows(PublicName.objects.filter(user=user), "name", "held_until"),
        "terms": _rows(TermsAcceptance.objects.filter(user=user), "version", "accepted_at"),
        "connected_accounts": _rows(
            SocialAccount.objects.filter(user=user),
            "provider", "uid", "extra_data", "date_joined", "last_login",
        ),
        "second_factors": _rows(
            Authenticator.objects.filter(user=user), "type", "created_at", "last_used_at"
        ),
        "sessions": _rows(
            UserSession.objects.filter(user=user), "ip", "user_agent", "created_at", "last_seen_at"
        ),
        "keys": _rows(
            keys, "keyid", "name", "state", "first_seen", "claimed_at", "revoked_at",
            "compromised_since", "revoked_reason",
        ),
        "key_events": _rows(key_events_of(user), "key_id", "kind", "at", "reason"),
        "machines": _rows(MachineName.objects.filter(user=user), "machine", "name"),
        "uploads": _rows(uploads, "run_id", "key_id", "received_at", "network_provider"),
        "runs": _rows(
            runs_of_account(user.pk), "slug", "level", "measured_at", "machine"
        ),
        "rulings": _rows(
            RunRuling.objects.filter(run_id__in=uploads.values("run_id")),
            "run_id", "kind", "reason", "at",
        ),
        "watches": _rows(Watch.objects.filter(user=user), "plan_id", "language", "began_at"),
        "tickets": _rows(
            Ticket.objects.filter(user=user),
            "plan", "region", "made_at", "not_after", "key_id", "run_id", "used_at",
        ),
        "notes": _rows(RunNote.objects.filter(user=user), "run_id", "text"),
    }  # fmt: skip


def _account(user: User) -> Json:
    person = Person.objects.filter(user=user).first()
    return {
        "name": user.username,
        "email": user.email,
        "joined_at": user.date_joined,
        "last_sign_in_at": user.last_login,
        "verified_at": person.verified_at if person else None,
        "roles": list(user.groups.order_by("name").values_list("name", flat=True)),
    }


def _rows(rows: QuerySet[Any], *fields: str) -> list[Json]:
    return list(rows.order_by("pk").values(*fields))

"""The privacy page says what the tables hold: every column about somebody has its row there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.apps import apps
from django.conf import settings

from apps.accounts.attempts import KEPT as ATTEMPTS_KEPT
from apps.accounts.linking.logins import LOGINS_KEPT
from apps.accounts.models import CLAIM_LINK_LIFE
from apps.intake.services.challenges import LIFETIME_MAX
from apps.intake.services.forgetting import (
    ADDRESS_CHANGES_KEPT,
    CHALLENGES_KEPT,
    REPORT_NETWORKS_KEPT,
)
from apps.interest.services import COUNTED_ONCE_IN
from apps.interest.services import KEPT as INTEREST_KEPT
from apps.moderation.services.reports import BIN_LIFE
from apps.runs.rules.history import CHALLENGES_PERIOD
from tests.docs.test_method_in_chinese import drift

if TYPE_CHECKING:
    from django.db.models import Field

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = (DOCS / "privacy.md").read_text("utf-8")
SECURITY: Final = (DOCS.parent / "SECURITY.md").read_text("utf-8")
ROWS: Final = {
    re.sub(r"[*]", "", name).strip(): (why.strip(), kept.strip())
    for name, why, kept in re.findall(r"^\| (\S.*?) \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)
}
# Columns that are about a person, a network or a machine, by the words in their names.
ABOUT_SOMEBODY: Final = re.compile(
    r"(?:^|_)(?:e?mail|ip|user|owner|by|network|uploader|machine|address|agent|uid|session|token"
    r"|sha256|hmac|note|text|envelope|payload|content)(?:_|$)"
)
# The table of each such column and the row that is about it; a new table needs one, or a reason.
TABLES: Final = {
    "auth.User": "The account",
    "account.EmailAddress": "The account",
    "account.EmailConfirmation": "The account",
    "mfa.Authenticator": "The account",
    "socialaccount.SocialAccount": "The account",
    "socialaccount.SocialToken": "The account",
    "usersessions.UserSession": "Sessions",
    "sessions.Session": "Sessions",
    "accounts.Person": "The account",
    "accounts.TermsAcceptance": "Agreement",
    "accounts.AgentKey": "Your keys",
    "accounts.KeyEvent": "Your keys",
    "accounts.MachineName": "Your keys",
    "accounts.RunNote": "Your keys",
    "accounts.PublicName": "A public name",
    "accounts.Ticket": "Tickets",
    "accounts.EmailChange": "A change of address",
    "accounts.ClaimLink": "Codes",
    "accounts.KeyLogin": "Codes",
    "accounts.Attempt": "Attempts",
    "watches.Watch": "Watches",
    "intake.Challenge": "Challenges",
    "intake.OutputReading": "Attempts",
    "runs.Upload": "The signed bytes",
    "runs.Run": "The machine",
    "runs.Tombstone": "A tombstone",
    "runs.CloudProof": "Identity documents",
    "runs.CloudInstance": "Identity documents",
    "runs.ImportedFile": "Outputs",
    "runs.UploaderMerge": "The network",
    "moderation.BinnedRun": "The bin",
    "moderation.Report": "The report",
    "moderation.Decision": "The report",
}
OF_NOBODY: Final = {
    "admin.LogEntry": "what staff did in the admin",
    "auth.User_groups": "roles of staff",
    "auth.User_user_permissions": "roles of staff",
    "auth.Permission": "names of rights",
    "drives.LadderClass": "text of the catalogue",
    "contenttypes.ContentType": "names of tables",
    "plans.Provider": "a provider signs its note",
    "plans.Price": "a price list",
    "runs.Citation": "of an article",
}


def rows_about(name: str) -> list[tuple[str, str]]:
    return [row for title, row in ROWS.items() if title.startswith(name)]


def is_about_somebody(field: Field[object, object]) -> bool:
    return bool(ABOUT_SOMEBODY.search(field.name))


def test_every_table_about_somebody_has_its_row() -> None:
    found = {
        f"{model._meta.app_label}.{model._meta.object_name}"
        for model in apps.get_models(include_auto_created=True)
        if any(map(is_about_somebody, model._meta.concrete_fields))
    }
    assert found - set(TABLES) - set(OF_NOBODY) == set()
    for table, name in TABLES.items():
        assert rows_about(name), f"{table}: docs/privacy.md has no row {name!r}"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Daily totals", f"{INTEREST_KEPT.days} days"),
        ("A short hash", f"{COUNTED_ONCE_IN.total_seconds() / 3600:.0f} hour"),
        ("Challenges", f"{CHALLENGES_KEPT.days} days"),
        ("Codes", f"codes {LOGINS_KEPT.days} day, links {CLAIM_LINK_LIFE.days} days"),
        ("Attempts", f"{ATTEMPTS_KEPT.total_seconds() / 3600:.0f} hour"),
        ("The bin", f"{BIN_LIFE.days} days"),
        ("Sessions", f"{settings.SESSION_COOKIE_AGE // 86_400} days"),
        ("A change of address", f"{ADDRESS_CHANGES_KEPT.days} days"),
        ("The network of a report", f"{REPORT_NETWORKS_KEPT.days} days"),
    ],
)
def test_the_time_on_the_page_is_the_time_in_the_code(name: str, kept: str) -> None:
    (row,) = rows_about(name)
    assert kept in row[1]


def test_no_challenge_is_forgotten_while_it_counts() -> None:
    assert CHALLENGES_KEPT > CHALLENGES_PERIOD
    assert CHALLENGES_KEPT > 2 * LIFETIME_MAX


def test_the_page_and_security_md_say_that_the_envelope_holds_the_machine() -> None:
    assert "The signed envelope does hold the pseudonym" in PAGE
    assert "signed envelope that the sender agreed to publish holds it" in " ".join(
        SECURITY.split()
    )
    assert "on no page and in no export. Nothing is sent" not in " ".join(SECURITY.split())


def test_both_languages_say_the_same() -> None:
    for name in ("privacy", "terms"):
        english = (DOCS / f"{name}.md").read_text("utf-8")
        chinese = (DOCS / f"{name}.zh-hans.md").read_text("utf-8")
        assert drift(english, chinese) == []

"""Terms, privacy and imprint in both languages; new terms are asked about."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import TermsAcceptance
from apps.accounts.terms import TERMS_VERSION
from apps.pages.legal import views
from tests.support.accounts.watchers import browser_of, watcher

pytestmark = pytest.mark.django_db
LANGUAGES = ("", "/zh-hans")


@pytest.mark.parametrize("prefix", LANGUAGES)
@pytest.mark.parametrize("name", ["terms", "privacy", "imprint"])
def test_each_is_there_and_every_page_leads_to_it(client: Client, prefix: str, name: str) -> None:
    page = client.get(f"{prefix}/{name}/")
    assert page.status_code == 200
    assert not page.cookies
    assert f'href="{prefix}/{name}/"' in client.get(f"{prefix}/about/").text


def test_each_language_has_its_own_text(client: Client) -> None:
    for name in ("terms", "privacy"):
        page = client.get(f"/zh-hans/{name}/").text
        assert "English only" not in page
        assert re.search(r'<article[^>]* lang="zh-hans">', page)


def test_each_version_of_the_terms_stays_readable(client: Client) -> None:
    for version in range(1, TERMS_VERSION + 1):
        assert f"Version {version}" in client.get(f"/terms/{version}/").text
    for version in (0, TERMS_VERSION + 1, 10**30):
        assert client.get(f"/terms/{version}/").status_code == 404


def test_an_earlier_version_says_that_it_is_over(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "terms.md").write_text("# Terms\n\n## New\n\nNew words.\n")
    (tmp_path / "docs" / "terms.1.md").write_text("# Terms\n\n## Old\n\nOld words.\n")
    settings.BASE_DIR = tmp_path
    monkeypatch.setattr(views, "TERMS_VERSION", 2)
    old, new = client.get("/terms/1/").text, client.get("/terms/").text
    assert "Old words." in old
    assert "no longer in force" in old
    assert '<meta name="robots" content="noindex">' in old
    assert "New words." in new
    assert "no longer in force" not in new


def test_the_imprint_says_what_nobody_set(client: Client, settings: Any) -> None:
    settings.SITE_OPERATOR = settings.SITE_ADDRESS = settings.SITE_CONTACT = ""
    page = client.get("/imprint/").text
    assert page.count("not set") == 3
    assert "has not said all of it" in page


def test_the_imprint_says_who_answers(client: Client, settings: Any) -> None:
    settings.SITE_OPERATOR = "Jane <b>Doe</b>"
    settings.SITE_ADDRESS = "Street 1; 12345 Town"
    settings.SITE_CONTACT = "mailto:jane@example.org"
    page = client.get("/imprint/").text
    assert "Jane &lt;b&gt;Doe" in page
    assert "Street 1<br>12345 Town<br>" in page
    assert '<a href="mailto:jane@example.org">jane@example.org</a>' in page
    assert "not set" not in page


def test_who_agreed_is_not_asked() -> None:
    client = browser_of(watcher())
    assert client.get("/account/").status_code == 200
    assert client.get("/account/terms/").headers["Location"] == "/account/"


def test_who_did_not_agree_is_asked_until_they_do() -> None:
    user = watcher(agreed=False)
    client = browser_of(user)
    assert client.get("/account/").headers["Location"] == "/account/terms/"
    page = client.get("/account/terms/").text
    assert f"Version {TERMS_VERSION} of the" in page
    assert client.get("/account/").status_code == 302
    assert client.post("/account/terms/").headers["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert TermsAcceptance.objects.get(user=user).version == TERMS_VERSION


def test_an_agreement_to_an_older_version_is_none_to_the_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = browser_of(watcher())
    monkeypatch.setattr("apps.accounts.terms.TERMS_VERSION", TERMS_VERSION + 1)
    assert client.get("/account/").headers["Location"] == "/account/terms/"


def test_who_does_not_agree_can_take_their_data_and_leave() -> None:
    client = browser_of(watcher(agreed=False))
    assert 'href="/account/data/"' in client.get("/account/terms/").text
    assert client.get("/account/data/").status_code == 200


def test_the_sign_up_names_both_texts(client: Client) -> None:
    page = client.get("/account/signup/").text
    form = page[page.index("<form") : page.index("</main>")]
    assert 'href="/terms/"' in form
    assert 'href="/privacy/"' in form

"""Terms and their texts: skipping the question, agreeing for others, reading files, markup."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import TermsAcceptance
from apps.accounts.terms import TERMS_VERSION
from apps.pages.frame.documents import read_document, render
from tests.support.accounts.watchers import browser_of, watcher

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


@pytest.mark.parametrize(
    "version", ["0", "-1", "999", "1.0", "../privacy", "%2e%2e/privacy", "1%00", "\uff11"]
)
def test_a_version_that_is_none_reads_no_file(client: Client, version: str) -> None:
    answer = client.get(f"/terms/{version}/")
    assert answer.status_code == 404 or "Version 1" in answer.text
    assert "What is kept of whom" not in answer.text


@pytest.mark.parametrize("language", ["../../README", "zh-hans/../..", "\x00", "zh-hans.md", "ZH"])
def test_a_language_that_is_none_reads_no_other_file(language: str) -> None:
    document = read_document("terms", language)
    assert document is not None
    assert document.language == "en"


def test_a_document_holds_no_script() -> None:
    assert "<script" not in render("# T\n\n## S\n\n<script>alert(1)</script>\n").html
    assert "javascript:" not in render("# T\n\n## S\n\n[x](javascript:alert(1))\n").html.replace(
        "[x](javascript:alert(1))", ""
    )


def test_nobody_agrees_without_a_sign_in(client: Client) -> None:
    assert client.post("/account/terms/").status_code == 302
    assert not TermsAcceptance.objects.exists()


def test_another_site_agrees_for_nobody() -> None:
    client = browser_of(watcher(agreed=False), enforce_csrf_checks=True)
    assert client.post("/account/terms/").status_code == 403
    assert not TermsAcceptance.objects.exists()


def test_reading_the_question_is_no_agreement() -> None:
    client = browser_of(watcher(agreed=False))
    client.get("/account/terms/")
    client.head("/account/terms/")
    assert not TermsAcceptance.objects.exists()


def test_nobody_agrees_to_a_version_of_their_own() -> None:
    user = watcher(agreed=False)
    browser_of(user).post("/account/terms/", {"version": "0", "user": "1"})
    assert [each.version for each in TermsAcceptance.objects.all()] == [TERMS_VERSION]
    assert TermsAcceptance.objects.get().user == user


def test_the_question_leads_to_no_other_site() -> None:
    client = browser_of(watcher(agreed=False))
    answer = client.post("/account/terms/?next=//evil.example/", {"next": "//evil.example/"})
    assert answer.headers["Location"] == "/account/"


@pytest.mark.parametrize("name", ["terms", "privacy", "imprint"])
def test_a_shared_text_sets_no_cookie_even_for_who_is_signed_in(name: str) -> None:
    answer = browser_of(watcher()).get(f"/{name}/")
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")

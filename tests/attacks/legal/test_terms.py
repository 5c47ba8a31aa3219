"""Terms and their texts: skipping the question, agreeing for others, reading files, markup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from apps.accounts.models import TermsAcceptance
from apps.accounts.terms import TERMS_VERSION
from apps.pages.frame.documents import read_document, render
from tests.support.accounts.watchers import browser_of, watcher

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


@pytest.mark.parametrize(
    "version", ["0", "-1", "999", "1.0", "../privacy", "%2e%2e/privacy", "1%00", "\uff11"]
)
def test_a_version_that_is_none_reads_no_file(
    client: Client, version: str, weakened: Weakened
) -> None:
    assert client.get(f"/terms/{version}/").status_code == 404
    with weakened.with_files_as_versions():
        answer = client.get(f"/terms/{version}/")
    assert ("Reading sets no cookie" if "privacy" in version else "Version 1") in answer.text


@pytest.mark.parametrize("language", ["../../README", "zh-hans/../..", "zh-hans.md", "ZH"])
def test_a_language_that_is_none_reads_no_other_file(
    language: str, tmp_path: Path, settings: Any, weakened: Weakened
) -> None:
    settings.BASE_DIR = tmp_path
    named = tmp_path / "docs" / f"terms.{language}.md"
    named.parent.mkdir(parents=True, exist_ok=True)
    named.write_text("# Secret", encoding="utf-8")
    (tmp_path / "docs" / "terms.md").write_text("# Terms", encoding="utf-8")
    assert language_read(language) == "en"
    with weakened.with_any_language():
        assert language_read(language) == language


def language_read(asked: str) -> str:
    document = read_document("terms", asked)
    assert document is not None
    return document.language


SCRIPTS = {
    "<script": "# T\n\n## S\n\n<script>alert(1)</script>\n",
    'href="javascript:': "# T\n\n## S\n\n[x](javascript:alert(1))\n",
}


@pytest.mark.parametrize("markup", SCRIPTS)
def test_a_document_holds_no_script(markup: str, weakened: Weakened) -> None:
    assert markup not in render(SCRIPTS[markup]).html
    with weakened.with_html_in_documents():
        assert markup in render(SCRIPTS[markup]).html


def test_nobody_agrees_without_a_sign_in(client: Client, weakened: Weakened) -> None:
    assert client.post("/account/terms/").status_code == 302
    assert not TermsAcceptance.objects.exists()
    with weakened.with_everybody_taken_for(watcher(agreed=False)):
        client.post("/account/terms/")
    assert TermsAcceptance.objects.exists()


def test_another_site_agrees_for_nobody(weakened: Weakened) -> None:
    client = browser_of(watcher(agreed=False), enforce_csrf_checks=True)
    assert client.post("/account/terms/").status_code == 403
    assert not TermsAcceptance.objects.exists()
    with weakened.without_form_tokens():
        client.post("/account/terms/")
    assert TermsAcceptance.objects.exists()


@pytest.mark.parametrize("method", ["get", "head"])
def test_reading_the_question_is_no_agreement(method: str, weakened: Weakened) -> None:
    client = browser_of(watcher(agreed=False))
    getattr(client, method)("/account/terms/")
    assert not TermsAcceptance.objects.exists()
    with weakened.with_links_as_forms():
        getattr(client, method)("/account/terms/")
    assert TermsAcceptance.objects.exists()


def agreed(form: dict[str, str]) -> list[int]:
    """Agree by a form; return the versions that its sender then agreed to."""
    user = watcher(agreed=False)
    browser_of(user).post("/account/terms/", form)
    return [each.version for each in TermsAcceptance.objects.filter(user=user)]


def test_nobody_agrees_to_a_version_of_their_own(weakened: Weakened) -> None:
    form = {"version": "0", "user": "1"}
    assert agreed(form) == [TERMS_VERSION]
    with weakened.with_versions_of_the_form():
        assert agreed(form) == [0]


def agree_on_the_way(there: str) -> str:
    """Agree by a form that leads on; return where it led."""
    client = browser_of(watcher(agreed=False))
    answer = client.post(f"/account/terms/?next={there}", {"next": there})
    return str(answer.headers["Location"])


def test_the_question_leads_to_no_other_site(weakened: Weakened) -> None:
    assert agree_on_the_way("//evil.example/") == "/account/"
    with weakened.with_a_way_on_after_the_terms():
        assert agree_on_the_way("//evil.example/") == "//evil.example/"


@pytest.mark.parametrize("name", ["terms", "privacy", "imprint"])
def test_a_shared_text_sets_no_cookie_even_for_who_is_signed_in(
    name: str, weakened: Weakened
) -> None:
    answer = browser_of(watcher()).get(f"/{name}/")
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
    with weakened.with_tokens_for_everybody():
        assert browser_of(watcher()).get(f"/{name}/").cookies

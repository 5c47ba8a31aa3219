"""The method page is docs/methodology.md, with a way to each section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.pages.method import read_method, render

if TYPE_CHECKING:
    from django.test import Client


def test_each_section_can_be_linked_to(client: Client) -> None:
    page = client.get("/method/").content.decode()
    method = read_method()
    assert len(method.sections) > 5
    for section in method.sections:
        assert f'href="#{section.anchor}"' in page
        assert f'id="{section.anchor}"' in page


def test_every_level_and_every_workload_of_the_suite_is_explained() -> None:
    html = read_method().html
    for word in ("Published", "Signed", "Witnessed", "commit-8k", "read-4k-floor"):
        assert word in html


def test_words_that_promise_too_much_are_absent() -> None:
    text = read_method().html.lower()
    for word in ("certified", "tamper-proof", "cheat-proof", "guarantee"):
        assert word not in text


def test_html_in_the_text_stays_text() -> None:
    assert "<script>" not in render("# T\n\n## S\n\n<script>alert(1)</script>\n").html


def test_wide_tables_scroll_in_their_own_box() -> None:
    html = render("# T\n\n| a |\n| --- |\n| b |\n").html
    assert '<div class="scroll" tabindex="0"><table>' in html

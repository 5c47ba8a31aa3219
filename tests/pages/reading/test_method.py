"""The method page is docs/methodology.md, with a way to each section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.frame.documents import render
from apps.pages.reading.method import read_method
from tests import make

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


@pytest.mark.django_db
def test_the_legend_leads_to_words_that_are_explained(client: Client) -> None:
    make.standing(is_durable_single_writer=True)
    page = client.get("/plans/").content.decode()
    legend = page[page.index('<span class="legend taps">') :].partition("</th>")[0]
    led_to = set(re.findall(r'href="/method/#([^"]+)"', legend))
    assert led_to == {"plp"}
    assert "power-loss protection" in legend
    for language in ("en", "zh-hans"):
        html = read_method(language).html
        assert [word for word in led_to if f'id="{word}"' not in html] == []


def test_each_section_is_folded_below_its_heading() -> None:
    method = read_method()
    n = len(method.sections)
    assert method.html.count('<details class="fold"><summary><h2 id="') == n
    assert method.html.count("</h2>\n</summary>") == method.html.count("</details>") == n
    for section in method.sections:
        assert f'<summary><h2 id="{section.anchor}">' in method.html


def test_a_fold_ends_before_the_next_section() -> None:
    html = render("# T\n\n## Formulae\n\nx = y\n\n### Ranks\n\n## Next\n\nopen\n", is_folded=True).html
    assert html.index('id="ranks"') < html.index("</details>") < html.index('id="next"')


def test_html_in_the_text_stays_text() -> None:
    assert "<script>" not in render("# T\n\n## S\n\n<script>alert(1)</script>\n").html


def test_wide_tables_scroll_in_their_own_box() -> None:
    html = render("# T\n\n| a |\n| --- |\n| b |\n").html
    assert '<div class="scroll" tabindex="0"><table>' in html

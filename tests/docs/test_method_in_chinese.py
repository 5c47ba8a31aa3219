"""The method in Chinese is the method: the same parts in the same order, with the same figures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from markdown_it import MarkdownIt

from apps.pages.frame.documents import render
from apps.pages.reading.method import read_method
from apps.rankings.versions.method import METHOD_VERSION

if TYPE_CHECKING:
    from django.test import Client
    from markdown_it.token import Token

DOCS: Final = Path(__file__).parents[2] / "docs"
CHINESE_NAME: Final = "methodology.zh-hans.md"
ENGLISH: Final = (DOCS / "methodology.md").read_text(encoding="utf-8")
CHINESE: Final = (DOCS / CHINESE_NAME).read_text(encoding="utf-8")

HEADING: Final = re.compile(r'<(h[1-6])(?: id="([^"]*)")?>')
NUMBER: Final = re.compile(r"(?<![A-Za-z\d.])\d+(?:[.,-]\d+)*")
PERCENTILE: Final = re.compile(r"p\d+(?:\.\d+)?")
# A Latin sign beside a Chinese one, and letters that touch Chinese ones without a space.
NARROW: Final = re.compile(
    r"[\u4e00-\u9fff][,.;:!?()]|[,.;:!?()][\u4e00-\u9fff]"
    r"|[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]"
)


def blocks(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(markdown)


def headings(markdown: str) -> list[tuple[str, str]]:
    """The level and the anchor of each heading below the title."""
    return HEADING.findall(render(markdown).html)


def facts(words: Token) -> dict[str, list[str]]:
    """What a translation of one paragraph or cell leaves as it is, in any order."""
    inside = words.children or []
    plain = " ".join(each.content for each in inside if each.type == "text")
    return {
        "figures": sorted(NUMBER.findall(plain)),
        "percentiles": sorted(set(PERCENTILE.findall(plain))),
        "code": sorted(each.content for each in inside if each.type == "code_inline"),
        "links": sorted(str(each.attrGet("href")) for each in inside if each.type == "link_open"),
        "bold": ["strong" for each in inside if each.type == "strong_open"],
    }


def drift(english: str, chinese: str) -> list[str]:
    """Where two languages of one page differ in anything but words."""
    if headings(english) != headings(chinese):
        return [f"headings: {headings(english)} in English, {headings(chinese)} in Chinese"]
    mine, theirs = blocks(english), blocks(chinese)
    last = ""
    for one, other in zip(mine, theirs, strict=False):
        if (one.type, one.tag) != (other.type, other.tag):
            return [f"after {last!r}: {one.type} in English, {other.type} in Chinese"]
        last = other.content or last
    if len(mine) != len(theirs):
        return [f"after {last!r}: one of the two goes on"]
    return [
        f"{key} of {one.content!r} are {said}, of {other.content!r} {facts(other)[key]}"
        for one, other in zip(mine, theirs, strict=True)
        if one.type == "inline"
        for key, said in facts(one).items()
        if said != facts(other)[key]
    ]


def test_both_languages_have_the_same_parts_and_figures() -> None:
    found = drift(ENGLISH, CHINESE)
    assert not found, f"docs/{CHINESE_NAME} is not docs/methodology.md: " + "\n".join(found)


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_both_name_the_version_in_force_first_and_last(page: str) -> None:
    tokens = blocks(page)
    first = next(
        tokens[place + 1] for place, each in enumerate(tokens) if each.type == "paragraph_open"
    )
    assert NUMBER.findall(first.content) == [str(METHOD_VERSION)]
    rows = [tokens[place + 2] for place, each in enumerate(tokens) if each.type == "tr_open"]
    assert rows[-1].content == str(METHOD_VERSION)


def test_every_heading_has_an_anchor_of_its_own() -> None:
    anchors = [anchor for _level, anchor in headings(CHINESE)]
    assert all(anchors)
    assert len(set(anchors)) == len(anchors) > 20


@pytest.mark.parametrize(
    ("heading", "anchor", "title"),
    [
        ("公式 {#formulae}", "formulae", "公式"),
        ("读 `O_DIRECT` {#reads-2}", "reads-2", "读 `O_DIRECT`"),
        ("The ladder", "the-ladder", "The ladder"),
        ("Not {#This}", "not-this", "Not {#This}"),
    ],
)
def test_a_heading_names_its_anchor_or_is_it(heading: str, anchor: str, title: str) -> None:
    method = render(f"# T\n\n## {heading}\n")
    assert [(each.anchor, each.title) for each in method.sections] == [(anchor, title)]
    assert f'<h2 id="{anchor}">' in method.html
    assert f"{{#{anchor}}}" not in method.html


def test_every_heading_and_paragraph_speaks_chinese() -> None:
    tokens = blocks(CHINESE)
    told = [
        tokens[place + 1].content
        for place, each in enumerate(tokens)
        if each.type in {"heading_open", "paragraph_open", "th_open"}
    ]
    assert [each for each in told if not re.search(r"[\u4e00-\u9fff]", each)] == []


def test_signs_are_full_width_and_latin_stands_apart() -> None:
    assert NARROW.findall(CHINESE) == []


CHANGED: Final = (
    ("headings", "## Labels\n", "## Marks\n"),
    ("headings", "### Ranks\n", "#### Ranks\n"),
    ("figures", "Method version 10", "Method version 11"),
    ("figures", "counts for 180 days", "counts for 90 days"),
    ("figures", "2.9% (11%)", "2.8% (11%)"),
    ("percentiles", "medians likewise: of days", "p99.99 likewise: of days"),
    ("code", "`fdatasync` after each", "`fsync` after each"),
    ("links", "The question\n\nA database", "The question\n\n[A](/) database"),
    ("bold", "**Ranked**", "Ranked"),
    ("list_item_open", "- There is no score", "- One more.\n- There is no score"),
    ("tr_open", "| 8 | 2026-11 | a board", "| 8 | 2026-11 | x |\n| 8 | 2026-11 | a board"),
)


@pytest.mark.parametrize(("what", "before", "after"), CHANGED)
def test_a_change_of_one_language_alone_is_found(what: str, before: str, after: str) -> None:
    assert ENGLISH.count(before) >= 1
    found = drift(ENGLISH.replace(before, after, 1), CHINESE)
    assert found
    assert what in found[0]


def test_a_paragraph_too_many_at_the_end_is_found() -> None:
    assert "goes on" in drift(f"{ENGLISH}\nOne more.\n", CHINESE)[0]


def test_the_chinese_page_is_in_chinese_and_keeps_the_anchors(client: Client) -> None:
    page = client.get("/zh-hans/method/").content.decode()
    method = read_method("zh-hans")
    assert [each.anchor for each in method.sections] == [
        each.anchor for each in read_method().sections
    ]
    for section in method.sections:
        assert f'<a href="#{section.anchor}">{section.title}</a>' in page
    assert '<article class="markdown" lang="zh-hans">' in page
    assert "{#" not in page
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)

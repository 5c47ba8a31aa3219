"""The Chinese pages are Chinese: no run of English words is left on them but names and terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final

import pytest
from django.utils.translation import override

from apps.drives.models import DriveFamily
from apps.pages.show import words
from apps.pages.show.phrases import join_sentences
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import Standing
from apps.runs.models import Citation, Run
from apps.words.standings import warnings_of
from tests.support.addresses import CHINESE, PAGES
from tests.support.crawl import READS_EVERY_PAGE, Rendered

pytestmark = pytest.mark.django_db

# Pages that still say English. One that is clean fails the test: take it out.
NOT_YET: frozenset[str] = frozenset()

# Two words and more: one alone is a term or a name.
RUN_OF_WORDS: Final = re.compile(
    r"\b[A-Za-z][a-z'\u2019]+(?:[ \u00a0,:;]+[A-Za-z][a-z'\u2019]+)+\b"
)
CUT_NAME: Final = re.compile(r"[\w.+ -]+(?:\u2026|\.\.\.)")  # as a drawing with little room has it
SPOKEN: Final = ("aria-label", "alt", "title", "placeholder", "content", "data-name")
MACHINE: Final = ("viewport", "htmx-config", "color-scheme", "twitter:card", "robots", "og:type")
# A sentence's sign of Latin width between two Chinese ones, or at the end of a Chinese text.
NARROW: Final = re.compile(
    r"[\u3400-\u9fff\u201d\uff09][ \u00a0]?[,;:!?](?=[ \u00a0]?[\u3400-\u9fff\u201c\uff08])"
    r"|[\u3400-\u9fff\u201d\uff09][ \u00a0]?[,;:!?.](?=\s|$)"
    r"|(?<![A-Za-z0-9])\s?\((?=[\u3400-\u9fff])|[\u3400-\u9fff]\)"
)
BLOCKS: Final = {
    "p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "caption", "label", "button",
    "option", "summary", "figcaption", "title", "text", "div", "section", "tr", "svg", "nav",
}  # fmt: skip
VOID: Final = {"meta", "link", "img", "input", "br", "col", "wbr", "hr"}
# What others call themselves or their things, what a program is called by, and a term that stays.
NAMES: Final = (
    "Martian Mono", "Wire format", "Commissioner", "Apache License", "Datacenter Edition",
    "coordinated omission", "io2 Block Express", "redo log", "white label",
)  # fmt: skip
QUIET: Final = {"code", "pre", "script", "samp", "kbd", "cite"}


class Reader(HTMLParser):
    """Texts that a Chinese reader meets: not what is marked as English, nor what is code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.texts: list[str] = []
        self.attributes: list[str] = []
        self.blocks: list[str] = [""]  # what is read in one go, whatever is linked or bold in it
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.blocks += [""] * (tag in BLOCKS)
        is_quiet = tag in QUIET or (tag != "html" and found.get("lang") == "en")
        is_quiet = is_quiet or (tag != "html" and "hreflang" in found)
        if tag not in VOID:
            self.open.append(is_quiet)
        name = found.get("name") or found.get("property") or ""
        if not any((is_quiet, *self.open)) and name not in MACHINE:
            self.attributes += [value for key in SPOKEN if (value := found.get(key))]

    def handle_endtag(self, tag: str) -> None:
        self.blocks += [""] * (tag in BLOCKS)
        if tag not in VOID and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.open):
            self.texts.append(" ".join(data.split()))
            self.blocks[-1] += data
        elif self.blocks[-1]:
            self.blocks[-1] += "\u00b7"  # what is between its neighbours, not what it says


def names() -> list[str]:
    """Everything on the site that has a name of its own, the longest first."""
    found: set[str] = set(NAMES)
    for model, fields in (
        (Provider, ("name", "funding")), (Plan, ("name", "cpu")), (Price, ("source",)),
        (DriveFamily, ("name", "vendor")), (Citation, ("title", "author", "machine_label")),
        (Run, ("drive_reported", "filesystem", "cpu_model", "claimed_region", "region")),
    ):  # fmt: skip
        known = {field.name for field in model._meta.get_fields()}
        for field in fields:
            if field in known:
                found |= {str(value) for value in model.objects.values_list(field, flat=True)}
    return sorted(filter(None, found), key=len, reverse=True)


def english_on(html: str, name: re.Pattern[str]) -> list[str]:
    found = []
    reader = Reader(html)
    for text in (*reader.attributes, *reader.texts):
        plain = CUT_NAME.sub("·", name.sub("·", text))
        found += [each[0] for each in RUN_OF_WORDS.finditer(plain)]
    return found


@READS_EVERY_PAGE
def test_no_english_is_left_on_a_chinese_page(every_page: Mapping[str, Rendered]) -> None:
    name = re.compile("|".join(map(re.escape, names())))
    found = {page.path: english_on(every_page[CHINESE + page.path].html, name) for page in PAGES}
    left = {path: said for path, said in found.items() if said and path not in NOT_YET}
    clean = [path for path in NOT_YET if not found.get(path)]
    assert not left, "\n".join(f"{path}: {sorted(set(said))}" for path, said in left.items())
    assert not clean, f"take out of NOT_YET: {clean}"


def narrow_on(html: str, name: re.Pattern[str]) -> list[str]:
    reader = Reader(html)
    texts = [" ".join(each.split()) for each in (*reader.attributes, *reader.blocks)]
    return [
        plain[max(0, found.start() - 20) : found.end() + 20]
        for plain in (name.sub("\u00b7", each) for each in texts)
        for found in NARROW.finditer(plain)
    ]


@READS_EVERY_PAGE
def test_signs_between_chinese_words_have_their_own_width(
    every_page: Mapping[str, Rendered],
) -> None:
    name = re.compile("|".join(map(re.escape, names())))
    found = {
        page.path: narrow_on(every_page[CHINESE + page.path].html, name)
        for page in PAGES
        if page.path not in NOT_YET
    }
    narrow = {path: sorted(set(said)) for path, said in found.items() if said}
    assert not narrow, "\n".join(f"{path}: {said}" for path, said in narrow.items())


@pytest.mark.parametrize(
    ("html", "n_found"),
    [
        ("<p>一次; 两次</p>", 1),
        ("<p>一次, <a>两次</a></p>", 1),
        ("<p><b>一次</b>.</p>", 1),
        ("<p>三次 (约)</p>", 1),
        ('<p title="一次, 两次"></p>', 1),
        ("<p>一次\uff0c两次。</p><p>三次 1,000; p50 1.5 ms</p>", 0),
        ('<p>一次<span lang="en">, this is English</span></p>', 0),
        ("<p>一次</p>, <p>两次</p>", 0),
    ],
)
def test_a_narrow_sign_is_found(html: str, n_found: int) -> None:
    assert len(set(narrow_on(html, re.compile("Samsung Two")))) == n_found


def test_english_is_found_and_names_are_not() -> None:
    page = """<html lang="zh-Hans"><p title="Not yet">一次 <b>Half of all</b> Samsung Two</p>
              <p lang="en">This stays</p><code>so does this</code><a hreflang="en">English is</a>"""
    assert english_on(page, re.compile("Samsung Two")) == ["Not yet", "Half of all"]


def test_counts_levels_and_stored_sentences_are_told_in_chinese() -> None:
    with override("zh-hans"):
        assert words.count(1, "run") == "1 次运行"
        assert words.count(1234, "machine") == "1,234 台机器"
        assert words.level_words("signed").word == "已签名"
        assert words.SIDES["sync"] == "同步"
        assert words.covered(0.952) == "95.2% 区间"
        standing = Standing(warnings=["A stranger wrote this."], filesystems=["ext4", "xfs"])
        warning = join_sentences(warnings_of(standing))
        assert warning == ("A stranger wrote this. ext4、xfs 上的中位数。")
        sampled = "Illustrative: a sample run in a teaching text."
        standing = Standing(warnings=[sampled], filesystems=["ext4"])
        assert join_sentences(warnings_of(standing)).endswith("。ext4 上的中位数。")
    assert words.SIDES["sync"] == "sync"

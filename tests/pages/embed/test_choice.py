"""What a reader chooses of a badge, and the lines that show it elsewhere, whatever names hold."""

from __future__ import annotations

import html
import json
import re
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.utils.html import escape
from markdown_it import MarkdownIt

from apps.badges.cards.card import CardSize
from apps.badges.cards.options import CardOptions, card_options_of
from apps.badges.drawing.axis import HEIGHT_PX
from apps.badges.drawing.flat import LOOKS
from apps.badges.drawing.text import NAME_CHARACTERS_MAX
from apps.badges.options import BadgeMetric, BadgeStyle, BadgeTheme, options_of
from apps.pages.show.address.badges import (
    CARDS,
    LABEL_CHARACTERS_MAX,
    METRICS,
    STYLES,
    THEMES,
    BadgeChoice,
    fields_of,
    snippets,
)
from apps.pages.show.address.citations import citations
from tests import make
from tests.pages.site import measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

PLAN = "/badge/plan/acme-x1.svg"
HOSTILE = 'a "b" [c](d) `e` <script> ]] *f* \\ {{g}} #h $i'
LANGUAGES = ("markdown", "html", "asciidoc", "rest", "bbcode", "mediawiki", "typst")


def lines(choice: BadgeChoice | None = None, *, alt: str = "Acme X1") -> dict[str, str]:
    made = snippets(choice or BadgeChoice(), badge_path=PLAN, page_path="/plans/acme-x1/", alt=alt)
    return {each.id: each.text for each in made}


def test_pages_offer_what_badges_know() -> None:
    assert tuple(METRICS) == tuple(each.value for each in BadgeMetric)
    assert tuple(THEMES) == tuple(each.value for each in BadgeTheme)
    heights = {each.value: look.height for each, look in LOOKS.items()}
    assert {"axis": HEIGHT_PX, **heights} == STYLES
    assert tuple(STYLES) == tuple(each.value for each in BadgeStyle)
    assert LABEL_CHARACTERS_MAX == NAME_CHARACTERS_MAX


def test_the_address_of_a_choice_is_the_one_spelling_of_it() -> None:
    choice = BadgeChoice.read(
        {"metric": "p99", "style": "flat", "theme": "dark", "label": " a  b "}
    )
    path, _, query = choice.path(PLAN).partition("?")
    assert (path, options_of(query).query) == (PLAN, query)
    assert parse_qs(query) == {"metric": ["p99"], "style": ["flat"], "label": ["a b"]}
    assert BadgeChoice.read({"metric": "x", "style": "", "label": "\0"}).path(PLAN) == PLAN


def test_there_are_lines_for_seven_languages() -> None:
    made = lines(BadgeChoice(style="flat"))
    assert tuple(made) == LANGUAGES
    page, picture = f"{settings.SITE_URL}/plans/acme-x1/", f"{settings.SITE_URL}{PLAN}?style=flat"
    for language in ("markdown", "html", "asciidoc", "rest", "typst"):
        assert page in made[language]
        assert escape(picture) in made[language]
    for language in ("bbcode", "mediawiki"):  # that show no SVG
        assert picture.replace(".svg", ".png") in made[language]
    assert 'height="20"' in made["html"]


def test_mediawiki_sees_a_picture_by_its_last_letters() -> None:
    assert lines()["mediawiki"].endswith("/acme-x1.png]")
    with_query = lines(BadgeChoice(style="flat"))["mediawiki"]
    assert with_query.endswith("style=flat&.png]")
    query = urlsplit(with_query.split()[1].rstrip("]")).query
    assert options_of(query).style is BadgeStyle.FLAT


def test_a_hostile_name_stays_a_text_in_markdown_and_html() -> None:
    made = lines(alt=HOSTILE)
    shown = MarkdownIt("commonmark", {"html": True}).render(made["markdown"])
    assert "<script>" not in shown
    assert shown.count("<img") == shown.count("<a ") == 1
    assert 'href="' + settings.SITE_URL + '/plans/acme-x1/"' in shown
    assert "<script>" not in made["html"]
    assert made["html"].count('"') == 2 * 5  # of href, src, alt, height and loading


def test_a_hostile_name_stays_a_text_in_the_other_languages() -> None:
    made = lines(alt=f"{HOSTILE}\n:evil: x")
    attributes = made["asciidoc"].partition("[")[2]
    assert re.fullmatch(r'"(?:[^"\\\]]|\\.|\\)*",link="[^"]+"\]', attributes)
    assert len(made["rest"].splitlines()) == 3
    (alt,) = re.findall(r'alt: (".*")\)\]$', made["typst"])
    assert json.loads(alt) == f"{HOSTILE} :evil: x"
    for language in ("bbcode", "mediawiki"):
        assert "script" not in made[language]


@pytest.mark.parametrize("style", CARDS)
def test_a_card_is_framed_in_html_and_a_picture_elsewhere(style: str) -> None:
    choice = BadgeChoice.read({"style": style, "metric": "p99", "label": "mine", "theme": "light"})
    made = lines(choice)
    assert tuple(made) == LANGUAGES
    width, height = CARDS[style]
    (source,) = re.findall(
        rf'<iframe src="([^"]+)" width="{width}" height="{height}" title="Acme X1" loading="lazy"',
        made["html"],
    )
    path, _, query = html.unescape(source).removeprefix(settings.SITE_URL).partition("?")
    assert path == "/embed/plan/acme-x1/"
    assert card_options_of(query) == CardOptions(
        size=CardSize(f"{width}x{height}"), theme=BadgeTheme.LIGHT
    )
    assert card_options_of(query).query == query  # the one spelling
    for language in ("markdown", "asciidoc", "rest", "typst"):
        assert f"/embed/plan/acme-x1.svg?{query}" in made[language]
    for language in ("bbcode", "mediawiki"):
        assert f"/embed/plan/acme-x1.png?{query}" in made[language]
    for each in made.values():
        assert "/badge/" not in each
        assert "mine" not in each


def test_pages_offer_the_cards_that_there_are() -> None:
    assert [f"card-{size}" for size in CardSize] == list(CARDS)
    assert [(size.width, size.height) for size in CardSize] == list(CARDS.values())
    first = BadgeChoice.read({"style": next(iter(CARDS))})
    assert first.path(PLAN) == "/embed/plan/acme-x1.svg"  # in the reader's own light


@pytest.mark.django_db
def test_a_comparison_offers_its_card(client: Client) -> None:
    plan = plan_at(1_000, "X1").plan
    assert plan
    drive = make.drive_family(slug="pro", name="PRO")
    query = f"on=plan:{plan.slug}&amp;on=drive:{drive.slug}"
    for path in (
        f"/compare/?on=plan:{plan.slug}@not-stated&on=drive:pro",
        f"/embed/?on=plan:{plan.slug}&on=drive:pro&on=drive:none",
    ):
        page = text(client, path)
        assert page.count(f'src="/embed/compare.svg?{query}"') == 2
        assert f'name="on" value="plan:{plan.slug}"' in page
        assert f'name="on" value="drive:{drive.slug}"' in page
        assert 'id="badge-metric"' not in page
        assert "/badge/" not in page
    shown = text(client, f"/embed/?on=plan:{plan.slug}&on=drive:pro&style=card-320x200&theme=dark")
    assert f"/embed/compare.svg?{query}&amp;size=320x200&amp;theme=dark" in shown
    assert "There is no such plan" in text(client, f"/embed/?on=plan:{plan.slug}&on=x")


def test_a_page_is_cited_with_the_day_of_reading() -> None:
    day = date(2026, 11, 27)
    cited = {
        each.id: each.text
        for each in citations(title=HOSTILE, page_path="/compare/?on=plan:a&on=drive:b", today=day)
    }
    bibtex = cited["bibtex"]
    assert bibtex.startswith("@misc{fsyncmark-compare-on-plan-a-on-drive-b,\n")
    assert "  urldate = {2026-11-27},\n" in bibtex
    assert "year = {2026}" in bibtex
    assert r"<script> ]] *f* \textbackslash{} \{\{g\}\} \#h \$i" in bibtex
    unescaped = re.sub(r"\\[{}]", "", bibtex)
    assert unescaped.count("{") == unescaped.count("}")
    (item,) = json.loads(cited["csl"])
    assert item["title"] == HOSTILE
    assert item["URL"] == f"{settings.SITE_URL}/compare/?on=plan:a&on=drive:b"
    assert item["accessed"] == {"date-parts": [[2026, 11, 27]]}


@pytest.mark.parametrize(
    ("path", "of"),
    [
        (PLAN, [("of", "plan:acme-x1")]),
        ("/badge/run/a.svg", [("of", "run:a")]),
        ("/embed/compare.svg?on=plan:a&on=run:b", [("on", "plan:a"), ("on", "run:b")]),
        ("/plans/x/", []),
    ],
)
def test_a_badge_says_what_it_is_of(path: str, of: list[tuple[str, str]]) -> None:
    assert fields_of(path) == of


@pytest.mark.django_db
def test_every_page_has_it(client: Client) -> None:
    plan = plan_at(1_000, "X1").plan
    assert plan
    run, drive = measured_run(), make.drive_family(name="990 PRO")
    for kind, slug, page in (
        ("plan", plan.slug, f"/plans/{plan.slug}/"),
        ("drive", drive.slug, f"/drives/{drive.slug}/"),
        ("provider", plan.provider_id, f"/providers/{plan.provider_id}/"),
        ("run", run.slug, f"/runs/{run.slug}/"),
    ):
        shown = text(client, page)
        assert f'src="/badge/{kind}/{slug}.svg"' in shown
        assert f'name="of" value="{kind}:{slug}"' in shown
        for language in (*LANGUAGES, "bibtex", "csl"):
            assert f'id="badge-{language}"' in shown


@pytest.mark.django_db
def test_what_is_chosen_is_shown_and_copied(client: Client) -> None:
    plan = plan_at(1_000, "X1").plan
    assert plan
    asked = "metric=p99&style=for-the-badge&theme=auto&label=%3Cb%3E+%22"
    page = text(client, f"/embed/?of=plan:{plan.slug}&{asked}")
    query = escape(
        BadgeChoice("p99", "for-the-badge", "auto", '<b> "').path("").removeprefix("svg")
    )
    assert page.count(f'src="/badge/plan/{plan.slug}.svg{query}"') == 2
    for chosen in ("p99", "for-the-badge", "auto"):
        assert re.search(rf'<option value="{chosen}"\s+selected', page)
    assert 'value="&lt;b&gt; &quot;"' in page
    assert 'alt="Acme X1: p99 of a commit"' in page
    assert client.get(f"/embed/?of=provider:{plan.provider_id}").status_code == 200

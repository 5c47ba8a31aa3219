"""Pictures of shared links: what is on them, and that they are cheap to ask for."""

from __future__ import annotations

import html
import io
import math
import re
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from PIL import Image

from apps.pages.embed.cards.card import SITE, Card
from apps.pages.embed.cards.contents import card_of, said_card
from apps.pages.embed.cards.drawing import COLOURS, WORDS, Style, latin, png_of, wrapped
from apps.pages.frame.shared_link import SharedMark, SharedText
from apps.pages.reading.styleguide.colours import colours
from tests import make
from tests.pages.site import measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

CARD = Card(
    title="Hetzner AX102", kind="plan", rate_per_s=10_318.0, low_per_s=8_306.0,
    high_per_s=10_842.0, at_ns=89_000, p99_ns=163_000, plp="full", counts="1 run",
)  # fmt: skip
HOT = (0xFF, 0x6B, 0x2C)


def drawn(card: Card) -> Image.Image:
    return Image.open(io.BytesIO(png_of(card))).convert("RGB")


def hot_columns(image: Image.Image) -> list[int]:
    """Columns of the axis that have the accent in them."""
    return [x for x in range(image.width) if image.getpixel((x, 486)) == HOT]


def test_the_mark_stands_where_the_axis_says() -> None:
    image = drawn(CARD)
    assert image.size == (1200, 630)
    columns = hot_columns(image)
    assert columns[0] == pytest.approx(64 + 1072 * 2.949 / 6 - 15, abs=3)  # log10(89,000 / 100)
    assert columns[-1] == pytest.approx(64 + 1072 * 3.212 / 6, abs=4)  # log10(163,000 / 100)


def test_protection_is_a_shape() -> None:
    full, none, unknown = (
        drawn(Card(title="A", kind="plan", rate_per_s=1000.0, at_ns=10**6, plp=plp))
        for plp in ("full", "none", "")
    )
    middle = (64 + 1072 * 4 // 6, 486)
    assert full.getpixel(middle) == HOT
    assert none.getpixel(middle) != HOT
    assert unknown.tobytes() != none.tobytes()


def test_the_same_card_is_the_same_picture_and_another_has_another_name() -> None:
    assert png_of(CARD) == png_of(CARD)
    assert CARD.etag != SITE.etag
    assert len(png_of(CARD)) < 40_000


@pytest.mark.parametrize("title", ["x" * 300, "名字 \U0001f600 \u202e", " ", "Å" * 60])
def test_any_name_is_drawn_inside_the_picture(title: str) -> None:
    image = drawn(Card(title=title, kind="run"))
    edge = image.crop((1160, 90, 1200, 220))
    assert edge.getextrema() == drawn(Card(title="", kind="run")).crop(
        (1160, 90, 1200, 220)
    ).getextrema()  # fmt: skip


def test_letters_that_the_fonts_do_not_hold_are_said_to_be_missing() -> None:
    assert latin("Samsung 盘 µs\n\u202eé") == "Samsung ? µs ?é"


def test_the_colours_are_those_of_the_dark_pages() -> None:
    assert {name: colours()[name].dark for name in COLOURS} == COLOURS


@pytest.mark.django_db
def test_a_plan_shows_its_measured_headline(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    plan_at(500.0, "CX22")
    with django_assert_num_queries(2):
        card = card_of("plan", "acme-cx22")
    assert card is not None
    assert card.title == "Acme CX22"
    assert card.rate_per_s == 500.0


@pytest.mark.django_db
def test_a_run_shows_its_commits(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    run = measured_run()
    with django_assert_max_num_queries(4):
        card = card_of("run", run.slug)
    assert card is not None
    assert card.at_ns
    assert "1 run" in card.counts


@pytest.mark.django_db
def test_what_its_article_calls_illustrative_is_no_figure() -> None:
    run = make.run(slug="sample", level="published", measured_at=None)
    make.measurement(run=run, rate_per_s=142_800.0)
    make.citation(run=run, warning="Illustrative: a sample run.", is_illustrative=True)
    card = card_of("run", "sample")
    assert card is not None
    assert (card.rate_per_s, card.sentence) == (None, "Published run, illustrative")


@pytest.mark.django_db
def test_what_has_no_figure_says_so_and_what_is_not_there_is_not(client: Client) -> None:
    make.plan(slug="bare", name="Bare")
    card = card_of("plan", "bare")
    assert card is not None
    assert "Nobody has measured" in card.sentence
    assert client.get("/og/plan/bare.png").status_code == 200
    for path in ("/og/plan/none.png", "/og/rule/x.png", "/og/run/none.png", "/og/drive/none.png"):
        assert client.get(path).status_code == 404, path


@pytest.mark.django_db
def test_a_provider_shows_its_fastest_plan(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    provider = make.provider_standing(best=plan_at(500.0, "CX22")).provider
    with django_assert_num_queries(3):
        card = card_of("provider", provider.slug)
    assert card is not None
    assert (card.title, card.rate_per_s) == ("Acme, CX22", 500.0)


SAID = SharedText.of(
    title="A against B",
    sentence="A is 55 times as fast as B.",
    figure="55x",
    unit="durable commits/s",
    sure="Likely: 43-74 times",
    marks=[SharedMark("A", 10_318.0), SharedMark("B", 187.15)],
)


def path_of(said: SharedText, signature: str = "") -> str:
    return f"/og/page/{signature or said.signature}.png?{said.query}"


def test_what_a_page_said_is_drawn_and_nothing_that_it_did_not_say(client: Client) -> None:
    shown = client.get(path_of(SAID))
    assert shown.content == png_of(said_card(SAID)) != png_of(SITE)
    forged = SharedText.of(title="Buy here", sentence="")
    for path in (
        path_of(forged, SAID.signature),
        path_of(SAID) + "&mark=C&rate=1",
        path_of(SAID) + "&rate=x",
        "/og/page/x.png",
        "/og/page/%00.png?title=%00",
    ):
        answer = client.get(path)
        assert (answer.status_code, answer["Location"]) == (302, "/og/site.png"), path
        assert answer["Cache-Control"] == "no-store"


def test_only_the_one_spelling_of_a_picture_is_kept(client: Client) -> None:
    assert "public" in client.get(path_of(SAID))["Cache-Control"]
    another = client.get(path_of(SAID) + "&made-up=1")
    assert another.content == png_of(said_card(SAID))
    assert another["Cache-Control"] == "no-store"


def test_marks_of_several_things_stand_where_the_axis_says() -> None:
    image = drawn(said_card(SAID))
    place = 64 + 1072 * math.log10(10**9 / 10_318 / 100) / 6
    columns = hot_columns(image)
    assert columns[len(columns) // 2] == pytest.approx(place, abs=2)


@pytest.mark.parametrize("length", [0, 30, 3000])
def test_a_text_of_any_length_stays_inside_the_picture(length: int) -> None:
    said = SharedText.of(
        title="名 " * length,
        sentence="word " * length + "W" * length,
        sure="s" * length,
        marks=[SharedMark("n" * length, rate) for rate in (1e-9, 1.0, 1e7, 1e12)],
    )
    card = said_card(said)
    assert len(said.query) < 2_500
    edge = drawn(card).crop((1170, 90, 1200, 400))
    assert (
        edge.getextrema() == drawn(Card(title="", kind="")).crop((1170, 90, 1200, 400)).getextrema()
    )
    assert len(wrapped(said.sentence, Style(32, font=WORDS), lines_max=2)) <= 2


@pytest.mark.django_db
def test_pages_hand_their_answer_to_their_picture(client: Client) -> None:
    for name, rate in (("CX22", 500.0), ("CX32", 5_000.0)):
        plan_at(rate, name)
    compared = text(client, "/compare/?on=plan:acme-cx22&on=plan:acme-cx32")
    for page, says in (
        (text(client, "/plans/"), "figure=5%2C000"),
        (compared, "mark=CX22&amp;rate=500.0"),
        (text(client, "/about/"), "title=About+Fsyncmark"),
    ):
        (picture,) = re.findall(r'og:image" content="([^"]+)"', page)
        assert "/og/page/" in picture
        assert says in picture
        path = html.unescape(picture).removeprefix(settings.SITE_URL)
        assert client.get(path).content != png_of(SITE)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "page",
    [
        "/search/?q=visit-evil", "/plans/?q=visit-evil", "/plans/?provider=visit-evil",
        "/plans/?workload=visit-evil", "/runs/?provider=visit-evil", "/guides/oltp/?q=visit-evil",
    ],
)  # fmt: skip
def test_nobody_else_writes_on_what_is_shared(client: Client, page: str) -> None:
    plan_at(500.0, "CX22")
    shared = [each for each in re.findall(r"<meta[^>]+>", text(client, page)) if "og:" in each]
    assert not [each for each in shared if "visit-evil" in each and "og:url" not in each]


@pytest.mark.django_db
def test_a_page_in_letters_that_the_fonts_do_not_hold_has_the_picture_of_the_site(
    client: Client,
) -> None:
    assert f'og:image" content="{settings.SITE_URL}/og/site.png"' in text(client, "/zh-hans/plans/")


@pytest.mark.django_db
def test_a_crawler_that_has_it_is_told_so(client: Client) -> None:
    answer = client.get("/og/site.png", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert "public" in answer.headers["Cache-Control"]
    again = client.get("/og/site.png", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Cache-Control"] == answer.headers["Cache-Control"]

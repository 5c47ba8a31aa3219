"""Pictures of shared links: what is on them, and that they are cheap to ask for."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from apps.pages.embed.cards.card import SITE, Card
from apps.pages.embed.cards.contents import card_of
from apps.pages.embed.cards.drawing import COLOURS, latin, png_of
from apps.pages.reading.styleguide.colours import colours
from tests import make
from tests.pages.site import measured_run, plan_at

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
def test_a_crawler_that_has_it_is_told_so(client: Client) -> None:
    answer = client.get("/og/site.png", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert "public" in answer.headers["Cache-Control"]
    again = client.get("/og/site.png", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Cache-Control"] == answer.headers["Cache-Control"]

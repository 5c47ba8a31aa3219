"""Every form of address that was ever published: none is ever taken from this list."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, get_resolver

from apps.accounts.credit.names import choose_name
from apps.badges.cards.card import CardSize
from apps.badges.cards.options import CardOptions, card_options_of
from apps.badges.options import BadgeMetric, BadgeOptions, BadgeStyle, BadgeTheme, options_of
from tests import make
from tests.support.accounts.people import make_person

PUBLISHED = (  # since 0.1
    "badge/run/<str:slug>.svg",
    "badge/plan/<str:slug>.svg",
    "badge/drive/<str:slug>.svg",
    # since 0.2
    "badge/provider/<str:slug>.svg",
    "badge/run/<str:slug>.png",
    "badge/plan/<str:slug>.png",
    "badge/drive/<str:slug>.png",
    "badge/provider/<str:slug>.png",
    "badge/run/<str:slug>.json",
    "badge/plan/<str:slug>.json",
    "badge/drive/<str:slug>.json",
    "badge/provider/<str:slug>.json",
    "embed/run/<str:slug>/",
    "embed/plan/<str:slug>/",
    "embed/drive/<str:slug>/",
    "embed/provider/<str:slug>/",
    "embed/run/<str:slug>.svg",
    "embed/plan/<str:slug>.svg",
    "embed/drive/<str:slug>.svg",
    "embed/provider/<str:slug>.svg",
    "embed/run/<str:slug>.png",
    "embed/plan/<str:slug>.png",
    "embed/drive/<str:slug>.png",
    "embed/provider/<str:slug>.png",
    "badge/by/<str:slug>.svg",
    "badge/by/<str:slug>.png",
    "badge/by/<str:slug>.json",
)
# Of several things: what is compared stands in the query, as in that of its page.
COMPARED = (  # since 0.2
    "embed/compare/",
    "embed/compare.svg",
    "embed/compare.png",
)
ENDPOINTS = ("oembed",)  # since 0.2
QUERIES = (  # since 0.2
    ("metric=fsync", BadgeOptions(metric=BadgeMetric.FSYNC)),
    ("metric=p99", BadgeOptions(metric=BadgeMetric.P99)),
    ("metric=cost", BadgeOptions(metric=BadgeMetric.COST)),
    ("metric=tier", BadgeOptions(metric=BadgeMetric.TIER)),
    ("style=axis", BadgeOptions(style=BadgeStyle.AXIS)),
    ("style=flat", BadgeOptions(style=BadgeStyle.FLAT)),
    ("style=flat-square", BadgeOptions(style=BadgeStyle.FLAT_SQUARE)),
    ("style=for-the-badge", BadgeOptions(style=BadgeStyle.FOR_THE_BADGE)),
    ("theme=auto", BadgeOptions(theme=BadgeTheme.AUTO)),
    ("theme=light", BadgeOptions(theme=BadgeTheme.LIGHT)),
    ("theme=dark", BadgeOptions(theme=BadgeTheme.DARK)),
    ("label=my+disk", BadgeOptions(label="my disk")),
)
# Of shared links: those who keep pages keep these for as long.
SHARED = ("og/site.png", "og/<slug:kind>/<slug:slug>.png", "og/page/<str:signature>.png")
CARD_QUERIES = (  # since 0.2
    ("size=480x160", CardOptions(size=CardSize.WIDE)),
    ("size=320x200", CardOptions(size=CardSize.TALL)),
    ("theme=auto", CardOptions(theme=BadgeTheme.AUTO)),
    ("theme=light", CardOptions(theme=BadgeTheme.LIGHT)),
    ("theme=dark", CardOptions(theme=BadgeTheme.DARK)),
)
TYPES = {
    "svg": "image/svg+xml; charset=utf-8", "png": "image/png", "json": "application/json",
    "html": "text/html; charset=utf-8",
}  # fmt: skip


def form_of(route: str) -> str:
    """Return the form of an address: a page where no end says another."""
    return "html" if route.endswith("/") else route.rpartition(".")[2]


@pytest.mark.django_db
@pytest.mark.parametrize("route", PUBLISHED)
def test_every_published_address_answers_with_its_kind(client: Client, route: str) -> None:
    standing = make.standing(is_durable_single_writer=True)
    make.provider_standing(best=standing)
    make.standing(drive_family=make.drive_family(slug="pro"), is_durable_single_writer=True)
    choose_name(make_person(), "ada")
    run = make.run(plan=standing.plan)
    make.measurement(run=run)
    kind = route.split("/")[1]
    plan = standing.plan
    assert plan
    slug = {
        "run": run.slug, "plan": plan.slug, "drive": "pro", "provider": plan.provider_id,
        "by": "ada",
    }[kind]  # fmt: skip
    answer = client.get("/" + route.replace("<str:slug>", slug))
    form = form_of(route)
    assert (answer.status_code, answer["Content-Type"]) == (200, TYPES[form])
    if form == "json":
        assert answer.json()["isError"] is False


@pytest.mark.django_db
@pytest.mark.parametrize("route", COMPARED)
def test_every_published_comparison_answers_with_its_kind(client: Client, route: str) -> None:
    make.drive_family(slug="pro", name="PRO")
    plan = make.standing(plan=make.plan(slug="x1"), is_durable_single_writer=True).plan
    assert plan
    answer = client.get(f"/{route}?on=plan:{plan.slug}&on=drive:pro&on=plan:x1@europe~2")
    form = form_of(route)
    assert (answer.status_code, answer["Content-Type"]) == (200, TYPES[form])
    if form != "png":
        assert all(f">{name}<" in answer.text for name in (plan.full_name, "PRO"))


@pytest.mark.django_db
def test_the_published_endpoint_answers(client: Client) -> None:
    make.drive_family(slug="pro")
    for path in ("drives/pro/", "zh-hans/drives/pro/", "embed/drive/pro/"):
        assert client.get(f"/oembed?url={settings.SITE_URL}/{path}").status_code == 200


@pytest.mark.parametrize(("query", "options"), CARD_QUERIES)
def test_every_published_query_of_a_card_means_what_it_meant(
    query: str, options: CardOptions
) -> None:
    assert card_options_of(query) == options


@pytest.mark.parametrize(("query", "options"), QUERIES)
def test_every_published_query_means_what_it_meant(query: str, options: BadgeOptions) -> None:
    assert options_of(query) == options


def test_the_list_is_whole() -> None:
    """A new address comes into the list with the code that answers it."""
    routes = {
        str(each.pattern)
        for each in get_resolver("apps.badges.urls").url_patterns
        if isinstance(each, URLPattern)
    }
    assert routes == {*PUBLISHED, *COMPARED, *ENDPOINTS}
    named = {name for query, _ in QUERIES for name in [query.partition("=")[0]]}
    assert named == {"metric", "style", "theme", "label"}
    values = {query for query, _ in QUERIES}
    assert values >= {f"metric={each}" for each in BadgeMetric} | {
        f"style={each}" for each in BadgeStyle
    }
    assert values >= {f"theme={each}" for each in BadgeTheme}
    of_cards = {query for query, _ in CARD_QUERIES}
    assert of_cards == {f"size={each}" for each in CardSize} | {
        f"theme={each}" for each in BadgeTheme
    }


@pytest.mark.django_db
def test_the_list_of_shared_pictures_is_whole_and_each_answers(client: Client) -> None:
    routes = {str(each.pattern) for each in get_resolver("apps.pages.file_urls").url_patterns}
    assert {route for route in routes if route.startswith("og/")} == set(SHARED)
    plan = make.plan(slug="x1")
    for path in ("og/site.png", f"og/plan/{plan.slug}.png", "og/page/of-an-older-key.png?title=x"):
        answer = client.get(f"/{path}", follow=True)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")

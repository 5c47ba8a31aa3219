"""What cards answer: to those who frame them, and to those who ask how to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from apps.badges.cards.card import CardSize
from tests import make

if TYPE_CHECKING:
    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db
SITE: Final = settings.SITE_URL
FOR_A_MINUTE: Final = "public, max-age=60"


@pytest.fixture
def plan() -> Plan:
    provider = make.provider(slug="acme", name="Acme")
    plan = make.plan(slug="acme-x1", provider=provider, name="X1")
    run = make.run(plan=plan, measured_at=timezone.now())
    make.standing(
        plan=plan, is_durable_single_writer=True, rate_per_s=2345.0, newest_run_slug=run.slug
    )
    return plan


def asked(client: Client, url: str, **more: Any) -> Any:
    return client.get("/oembed", {"url": url, **more})


def test_a_card_may_be_framed_by_everybody_and_may_do_nothing(client: Client, plan: Plan) -> None:
    answer = client.get(f"/embed/plan/{plan.slug}/")
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script" not in policy
    assert not answer.has_header("X-Frame-Options")
    assert not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")
    assert "<script" not in answer.text
    assert f'<a href="{SITE}/plans/acme-x1/" target="_blank" rel="noopener"><svg' in answer.text
    assert "2,345" in answer.text
    assert 'name="robots" content="noindex"' in answer.text
    again = client.get(f"/embed/plan/{plan.slug}/", headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again["Content-Security-Policy"]) == (304, policy)


def test_no_other_page_may_be_framed(client: Client, plan: Plan) -> None:
    for path in ("/embed/", f"/plans/{plan.slug}/", f"/compare/?on=plan:{plan.slug}", "/oembed"):
        answer = client.get(path)
        assert "frame-ancestors *" not in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("slug", ["nobody", "%00", "<script>", "x" * 200, "é"])
@pytest.mark.parametrize("end", ["/", ".svg", ".png"])
def test_an_unknown_address_is_a_calm_card(client: Client, slug: str, end: str) -> None:
    answer = client.get(f"/embed/run/{slug}{end}")
    assert (answer.status_code, answer["Cache-Control"]) == (200, FOR_A_MINUTE)
    if end == "/":
        assert ">not found<" in answer.text
        assert f'<a href="{SITE}/" ' in answer.text
    if end != ".png":
        assert slug not in answer.text


def test_an_upload_that_waits_has_a_card_that_leads_to_its_page(client: Client) -> None:
    run_id = make.upload().run_id
    answer = client.get(f"/embed/run/{run_id}/")
    assert ">measuring<" in answer.text
    assert f'href="{SITE}/runs/{run_id}/"' in answer.text


def test_a_comparison_names_at_most_six_and_what_is_none_is_left_out(
    client: Client, plan: Plan
) -> None:
    on = [f"plan:{plan.slug}", "x:y", "plan:<b>", "rule:x", f"plan:{plan.slug}@europe"]
    page = client.get("/embed/compare/", {"on": on}).text
    assert page.count(">Acme X1<") == 2  # in the title and once drawn
    many = client.get("/embed/compare/", {"on": [f"drive:d{number}" for number in range(50)]})
    assert ">2 more · " in many.text
    assert client.get("/embed/compare/").status_code == 200
    assert client.get("/embed/compare/?" + "on=plan:x&" * 9000).status_code == 200


def test_an_address_of_ours_says_how_to_frame_it(client: Client, plan: Plan) -> None:
    url = f"{SITE}/plans/{plan.slug}/"
    answer = asked(client, url)
    assert answer["Content-Type"] == "application/json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    document = answer.json()
    frame = document.pop("html")
    assert document == {
        "version": "1.0", "type": "rich", "title": "Acme X1", "provider_name": "Fsyncmark",
        "provider_url": SITE, "cache_age": 86_400, "width": 480, "height": 160,
        "thumbnail_url": f"{SITE}/og/plan/acme-x1.png", "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }  # fmt: skip
    (source,) = re.findall(r'<iframe src="([^"]+)" width="480" height="160" title="Acme X1"', frame)
    assert source == f"{SITE}/embed/plan/acme-x1/"
    assert client.get(source.removeprefix(SITE)).status_code == 200


def test_the_same_as_xml(client: Client, plan: Plan) -> None:
    answer = asked(client, f"{SITE}/plans/{plan.slug}/", format="xml")
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    root = ET.fromstring(answer.content)  # noqa: S314 -- our own answer
    assert root.tag == "oembed"
    document = {each.tag: each.text for each in root}
    as_json = asked(client, f"{SITE}/plans/{plan.slug}/").json()
    assert document == {name: str(value) for name, value in as_json.items()}


@pytest.mark.parametrize(
    ("room", "size"),
    [
        ({}, CardSize.WIDE),
        ({"maxwidth": 480, "maxheight": 160}, CardSize.WIDE),
        ({"maxwidth": 479}, CardSize.TALL),
        ({"maxwidth": 400, "maxheight": 199}, None),
        ({"maxheight": 159}, None),
        ({"maxwidth": 319}, None),
    ],
)
def test_no_more_room_is_asked_for_than_there_is(
    client: Client, plan: Plan, room: dict[str, int], size: CardSize | None
) -> None:
    document = asked(client, f"{SITE}/plans/{plan.slug}/", **room).json()
    assert document["type"] == ("rich" if size else "link")
    assert (document.get("width"), document.get("height")) == (
        (size.width, size.height) if size else (None, None)
    )
    assert ("thumbnail_url" in document) is (not room)
    if size is CardSize.TALL:
        assert f"/embed/plan/{plan.slug}/?size=320x200" in document["html"]


@pytest.mark.parametrize("width", ["0", "-1", "wide", "1e3", "9" * 5000, "480.5", "\u0664"])
def test_a_width_that_is_none_is_refused_with_what_is_one(client: Client, width: str) -> None:
    answer = asked(client, f"{SITE}/plans/x/", maxwidth=width)
    assert answer.status_code == 400
    assert "maxwidth must be a number of pixels from 1 to 99999" in answer.text


def test_what_is_asked_in_another_way_is_refused(client: Client, plan: Plan) -> None:
    url = f"{SITE}/plans/{plan.slug}/"
    assert asked(client, url, format="yaml").status_code == 501
    assert client.get("/oembed").status_code == 400
    assert client.post("/oembed", {"url": url}).status_code == 405


HOST: Final = SITE.partition("://")[2]


@pytest.mark.parametrize(
    "url",
    [
        f"{SITE}/plans/nobody/",
        f"{SITE}/plans/",
        f"{SITE}/",
        f"{SITE}/compare/",
        f"{SITE}/compare/?on=x:y",
        f"{SITE}/account/",
        f"{SITE}/badge/plan/acme-x1.svg",
        f"{SITE}.evil.example/plans/acme-x1/",
        f"https://{HOST}@evil.example/plans/acme-x1/",
        f"https://evil.example/{SITE}/plans/acme-x1/",
        "//evil.example/plans/acme-x1/",
        "/plans/acme-x1/",
        f"ftp://{HOST}/plans/acme-x1/",
        "javascript:alert(1)",
        "https://[/plans/acme-x1/",
        f"{SITE}/embed/plan/%C3%A9/",
        f"{SITE}/plans/\0/",
        "x" * 9000,
    ],
)
def test_any_other_address_is_not_found(client: Client, plan: Plan, url: str) -> None:
    assert plan.slug == "acme-x1"
    assert asked(client, url).status_code == 404


def test_every_page_with_a_card_is_found_in_every_language(client: Client, plan: Plan) -> None:
    run = make.run(slug="a-run", plan=plan)
    make.measurement(run=run)
    make.drive_family(slug="pro", name="PRO")
    for path, card in (
        ("/zh-hans/plans/acme-x1/", "/embed/plan/acme-x1/"),
        ("/runs/a-run/", "/embed/run/a-run/"),
        ("/runs/a-run/commit-8k/", "/embed/run/a-run/"),
        ("/drives/pro/?sort=x#y", "/embed/drive/pro/"),
        ("/providers/acme/", "/embed/provider/acme/"),
        ("/embed/plan/acme-x1.svg", "/embed/plan/acme-x1/"),
        (
            "/compare/?on=plan:acme-x1&on=drive:pro@eu",
            "/embed/compare/?on=plan:acme-x1&amp;on=drive:pro",
        ),
    ):
        answer = asked(client, SITE + path)
        assert answer.status_code == 200, path
        assert f'src="{SITE}{card}"' in answer.json()["html"]


def test_a_hostile_name_stays_a_text_in_the_frame(client: Client) -> None:
    make.drive_family(slug="bad", name='"><script>alert(1)</script>')
    document = asked(client, f"{SITE}/drives/bad/").json()
    assert "<script" not in document["html"]
    assert document["html"].count('"') == 2 * 6
    xml = asked(client, f"{SITE}/drives/bad/", format="xml").content
    assert ET.fromstring(xml).findtext("title") == document["title"]  # noqa: S314 -- our own
    assert "<script" not in client.get("/embed/drive/bad/").text


def test_pages_say_where_to_ask(client: Client, plan: Plan) -> None:
    for path in (f"/plans/{plan.slug}/", f"/zh-hans/plans/{plan.slug}/", "/providers/acme/"):
        page = client.get(path).text
        head = page.partition("</head>")[0]
        for form in ("application/json+oembed", "text/xml+oembed"):
            (link,) = re.findall(rf'<link rel="alternate"\s+type="{re.escape(form)}"[^>]+>', head)
            assert quote(f"{SITE}{path}", safe="") in link
            (address,) = re.findall(r'href="([^"]+)"', link)
            shown = client.get(address.replace("&amp;", "&").removeprefix(SITE))
            assert shown.status_code == 200
    assert "oembed" not in client.get("/plans/").text


def test_few_queries(client: Client, plan: Plan, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(2):
        client.get(f"/embed/plan/{plan.slug}/")
    with django_assert_max_num_queries(2):
        asked(client, f"{SITE}/plans/{plan.slug}/")
    with django_assert_max_num_queries(4):
        client.get(f"/embed/compare/?on=plan:{plan.slug}&on=provider:acme")

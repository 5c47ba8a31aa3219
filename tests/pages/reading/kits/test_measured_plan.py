"""`/measure/` of a plan: what a measurement costs comes before the texts that rent it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from apps.plans.models import Price
from tests import make
from tests.pages.reading.kits.places import KitTexts, offer, rented_plan
from tests.pages.site import main, text, unmarked

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def place(tmp_path: Path, settings: Settings) -> None:
    offer(tmp_path / "dist", settings)


def words(page: str) -> str:
    """What a page says, tags and white space aside."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_the_price_of_a_measurement_stands_before_its_texts(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rented_plan("aws")
    with django_assert_num_queries(2):
        page = main(client, "/measure/?plan=aws-x")
    # 13 minutes of 0.36 an hour are 0.078: no bill has less than a cent
    price = page.index("About €0.08: 13 min at €0.36")
    assert price < page.index("curl -fsSLO https://bench.example.org/kits/aws-x/us-east-1.sh")
    assert "2026-11-01" in page
    texts = KitTexts(client, "aws")
    shown = unescape(unmarked(page))
    assert texts.text("sh") in shown
    assert texts.text("yaml") in shown
    title = text(client, "/measure/?plan=aws-x").split("<title>")[1].split("</title>")[0]
    assert title.split()[:3] == ["Measure", "AWS", "i4g.large"]


def test_a_region_is_asked_for_and_one_of_elsewhere_is_not_taken(client: Client) -> None:
    rented_plan("hetzner")
    assert "sh nbg1.sh" in main(client, "/measure/?plan=hetzner-x&region=nbg1")
    assert "sh fsn1.sh" in main(client, "/measure/?plan=hetzner-x&region=us-east-1")


def test_a_plan_by_the_month_is_measured_by_who_has_one(client: Client) -> None:
    make.price(plan=make.plan(slug="acme-m", kind="vps"))
    page = main(client, "/measure/?plan=acme-m")
    assert "Only from somebody who has one" in page
    assert "/kits/" not in page
    assert "install.sh" in page


def test_a_volume_is_measured_by_a_job_of_a_cluster(client: Client) -> None:
    make.plan(slug="acme-volume", name="gp9", kind="volume")
    page = words(main(client, "/measure/?plan=acme-volume"))
    command = "kubectl apply -f 'https://bench.example.org/kits/kubernetes.yaml?plan=acme-volume'"
    assert command in page
    assert "kind: PersistentVolumeClaim" in page


def test_where_no_agent_can_be_fetched_no_kit_is_shown(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    rented_plan("hetzner")
    settings.AGENT_DIST = tmp_path / "nothing"
    page = main(client, "/measure/?plan=hetzner-x")
    assert "/kits/" not in page
    assert "Only from somebody who has one" not in page
    assert "This installation has no binary" in page


def test_an_address_of_no_plan_shows_how_to_measure_any(client: Client) -> None:
    usual = main(client, "/measure/")
    assert main(client, "/measure/?plan=nothing") == usual
    assert main(client, "/measure/?plan=%00&region=%00") == usual


def test_a_disputed_price_makes_no_kit(client: Client) -> None:
    rented_plan("hetzner")
    Price.objects.update(is_disputed=True)
    assert "Only from somebody who has one" in main(client, "/measure/?plan=hetzner-x")

"""The way to a badge: by name, by address, by the run that was just sent; and what goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import make
from tests.pages.site import main, measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
QUERIES_MAX = 6


def test_a_plan_has_a_badge_to_copy(client: Client) -> None:
    plan = plan_at(1_000, "X1").plan
    assert plan
    page = text(client, f"/embed/?of=plan:{plan.slug}")
    assert f'src="/badge/plan/{plan.slug}.svg"' in page
    said = "Acme X1: durable commits/s"
    assert f"[![{said}](" in page
    assert f'alt="{said}"' in page
    assert f"/plans/{plan.slug}/" in page


def test_a_name_finds_plans_and_drives(client: Client) -> None:
    plan_at(1_000, "PRO-1")
    make.plan(name="PRO-2")
    family = make.drive_family(name="990 PRO")
    page = text(client, "/embed/?q=pro")
    assert f'href="/embed/?of=drive%3A{family.slug}&amp;q=pro"' in page
    assert page.count("/embed/?of=plan") == 2
    assert "/embed/?of=provider%3Aacme" in text(client, "/embed/?q=acm")
    assert "There is no such plan, drive, provider or run" in text(
        client, "/embed/?q=nobody-has-this"
    )


def test_one_hit_is_shown_at_once(client: Client) -> None:
    family = make.drive_family(name="990 PRO")
    assert f'src="/badge/drive/{family.slug}.svg"' in text(client, "/embed/?q=990")


def test_the_address_that_the_agent_printed_finds_the_run(client: Client) -> None:
    run = measured_run()
    for address in (run.slug, f"https://fsyncmark.example/runs/{run.slug}/"):
        assert f'src="/badge/run/{run.slug}.svg"' in text(client, f"/embed/?q={address}")


def test_an_upload_that_waits_can_be_embedded_already(client: Client) -> None:
    upload = make.upload()
    page = text(client, f"/embed/?of=run:{upload.run_id}")
    assert "the picture follows" in page
    assert f'src="/badge/run/{upload.run_id}.svg"' in page


@pytest.mark.parametrize("of", ["plan:none", "drive:", "x:y", "run:%00", "plan:<b>"])
def test_what_is_not_there_is_said(client: Client, of: str) -> None:
    assert "There is no such plan, drive, provider or run" in text(client, f"/embed/?of={of}")


def test_it_asks_little(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(12):
        plan_at(1_000, f"Z{place}")
        make.drive_family(name=f"Z{place}")
    upload = make.upload()
    for query in ("", "q=z", f"q={upload.run_id}", f"of=run:{upload.run_id}", "of=plan:acme-z1"):
        with django_assert_max_num_queries(QUERIES_MAX):
            client.get(f"/embed/?{query}")


def test_what_has_a_figure_comes_first_and_shows_it(client: Client) -> None:
    plan_at(1_234, "Z-measured")
    make.plan(name="Z-anything", slug="z-anything")
    make.drive_family(name="Z-drive")
    page = " ".join(main(client, "/embed/?q=z-").split())
    assert page.index("Z-measured") < page.index("Z-anything")
    assert page.count("1,234 /s") == 1
    assert page.count("not measured") == 2

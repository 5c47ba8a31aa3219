"""Pages without figures show what was measured nearest, and how to measure this one."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from apps.drives.models import DriveName
from apps.pages.show.table.paging import NEEDS_A_PAGE
from apps.plans.models import ExchangeRate, Provider
from apps.rankings.models import Evidence
from apps.runs.services import record_run
from tests import make
from tests.pages.site import copied, main, plan_at, unmarked
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
NEAR = "Measured and near to it"


def kin_of(client: Client, address: str) -> list[tuple[str, str]]:
    """Return the kin of a page that the nearest leads: address, what ties it to the page."""
    page = main(client, address)
    assert 'class="nearest"' in page
    basis = page.partition('class="basis">')[2]
    nearest = re.findall(r'href="([^"]+)"', basis)[0]
    of_nearest = [(nearest, "same drive" if "same drive" in basis[:300] else "")]
    if NEAR not in page:
        return of_nearest
    section = page[page.index(NEAR) : page.index('id="kin-command"')]
    return of_nearest + [
        (re.findall(r'class="hit-name" href="([^"]+)"', hit)[0],
         "".join(re.findall(r'class="reason">([^<]+)<', hit)))
        for hit in section.split("<li class=")[1:]
    ]  # fmt: skip


def test_a_plan_shows_its_variants_then_its_family_then_other_plans_of_its_provider(
    client: Client,
) -> None:
    acme = Provider.objects.create(slug="acme", name="Acme")
    size = {"kind": "vps", "vcpus": 8, "ram_gb": 32}
    asked = make.plan(provider=acme, slug="acme-cx33", name="CX33", drive_family_hint="D1", **size)
    for name, times in (("CX63", 6), ("CX13", 0.25), ("Other", 1)):
        plan = plan_at(1_000, name).plan
        assert plan
        plan.kind, plan.vcpus, plan.ram_gb = "vps", int(8 * times), int(32 * times)
        plan.save()
    variant = plan_at(2_000, "V").plan
    assert variant
    variant.name = "CX33 + 2 TB"
    variant.save()
    make.standing(
        drive_family=make.drive_family(slug="d1", name="D1"), is_durable_single_writer=True
    )
    address = f"/plans/{asked.slug}/"
    assert kin_of(client, address) == [
        ("/plans/acme-v/", ""),
        ("/plans/acme-cx13/", ""),
        ("/plans/acme-cx63/", ""),
        ("/drives/d1/", "same drive"),
        ("/plans/acme-other/", ""),
    ]
    page = unmarked(main(client, address))
    assert f"./fsyncmark run . --server {settings.SITE_URL} --provider acme --plan CX33" in page
    assert page.count("./fsyncmark run") == 1
    measured = main(client, "/plans/acme-other/")
    assert 'class="nearest"' not in measured
    assert "hit-name" not in measured


def test_what_nobody_measured_is_answered_by_its_nearest_kin_and_not_as_its_own(
    client: Client,
) -> None:
    plan_at(2_000, "A2", evidence=Evidence.PUBLISHED)
    make.plan(provider=Provider.objects.get(slug="acme"), slug="acme-a1", name="A1")
    page = " ".join(main(client, "/plans/acme-a1/").split())
    assert "Not measured itself. Nearest: A2" in page
    assert "2,000</b> <span>durable commits/s" in page
    assert "Borderline: 1 published run" in page
    assert '<g class="hot' not in page
    assert 'aria-label="2,000 /s A2"' in page
    own_work = make.standing(
        plan_id="acme-a1", workload="mix-4k-read", is_durable_single_writer=False
    )
    page = " ".join(main(client, f"/plans/{own_work.plan_id}/").split())
    assert "Measured only with other work. Nearest: A2" in page


def test_kin_of_another_family_does_not_lead(client: Client) -> None:
    plan_at(2_000, "B8", evidence=Evidence.PUBLISHED)
    plan_at(500, "C8", evidence=Evidence.PUBLISHED)
    make.plan(provider=Provider.objects.get(slug="acme"), slug="acme-a1", name="A1")
    page = " ".join(main(client, "/plans/acme-a1/").split())
    assert "Not measured itself. Measured and near to it: 500\u20132,000 /s" in page
    assert "Unknown: nobody measured it" in page
    assert "answer-figure" not in page
    assert page.count('class="hit-name"') == 2


def test_a_published_figure_alone_has_kin_in_its_picture_and_not_below(client: Client) -> None:
    plan_at(2_000, "Near", evidence=Evidence.PUBLISHED)
    plan_at(1_000, "Own", evidence=Evidence.PUBLISHED, workload="commit-8k")
    page = main(client, "/plans/acme-own/")
    assert 'aria-label="1,000 /s overwrite, fdatasync; 2,000 /s Near"' in page
    assert NEAR not in page


def test_nothing_made_up_and_nothing_illustrative_is_kin(client: Client) -> None:
    plan_at(1_000, "Unreal", evidence=Evidence.EXAMPLE)
    plan_at(1_000, "Sample", evidence=Evidence.PUBLISHED, is_illustrative=True)
    owner = Provider.objects.get(slug="acme")
    make.plan(provider=owner, slug="acme-a1", name="A1")
    page = main(client, "/plans/acme-a1/")
    assert 'class="nearest"' not in page
    assert "hit-name" not in page
    assert NEAR not in page
    assert 'id="kin-command"' in page


def test_a_drive_that_nobody_measured_says_so_once(client: Client) -> None:
    rung = make.ladder_class()
    drive = make.drive_family(slug="asked", name="Asked", vendor="M", ladder_class=rung)
    make.standing(drive_family=drive, workload="mix-4k-read")
    page = main(client, "/drives/asked/")
    assert page.count('class="answer"') == 1
    assert "No durable commits of one writer yet." not in page
    assert ">What there is of it<" in page
    other = make.drive_family(slug="other", name="Other", vendor="O", ladder_class=rung)
    make.standing(drive_family=other, is_durable_single_writer=True)
    page = main(client, "/drives/asked/")
    assert page.count("Measured only with other work.") == 1
    assert "No durable commits of one writer yet." not in page


def test_a_provider_without_figures_has_the_kin_of_its_cheapest_plan(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class(name="A class with a band")
    drive = make.drive_family(slug="d1", name="D1", ladder_class=rung)
    make.standing(drive_family=drive, ladder_class=rung, is_durable_single_writer=True)
    owner = Provider.objects.create(slug="acme", name="Acme")
    ExchangeRate.objects.create(day=date(2026, 11, 20), currency="USD", per_euro=Decimal("1.25"))
    for n in range(NEEDS_A_PAGE):
        dear = make.plan(provider=owner, slug=f"acme-a{n}", name=f"A{n}")
        make.price(plan=dear, amount=Decimal(11 + n))
    cheap = make.plan(provider=owner, slug="acme-z", name="Zed", drive_family_hint="D1")
    make.price(plan=cheap, amount=Decimal(12), currency="USD")
    for address in ("/providers/acme/", "/providers/acme/?needs=2"):
        with django_assert_max_num_queries(6):
            page = unmarked(main(client, address))
        assert "No plan has a figure yet" in page
        assert "A class with a band" in page
        assert 'href="/drives/d1/"' in page
        assert "--provider acme --plan Zed" in page
    assert re.findall(r'href="/plans/(acme-\w+)/"', main(client, "/providers/acme/"))[0] == "acme-z"


def test_a_drive_shows_those_of_its_maker_then_those_of_its_class(client: Client) -> None:
    rung = make.ladder_class()
    make.drive_family(slug="asked", name="M 7450 PRO", vendor="M", ladder_class=rung)
    for slug, name, changes in (
        ("same-class", "Other", {"vendor": "O", "ladder_class": rung}),
        ("maker-far", "M SATA", {"vendor": "M", "interface": "sata", "plp": "none"}),
        ("maker-near", "M 7500 PRO", {"vendor": "M", "ladder_class": rung}),
        ("stranger", "Stranger", {"vendor": "S"}),
    ):
        family = make.drive_family(slug=slug, name=name, **changes)
        make.standing(drive_family=family, is_durable_single_writer=True)
    assert kin_of(client, "/drives/asked/") == [
        ("/drives/maker-near/", ""),
        ("/drives/maker-far/", ""),
        ("/drives/same-class/", "same class"),
    ]
    page = main(client, "/drives/asked/")
    assert copied(page, "kin-command") == f"./fsyncmark run . --server {settings.SITE_URL}"


def test_a_name_that_nobody_knows_shows_drives_whose_names_begin_alike(client: Client) -> None:
    record_run(upload=make.upload(witnessed=True, state="done"))
    name = DriveName.objects.get()
    name.family = None
    name.save()
    known = make.drive_family(slug="known", vendor="Elsewhere")
    DriveName.objects.create(key="other", model=f"{name.model[:6]}-OTHER", family=known)
    make.standing(drive_family=known, is_durable_single_writer=True)
    assert kin_of(client, f"/drives/unknown/{name.key}/") == [("/drives/known/", "")]


def test_the_kin_of_the_shipped_catalogue(client: Client) -> None:
    store_catalogue()
    plan = dict(kin_of(client, "/plans/hetzner-ax102/"))
    assert "/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/" in plan
    assert "10,318" in main(client, "/plans/hetzner-ax102/")
    assert next(iter(dict(kin_of(client, "/plans/hetzner-ccx33/")))) == "/plans/hetzner-ccx13/"
    assert "/drives/micron-7500-pro/" in dict(kin_of(client, "/drives/micron-7450-pro/"))

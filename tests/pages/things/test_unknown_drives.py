"""The pages of names that nobody knows: strings alone, counted, and not for search engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.drives.models import DriveFamily, DriveName
from apps.drives.services import key_of
from apps.pages.show import words
from apps.pages.things.selectors import unknown as names
from apps.plans.placement import Basis
from apps.runs.models import RunDrive
from tests import make
from tests.pages.site import main, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

ADDRESS = "/drives/unknown/"


def name(model: str, *, n_runs: int = 1, vendor: str = "", **changes: object) -> DriveName:
    made = DriveName.objects.create(
        key=key_of(vendor=vendor, model=model), vendor=vendor, model=model, **changes
    )
    for place in range(n_runs):
        run = make.run(machine=f"{place:032x}", kernel="6.8-secret")
        RunDrive.objects.create(run=run, place=0, name=made)
        RunDrive.objects.create(run=run, place=1, name=made)  # a mirror counts once
    return made


def test_names_are_listed_with_how_often_they_were_seen_the_most_frequent_first(
    client: Client,
) -> None:
    name("Rare 1TB")
    name("Often 2TB", vendor="ACME", n_runs=3)
    page = tight(text(client, ADDRESS))
    assert page.index("ACME Often 2TB") < page.index("Rare 1TB")
    assert ">3 runs<" in page
    assert ">1 run<" in page
    assert '<meta name="robots" content="noindex">' in page
    assert "6.8-secret" not in page


def test_known_names_those_set_aside_and_those_of_no_run_are_not_listed(client: Client) -> None:
    family: DriveFamily = make.drive_family()
    name("Known 1TB", family=family)
    name("Joke 1TB", is_set_aside=True)
    name("Gone 1TB", n_runs=0)
    page = text(client, ADDRESS)
    assert "Every drive has a name" in page
    assert "1TB" not in page


def test_a_name_has_a_page_of_its_own_until_somebody_names_it(client: Client) -> None:
    made = name("Acme <b>Fast</b>", n_runs=2)
    page = " ".join(text(client, f"{ADDRESS}{made.key}/").split())
    assert "Seen: 2 runs" in page
    assert "Acme &lt;b&gt;Fast&lt;/b&gt;" in page
    assert '<meta name="robots" content="noindex">' in page
    DriveName.objects.update(family=make.drive_family())
    assert client.get(f"{ADDRESS}{made.key}/").status_code == 404


def test_what_is_not_a_name_is_not_found(client: Client) -> None:
    assert client.get(f"{ADDRESS}0123456789abcdef/").status_code == 404


def test_a_long_list_has_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "NAMES_A_PAGE", 2)
    for model in ("A1", "A2", "A3"):
        name(model)
    assert "Page 1 of 2, 3 in all" in text(client, ADDRESS)
    assert 'href="/drives/unknown/?page=1"' in text(client, f"{ADDRESS}?page=2")


def test_the_pages_ask_two_queries_and_three(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = name("Acme")
    with django_assert_num_queries(2):
        client.get(ADDRESS)
    with django_assert_num_queries(3):
        client.get(f"{ADDRESS}{made.key}/")


def test_a_run_on_an_unknown_drive_leads_to_the_list(client: Client) -> None:
    upload = make.upload()
    run = make.run(upload=upload, drive_reported="Acme Fast")
    assert f'href="{ADDRESS}"' in main(client, f"/runs/{run.slug}/")
    known = make.run(upload=make.upload(), drive_reported="X", drive_family=make.drive_family())
    assert f'href="{ADDRESS}"' not in main(client, f"/runs/{known.slug}/")


def test_a_run_shows_medium_and_family_and_every_disagreement(client: Client) -> None:
    family = make.drive_family(name="Acme Fast", interface="sata", plp="full")
    device = make.device(**{"class": "scsi", "transport": "sata", "rotational": True})
    run = make.run(
        upload=make.upload(), drive_family=family, environment={"devices": [device]},
        seen_provider="aws", seen_instance_type="i4i.large", plan_basis="instance-type",
        placement_conflicts=[
            {"case": "provider", "claim": "Hetzner", "teller": "firmware", "named": "aws"}
        ],
    )  # fmt: skip
    page = text(client, f"/runs/{run.slug}/")
    assert "hard disk" in page
    assert "The device reports hard disk; the catalogue has Acme Fast as SATA SSD." in page
    assert "aws i4i.large" in page
    assert "The claim says Hetzner; the firmware names aws." in page
    assert "the firmware&#x27;s instance type" in page


def test_a_run_that_was_placed_by_its_network_says_so_and_what_that_is_worth(
    client: Client,
) -> None:
    metadata = {"provider": "openstack", "instance_type": "b2-7", "region": "GRA9"}
    run = make.run(
        upload=make.upload(network_provider="ovhcloud"), plan_basis="network",
        environment={"env": {"cloud_metadata": metadata}},
    )  # fmt: skip
    page = " ".join(text(client, f"/runs/{run.slug}/").split())
    assert "the network of the upload" in page
    assert "a VPN misleads" in page
    assert "openstack b2-7 GRA9" in page
    other = make.run(upload=make.upload())
    assert "Placed by" not in text(client, f"/runs/{other.slug}/")


def test_everything_that_decides_on_a_plan_has_words() -> None:
    assert words.PLAN_BASES.keys() == set(Basis)

"""Where a claim stands: the listed plan that it names, else one made from its own words."""

from __future__ import annotations

import re

import pytest

from apps.plans.catalogue import read_plans, read_providers
from apps.plans.models import HOME_PROVIDER, UNLISTED_PROVIDER, Plan, Provider
from apps.plans.services import NAME_CHARACTERS_MAX, place_claim

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def catalogue() -> None:
    Provider.objects.bulk_create(read_providers())
    Plan.objects.bulk_create(read_plans())


@pytest.mark.parametrize(
    ("provider", "plan", "slug"),
    [
        ("hetzner", "cax41", "hetzner-cax41"),
        ("Hetzner", "CAX41", "hetzner-cax41"),
        ("HETZNER", "ax41-nvme", "hetzner-ax41-nvme"),
        ("Hetzner", "hetzner-ax41-nvme", "hetzner-ax41-nvme"),
        ("Hetzner", "AX102 + 15.36 TB NVMe DC drive", "hetzner-ax102-15-36-tb-nvme-dc-drive"),
        ("gcp", "c3d-standard-30-lssd", "google-cloud-c3d-standard-30-lssd"),
        ("Google Cloud", "C3D-Standard-30-LSSD", "google-cloud-c3d-standard-30-lssd"),
        ("", "hetzner-cax41", "hetzner-cax41"),
        (None, "hetzner-cax41", "hetzner-cax41"),
    ],
)
def test_a_known_plan_is_found_in_any_case_and_by_its_address(
    provider: str | None, plan: str, slug: str
) -> None:
    placed = place_claim(provider=provider, plan=plan, device_name="whatever")
    assert placed.slug == slug
    assert placed.is_listed


def test_home_is_named_as_claimed() -> None:
    placed = place_claim(provider="Home", plan="my NAS", device_name="Samsung SSD 990 PRO 2TB")
    assert placed.sent_name == "my NAS"
    assert placed.provider_id == HOME_PROVIDER
    assert not placed.is_listed


def test_home_without_a_plan_is_named_after_the_device() -> None:
    placed = place_claim(
        provider="home", plan=None, device_name="Samsung SSD 990 PRO 2TB", is_known_device=True
    )
    assert (placed.slug, placed.name) == (
        "home-samsung-ssd-990-pro-2tb",
        "Samsung SSD 990 PRO 2TB",
    )


@pytest.mark.parametrize(
    ("provider", "plan", "name"),
    [
        ("Acme", "X1", "Acme X1"),
        ("Hetzner", "CX999", "Hetzner CX999"),
        ("Vultr", "CAX41", "Vultr CAX41"),
        (None, "X1", "X1"),
        ("Acme", None, "Acme QEMU HARDDISK"),
        (None, None, "QEMU HARDDISK"),
    ],
)
def test_what_nobody_lists_stands_below_unlisted(
    provider: str | None, plan: str | None, name: str
) -> None:
    placed = place_claim(provider=provider, plan=plan, device_name="QEMU HARDDISK")
    stands = (placed.provider_id, placed.sent_name, placed.is_listed)
    assert stands == (UNLISTED_PROVIDER, name, False)


def test_the_same_claim_in_other_words_stands_on_the_same_plan() -> None:
    first = place_claim(provider="home", plan="My  NAS", device_name="")
    second = place_claim(provider=" HOME ", plan="my-nas", device_name="")
    assert first == second
    assert Plan.objects.filter(provider_id=HOME_PROVIDER, is_listed=False).count() == 1


def test_a_claim_does_not_reach_into_another_provider() -> None:
    placed = place_claim(provider="vultr", plan="hetzner-cax41", device_name="")
    assert placed.provider_id == UNLISTED_PROVIDER


@pytest.mark.parametrize("plan", ["///", " ", "🙂"])
def test_a_claim_without_a_letter_still_has_an_address(plan: str) -> None:
    placed = place_claim(provider="home", plan=plan, device_name="---")
    assert placed.slug == "home-unnamed-machine"


def test_a_claim_of_the_longest_parts_fits_the_columns() -> None:
    placed = place_claim(provider="p" * 64, plan="q" * 64, device_name="")
    placed.full_clean(exclude=("source",))
    assert len(placed.sent_name) == NAME_CHARACTERS_MAX


def test_markup_and_line_breaks_do_not_survive_into_an_address() -> None:
    placed = place_claim(provider="home", plan="<b>\n1</b>", device_name="")
    assert re.fullmatch("home-[0-9a-f]{12}", placed.slug)
    assert placed.sent_name == "<b> 1</b>"


def test_stand_in_providers_are_made_where_nothing_is_loaded() -> None:
    Plan.objects.all().delete()
    Provider.objects.all().delete()
    place_claim(provider=None, plan=None, device_name="x")
    assert list(Provider.objects.values_list("slug", "name")) == [(UNLISTED_PROVIDER, "Unlisted")]


def test_names_in_other_scripts_do_not_fall_together() -> None:
    place = [
        place_claim(provider=None, plan=name, device_name="").slug
        for name in ("阿里云 2核4G", "腾讯云 2核4G", "Сервер 1", "сервер 1", "Server 1")
    ]
    assert place[2] == place[3]
    assert len(set(place)) == 4


@pytest.mark.parametrize("provider", ["Home", "Acme", "Hetzner", None])
@pytest.mark.parametrize("plan", ["cheap disks at evil.example", None])
def test_what_nobody_has_read_is_in_no_name_and_no_address(
    provider: str | None, plan: str | None
) -> None:
    placed = place_claim(provider=provider, plan=plan, device_name="evil.example")
    assert "evil" in placed.sent_name
    company = "Hetzner: " if provider == "Hetzner" else ""
    assert re.fullmatch(f"{company}an unlisted plan [0-9a-f]{{12}}", placed.name)
    assert re.fullmatch("(home|unlisted)-[0-9a-f]{12}", placed.slug)
    assert not placed.is_seen

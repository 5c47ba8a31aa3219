"""Where a run stands by the network of its upload: asked last, for the provider alone."""

from __future__ import annotations

from datetime import date

import pytest

from apps.plans.catalogue import read_plans, read_providers
from apps.plans.models import Plan, Provider
from apps.plans.placement import Basis, DeviceName, MachineReport, Placement, PlacementClaim
from apps.plans.services import place_run
from apps.words.labels import conflict_sentences

pytestmark = pytest.mark.django_db

GIB = 1 << 30
DAY = date(2026, 11, 21)
I4I = MachineReport(provider="aws", instance_type="i4i.large")
OF_METADATA = MachineReport(virt="kvm", metadata_provider="aws", metadata_type="i4i.large")


@pytest.fixture(autouse=True)
def catalogue() -> None:
    Provider.objects.bulk_create(read_providers())
    Plan.objects.bulk_create(read_plans())


def sent(
    seen: MachineReport, network: str, provider: str | None = None, plan: str | None = None
) -> Placement:
    claim = PlacementClaim(provider=provider, plan=plan)
    return place_run(
        seen=seen, claim=claim, device=DeviceName("Some Drive"), day=DAY, network=network
    )


def test_where_nobody_names_a_provider_the_network_of_the_upload_does() -> None:
    metal = MachineReport(virt="none", product="B565D4-V1L", cpu_count=32, ram_bytes=125 * GIB)
    found = sent(metal, "hetzner")
    assert (found.plan.sent_name, found.plan.is_listed) == (
        "Hetzner B565D4-V1L, 32 processors, 125 GB", False,
    )  # fmt: skip
    assert (found.basis, found.disagreements) == (Basis.NETWORK, [])
    completed = sent(metal, "hetzner", None, "AX102")
    assert (completed.plan.slug, completed.basis) == ("hetzner-ax102", Basis.NETWORK)
    unlisted = sent(metal, "hetzner", None, "AX7")
    assert (unlisted.plan.sent_name, unlisted.basis) == ("Hetzner AX7", Basis.NETWORK)
    flavour = sent(MachineReport(metadata_provider="openstack", metadata_type="b2-7"), "ovhcloud")
    assert flavour.plan.sent_name == "OVHcloud b2-7"


def test_a_network_that_nobody_knows_leaves_a_run_where_it_is() -> None:
    found = sent(MachineReport(virt="none"), "")
    assert (found.plan.sent_name, found.basis) == ("Some Drive", Basis.DEVICE)


@pytest.mark.parametrize(
    ("seen", "provider", "plan", "teller", "named"),
    [
        (MachineReport(), "AWS", "i4i.large", "claim", "aws"),
        (MachineReport(), "", "aws-i4i-large", "claim", "aws"),
        (I4I, None, None, "firmware", "aws"),
        (OF_METADATA, None, None, "metadata", "aws"),
        (MachineReport(), "Akamai", "anything", "claim", "akamai-linode"),
    ],
)
def test_an_upload_from_another_clouds_network_is_told_and_moves_nothing(
    seen: MachineReport, provider: str | None, plan: str | None, teller: str, named: str
) -> None:
    found = sent(seen, "hetzner", provider, plan)
    unsent = sent(seen, "", provider, plan)
    assert found.plan == unsent.plan
    assert conflict_sentences(found.disagreements)[-1] == (
        f"The run names {named}; the upload came from a network of hetzner."
    )
    assert found.disagreements[-1]["case"] == f"elsewhere-{teller}"
    assert found.conflicts == unsent.conflicts
    assert found.disagreements[-1] == found.elsewhere


@pytest.mark.parametrize(
    ("network", "provider"),
    [("", "AWS"), ("aws", "Amazon"), ("hetzner", "home"), ("aws", "Render"), ("aws", "Acme")],
)
def test_nothing_follows_from_an_unknown_network_a_home_or_a_provider_without_one(
    network: str, provider: str
) -> None:
    assert sent(MachineReport(), network, provider, "i4i.large").elsewhere is None

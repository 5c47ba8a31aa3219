"""Where a run stands: what the firmware says, then the claim; what contradicts is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.plans.aliases import Alias, plan_behind, read_aliases
from apps.plans.catalogue import read_plans, read_providers
from apps.plans.models import HOME_PROVIDER, UNLISTED_PROVIDER, Plan, Provider
from apps.plans.placement import (
    Basis,
    DeviceLocation,
    DeviceName,
    MachineReport,
    Placement,
    PlacementClaim,
    machine_words,
    names_same,
)
from apps.plans.services import place_run
from apps.words.labels import conflict_sentences

pytestmark = pytest.mark.django_db

GIB = 1 << 30
DAY = date(2026, 11, 21)
I4I = MachineReport(
    provider="aws", instance_type="i4i.large", virt="kvm", arch="x86_64", cpu_count=2,
    ram_bytes=15 * GIB, storage=DeviceLocation.LOCAL,
)  # fmt: skip
VSERVER = MachineReport(
    provider="hetzner", product="vServer", virt="kvm", cpu_count=4, ram_bytes=7 * GIB
)


@pytest.fixture(autouse=True)
def catalogue() -> None:
    Provider.objects.bulk_create(read_providers())
    Plan.objects.bulk_create(read_plans())


def placed(
    seen: MachineReport, provider: str | None = None, plan: str | None = None, *, day: date = DAY
) -> Placement:
    claim = PlacementClaim(provider=provider, plan=plan)
    return place_run(seen=seen, claim=claim, device=DeviceName("Some Drive"), day=day)


@pytest.mark.parametrize(
    ("provider", "instance_type", "slug"),
    [
        ("aws", "i4i.large", "aws-i4i-large"),
        ("gcp", "c3d-standard-30-lssd", "google-cloud-c3d-standard-30-lssd"),
        ("azure", "Standard_L8s_v3", "microsoft-azure-standard-l8s-v3"),
        ("azure", "L8s_v3", "microsoft-azure-standard-l8s-v3"),
        ("hetzner", "cax41", "hetzner-cax41"),
        ("digitalocean", "s-2vcpu-4gb", "digitalocean-s-2vcpu-4gb"),
        ("linode", "g6-standard-2", "akamai-linode-linode-4gb-g6-standard-2"),
        ("scaleway", "SCW-PRO2-S", "scaleway-pro2-s"),
        ("vultr", "vhf-2c-4gb", "vultr-vhf-2c-4gb"),
        ("oracle", "BM.DenseIO.E5.128", "oracle-cloud-bm-denseio-e5-128"),
    ],
)
def test_an_instance_type_of_the_firmware_is_its_plan_exactly(
    provider: str, instance_type: str, slug: str
) -> None:
    found = placed(MachineReport(provider=provider, instance_type=instance_type))
    assert (found.plan.slug, found.basis, found.conflicts) == (slug, Basis.INSTANCE_TYPE, ())


def test_a_volume_can_only_be_claimed() -> None:
    found = placed(replace(I4I, storage=DeviceLocation.NETWORK), "AWS", "gp3")
    assert (found.plan.slug, found.basis, found.conflicts) == ("aws-ebs-gp3", Basis.CLAIM, ())


def test_the_same_plan_said_twice_is_no_conflict() -> None:
    assert placed(I4I, "Amazon", "i4i.large").conflicts == ()
    unlisted = placed(
        MachineReport(provider="aws", instance_type="m7g.medium"), "aws", "m7g.medium"
    )
    assert (unlisted.plan.sent_name, unlisted.conflicts) == ("AWS m7g.medium", ())


def test_a_type_that_nobody_lists_names_an_unlisted_plan() -> None:
    found = placed(MachineReport(provider="aws", instance_type="m7g.medium", cpu_count=1))
    assert (found.plan.sent_name, found.basis) == ("AWS m7g.medium", Basis.FIRMWARE)


def test_where_claim_and_type_disagree_the_type_decides_and_both_are_told() -> None:
    found = placed(I4I, "aws", "i3.large")
    assert (found.plan.slug, found.basis) == ("aws-i4i-large", Basis.INSTANCE_TYPE)
    assert conflict_sentences(found.conflicts) == [
        "The claim says i3.large; the firmware names i4i.large."
    ]


@pytest.mark.parametrize(
    ("provider", "plan"), [("Hetzner", "AX102"), ("home", "my NAS"), ("", "hetzner-ax102")]
)
def test_a_claim_does_not_overrule_the_provider_that_the_firmware_names(
    provider: str, plan: str
) -> None:
    found = placed(I4I, provider, plan)
    assert (found.plan.slug, found.basis) == ("aws-i4i-large", Basis.INSTANCE_TYPE)
    assert any(
        "i4i.large" in each or "names aws" in each for each in conflict_sentences(found.conflicts)
    )


def test_of_another_provider_without_a_type_the_machine_gets_a_name_of_its_own() -> None:
    found = placed(VSERVER, "OVHcloud", "VPS-2")
    assert (found.plan.sent_name, found.plan.provider_id) == (
        "Hetzner vServer, 4 processors, 7 GB", UNLISTED_PROVIDER,
    )  # fmt: skip
    assert found.basis is Basis.FIRMWARE
    assert conflict_sentences(found.conflicts) == [
        "The claim says OVHcloud; the firmware names hetzner."
    ]


def test_a_provider_of_the_firmware_completes_a_claim_of_a_plan_alone() -> None:
    found = placed(VSERVER, None, "CX33")
    assert (found.plan.slug, found.basis, found.conflicts) == ("hetzner-cx33", Basis.CLAIM, ())
    unknown = placed(VSERVER, None, "CX99")
    assert (unknown.plan.sent_name, unknown.basis) == ("Hetzner CX99", Basis.FIRMWARE)


def test_a_provider_that_nobody_lists_keeps_the_name_of_the_firmware() -> None:
    found = placed(MachineReport(provider="cloudsigma", product="CloudSigma", cpu_count=1))
    assert found.plan.sent_name == "cloudsigma CloudSigma, 1 processor"


def test_without_a_word_of_the_firmware_the_claim_decides_and_then_the_device() -> None:
    assert placed(MachineReport(virt="none"), "Hetzner", "AX102").basis is Basis.CLAIM
    home = placed(MachineReport(), "home", "my NAS")
    assert (home.plan.provider_id, home.basis) == (HOME_PROVIDER, Basis.CLAIM)
    nothing = placed(MachineReport())
    assert (nothing.plan.sent_name, nothing.basis) == ("Some Drive", Basis.DEVICE)


CX33 = {"virt": "kvm", "cpu_count": 4, "ram_bytes": round(7.6 * GIB)}


@pytest.mark.parametrize(
    ("plan", "seen", "conflict"),
    [
        ("CX33", CX33, ""),
        ("CX33", {**CX33, "cpu_count": 2}, ""),  # without hyper-threading
        ("CX33", {**CX33, "cpu_count": 1}, "has 4 vCPUs; the machine shows 1."),
        ("CX33", {**CX33, "cpu_count": 5}, "has 4 vCPUs; the machine shows 5."),
        ("CX33", {**CX33, "cpu_count": 1, "is_contained": True}, ""),
        ("CX33", {**CX33, "ram_bytes": 6 * GIB}, ""),
        ("CX33", {**CX33, "ram_bytes": round(5.9 * GIB)}, "8 GB of memory; the machine shows 5.9"),
        ("CX33", {**CX33, "ram_bytes": 9 * GIB}, "8 GB of memory; the machine shows 9.0 GiB."),
        ("CX33", {**CX33, "virt": "none"}, "is a virtual machine; the system runs on bare metal."),
        ("CX33", {**CX33, "arch": "aarch64"}, "CX33 is x86_64; the machine is arm64."),
        ("CX33", {**CX33, "arch": "x86_64"}, ""),
        ("CX33", {**CX33, "arch": "riscv64"}, ""),
        ("AX102", {"virt": "none", "cpu_count": 3}, ""),
        ("AX102", {"virt": "kvm"}, "is a dedicated server; the system runs under kvm."),
        (
            "AX102",
            {"virt": "none", "storage": DeviceLocation.NETWORK},
            "the file lay on a network volume.",
        ),
        ("Volume", {"storage": DeviceLocation.LOCAL}, "the file lay on a local drive."),
        ("Volume", {"storage": DeviceLocation.NETWORK}, ""),
        ("Volume", {}, ""),
    ],
)
def test_a_machine_that_is_not_what_the_plan_offers_is_told(
    plan: str, seen: dict[str, Any], conflict: str
) -> None:
    found = placed(MachineReport(**seen), "Hetzner", plan)
    assert found.plan.slug == f"hetzner-{plan.lower()}"
    assert len(found.conflicts) == bool(conflict)
    assert conflict in "".join(conflict_sentences(found.conflicts))


def test_a_machine_of_ones_own_contradicts_no_offer() -> None:
    found = placed(MachineReport(virt="kvm", arch="aarch64"), "Home", "dell32 (home server)")
    assert (found.plan.is_listed, found.conflicts) == (True, ())


def test_a_machine_without_any_fact_is_a_machine() -> None:
    assert machine_words(MachineReport()) == "machine"


def test_an_alias_holds_on_its_days(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Alias("acme", "x1", "acme-old", None, date(2024, 12, 31))
    second = Alias("acme", "x1", "acme-new", date(2025, 1, 1), None)
    monkeypatch.setattr("apps.plans.aliases.read_aliases", lambda: (first, second))

    def behind(day: date) -> str | None:
        return plan_behind(provider="acme", name="X1", day=day)

    assert behind(date(2024, 12, 31)) == "acme-old"
    assert behind(date(2025, 1, 1)) == "acme-new"
    assert plan_behind(provider="other", name="X1", day=DAY) is None


def test_io2_is_block_express_since_that_replaced_it() -> None:
    seen = MachineReport(virt="kvm")
    assert placed(seen, "aws", "io2").plan.slug == "aws-ebs-io2-block-express"
    assert placed(seen, "aws", "io2", day=date(2023, 11, 20)).plan.provider_id == UNLISTED_PROVIDER


def test_each_alias_names_a_plan_and_is_the_name_of_no_other() -> None:
    plans = {plan.slug for plan in read_plans()}
    aliases = read_aliases()
    assert len(aliases) == 104
    assert {each.plan for each in aliases} <= plans
    assert not {f"{each.provider}-{each.alias}" for each in aliases} & plans
    assert len({(each.provider, each.alias, each.valid_from) for each in aliases}) == 104


# --- the cloud's metadata ----------------------------------------------------------------------

OF_METADATA = MachineReport(virt="kvm", metadata_provider="aws", metadata_type="i4i.large")


@pytest.mark.parametrize(
    ("provider", "instance_type", "slug"),
    [
        ("aws", "i4i.large", "aws-i4i-large"),
        ("gcp", "c3-standard-4-lssd", "google-cloud-c3-standard-4-lssd"),
        ("azure", "Standard_L8as_v3", "microsoft-azure-standard-l8as-v3"),
        ("scaleway", "POP2-4C-16G", "scaleway-pop2-4c-16g"),
        ("oracle", "BM.DenseIO.E4.128", "oracle-cloud-bm-denseio-e4-128"),
        ("openstack", "b3-16", "ovhcloud-b3-16"),
        ("openstack", "i1-45", "ovhcloud-i1-45"),
        ("openstack", "a4-ram16-disk80-perf1", "infomaniak-a4-ram16-disk80-perf1"),
        ("vultr", "vhf-2c-4gb", "vultr-vhf-2c-4gb"),
    ],
)
@pytest.mark.parametrize("is_in_firmware", [True, False])
def test_an_instance_type_of_the_metadata_is_its_plan_exactly(
    provider: str, instance_type: str, slug: str, *, is_in_firmware: bool
) -> None:
    firmware = provider if is_in_firmware and provider != "openstack" else None
    seen = MachineReport(provider=firmware, metadata_provider=provider, metadata_type=instance_type)
    found = placed(seen)
    assert (found.plan.slug, found.basis, found.disagreements) == (slug, Basis.METADATA, [])


@pytest.mark.parametrize(
    ("cpu_count", "ram_gb", "slug"),
    [
        (16, 94, "oracle-cloud-vm-denseio-e5-flex-8"),
        (32, 188, "oracle-cloud-vm-denseio-e5-flex-16"),
        (16, 30, None),
        (18, 94, None),
        (0, 0, None),
    ],
)
def test_a_type_whose_size_is_chosen_is_the_plan_of_the_machines_size(
    cpu_count: int, ram_gb: int, slug: str | None
) -> None:
    seen = MachineReport(
        provider="oracle", metadata_provider="oracle", metadata_type="VM.DenseIO.E5.Flex",
        cpu_count=cpu_count, ram_bytes=ram_gb * GIB,
    )  # fmt: skip
    found = placed(seen)
    assert (found.plan.slug if found.plan.is_listed else None) == slug
    assert found.basis is Basis.METADATA


def test_the_firmware_decides_before_the_metadata_and_the_metadata_before_the_claim() -> None:
    both = replace(I4I, metadata_provider="aws", metadata_type="i3.large")
    found = placed(both)
    assert (found.plan.slug, found.basis) == ("aws-i4i-large", Basis.INSTANCE_TYPE)
    assert conflict_sentences(found.conflicts) == [
        "The cloud's metadata names i3.large; the firmware names i4i.large."
    ]
    claimed = placed(OF_METADATA, "AWS", "i3.large")
    assert (claimed.plan.slug, claimed.basis) == ("aws-i4i-large", Basis.METADATA)
    assert conflict_sentences(claimed.conflicts) == [
        "The claim says i3.large; the cloud's metadata names i4i.large."
    ]


def test_metadata_of_another_provider_than_the_firmwares_counts_for_nothing() -> None:
    seen = MachineReport(provider="hetzner", product="vServer", metadata_provider="aws",
                metadata_type="i4i.large")  # fmt: skip
    found = placed(seen)
    assert (found.plan.sent_name, found.basis) == ("Hetzner vServer", Basis.FIRMWARE)
    assert conflict_sentences(found.conflicts) == [
        "The cloud's metadata names aws; the firmware names hetzner."
    ]


def test_a_provider_of_the_metadata_is_not_overruled_by_a_claim() -> None:
    seen = MachineReport(virt="kvm", cpu_count=2, metadata_provider="digitalocean")
    found = placed(seen, "Hetzner", "CX33")
    assert (found.plan.sent_name, found.basis) == (
        "DigitalOcean machine, 2 processors", Basis.METADATA,
    )  # fmt: skip
    assert conflict_sentences(found.conflicts) == [
        "The claim says Hetzner; the cloud's metadata names digitalocean."
    ]
    agreed = placed(seen, None, "s-2vcpu-4gb")
    assert (agreed.plan.slug, agreed.basis) == ("digitalocean-s-2vcpu-4gb", Basis.CLAIM)


def test_a_place_alone_names_no_plan() -> None:
    seen = replace(VSERVER, metadata_provider="hetzner")
    found = placed(seen, None, "CX33")
    assert (found.plan.slug, found.basis, found.conflicts) == ("hetzner-cx33", Basis.CLAIM, ())


def test_a_platform_is_no_provider_and_its_types_are_the_claimed_providers() -> None:
    seen = MachineReport(metadata_provider="openstack", metadata_type="b2-7")
    found = placed(seen, "OVH", "b3-16")
    assert (found.plan.sent_name, found.basis) == ("OVH b2-7", Basis.METADATA)
    assert conflict_sentences(found.conflicts) == [
        "The claim says b3-16; the cloud's metadata names b2-7."
    ]
    unclaimed = placed(seen)
    assert (unclaimed.plan.sent_name, unclaimed.basis) == ("b2-7", Basis.METADATA)
    listed = placed(replace(seen, metadata_type="b3-16"), "Hetzner")
    assert listed.plan.slug == "ovhcloud-b3-16"
    assert conflict_sentences(listed.conflicts) == [
        "The claim says Hetzner; the cloud's metadata names ovhcloud."
    ]
    of_firmware = placed(replace(seen, provider="exoscale"))
    assert (of_firmware.plan.sent_name, of_firmware.conflicts) == ("Exoscale b2-7", ())


def test_a_volume_beside_a_machine_of_the_metadata_can_be_claimed() -> None:
    found = placed(replace(OF_METADATA, storage=DeviceLocation.NETWORK), "AWS", "gp3")
    assert (found.plan.slug, found.basis, found.conflicts) == ("aws-ebs-gp3", Basis.CLAIM, ())


# --- firmware against claim --------------------------------------------------------------------


@pytest.mark.parametrize("claimed", ["i3.large", "aws-i3-large", "x9.mega"])
@pytest.mark.parametrize(
    "seen",
    [
        MachineReport(provider="aws", instance_type="m7g.medium"),
        MachineReport(metadata_provider="aws", metadata_type="m7g.medium"),
    ],
)
def test_a_type_that_nobody_lists_is_not_overruled_by_a_claim_of_another(
    claimed: str, seen: MachineReport
) -> None:
    found = placed(seen, "AWS", claimed)
    assert (found.plan.sent_name, found.plan.is_listed) == ("AWS m7g.medium", False)
    assert len(found.conflicts) == 1
    said = "something else" if claimed == "x9.mega" else claimed  # nobody has read it
    assert f"The claim says {said}; " in conflict_sentences(found.conflicts)[0]


def test_a_type_with_its_clouds_word_before_it_is_the_same_type() -> None:
    found = placed(
        MachineReport(provider="scaleway", instance_type="SCW-DEV1-S"), "Scaleway", "DEV1-S"
    )
    assert (found.plan.sent_name, found.conflicts) == ("Scaleway SCW-DEV1-S", ())
    listed = placed(MachineReport(provider="scaleway", instance_type="SCW-EM-L105X-SATA"), None,
                    "EM-L105X-SATA")  # fmt: skip
    assert (listed.plan.slug, listed.basis) == ("scaleway-em-l105x-sata", Basis.CLAIM)
    assert names_same("Standard_D2s_v3", "D2s_v3")
    assert not names_same("i4i.large", "i.large")
    assert not names_same("i4i.large", "")

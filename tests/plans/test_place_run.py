"""Where a run stands: what the firmware says, then the claim; what contradicts is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.plans.aliases import Alias, plan_behind, read_aliases
from apps.plans.catalogue import read_plans, read_providers
from apps.plans.models import HOME, UNLISTED, Plan, Provider
from apps.plans.placement import Basis, Claim, Placement, Seen, Storage, machine_words
from apps.plans.services import place_run

pytestmark = pytest.mark.django_db

GIB = 1 << 30
DAY = date(2026, 11, 21)
I4I = Seen(
    provider="aws", instance_type="i4i.large", virt="kvm", arch="x86_64", cpu_count=2,
    ram_bytes=15 * GIB, storage=Storage.LOCAL,
)  # fmt: skip
VSERVER = Seen(provider="hetzner", product="vServer", virt="kvm", cpu_count=4, ram_bytes=7 * GIB)


@pytest.fixture(autouse=True)
def catalogue() -> None:
    Provider.objects.bulk_create(read_providers())
    Plan.objects.bulk_create(read_plans())


def placed(
    seen: Seen, provider: str | None = None, plan: str | None = None, *, day: date = DAY
) -> Placement:
    claim = Claim(provider=provider, plan=plan)
    return place_run(seen=seen, claim=claim, device_name="Some Drive", day=day)


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
    found = placed(Seen(provider=provider, instance_type=instance_type))
    assert (found.plan.slug, found.basis, found.conflicts) == (slug, Basis.INSTANCE_TYPE, ())


def test_a_volume_can_only_be_claimed() -> None:
    found = placed(replace(I4I, storage=Storage.NETWORK), "AWS", "gp3")
    assert (found.plan.slug, found.basis, found.conflicts) == ("aws-ebs-gp3", Basis.CLAIM, ())


def test_the_same_plan_said_twice_is_no_conflict() -> None:
    assert placed(I4I, "Amazon", "i4i.large").conflicts == ()
    unlisted = placed(Seen(provider="aws", instance_type="m7g.medium"), "aws", "m7g.medium")
    assert (unlisted.plan.name, unlisted.conflicts) == ("AWS m7g.medium", ())


def test_a_type_that_nobody_lists_names_an_unlisted_plan() -> None:
    found = placed(Seen(provider="aws", instance_type="m7g.medium", cpu_count=1))
    assert (found.plan.name, found.basis) == ("AWS m7g.medium", Basis.FIRMWARE)


def test_where_claim_and_type_disagree_the_type_decides_and_both_are_told() -> None:
    found = placed(I4I, "aws", "i3.large")
    assert (found.plan.slug, found.basis) == ("aws-i4i-large", Basis.INSTANCE_TYPE)
    assert found.conflicts == ("The claim says i3.large; the firmware names the type i4i.large.",)


@pytest.mark.parametrize(
    ("provider", "plan"), [("Hetzner", "AX102"), ("home", "my NAS"), ("", "hetzner-ax102")]
)
def test_a_claim_does_not_overrule_the_provider_that_the_firmware_names(
    provider: str, plan: str
) -> None:
    found = placed(I4I, provider, plan)
    assert (found.plan.slug, found.basis) == ("aws-i4i-large", Basis.INSTANCE_TYPE)
    assert any("i4i.large" in each or "names aws" in each for each in found.conflicts)


def test_of_another_provider_without_a_type_the_machine_gets_a_name_of_its_own() -> None:
    found = placed(VSERVER, "OVHcloud", "VPS-2")
    assert (found.plan.name, found.plan.provider_id) == (
        "Hetzner vServer, 4 processors, 7 GB", UNLISTED,
    )  # fmt: skip
    assert found.basis is Basis.FIRMWARE
    assert found.conflicts == ("The claim says OVHcloud; the firmware names hetzner.",)


def test_a_provider_of_the_firmware_completes_a_claim_of_a_plan_alone() -> None:
    found = placed(VSERVER, None, "CX33")
    assert (found.plan.slug, found.basis, found.conflicts) == ("hetzner-cx33", Basis.CLAIM, ())
    unknown = placed(VSERVER, None, "CX99")
    assert (unknown.plan.name, unknown.basis) == ("Hetzner CX99", Basis.FIRMWARE)


def test_a_provider_that_nobody_lists_keeps_the_name_of_the_firmware() -> None:
    found = placed(Seen(provider="cloudsigma", product="CloudSigma", cpu_count=1))
    assert found.plan.name == "cloudsigma CloudSigma, 1 processor"


def test_without_a_word_of_the_firmware_the_claim_decides_and_then_the_device() -> None:
    assert placed(Seen(virt="none"), "Hetzner", "AX102").basis is Basis.CLAIM
    home = placed(Seen(), "home", "my NAS")
    assert (home.plan.provider_id, home.basis) == (HOME, Basis.CLAIM)
    nothing = placed(Seen())
    assert (nothing.plan.name, nothing.basis) == ("Some Drive", Basis.DEVICE)


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
        ("CX33", {**CX33, "ram_bytes": 9 * GIB}, "8 GB of memory; the machine shows 9.0."),
        ("CX33", {**CX33, "virt": "none"}, "is a virtual machine; the system runs on bare metal."),
        ("CX33", {**CX33, "arch": "aarch64"}, "CX33 is x86_64; the machine is arm64."),
        ("CX33", {**CX33, "arch": "x86_64"}, ""),
        ("CX33", {**CX33, "arch": "riscv64"}, ""),
        ("AX102", {"virt": "none", "cpu_count": 3}, ""),
        ("AX102", {"virt": "kvm"}, "is a dedicated server; the system runs under kvm."),
        (
            "AX102",
            {"virt": "none", "storage": Storage.NETWORK},
            "the file lay on a network volume.",
        ),
        ("Volume", {"storage": Storage.LOCAL}, "the file lay on a local drive."),
        ("Volume", {"storage": Storage.NETWORK}, ""),
        ("Volume", {}, ""),
    ],
)
def test_a_machine_that_is_not_what_the_plan_offers_is_told(
    plan: str, seen: dict[str, Any], conflict: str
) -> None:
    found = placed(Seen(**seen), "Hetzner", plan)
    assert found.plan.slug == f"hetzner-{plan.lower()}"
    assert len(found.conflicts) == bool(conflict)
    assert conflict in "".join(found.conflicts)


def test_a_machine_of_ones_own_contradicts_no_offer() -> None:
    found = placed(Seen(virt="kvm", arch="aarch64"), "Home", "dell32 (home server)")
    assert (found.plan.is_listed, found.conflicts) == (True, ())


def test_a_machine_without_any_fact_is_a_machine() -> None:
    assert machine_words(Seen()) == "machine"


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
    seen = Seen(virt="kvm")
    assert placed(seen, "aws", "io2").plan.slug == "aws-ebs-io2-block-express"
    assert placed(seen, "aws", "io2", day=date(2023, 11, 20)).plan.provider_id == UNLISTED


def test_each_alias_names_a_plan_and_is_the_name_of_no_other() -> None:
    plans = {plan.slug for plan in read_plans()}
    aliases = read_aliases()
    assert len(aliases) == 104
    assert {each.plan for each in aliases} <= plans
    assert not {f"{each.provider}-{each.alias}" for each in aliases} & plans
    assert len({(each.provider, each.alias, each.valid_from) for each in aliases}) == 104

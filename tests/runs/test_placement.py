"""From the payload of a run to its plan, and what of it the run keeps."""

from __future__ import annotations

from typing import Any

import pytest

from apps.plans.models import Plan, Provider
from apps.runs.members import read_members
from apps.runs.models import Run, Upload
from apps.runs.placement import REGION_CHARACTERS_MAX, region_of, seen_by_agent
from apps.runs.services import record_run
from apps.wire.run import read_stored
from apps.words.labels import conflict_sentences, sentences_of
from tests import make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def catalogue() -> None:
    aws = Provider.objects.create(slug="aws", name="AWS")
    usual: dict[str, Any] = {"provider": aws, "kind": "cloud", "arch": "x86_64"}
    Plan.objects.create(
        slug="aws-i4i-large", name="i4i.large", storage_kind="local-nvme", vcpus=2, **usual
    )
    make.drive_family(match="^Amazon Elastic", kind="virtual", form_factor="network volume")
    make.drive_family(match="^Amazon EC2", kind="virtual", form_factor="local disk")
    make.drive_family(match="^SAMSUNG MZQL2")


def in_region(claimed: str | None, *answered: Any) -> str:
    """Return the region of a run with this claim and, if given, this answer of the metadata."""
    claim = {"provider": None, "plan": None, "region": claimed}
    document = make.payload(claim=claim)
    for metadata in answered:
        document["env"]["cloud_metadata"] = metadata
    return region_of(read_stored(make.as_bytes(document)))


def metadata(region: str | None) -> dict[str, str | None]:
    return {"provider": "aws", "instance_type": "i4i.large", "region": region}


def test_the_region_is_that_of_the_metadata_else_the_claimed_one() -> None:
    assert in_region("fsn1") == "fsn1"
    assert in_region("fsn1", None) == "fsn1"
    assert in_region("fsn1", metadata(None)) == "fsn1"
    assert in_region("fsn1", metadata("us-east-1")) == "us-east-1"
    assert in_region(None, metadata("us-east-1")) == "us-east-1"
    assert in_region(None) == ""


def test_a_region_is_as_long_as_its_column_at_most() -> None:
    longest = Run._meta.get_field("region").max_length
    assert longest == REGION_CHARACTERS_MAX
    assert in_region(None, metadata("x" * 200)) == "x" * REGION_CHARACTERS_MAX


def recorded(*models: str, claim: str | None = None, **env: Any) -> Run:
    machine = {"virt": "kvm", "cpu_count": 2, "provider": "aws", "instance_type": "i4i.large"}
    document = make.payload(
        env=make.environment(**{**machine, **env}),
        devices=[make.device(model=model) for model in models],
        claim={"provider": None, "plan": claim, "region": None},
    )
    upload = make.upload(document)
    return record_run(upload=Upload.objects.get(pk=upload.pk))


def test_a_run_keeps_what_the_firmware_said_and_what_decided() -> None:
    run = recorded("Amazon EC2 NVMe Instance Storage")
    assert (run.plan_id, run.provider_id, run.plan_basis) == (
        "aws-i4i-large", "aws", "instance-type",
    )  # fmt: skip
    assert (run.seen_provider, run.seen_instance_type) == ("aws", "i4i.large")
    assert run.placement_conflicts == []


def test_a_contradiction_is_kept_with_the_run() -> None:
    run = recorded("Amazon EC2 NVMe Instance Storage", claim="i4i.metal")
    assert run.plan_id == "aws-i4i-large"
    assert run.placement_conflicts == [
        {"case": "type-held", "teller": "firmware", "named": "i4i.large"}
    ]
    assert conflict_sentences(run.placement_conflicts) == [
        "The claim says something else; the firmware names i4i.large."
    ]


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (["Amazon Elastic Block Store"], "the file lay on a network volume"),
        (["Amazon Elastic Block Store", "Amazon EC2 NVMe Instance Storage"], ""),
        (["SAMSUNG MZQL23T8HCLS-00A07"], ""),
        (["Nobody knows"], ""),
        ([], ""),
    ],
)
def test_where_the_file_lay_is_told_by_the_families_of_all_members(
    models: list[str], words: str
) -> None:
    conflicts = conflict_sentences(recorded(*models).placement_conflicts)
    assert len(conflicts) == bool(words)
    assert words in "".join(conflicts)


def test_in_a_container_the_machine_is_not_measured_by_what_is_seen() -> None:
    assert recorded("Nobody knows", cpu_count=9).placement_conflicts
    assert not recorded("Nobody knows", cpu_count=9, container="docker").placement_conflicts


def test_without_firmware_the_claim_decides() -> None:
    run = recorded("Nobody knows", provider=None, instance_type=None, claim="aws-i4i-large")
    assert (run.plan_id, run.plan_basis, run.seen_provider) == ("aws-i4i-large", "claim", "")


def test_a_firmware_that_contradicts_the_claim_has_the_run_on_its_own_plan_with_a_label() -> None:
    run = recorded("Amazon EC2 NVMe Instance Storage", instance_type="m7g.medium",
                   claim="i4i.large")  # fmt: skip
    assert (run.plan and run.plan.sent_name, run.plan_basis) == ("AWS m7g.medium", "firmware")
    label = run.labels.get(rule="placement-conflict")
    told = ["The claim says something else; the firmware names m7g.medium."]
    assert sentences_of(label) == conflict_sentences(run.placement_conflicts) == told


def from_network(provider: str, **changes: Any) -> Run:
    """Return the run of an upload from the network of a provider."""
    document = make.payload(
        env=make.environment(virt="none", cpu_count=32, ram_bytes=128 << 30), devices=[], **changes
    )
    upload = make.upload(document, network_provider=provider)
    return record_run(upload=Upload.objects.get(pk=upload.pk))


def test_the_network_of_the_upload_is_the_last_to_be_asked() -> None:
    Provider.objects.create(slug="hetzner", name="Hetzner")
    run = from_network("hetzner")
    assert (run.plan and run.plan.sent_name, run.plan_basis) == (
        "Hetzner AX162, 32 processors, 128 GB", "network",
    )  # fmt: skip
    assert run.placement_conflicts == []
    assert from_network("").plan_basis == "device"


def test_a_network_of_another_cloud_is_a_sentence_and_a_label_of_its_own() -> None:
    claim = {"provider": "AWS", "plan": "i4i.large", "region": None}
    run = from_network("hetzner", claim=claim)
    assert (run.plan_id, run.plan_basis) == ("aws-i4i-large", "claim")
    (elsewhere,) = sentences_of(run.labels.get(rule="network-elsewhere"))
    assert elsewhere.startswith("The run names aws; the upload came from a network of hetzner.")
    bare_metal = "i4i.large is a virtual machine; the system runs on bare metal."
    assert bare_metal in sentences_of(run.labels.get(rule="plan-contradicted"))
    conflicts = conflict_sentences(run.placement_conflicts)
    assert conflicts[-1] == elsewhere
    assert bare_metal in conflicts


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"provider": "aws", "instance_type": "i4i.large", "region": "us-east-1"},
         ("aws", "i4i.large")),
        ({"provider": "hetzner", "instance_type": None, "region": "fsn1"}, ("hetzner", None)),
        (None, (None, None)),
        ("absent", (None, None)),
    ],
)  # fmt: skip
def test_the_metadata_are_read_where_there_are_any(
    metadata: Any, expected: tuple[str | None, str | None]
) -> None:
    document = make.payload()
    if metadata != "absent":
        document["env"]["cloud_metadata"] = metadata
    payload = read_stored(make.as_bytes(document))
    members = read_members(payload.devices, virtualisation="none", read_p50_ns=None)
    seen = seen_by_agent(payload, members=members)
    assert (seen.metadata_provider, seen.metadata_type) == expected

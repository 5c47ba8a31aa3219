"""Attempts to be Placed without being there: replayed, foreign, forged and expired documents."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from apps.runs.models import CloudProof
from apps.wire.limits import PLACEMENT_BYTES_MAX
from tests import make
from tests.attacks.levels.conftest import slug_of, swapped
from tests.support.clouds import BEGAN, Authority

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened
    from tests.attacks.levels.conftest import Clouds

pytestmark = pytest.mark.attack


def test_a_document_replayed_under_another_key_places_nothing(
    weakened: Weakened, clouds: Clouds, agent: make.Agent, mallory: make.Agent
) -> None:
    first, second = clouds.upload(agent), clouds.upload(mallory)
    assert clouds.send(agent, first).status_code == 202
    assert clouds.level(first) == ("placed", "")
    assert clouds.send(mallory, second).status_code == 202
    assert clouds.level(second) == ("witnessed", "other-key")
    with weakened.without_instance_keys():
        third = clouds.upload(mallory)
        assert clouds.send(mallory, third).status_code == 202
        assert clouds.level(third) == ("placed", "")


def test_a_document_from_the_web_does_not_place_a_machine_at_home(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    upload = clouds.upload(mallory, network_provider="")
    assert clouds.send(mallory, upload).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-its-network")
    with weakened.without_networks_of_clouds():
        again = clouds.upload(mallory, network_provider="")
        assert clouds.send(mallory, again).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_the_document_of_a_smaller_instance_does_not_place_a_run_of_a_larger(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    make.plan(provider=clouds.plan.provider, slug="aws-m7i-metal", name="m7i.metal")
    env = make.environment(provider="aws", instance_type="m7i.metal")
    upload = clouds.upload(mallory, env=env)
    assert clouds.send(mallory, upload).status_code == 202
    assert clouds.level(upload) == ("witnessed", "")  # the document holds, for another plan
    assert CloudProof.objects.get().instance_type == "t3.micro"
    with weakened.without_document_facts():
        again = clouds.upload(mallory, env=env)
        assert clouds.send(mallory, again).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_document_of_another_continent_does_not_place_a_run(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    clouds.amazon.file(clouds.folder, "aws", "us-east-1")
    claim = {"provider": "AWS", "plan": "t3.micro", "region": "eu-central-1"}
    upload = clouds.upload(mallory, payload={"claim": claim})
    document, signature = clouds.amazon.aws(region="us-east-1", availabilityZone="us-east-1b")
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "")
    with weakened.without_document_facts():
        again = clouds.upload(mallory, payload={"claim": claim})
        sent = clouds.send(mallory, again, document=document, signature=signature)
        assert sent.status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_swapped_type_breaks_the_signature(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = clouds.amazon.aws(instanceType="t3.nano")
    upload = clouds.upload(mallory)
    forged = {"document": swapped(document, instanceType="t3.micro"), "signature": signature}
    assert clouds.send(mallory, upload, **forged).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    with weakened.without_document_signatures():
        again = clouds.upload(mallory)
        assert clouds.send(mallory, again, **forged).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_member_named_twice_is_no_document(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = clouds.amazon.aws(instanceType="t3.nano")
    doubled = document[:-1] + ', "instanceType": "t3.micro"}'
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=doubled, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "unreadable")
    with weakened.with_members_named_twice():
        again = clouds.upload(mallory)
        assert clouds.send(mallory, again, document=doubled, signature=signature).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_certificate_of_ones_own_signs_for_no_region(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = Authority().aws()
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    with weakened.without_document_signatures():
        again = clouds.upload(mallory)
        assert (
            clouds.send(mallory, again, document=document, signature=signature).status_code == 202
        )
        assert clouds.level(again) == ("placed", "")


def test_the_key_of_one_region_signs_for_no_other(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = clouds.amazon.aws(region="us-east-1", availabilityZone="us-east-1b")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")  # of the region that is shipped
    with weakened.with_keys_of_any_region():
        again = clouds.upload(mallory)
        assert (
            clouds.send(mallory, again, document=document, signature=signature).status_code == 202
        )
        assert clouds.level(again) == ("placed", "")


def test_an_expired_certificate_signs_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    old = Authority(ends=BEGAN + timedelta(days=1))
    old.file(clouds.folder, "aws", "xx-old-1")
    document, signature = old.aws(region="xx-old-1")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "no-certificate")
    with weakened.with_expired_certificates():
        again = clouds.upload(mallory)
        assert (
            clouds.send(mallory, again, document=document, signature=signature).status_code == 202
        )
        assert clouds.level(again) == ("placed", "")


def test_a_machine_that_starts_in_the_future_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = clouds.amazon.aws(pendingTime="2099-01-01T00:00:00Z")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "expired")
    with weakened.with_clocks_far_apart():
        again = clouds.upload(mallory)
        assert (
            clouds.send(mallory, again, document=document, signature=signature).status_code == 202
        )
        assert clouds.level(again) == ("placed", "")


def test_azure_is_no_cloud_that_places(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    answer = clouds.send(mallory, clouds.upload(mallory), provider="azure")
    assert (answer.status_code, slug_of(answer)) == (422, "bad-statement")
    with weakened.with_azure():
        answer = clouds.send(mallory, clouds.upload(mallory), provider="azure")
    assert answer.status_code == 202


def test_nobody_places_the_run_of_another_key(
    weakened: Weakened, clouds: Clouds, agent: make.Agent, mallory: make.Agent
) -> None:
    answer = clouds.send(mallory, clouds.upload(agent))
    assert (answer.status_code, slug_of(answer)) == (403, "not-your-run")
    with weakened.with_placements_by_anybody():
        placed = clouds.upload(agent)
        assert clouds.send(mallory, placed).status_code == 202
        assert clouds.level(placed) == ("placed", "")


def test_a_statement_about_another_run_than_its_address_is_refused(
    weakened: Weakened, clouds: Clouds, agent: make.Agent
) -> None:
    one, other = clouds.upload(agent), clouds.upload(agent)
    about_other = {"run_id": str(other.pk), "challenge": other.challenge_id}
    answer = clouds.send(agent, one, **about_other)
    assert (answer.status_code, slug_of(answer)) == (422, "run-id-mismatch")
    with weakened.without_addresses_in_statements():
        assert clouds.send(agent, one, **about_other).status_code == 202
    assert clouds.level(other) == ("placed", "")


def test_the_challenge_of_another_run_is_refused(
    weakened: Weakened, clouds: Clouds, agent: make.Agent
) -> None:
    one, other = clouds.upload(agent), clouds.upload(agent)
    answer = clouds.send(agent, one, challenge=other.challenge_id)
    assert (answer.status_code, slug_of(answer)) == (409, "challenge-mismatch")
    with weakened.with_any_challenge():
        assert clouds.send(agent, one, challenge=other.challenge_id).status_code == 202
    assert clouds.level(one) == ("placed", "")


def test_a_run_without_a_challenge_is_never_placed(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    upload = clouds.upload(mallory, challenge_use="expired")
    answer = clouds.send(mallory, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "challenge-mismatch")
    assert clouds.level(upload)[0] == "signed"
    with weakened.with_late_answers():
        again = clouds.upload(mallory, challenge_use="expired")
        assert clouds.send(mallory, again).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_second_document_does_not_replace_the_first(
    weakened: Weakened, clouds: Clouds, agent: make.Agent
) -> None:
    upload = clouds.upload(agent)
    assert clouds.send(agent, upload, signature="AAAA").status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    answer = clouds.send(agent, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "placement-conflict")
    with weakened.with_second_documents():
        assert clouds.send(agent, upload).status_code == 202
    assert clouds.level(upload) == ("placed", "")


def test_an_old_run_is_not_placed_from_a_machine_rented_later(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    old = clouds.now - timedelta(days=2)
    upload = clouds.upload(mallory, received_at=old, challenge_issued_at=old - timedelta(minutes=5))
    answer = clouds.send(mallory, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "placement-late")
    with weakened.with_late_documents():
        assert clouds.send(mallory, upload).status_code == 202
    assert clouds.level(upload) == ("placed", "")


def test_a_huge_document_is_refused_before_it_is_read(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    huge = "x" * 2 * PLACEMENT_BYTES_MAX
    answer = clouds.send(mallory, clouds.upload(mallory), document=huge)
    assert answer.status_code in {400, 413}
    assert not CloudProof.objects.exists()
    with weakened.with_documents_of_any_length():
        answer = clouds.send(mallory, clouds.upload(mallory), document=huge)
    assert answer.status_code == 202

"""Attempts to be Placed without being there: replayed, foreign, forged and expired documents."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from apps.runs.models import CloudProof
from apps.wire.limits import PLACEMENT_BYTES_MAX
from tests import make
from tests.attacks import weakened
from tests.attacks.levels.conftest import slug_of, swapped
from tests.support.clouds import BEGAN, Authority

if TYPE_CHECKING:
    from tests.attacks.levels.conftest import Clouds

pytestmark = pytest.mark.attack


def test_an_honest_document_places_a_run_and_is_thrown_away(
    clouds: Clouds, agent: make.Agent
) -> None:
    """Without this the attempts below would fail for any reason."""
    upload = clouds.upload(agent)
    assert clouds.send(agent, upload).status_code == 202
    assert clouds.level(upload) == ("placed", "")
    proof = CloudProof.objects.get()
    assert (proof.document, proof.signature) == ("", "")
    assert (proof.instance_type, proof.zone) == ("t3.micro", "xx-test-1a")


def test_a_document_replayed_under_another_key_places_nothing(
    clouds: Clouds, agent: make.Agent, mallory: make.Agent
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
    clouds: Clouds, mallory: make.Agent
) -> None:
    upload = clouds.upload(mallory, network_provider="")
    assert clouds.send(mallory, upload).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-its-network")


def test_the_document_of_a_smaller_instance_does_not_place_a_run_of_a_larger(
    clouds: Clouds, mallory: make.Agent
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
    clouds: Clouds, mallory: make.Agent
) -> None:
    clouds.amazon.file(clouds.folder, "aws", "us-east-1")
    claim = {"provider": "AWS", "plan": "t3.micro", "region": "eu-central-1"}
    upload = clouds.upload(mallory, payload={"claim": claim})
    document, signature = clouds.amazon.aws(region="us-east-1", availabilityZone="us-east-1b")
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "")


def test_a_swapped_type_breaks_the_signature(clouds: Clouds, mallory: make.Agent) -> None:
    document, signature = clouds.amazon.aws(instanceType="t3.nano")
    upload = clouds.upload(mallory)
    forged = {"document": swapped(document, instanceType="t3.micro"), "signature": signature}
    assert clouds.send(mallory, upload, **forged).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    with weakened.without_document_signatures():
        again = clouds.upload(mallory)
        assert clouds.send(mallory, again, **forged).status_code == 202
        assert clouds.level(again) == ("placed", "")


def test_a_member_named_twice_is_no_document(clouds: Clouds, mallory: make.Agent) -> None:
    document, signature = clouds.amazon.aws()
    doubled = document[:-1] + ', "instanceType": "m7i.metal"}'
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=doubled, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "unreadable")


def test_a_certificate_of_ones_own_signs_for_no_region(clouds: Clouds, mallory: make.Agent) -> None:
    document, signature = Authority().aws()
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")


def test_the_key_of_one_region_signs_for_no_other(clouds: Clouds, mallory: make.Agent) -> None:
    document, signature = clouds.amazon.aws(region="us-east-1", availabilityZone="us-east-1b")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")  # of the region that is shipped


def test_an_expired_certificate_signs_nothing(clouds: Clouds, mallory: make.Agent) -> None:
    old = Authority(ends=BEGAN + timedelta(days=1))
    old.file(clouds.folder, "aws", "xx-old-1")
    document, signature = old.aws(region="xx-old-1")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "no-certificate")


def test_a_machine_that_starts_in_the_future_places_nothing(
    clouds: Clouds, mallory: make.Agent
) -> None:
    document, signature = clouds.amazon.aws(pendingTime="2099-01-01T00:00:00Z")
    upload = clouds.upload(mallory)
    assert clouds.send(mallory, upload, document=document, signature=signature).status_code == 202
    assert clouds.level(upload) == ("witnessed", "expired")


def test_azure_is_no_cloud_that_places(clouds: Clouds, mallory: make.Agent) -> None:
    answer = clouds.send(mallory, clouds.upload(mallory), provider="azure")
    assert (answer.status_code, slug_of(answer)) == (422, "bad-statement")


def test_nobody_places_the_run_of_another_key(
    clouds: Clouds, agent: make.Agent, mallory: make.Agent
) -> None:
    answer = clouds.send(mallory, clouds.upload(agent))
    assert (answer.status_code, slug_of(answer)) == (403, "not-your-run")


def test_a_statement_about_another_run_than_its_address_is_refused(
    clouds: Clouds, agent: make.Agent
) -> None:
    one, other = clouds.upload(agent), clouds.upload(agent)
    answer = clouds.send(agent, one, run_id=str(other.pk))
    assert (answer.status_code, slug_of(answer)) == (422, "run-id-mismatch")


def test_the_challenge_of_another_run_is_refused(clouds: Clouds, agent: make.Agent) -> None:
    one, other = clouds.upload(agent), clouds.upload(agent)
    answer = clouds.send(agent, one, challenge=other.challenge_id)
    assert (answer.status_code, slug_of(answer)) == (409, "challenge-mismatch")


def test_a_run_without_a_challenge_is_never_placed(clouds: Clouds, mallory: make.Agent) -> None:
    upload = clouds.upload(mallory, challenge_use="expired")
    answer = clouds.send(mallory, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "challenge-mismatch")
    assert clouds.level(upload)[0] == "signed"


def test_a_second_document_does_not_replace_the_first(clouds: Clouds, agent: make.Agent) -> None:
    upload = clouds.upload(agent)
    assert clouds.send(agent, upload, signature="AAAA").status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    answer = clouds.send(agent, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "placement-conflict")


def test_an_old_run_is_not_placed_from_a_machine_rented_later(
    clouds: Clouds, mallory: make.Agent
) -> None:
    old = clouds.now - timedelta(days=2)
    upload = clouds.upload(mallory, received_at=old, challenge_issued_at=old - timedelta(minutes=5))
    answer = clouds.send(mallory, upload)
    assert (answer.status_code, slug_of(answer)) == (409, "placement-late")


def test_a_huge_document_is_refused_before_it_is_read(clouds: Clouds, mallory: make.Agent) -> None:
    answer = clouds.send(mallory, clouds.upload(mallory), document="x" * 2 * PLACEMENT_BYTES_MAX)
    assert answer.status_code in {400, 413}
    assert not CloudProof.objects.exists()


def test_a_token_for_another_audience_places_nothing(clouds: Clouds, mallory: make.Agent) -> None:
    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    token = google.google("https://another.example", at=clouds.now)
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "other-challenge")


def test_a_token_from_before_the_challenge_places_nothing(
    clouds: Clouds, mallory: make.Agent
) -> None:
    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    token = google.google(str(upload.challenge_id), at=clouds.now - timedelta(hours=3))
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "expired")


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_names_a_weaker_algorithm_places_nothing(
    clouds: Clouds, mallory: make.Agent, algorithm: str
) -> None:
    import jwt  # noqa: PLC0415 -- the attacker's tool

    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    claims = {"aud": upload.challenge_id, "iss": "https://accounts.google.com", "iat": 1, "exp": 2}
    secret = "0" * 64 if algorithm == "HS256" else ""
    token = jwt.encode(claims, secret, algorithm=algorithm, headers={"kid": "k1"})
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "unreadable")


def test_a_chain_of_ones_own_places_nothing(clouds: Clouds, mallory: make.Agent) -> None:
    Authority("Alibaba").file(clouds.folder, "alibaba", "")
    impostor = Authority("A machine", issuer=Authority("Alibaba"))  # another of that name
    upload = clouds.upload(mallory)
    document, signature = impostor.alibaba(str(upload.challenge_id))
    answer = clouds.send(
        mallory, upload, provider="alibaba", document=document, signature=signature
    )
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")


def test_an_identity_for_another_challenge_places_nothing(
    clouds: Clouds, mallory: make.Agent
) -> None:
    root = Authority("Alibaba")
    root.file(clouds.folder, "alibaba", "")
    upload = clouds.upload(mallory)
    document, signature = Authority("A machine", issuer=root).alibaba("c_of_somebody_else")
    answer = clouds.send(
        mallory, upload, provider="alibaba", document=document, signature=signature
    )
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")


@pytest.mark.parametrize(
    "signature", ["", "AAAA", "MIIB", "MIMAAAAA", "MIIBIjAN" * 200, "MIACAQ=="]
)
def test_bytes_that_are_no_signature_stop_no_worker(
    clouds: Clouds, mallory: make.Agent, signature: str
) -> None:
    Authority("Alibaba").file(clouds.folder, "alibaba", "")
    upload = clouds.upload(mallory)
    document, _ = Authority().alibaba("")
    answer = clouds.send(
        mallory, upload, provider="alibaba", document=document, signature=signature
    )
    assert answer.status_code == 202
    assert clouds.level(upload)[0] == "witnessed"

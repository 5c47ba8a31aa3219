"""Attempts to be Placed without being there: replayed, foreign, forged and expired documents."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest

from apps.runs.models import CloudProof
from apps.wire.limits import PLACEMENT_BYTES_MAX
from tests import make
from tests.attacks.levels.conftest import Forgery, name_of, slug_of, swapped
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


def swapped_type(clouds: Clouds) -> make.Json:
    document, signature = clouds.amazon.aws(instanceType="t3.nano")
    return {"document": swapped(document, instanceType="t3.micro"), "signature": signature}


def member_named_twice(clouds: Clouds) -> make.Json:
    document, signature = clouds.amazon.aws(instanceType="t3.nano")
    doubled = document[:-1] + ', "instanceType": "t3.micro"}'
    return {"document": doubled, "signature": signature}


def certificate_of_ones_own(_clouds: Clouds) -> make.Json:
    return as_sent(*Authority().aws())


def key_of_another_region(clouds: Clouds) -> make.Json:
    return as_sent(*clouds.amazon.aws(region="us-east-1", availabilityZone="us-east-1b"))


def expired_certificate(clouds: Clouds) -> make.Json:
    old = Authority(ends=BEGAN + timedelta(days=1))
    old.file(clouds.folder, "aws", "xx-old-1")
    return as_sent(*old.aws(region="xx-old-1"))


def machine_of_the_future(clouds: Clouds) -> make.Json:
    return as_sent(*clouds.amazon.aws(pendingTime="2099-01-01T00:00:00Z"))


def as_sent(document: str, signature: str) -> make.Json:
    return {"document": document, "signature": signature}


NOT_AMAZONS: Final = (
    Forgery(swapped_type, "not-signed", "without_document_signatures"),
    Forgery(member_named_twice, "unreadable", "with_members_named_twice"),
    Forgery(certificate_of_ones_own, "not-signed", "without_document_signatures"),
    Forgery(key_of_another_region, "not-signed", "with_keys_of_any_region"),
    Forgery(expired_certificate, "no-certificate", "with_expired_certificates"),
    Forgery(machine_of_the_future, "expired", "with_clocks_far_apart"),
)


@pytest.mark.parametrize("forgery", NOT_AMAZONS, ids=name_of)
def test_what_amazon_did_not_sign_of_this_machine_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent, forgery: Forgery
) -> None:
    sent = forgery.made(clouds)

    def level() -> tuple[str, str]:
        upload = clouds.upload(mallory)
        assert clouds.send(mallory, upload, **sent).status_code == 202
        return clouds.level(upload)

    assert level() == ("witnessed", forgery.refusal)
    with getattr(weakened, forgery.server)():
        assert level() == ("placed", "")


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

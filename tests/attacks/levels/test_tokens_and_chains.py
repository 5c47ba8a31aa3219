"""Attempts to be Placed by what Google and Alibaba sign, without being there."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import jwt
import pytest

from apps.intake.services.work import drain
from apps.runs.models import Run
from tests import make
from tests.support.clouds import Authority

if TYPE_CHECKING:
    from datetime import datetime

    from apps.runs.models import Upload
    from tests.attacks.conftest import Weakened
    from tests.attacks.levels.conftest import Clouds

pytestmark = pytest.mark.attack


def test_a_token_for_another_audience_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    token = google.google("https://another.example", at=clouds.now)
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "other-challenge")
    with weakened.with_tokens_for_any_audience():
        again = clouds.upload(mallory)
        assert (
            clouds.send(mallory, again, provider="gcp", document=token, signature="").status_code
            == 202
        )
        assert clouds.level(again) == ("witnessed", "")


def test_a_token_from_before_the_challenge_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    token = google.google(str(upload.challenge_id), at=clouds.now - timedelta(hours=3))
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "expired")
    with weakened.with_clocks_far_apart():
        again = clouds.upload(mallory)
        token = google.google(str(again.challenge_id), at=clouds.now - timedelta(hours=3))
        assert (
            clouds.send(mallory, again, provider="gcp", document=token, signature="").status_code
            == 202
        )
        assert clouds.level(again) == ("witnessed", "")


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_that_names_a_weaker_algorithm_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent, algorithm: str
) -> None:
    google = Authority()
    google.file(clouds.folder, "gcp", "k1")
    upload = clouds.upload(mallory)
    token = forged_token(upload, clouds.now, algorithm)
    answer = clouds.send(mallory, upload, provider="gcp", document=token, signature="")
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "unreadable")
    with weakened.with_algorithms_as_named():
        again = clouds.upload(mallory)
        token = forged_token(again, clouds.now, algorithm)
        answer = clouds.send(mallory, again, provider="gcp", document=token, signature="")
        assert answer.status_code == 202
        assert clouds.level(again) == ("witnessed", "")  # it holds, for no plan of Google's


def forged_token(upload: Upload, at: datetime, algorithm: str) -> str:
    """What Google would say of a machine, signed by nobody or with a secret of one's own."""
    claims = {
        "aud": upload.challenge_id, "iss": "https://accounts.google.com",
        "iat": int(at.timestamp()), "exp": int(at.timestamp()) + 3600,
        "google": {"compute_engine": {"instance_id": "4711", "zone": "xx-test1-b"}},
    }  # fmt: skip
    secret = "0" * 64 if algorithm == "HS256" else ""
    return jwt.encode(claims, secret, algorithm=algorithm, headers={"kid": "k1"})


def test_a_chain_of_ones_own_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
) -> None:
    Authority("Alibaba").file(clouds.folder, "alibaba", "")
    impostor = Authority("A machine", issuer=Authority("Alibaba"))  # another of that name
    upload = clouds.upload(mallory)
    document, signature = impostor.alibaba(str(upload.challenge_id))
    answer = clouds.send(
        mallory, upload, provider="alibaba", document=document, signature=signature
    )
    assert answer.status_code == 202
    assert clouds.level(upload) == ("witnessed", "not-signed")
    with weakened.without_document_signatures():
        again = clouds.upload(mallory)
        assert (
            clouds.send(
                mallory, again, provider="alibaba", document=document, signature=signature
            ).status_code
            == 202
        )
        assert clouds.level(again) == ("witnessed", "")


def test_an_identity_for_another_challenge_places_nothing(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent
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
    with weakened.without_document_signatures():
        again = clouds.upload(mallory)
        assert (
            clouds.send(
                mallory, again, provider="alibaba", document=document, signature=signature
            ).status_code
            == 202
        )
        assert clouds.level(again) == ("witnessed", "")


@pytest.mark.parametrize(
    "signature", ["", "AAAA", "MIIB", "MIMAAAAA", "MIIBIjAN" * 200, "MIACAQ=="]
)
def test_bytes_that_are_no_signature_stop_no_worker(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent, signature: str
) -> None:
    Authority("Alibaba").file(clouds.folder, "alibaba", "")
    upload = clouds.upload(mallory)
    document, _ = Authority().alibaba("")
    answer = clouds.send(
        mallory, upload, provider="alibaba", document=document, signature=signature
    )
    assert answer.status_code == 202
    assert clouds.level(upload)[0] == "witnessed"
    with weakened.with_signatures_that_break():
        again = clouds.upload(mallory)
        sent = clouds.send(
            mallory, again, provider="alibaba", document=document, signature=signature
        )
        assert sent.status_code == 202
        drain()
    assert not Run.objects.filter(pk=again.pk).exists()

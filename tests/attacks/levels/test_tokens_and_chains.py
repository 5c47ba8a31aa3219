"""Attempts to be Placed by what Google and Alibaba sign, without being there."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

import jwt
import pytest

from apps.intake.services.work import drain
from apps.runs.models import Run
from tests import make
from tests.attacks.levels.conftest import Forgery, name_of
from tests.support.clouds import Authority

if TYPE_CHECKING:
    from datetime import datetime

    from apps.runs.models import Upload
    from tests.attacks.conftest import Weakened
    from tests.attacks.levels.conftest import Clouds

pytestmark = pytest.mark.attack


def forged_token(upload: Upload, at: datetime, algorithm: str) -> str:
    """What Google would say of a machine, signed by nobody or with a secret of one's own."""
    claims = {
        "aud": upload.challenge_id, "iss": "https://accounts.google.com",
        "iat": int(at.timestamp()), "exp": int(at.timestamp()) + 3600,
        "google": {"compute_engine": {"instance_id": "4711", "zone": "xx-test1-b"}},
    }  # fmt: skip
    secret = "0" * 64 if algorithm == "HS256" else ""
    return jwt.encode(claims, secret, algorithm=algorithm, headers={"kid": "k1"})


@cache
def google() -> Authority:
    return Authority()


def of_google(clouds: Clouds, token: str) -> make.Json:
    google().file(clouds.folder, "gcp", "k1")
    return {"provider": "gcp", "document": token, "signature": ""}


def of_alibaba(document: str, signature: str) -> make.Json:
    return {"provider": "alibaba", "document": document, "signature": signature}


def token_for_another_audience(clouds: Clouds, _upload: Upload) -> make.Json:
    return of_google(clouds, google().google("https://another.example", at=clouds.now))


def token_from_before_the_challenge(clouds: Clouds, upload: Upload) -> make.Json:
    before = clouds.now - timedelta(hours=3)
    return of_google(clouds, google().google(str(upload.challenge_id), at=before))


def token_that_nobody_signed(clouds: Clouds, upload: Upload) -> make.Json:
    return of_google(clouds, forged_token(upload, clouds.now, "none"))


def token_by_a_secret(clouds: Clouds, upload: Upload) -> make.Json:
    return of_google(clouds, forged_token(upload, clouds.now, "HS256"))


def chain_of_ones_own(clouds: Clouds, upload: Upload) -> make.Json:
    Authority("Alibaba").file(clouds.folder, "alibaba", "")
    impostor = Authority("A machine", issuer=Authority("Alibaba"))  # another of that name
    return of_alibaba(*impostor.alibaba(str(upload.challenge_id)))


def identity_for_another_challenge(clouds: Clouds, _upload: Upload) -> make.Json:
    root = Authority("Alibaba")
    root.file(clouds.folder, "alibaba", "")
    return of_alibaba(*Authority("A machine", issuer=root).alibaba("c_of_somebody_else"))


FORGED: Final = (
    Forgery(token_for_another_audience, "other-challenge", "with_tokens_for_any_audience"),
    Forgery(token_from_before_the_challenge, "expired", "with_clocks_far_apart"),
    Forgery(token_that_nobody_signed, "unreadable", "with_algorithms_as_named"),
    Forgery(token_by_a_secret, "unreadable", "with_algorithms_as_named"),
    Forgery(chain_of_ones_own, "not-signed", "without_document_signatures"),
    Forgery(identity_for_another_challenge, "not-signed", "without_document_signatures"),
)


@pytest.mark.parametrize("forgery", FORGED, ids=name_of)
def test_what_no_cloud_signed_of_this_run_is_refused(
    weakened: Weakened, clouds: Clouds, mallory: make.Agent, forgery: Forgery
) -> None:
    def level() -> tuple[str, str]:
        upload = clouds.upload(mallory)
        sent = forgery.made(clouds, upload)
        assert clouds.send(mallory, upload, **sent).status_code == 202
        return clouds.level(upload)

    assert level() == ("witnessed", forgery.refusal)
    with getattr(weakened, forgery.server)():
        assert level() == ("witnessed", "")  # it holds, for no plan of that cloud's


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

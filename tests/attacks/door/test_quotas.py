"""Who asks without end: one network, one key, many keys, many addresses."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from redis.exceptions import ConnectionError as AwayError

from apps.config.edge import routes
from apps.intake.models import Challenge
from apps.runs.models import Upload
from tests import make
from tests.attacks import weakened as servers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.attacks.conftest import Weakened
    from tests.intake.conftest import Door

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


@pytest.fixture
def small() -> Iterator[int]:
    """Every quota is of three requests, so that a test sends four."""
    few = 3
    for route in routes._ROUTES:
        if route.quota is not None:
            object.__setattr__(route.quota, "most", few)
    yield few
    for route in routes._ROUTES:
        if route.quota is not None:
            object.__setattr__(route.quota, "most", ORIGINAL[route.quota.name])


ORIGINAL = {quota.name: quota.most for quota in routes.QUOTAS}
READ = ["/api/v1/plans", "/api/v1/runs", "/api/v1/advice", "/search/?q=a", "/advisor/",
        "/zh-hans/search/?q=a"]  # fmt: skip


@pytest.mark.parametrize("path", READ)
def test_one_network_may_not_ask_without_end(
    weakened: Weakened, client: Client, small: int, path: str
) -> None:
    for _ in range(small):
        assert client.get(path).status_code != 429
    refused = client.get(path)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    assert ";r=0;" in refused.headers["RateLimit"]
    with weakened.without_quotas():
        assert client.get(path).status_code != 429


def test_other_addresses_of_the_network_do_not_help(
    weakened: Weakened, client: Client, small: int
) -> None:
    for last in range(small):
        client.get("/api/v1/plans", REMOTE_ADDR=f"198.51.100.{last}")
    assert client.get("/api/v1/plans", REMOTE_ADDR="198.51.100.99").status_code == 429
    assert client.get("/api/v1/plans", REMOTE_ADDR="198.51.101.1").status_code == 200
    with weakened.with_quotas_by_address():
        assert client.get("/api/v1/plans", REMOTE_ADDR="198.51.100.99").status_code == 200


def test_other_addresses_of_the_link_do_not_help(
    weakened: Weakened, client: Client, small: int
) -> None:
    for last in range(small):
        client.get("/api/v1/plans", REMOTE_ADDR=f"2001:db8:0:1::{last}")
    assert client.get("/api/v1/plans", REMOTE_ADDR="2001:db8:0:1:ffff::1").status_code == 429
    assert client.get("/api/v1/plans", REMOTE_ADDR="2001:db8:0:2::1").status_code == 200
    with weakened.with_quotas_by_address():
        assert client.get("/api/v1/plans", REMOTE_ADDR="2001:db8:0:1:ffff::1").status_code == 200


def test_an_invented_forwarded_address_does_not_help(
    weakened: Weakened, client: Client, small: int
) -> None:
    for last in range(small):
        client.get("/api/v1/plans", HTTP_X_FORWARDED_FOR=f"203.0.{last}.1")
    assert client.get("/api/v1/plans", HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 429
    with weakened.with_forwarded_addresses():
        assert client.get("/api/v1/plans", HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 200


def test_keys_are_not_enrolled_without_end(weakened: Weakened, door: Door, small: int) -> None:
    for _ in range(small):
        agent = make.Agent()
        assert door.put_key(agent.keyid, agent.key_statement()).status_code == 201
    agent = make.Agent()
    assert door.put_key(agent.keyid, agent.key_statement()).status_code == 429
    with weakened.without_quotas():
        assert door.put_key(agent.keyid, agent.key_statement()).status_code == 201


def test_refused_envelopes_are_counted(weakened: Weakened, door: Door, db: None) -> None:
    most = routes.ENROLMENTS.refusals
    assert most
    object.__setattr__(routes.ENROLMENTS, "refusals", 2)
    try:
        answers = [door.put_key("0" * 64, b"{").status_code for _ in range(4)]
    finally:
        object.__setattr__(routes.ENROLMENTS, "refusals", most)
    assert answers == [400, 400, 400, 429]
    with weakened.without_quotas():
        assert door.put_key("0" * 64, b"{").status_code == 400


def test_bytes_are_counted_whatever_becomes_of_them(
    weakened: Weakened, door: Door, db: None
) -> None:
    most = routes.ENROLMENTS.body_bytes
    object.__setattr__(routes.ENROLMENTS, "body_bytes", 10)
    try:
        answers = [door.put_key("0" * 64, b"xxxxxx").status_code for _ in range(2)]
    finally:
        object.__setattr__(routes.ENROLMENTS, "body_bytes", most)
    assert answers == [400, 429]
    with weakened.without_quotas():
        assert door.put_key("0" * 64, b"xxxxxx").status_code == 400


def test_new_keys_leave_challenges_for_those_with_history(
    weakened: Weakened, door: Door, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.NEW_KEYS_PER_NETWORK", 2)
    known = make.Agent()
    make.upload(agent=known, received_at=timezone.now() - timedelta(days=2))

    def ask(agent: make.Agent) -> int:
        agent.enrolled()
        return door.ask(agent.challenge_request(make.uuid7())).status_code

    assert [ask(make.Agent()) for _ in range(3)] == [201, 201, 429]
    assert ask(known) == 201
    with weakened.without_share_of_keys_with_history():
        assert ask(known) == 429


def test_a_new_key_for_each_try_hides_no_abandoned_challenge(
    weakened: Weakened, door: Door, db: None
) -> None:
    for _ in range(5):
        tried = make.Agent()
        tried.enrolled()
        assert door.ask(tried.challenge_request(make.uuid7())).status_code == 201
    Challenge.objects.update(
        issued_at=timezone.now() - timedelta(days=2), not_after=timezone.now() - timedelta(days=1)
    )
    best = make.Agent()
    best.enrolled()
    document = make.payload()
    assert door.put_run(document["run_id"], best.seal(document)).status_code == 201
    upload = Upload.objects.get()
    assert (upload.challenges_issued, upload.challenges_abandoned) == (5, 5)
    document = make.payload()
    with weakened.with_challenges_of_each_key_alone():
        door.put_run(document["run_id"], best.seal(document))
    upload = Upload.objects.get(pk=document["run_id"])
    assert (upload.challenges_issued, upload.challenges_abandoned) == (0, 0)


def test_a_read_is_answered_while_nothing_can_be_counted(
    weakened: Weakened, client: Client
) -> None:
    with servers.changed(("apps.config.edge.quotas._valkey", _away)):
        assert client.get("/api/v1/plans").status_code == 200
        with weakened.with_quotas_that_must_count(), pytest.raises(AwayError):
            client.get("/api/v1/plans")


def _away(*_: object, **__: object) -> bool:
    raise AwayError

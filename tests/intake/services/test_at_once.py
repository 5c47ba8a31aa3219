"""Uploads of one run at the same time: one is stored, all are told so."""

from __future__ import annotations

import threading
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from apps.intake.networks import NetworkHashes
from apps.intake.services.accept import accept_run
from apps.runs.models import ChallengeUse, Upload
from tests import make

pytestmark = pytest.mark.django_db(transaction=True)

SENDERS = 20
NETWORKS = NetworkHashes(uploader="0" * 32, quota="1" * 32, provider="")


def send_at_once(agent: make.Agent, document: make.Json) -> list[bool]:
    """Return which of so many uploads of one run were new."""
    start = threading.Barrier(SENDERS)
    new: list[bool] = []
    run_id, raw = UUID(document["run_id"]), agent.seal(document)

    def send() -> None:
        start.wait(10)
        new.append(accept_run(raw=raw, run_id=run_id, networks=NETWORKS).is_new)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(SENDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return new


def test_without_a_challenge() -> None:
    agent = make.Agent()
    agent.enrolled()
    new = send_at_once(agent, make.payload())
    assert sorted(new) == [False] * (SENDERS - 1) + [True]
    assert Upload.objects.count() == 1


def test_with_a_challenge_that_is_redeemed_once() -> None:
    agent = make.Agent()
    challenge = make.challenge(agent=agent, not_after=timezone.now() + timedelta(hours=1))
    document = make.payload(
        run_id=challenge.run_id, seed=bytes(challenge.seed), challenge=challenge.pk
    )
    new = send_at_once(agent, document)
    assert sorted(new) == [False] * (SENDERS - 1) + [True]
    assert Upload.objects.get().challenge_use == ChallengeUse.REDEEMED

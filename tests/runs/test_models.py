"""What the database itself keeps true about uploads and challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from apps.runs.models import ChallengeUse, Upload
from tests import make

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("build", "constraint"),
    [
        (lambda: make.upload(state="lost"), "upload_state_known"),
        (lambda: make.upload(state=Upload.State.LEASED), "upload_leased_has_token"),
        (
            lambda: make.upload(challenge_use=ChallengeUse.REDEEMED),
            "upload_redeemed_names_challenge",
        ),
        (lambda: make.measurement(run=make.measurement().run), "measurement_workload_once_a_run"),
        (
            lambda: make.latency(measurement=make.latency().measurement),
            "latency_side_once_a_measurement",
        ),
        (lambda: make.label(run=make.label().run), "label_rule_once_a_run"),
    ],
)
def test_the_database_refuses(build: Callable[[], Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        build()


def test_a_challenge_is_redeemed_by_one_upload() -> None:
    first = make.upload(witnessed=True)
    with pytest.raises(IntegrityError, match="challenge_id"), transaction.atomic():
        make.upload(challenge_id=first.challenge_id, challenge_use=ChallengeUse.REDEEMED)


def test_a_key_has_one_challenge_a_run() -> None:
    agent = make.Agent()
    first = make.challenge(agent=agent)
    make.challenge(run_id=first.run_id)
    with pytest.raises(IntegrityError, match="challenge_once_a_key_and_run"), transaction.atomic():
        make.challenge(agent=agent, run_id=first.run_id)
    assert str(first) == first.pk

"""A run is judged by all that came before it, in whatever order workers finish."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError
from pytest_django import DjangoAssertNumQueries

from apps.accounts.clock import database_now
from apps.intake.management.commands.drain import Rounds
from apps.intake.services import reconciling
from apps.intake.services.reconciling import SecondLook
from apps.intake.services.work import drain
from apps.runs.models import Label, Run, Upload
from apps.runs.rules.hindsight import judged_too_early
from apps.runs.stale_runs import requeue
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def all_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "FIRST_LOOK", database_now() - make.NOON + timedelta(days=1))


def original_and_copy() -> tuple[Upload, Upload]:
    """Two uploads of two keys with the same headline, of which the copy is worked on first."""
    document = make.payload(run_id=make.uuid7(), operations=100)
    copied: Any = make.payload(run_id=make.uuid7(), operations=100)
    copied["workloads"][0] = document["workloads"][0]
    original = make.upload(document, witnessed=True, state=Upload.State.DONE)
    copy = make.upload(copied, witnessed=True, received_at=make.NOON + timedelta(seconds=1))
    drain()
    Upload.objects.filter(pk=original.pk).update(state=Upload.State.RECEIVED)
    return original, copy


def copies() -> set[UUID]:
    return set(Label.objects.filter(rule="copied-figures").values_list("run", flat=True))


def test_a_copy_that_was_worked_on_before_its_original_is_found() -> None:
    store_catalogue()
    original, copy = original_and_copy()
    drain()
    assert not copies()
    rounds = Rounds()
    rounds.step()
    assert set(Upload.objects.filter(state=Upload.State.RETRY)) == {copy}
    assert drain() == 1
    assert copies() == {copy.pk}
    assert not Run.objects.get(pk=copy.pk).in_standings
    assert Run.objects.get(pk=original.pk).in_standings
    rounds.step()
    assert drain() == 0


def test_nobody_looks_while_an_earlier_upload_waits() -> None:
    store_catalogue()
    original, copy = original_and_copy()
    look = SecondLook()
    assert look.step() == 0
    Upload.objects.filter(pk=original.pk).update(state=Upload.State.POISON)
    assert look.step() == 1
    assert Upload.objects.get(pk=copy.pk).state == Upload.State.DONE


def test_an_upload_that_may_still_be_on_its_way_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_catalogue()
    make.upload()
    drain()
    monkeypatch.setattr(reconciling, "STORED_WITHIN", 2 * reconciling.FIRST_LOOK)
    assert SecondLook().step() == 0


def test_what_was_judged_rightly_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(reconciling, "SEEN_AT_ONCE", 2)
    store_catalogue()
    for place in range(3):
        make.upload(make.payload(latency_ns=200_000 + place), witnessed=True)
    drain()
    before = list(Upload.objects.order_by("pk").values())
    look = SecondLook()
    with django_assert_num_queries(22):
        assert look.step() == 3
    assert look.step() == 0
    assert list(Upload.objects.order_by("pk").values()) == before


def test_runs_that_cannot_be_compared_hold_up_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "SEEN_AT_ONCE", 1)
    store_catalogue()
    _, copy = original_and_copy()
    drain()
    judge, failures = judged_too_early, [ArithmeticError("damaged"), None]

    def fail_at_first(run_ids: Sequence[UUID]) -> list[UUID]:
        if failure := failures.pop(0):
            raise failure
        return judge(run_ids)

    monkeypatch.setattr(reconciling, "judged_too_early", fail_at_first)
    assert SecondLook().step() == 2
    assert set(Upload.objects.filter(state=Upload.State.RETRY)) == {copy}


def test_a_database_that_is_away_leaves_the_look_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_catalogue()
    original_and_copy()
    drain()
    look = SecondLook()
    with monkeypatch.context() as patch:
        patch.setattr(reconciling, "judged_too_early", away)
        with pytest.raises(OperationalError):
            look.step()
    assert look.step() == 2


def away(_run_ids: Sequence[UUID]) -> list[UUID]:
    raise OperationalError("the database system is shutting down")


def test_runs_that_are_made_again_hold_up_nobody() -> None:
    store_catalogue()
    original, copy = original_and_copy()
    drain()
    requeue(Upload.objects.filter(pk=original.pk))
    assert SecondLook().step() == 2
    assert Upload.objects.get(pk=copy.pk).state == Upload.State.RETRY

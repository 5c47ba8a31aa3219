"""Each upload that is done has its run and its own bytes, or somebody hears of it."""

from __future__ import annotations

import threading

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.intake.management.commands.drain import Rounds, sweep
from apps.intake.services import reconciling
from apps.intake.services.reconciling import reconcile
from apps.intake.services.work import drain
from apps.rankings.models import StandingsDay
from apps.runs.models import Run, Upload
from apps.runs.packed.packing import deflated
from tests import make


def states() -> dict[str, str]:
    return {str(pk): state for pk, state in Upload.objects.values_list("pk", "state")}


@pytest.mark.django_db
def test_what_is_right_is_left_alone(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    make.upload()
    waiting = make.upload(state="poison")
    drain()
    before = list(Upload.objects.order_by("pk").values())
    with django_assert_num_queries(4):
        assert len(list(reconcile())) == 1
    assert list(Upload.objects.order_by("pk").values()) == before
    assert states()[str(waiting.pk)] == "poison"


@pytest.mark.django_db
def test_an_upload_without_its_run_gets_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "BATCH", 2)
    lost = [make.upload() for _ in range(5)][2]
    drain()
    Run.objects.get(pk=lost.pk).delete()
    assert len(list(reconcile())) == 3
    assert states()[str(lost.pk)] == "retry"
    assert drain() == 1
    assert Run.objects.count() == 5
    assert set(states().values()) == {"done"}


@pytest.mark.django_db
def test_bytes_that_changed_are_shown_to_staff(admin_client: Client) -> None:
    damaged, torn, whole = make.upload(), make.upload(), make.upload()
    drain()
    Upload.objects.filter(pk=damaged.pk).update(packed_payload=deflated(damaged.payload + b" "))
    Upload.objects.filter(pk=torn.pk).update(packed_payload=bytes(torn.packed_payload)[:-1])
    list(reconcile())
    for each in (damaged, torn):
        stored = Upload.objects.get(pk=each.pk)
        assert (stored.state, stored.last_error) == ("poison", reconciling.DAMAGED)
    assert states()[str(whole.pk)] == "done"
    page = admin_client.get("/staff/runs/upload/", {"state__exact": "poison"}).text
    assert str(damaged.pk) in page
    assert reconciling.DAMAGED in page


@pytest.mark.django_db(transaction=True)
def test_the_sweeper_looks_once_a_day_a_batch_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "BATCH", 1)
    rounds, stopped = Rounds(), threading.Event()
    lost = [make.upload() for _ in range(2)][1]
    sweep(stopped, rounds)
    sweep(stopped, rounds)
    sweep(stopped, rounds)
    Run.objects.get(pk=lost.pk).delete()
    sweep(stopped, rounds)
    assert states()[str(lost.pk)] == "done"  # of this day all was seen
    StandingsDay.objects.all().delete()
    sweep(stopped, rounds)
    assert states()[str(lost.pk)] == "done"  # the first batch
    sweep(stopped, rounds)
    assert states()[str(lost.pk)] == "retry"

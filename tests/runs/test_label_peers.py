"""Runs far from their peers: labelled by whoever computed the cell, until it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.runs.models import Label, Outcome, Run
from apps.runs.services import label_peers
from apps.words.labels import sentences_of
from tests import make

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def far() -> set[Run]:
    return {
        label.run for label in Label.objects.filter(rule="far-from-peers").select_related("run")
    }


def test_only_what_lies_far_is_labelled_and_goes_on_counting() -> None:
    near, above, below = make.run(), make.run(), make.run()
    label_peers({near.pk: 3.5, above.pk: 3.6, below.pk: -8.0}, uploaders=5)
    assert far() == {above, below}
    label = above.labels.get()
    assert sentences_of(label) == ["Its modified z-score is 3.6 among 5 uploaders."]
    above.refresh_from_db()
    near.refresh_from_db()
    assert (above.outcome, above.in_standings) == (Outcome.LABEL, True)
    assert near.outcome == Outcome.PASS


def test_many_are_labelled_in_several_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.runs.services._PEERS_AT_ONCE", 2)
    runs = [make.run() for _ in range(5)]
    label_peers({run.pk: 9.0 * (number % 2) for number, run in enumerate(runs)}, uploaders=5)
    assert far() == {runs[1], runs[3]}


def test_a_label_goes_when_the_cell_changes() -> None:
    run = make.run()
    make.label(run=run)
    label_peers({run.pk: 9.0}, uploaders=5)
    label_peers({run.pk: 1.0}, uploaders=6)
    assert far() == set()
    run.refresh_from_db()
    assert run.outcome == Outcome.LABEL  # of the other label


def test_four_uploaders_are_too_few_to_judge() -> None:
    run = make.run()
    label_peers({run.pk: 9.0}, uploaders=4)
    assert far() == set()


def test_what_stays_is_not_written_again(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    run = make.run()
    label_peers({run.pk: 9.0}, uploaders=5)
    number = run.labels.get().pk
    with django_assert_max_num_queries(6):
        label_peers({run.pk: 9.0}, uploaders=5)
    assert run.labels.get().pk == number


def test_however_many_change_the_queries_are_as_many(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    scores = {make.run().pk: 9.0 for _ in range(20)}
    with django_assert_num_queries(9):  # two of them the savepoint's
        label_peers(scores, uploaders=5)
    assert set(Run.objects.values_list("outcome", flat=True)) == {Outcome.LABEL}


def test_a_run_that_is_gone_is_left_alone() -> None:
    gone = make.run()
    pk = gone.pk
    gone.delete()
    label_peers({pk: 9.0}, uploaders=5)
    assert far() == set()

"""Which warnings of sources change what a figure answers."""

from __future__ import annotations

from datetime import date

import pytest

from apps.runs.published.services import read_published
from apps.words.facts import sentences_of
from apps.words.standings import HARMLESS, warns
from tests import make

pytestmark = pytest.mark.django_db


def test_a_sentence_that_is_called_harmless_is_of_the_catalogue() -> None:
    warnings = (record.fields["warning"] or "" for record in read_published())
    assert {each for text in warnings for each in sentences_of(text)} >= HARMLESS


@pytest.mark.parametrize(
    ("facts", "is_red"),
    [
        ({}, False),
        ({"warnings": ["A short run. The source rounds."], "filesystems": ["ext4", "xfs"]}, False),
        ({"warnings": ["A short run. Other work ran on the same disk."]}, True),
        ({"kinds": [[3, 900.0, "PM9A3"], [2, 100.0, "990 PRO"]]}, True),
        ({"changed_since": date(2026, 10, 1)}, True),
    ],
)
def test_only_what_changes_the_answer_warns(facts: dict[str, object], *, is_red: bool) -> None:
    assert warns(make.standing(plan=make.plan(), **facts)) == is_red

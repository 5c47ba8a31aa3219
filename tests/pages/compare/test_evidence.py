"""A comparison says what its figures rest on: nothing made up, one machine, and of what a half."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence
from tests.pages.compare.build import against, interval, words_of
from tests.pages.site import plan_at

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_nothing_made_up_is_offered_as_the_nearest_nor_counted(client: Client) -> None:
    real = plan_at(900, "CCX33", workload="commit-8k-fsync")
    made_up = plan_at(800, "AX102", evidence=Evidence.EXAMPLE)
    plan_at(700, "CCX63", evidence=Evidence.EXAMPLE)
    plan_at(600, "CX-illustrative", warnings=["Illustrative: a sample."], is_illustrative=True)
    asked = against(real, made_up)
    page = words_of(client, asked)
    assert "AX102: no figure of its own yet." in page
    assert "Its figures under 1 workload are a made-up example and not counted here." in page
    assert "Nearest that can be compared" not in page
    plan_at(500, "AX-one")
    plan_at(400, "CCX-two")
    page = words_of(client, asked)
    assert "CCX-two against AX-one" in page  # no CCX63, though its name is nearer
    alone = plan_at(300, "Other", workload="commit-8k-fsync", evidence=Evidence.EXAMPLE)
    assert "Nearest that can be compared" not in words_of(client, against(made_up, alone))


def test_what_rests_on_one_machine_says_nothing_of_others(client: Client) -> None:
    published = {"evidence": Evidence.PUBLISHED, "n_machines": 1, "n_uploaders": 1}
    one, other = (plan_at(rate, f"P{rate}", **interval(90, 110), **published) for rate in (100, 99))
    page = words_of(client, against(one, other))
    assert (
        "One machine each: other machines of these plans may differ by more than these ranges."
        in page
    )
    bare = [plan_at(rate, f"B{rate}", **published) for rate in (100, 50)]
    page = words_of(client, against(*bare))
    assert "One machine each, and no range of its figures: other machines may differ." in page
    assert "no interval: the source prints one figure" in page
    many = plan_at(100, "Many", n_machines=5, n_uploaders=3)
    lone = plan_at(50, "Lone", n_machines=1)
    page = words_of(client, against(many, lone))
    assert "Lone rests on one machine: others of the same plan or drive may differ" in page
    several = words_of(client, against(many, plan_at(50, "Several", n_machines=2)))
    assert "one machine" not in several.lower()
    made_up = [plan_at(50, name, n_machines=1, evidence=Evidence.EXAMPLE) for name in ("X", "Y")]
    assert "one machine" not in words_of(client, against(*made_up)).lower()


def test_the_median_says_of_what(client: Client) -> None:
    for side, what in (("sync", "syncs"), ("commit", "commits"), ("completion", "requests")):
        pair = [plan_at(rate, f"{side}{rate}", latency_side=side) for rate in (100, 50)]
        assert f"half of all {what} are faster" in words_of(client, against(*pair))

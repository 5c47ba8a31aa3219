"""A comparison says what its figures rest on: nothing made up, one machine, and of what a half."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence
from tests.pages.compare.build import against, words_of
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
    assert "Nobody has measured AX102." in page
    assert "stands for" not in page
    plan_at(500, "AX161")
    page = words_of(client, asked)
    assert "AX161 stands for AX102." in page
    assert "stands for CCX33" not in page  # it has a figure of its own
    alone = plan_at(300, "Other", workload="commit-8k-fsync", evidence=Evidence.EXAMPLE)
    assert "stands for" not in words_of(client, against(made_up, alone))


def test_what_stands_behind_both_is_said(client: Client) -> None:
    published = {"evidence": Evidence.PUBLISHED, "n_machines": 1, "n_uploaders": 1}
    bare = [plan_at(rate, f"B{rate}", **published) for rate in (100, 50)]
    assert "1 published run each" in words_of(client, against(*bare))
    many = plan_at(100, "Many", n_machines=5, n_uploaders=3)
    page = words_of(client, against(many, plan_at(50, "Lone", n_machines=1, n_uploaders=1)))
    assert "3 uploaders, 1 uploader" in page
    made_up = [plan_at(rate, f"X{rate}", evidence=Evidence.EXAMPLE) for rate in (50, 500)]
    assert "Unknown: made-up example each" in words_of(client, against(*made_up))


def test_the_median_says_of_what(client: Client) -> None:
    for side, what in (
        ("sync", "sync"),
        ("commit", "commit"),
        ("completion", "completion"),
    ):
        pair = [plan_at(rate, f"{side}{rate}", latency_side=side) for rate in (100, 50)]
        assert f"<small>{what}</small>" in words_of(client, against(*pair))

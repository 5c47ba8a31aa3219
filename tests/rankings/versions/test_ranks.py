"""Changes of tiers are noted once a day, against what was noted last."""

from __future__ import annotations

from datetime import date

import pytest

from apps.rankings.models import RankChange, Standing
from apps.rankings.versions.ranks import note_rank_changes
from tests import make

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 20)


def test_only_another_tier_is_a_change() -> None:
    standing = make.standing(plan=make.plan(), tier=2)
    assert note_rank_changes(DAY) == 1
    first = RankChange.objects.get()
    assert (first.tier_before, first.tier) == (2, 2)  # where it begins, and no change
    assert note_rank_changes(DAY) == 0
    Standing.objects.update(tier=1, rate_per_s=2000.0)
    assert note_rank_changes(DAY) == 1
    newest = RankChange.objects.latest("pk")
    assert (newest.plan, newest.tier_before, newest.tier) == (standing.plan, 2, 1)


def test_a_rebuild_is_no_change_and_a_loss_of_rank_is_one() -> None:
    plan = make.plan()
    make.standing(plan=plan, tier=1)
    note_rank_changes(DAY)
    Standing.objects.all().delete()
    make.standing(plan=plan, tier=1)
    assert note_rank_changes(DAY) == 0
    Standing.objects.update(tier=None)
    assert note_rank_changes(DAY) == 1
    assert RankChange.objects.latest("pk").tier is None
    assert note_rank_changes(DAY) == 0

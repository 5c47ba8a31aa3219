"""`manage.py rank --explain`: every step of a cell, and no name of a machine."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.rankings.models import Standing
from apps.rankings.services import refresh_all
from apps.rankings.standings import explanation
from apps.runs.models import Level, Run
from tests import make
from tests.rankings import build
from tests.rankings.build import SPREAD, measure, ranked_plan

pytestmark = pytest.mark.django_db


def explained(cell: str) -> str:
    out = StringIO()
    call_command("rank", explain=cell, stdout=out)
    return out.getvalue()


def test_every_step_of_a_ranked_cell() -> None:
    ranked_plan("A", 1000)
    ranked_plan("B", 300)
    refresh_all()
    text = explained("plan/acme-a/measured/commit-8k/v1")
    assert "14 runs count on 2026-11-01" in text
    for step in range(1, 10):
        assert f"\n{step}. " in text
    cell = Standing.objects.get(plan="acme-a")
    assert f"weighted median {cell.rate_per_s:,.2f}/s" in text
    assert "880.00 to 1,120.00, uploaders 1 to 7 of 7 by rate, coverage 98.44%" in text
    assert "7. Gate: 7 of 7 uploaders, low end at 88% of the rate: ranked" in text
    assert f": {cell.order_rate_per_s:,.2f}/s\n" in text
    assert "9. Rank: 1 (5% to 95% of 4,000 draws), tier 1, apart from the one above" in text
    assert "uploader 3:     1,000.00/s  ln 6.9078  weight 1.0000" in text
    assert "\n   uploader 3: 1,000.00, 1,000.00\n" in text  # its two machines


def test_what_is_said_of_the_method_follows_the_method(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked_plan("A", 1000)
    refresh_all()
    for name, value, sentence in (
        ("MACHINE_DAYS_MAX", 9, "median of the newest 9 days"),
        ("SCORE_MAX", 8.5, "modified z beyond 8.5"),
        ("FLAGGED_SHARE_MAX", 0.25, "at most 25% of the cell"),
        ("RANKED_UPLOADERS_MIN", 6, "7 of 6 uploaders"),
        ("RANK_QUANTILES", (0.1, 0.9), "(10% to 90% of"),
        ("DRAWS", 12_000, "of 12,000 draws)"),
        ("POOLED_QUANTILES", {"n_runs": 0.25}, "weighing the same: p25 14 ns"),
        ("UPLOADERS_MIN", 11, "none below 11 uploaders"),
    ):
        assert sentence not in explained("acme-a")
        monkeypatch.setattr(explanation, name, value)
        assert sentence in explained("acme-a")


def test_flags_are_raised_from_the_least_number_of_uploaders_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranked_plan("A", 1000)
    refresh_all()
    monkeypatch.setattr(explanation, "UPLOADERS_MIN", 7)
    assert "6. Flags: 0 uploaders" in explained("acme-a")
    monkeypatch.setattr(explanation, "UPLOADERS_MIN", 8)
    assert "6. Flags: none below 8 uploaders" in explained("acme-a")


def test_a_drive_is_found_by_its_slug() -> None:
    build.run(1000, plan=build.plan(), drive_family=build.family("fast-drive"))
    refresh_all()
    assert explained("fast-drive").startswith("Cell drive/fast-drive/measured/commit-8k/v1\n")


def test_the_gap_that_splits_a_cell_is_that_of_the_method(monkeypatch: pytest.MonkeyPatch) -> None:
    measure(build.plan(), [1000, 1020, 1010, 1015, 200, 205, 210])
    refresh_all()
    assert "a gap of more than 4 MAD" in explained("acme-x1")
    monkeypatch.setattr(explanation, "GAP_MADS", 5.5)
    assert "a gap of more than 5.5 MAD" in explained("acme-x1")


def test_pseudonyms_are_told_nowhere() -> None:
    measure(build.plan(), [1000 * each for each in SPREAD])
    Run.objects.update(uploader="network:secret", machine="secret")
    refresh_all()
    assert "secret" not in explained("acme-x1")


def test_a_slug_alone_is_the_measured_headline() -> None:
    plan = build.plan()
    build.run(1000, plan=plan)
    build.run(9, plan=plan, workload="read-4k-floor")
    build.run(500, plan=plan, level=Level.PUBLISHED, in_standings=False)
    refresh_all()
    text = explained("acme-x1")
    assert text.startswith("Cell plan/acme-x1/measured/commit-8k/v1\n")
    assert "5. Interval: none, there is one value" in text
    assert "6. Flags: none below 5 uploaders" in text
    assert "7. Gate: 1 of 7 uploaders: needs runs, not ranked" in text
    assert "8. " not in text


def test_a_plan_that_was_never_measured_at_the_headline_has_another_workload() -> None:
    build.run(9, plan=build.plan(), workload="read-4k-floor")
    assert "read-4k-floor" in explained("acme-x1")


def test_published_figures_are_explained_without_ranks() -> None:
    plan = build.plan()
    for rate in (400, 500):
        build.run(
            rate, plan=plan, level=Level.PUBLISHED, in_standings=False, measured_at=None,
            uploader=f"published:{rate}",
        )  # fmt: skip
    refresh_all()
    text = explained("plan/acme-x1/published/commit-8k/v1")
    assert "not dated" in text
    assert "400.00 to 500.00, lowest to highest of uploaders" in text
    assert "Published figures are sorted and not ranked." in text


def test_variants_are_explained_each() -> None:
    measure(
        build.plan(), [1000, 1020, 1010, 1005, 1015, 1030, 990, 200, 205, 210, 202, 208, 203, 207]
    )
    refresh_all()
    text = explained("acme-x1")
    assert "split: 2 kinds of storage" in text
    assert "Variant 1 of 2" in text
    assert "Variant 2 of 2" in text
    assert text.count("9. Rank: ") == 1
    assert "7. Gate: 7 of 7 uploaders, low end at 98% of the rate: more uploaders got the" in text


def test_a_cell_alone_on_its_board_stays_where_it_is() -> None:
    ranked_plan("A", 1000)
    refresh_all()
    text = explained("acme-a")
    assert "no other ranked cell of its class (storage class not stated): it stays" in text
    rung = make.ladder_class(slug="nvme-plp", name="NVMe with protection")
    Standing.objects.update(ladder_class=rung)
    assert "no other ranked cell of its class (nvme-plp): it stays" in explained("acme-a")


def test_a_cell_whose_runs_are_gone_says_so() -> None:
    build.run(1000, plan=build.plan())
    refresh_all()
    Run.objects.all().delete()
    assert "no run counts in it any more" in explained("plan/acme-x1/measured/commit-8k/v1")


def test_a_cell_that_nobody_measured_is_refused_with_what_is_like_it() -> None:
    build.run(1000, plan=build.plan())
    with pytest.raises(CommandError, match=r"Like it: plan/acme-x1/measured/commit-8k/v1\."):
        explained("plan/acme-x/measured")
    build.run(1000, plan=build.plan("Y2"))
    with pytest.raises(CommandError, match=r"Like it: plan/acme-x1/measured/commit-8k/v1\.$"):
        explained("plan/acme-x1/measured/nothing/v1")
    with pytest.raises(CommandError, match=r"No cell 'nothing' has a run that counts\.$"):
        explained("nothing")

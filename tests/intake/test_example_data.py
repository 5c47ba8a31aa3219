"""A made-up year: marked, apart from what was measured, and gone without a trace."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import AgentKey
from apps.intake.examples import classes, loading, world
from apps.intake.management.commands import load_example_data
from apps.intake.services.work import drain
from apps.plans.models import Plan
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import EXAMPLE_COMMITS, REAL_COMMITS, has_examples
from apps.runs.models import Label, Run, Upload
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

RUNS = 40  # of many plans
FEW = 8  # where it matters only that there are some
# A run without a network, an uploader apart, storage whose writes go further than its reads, and a
# region or a drive that the catalogue does not list.
EXPECTED = {"measured-offline", "far-from-peers", "commit-above-reads", "unlisted-for-plan"}


@pytest.fixture(autouse=True)
def catalogue() -> None:
    store_catalogue()


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("load_example_data", *arguments, stdout=out)
    return out.getvalue()


def loaded(runs: int = RUNS) -> list[dict[str, object]]:
    """Load and return what stands of it."""
    loading.load(runs=runs, until=make.NOON, tell=lambda _: None)
    cell = ("plan", "drive_family", "workload", "region_group", "variant")
    rows = Standing.objects.filter(evidence=Evidence.EXAMPLE).order_by(*cell)
    return list(rows.values(*cell, "rate_per_s", "n_runs", "tier"))


def made_up_slugs() -> QuerySet[Run, str]:
    return Run.objects.filter(is_example=True).values_list("slug", flat=True)


@pytest.mark.daily
def test_examples_are_whole_runs_that_no_rule_finds_impossible() -> None:
    rows = loaded()
    runs = Run.objects.filter(is_example=True)
    assert runs.count() == RUNS
    assert runs.filter(in_standings=True).count() > RUNS / 2
    assert not Label.objects.filter(run__in=runs, outcome="quarantine").exists()
    assert not Label.objects.filter(run__in=runs, keeps_out="run").exists()
    assert set(Label.objects.filter(run__in=runs).values_list("rule", flat=True)) <= EXPECTED
    assert len({row["plan"] for row in rows}) > 10


@pytest.mark.daily
def test_a_year_has_every_kind_of_storage_and_plans_of_two_kinds() -> None:
    disk = make.plan(kind="dedicated", storage_kind="hdd", is_listed=True)
    Plan.objects.exclude(pk=disk.pk).exclude(provider="hetzner").update(is_listed=False)
    year = list(world.visits(runs=3_000, until=make.NOON))
    assert [each.at for each in year] == sorted(each.at for each in year)
    on_disk = {each.plan == disk for each in year if _is_hard_disk(each)}
    assert on_disk == {True}
    assert all(_is_hard_disk(each) for each in year if each.plan == disk)
    slow = [each for each in year if each.commit_ns > 3 * each.storage.commit_ns]
    assert slow  # another kind under the same name, or a drive that was changed


def _is_hard_disk(visit: world.Visit) -> bool:
    return visit.storage.storage_class is classes.HARD_DISK


@pytest.mark.daily
def test_nobody_measures_what_cannot_be_rented_or_looked_into() -> None:
    year = list(world.visits(runs=3_000, until=make.NOON))
    plans = {each.plan for each in year}
    assert len(plans) > 60
    assert not {plan.kind for plan in plans} & {"managed", "volume", "home"}
    assert not [plan for plan in plans if "retired" in plan.storage_description]


@pytest.mark.daily
def test_examples_mix_with_nothing_that_was_measured() -> None:
    make.upload(witnessed=True)
    drain()
    before = list(Standing.objects.exclude(evidence=Evidence.EXAMPLE).order_by("pk").values())
    loaded(FEW)
    after = Standing.objects.exclude(evidence=Evidence.EXAMPLE).order_by("pk").values()
    assert list(after) == before
    assert len(before) > 100
    assert not REAL_COMMITS.filter(newest_run_slug__in=made_up_slugs()).exists()
    assert EXAMPLE_COMMITS.exists()
    assert not EXAMPLE_COMMITS.exclude(newest_run_slug__in=made_up_slugs()).exists()


@pytest.mark.daily
def test_the_same_year_is_made_again() -> None:
    first = loaded(FEW)
    ids = set(Upload.objects.filter(is_example=True).values_list("pk", flat=True))
    assert loaded(FEW) == first
    assert set(Upload.objects.filter(is_example=True).values_list("pk", flat=True)) == ids


def test_one_command_takes_them_away_and_leaves_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    real = make.upload(witnessed=True)
    drain()
    monkeypatch.setattr(load_example_data, "TELL_EVERY", FEW // 2)
    assert not has_examples()
    said = command("--runs", str(FEW))
    assert has_examples()
    assert said.splitlines()[:2] == [
        f"{FEW // 2} of {FEW} example runs",
        f"{FEW} of {FEW} example runs, now their standings",
    ]
    assert f"Made: {FEW} example runs." in said
    assert "Removed: " in command("--remove")
    assert not has_examples()
    assert list(Upload.objects.values_list("pk", flat=True)) == [real.pk]
    assert AgentKey.objects.count() == 1
    assert not Standing.objects.filter(evidence=Evidence.EXAMPLE).exists()
    assert not Run.objects.filter(is_example=True).exists()


def test_pages_say_that_it_is_made_up(client: Client) -> None:
    loaded(FEW)
    run = Run.objects.filter(is_example=True).select_related("plan").latest("measured_at")
    assert "Made up, to look at pages" in client.get(f"/runs/{run.slug}/").text
    board = client.get(f"/plans/?evidence=example&q={run.plan.name if run.plan else ''}").text
    assert "Made-up example" in board


@pytest.mark.parametrize("count", ["0", "50001"])
def test_a_count_has_bounds(count: str) -> None:
    with pytest.raises(CommandError, match=r"from 1 to 50,000"):
        command("--runs", count)

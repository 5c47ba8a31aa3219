"""`manage.py load_catalogue`: the whole catalogue, once, and quickly the second time."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.core.management import call_command

from apps.drives.models import DriveFamily, LadderClass
from apps.plans.models import Plan, Price, Provider
from apps.plans.regions import REGIONS_FILE
from apps.plans.services import place_claim
from apps.rankings import catalogue
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import CatalogueLoad, Evidence, Standing
from apps.runs.models import Citation, Latency, Level, Measurement, Run
from apps.runs.published.services import RESULTS_FILE
from apps.runs.rules import TABLE
from apps.wire.judgement import JUDGEMENT_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

COUNTED = (LadderClass, DriveFamily, Provider, Plan, Price, Run, Citation, Measurement, Latency)


def load(*arguments: str) -> str:
    out = StringIO()
    call_command("load_catalogue", *arguments, stdout=out)
    return out.getvalue()


def counts() -> list[int]:
    return [model._default_manager.count() for model in COUNTED]


def test_the_first_load_prints_what_it_brought() -> None:
    lines = load().splitlines()
    assert lines[:6] == [
        "ladder classes: 9 (9 new, 0 changed, 0 removed)",
        "drive families: 506 (506 new, 0 changed, 0 removed)",
        "providers: 35 (35 new, 0 changed, 0 removed)",
        "plans: 527 (527 new, 0 changed, 0 removed)",
        "prices: 647 (647 new, 0 changed, 0 removed)",
        "published runs: 673 (673 new, 0 changed, 0 removed)",
    ]
    assert lines[6] == f"standings: {Standing.objects.count()}"


def test_a_second_load_asks_twice_and_writes_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    load()
    with django_assert_num_queries(2):
        assert load() == "The catalogue is up to date.\n"


def test_a_forced_load_changes_nothing() -> None:
    load()
    before = counts()
    standings = list(Standing.objects.order_by("pk").values())
    lines = load("--force").splitlines()
    assert counts() == before
    assert list(Standing.objects.order_by("pk").values()) == standings
    assert lines[3] == "plans: 527 (0 new, 0 changed, 0 removed)"


def test_another_digest_or_a_lost_run_loads_again() -> None:
    load()
    CatalogueLoad.objects.update(digest="0" * 64)
    assert load_catalogue() is not None
    Run.objects.filter(slug="webp-cax41-fio-fsync-8k").delete()
    assert load_catalogue() is not None
    assert Run.objects.filter(level=Level.PUBLISHED).count() == 673


def test_what_left_the_catalogue_goes_where_nothing_refers_to_it() -> None:
    load()
    lost = Plan.objects.create(slug="aws-gone", provider_id="aws", name="gone")
    kept = Plan.objects.create(slug="aws-used", provider_id="aws", name="used")
    Run.objects.create(id=uuid4(), slug="a-run", level=Level.SIGNED, plan=kept)
    claimed = place_claim(provider="home", plan="my NAS", device_name="")
    lines = load("--force").splitlines()
    assert not Plan.objects.filter(pk=lost.pk).exists()
    assert Plan.objects.filter(pk=kept.pk).exists()
    assert Plan.objects.filter(pk=claimed.pk).exists()
    assert "1 removed, 1 kept for the runs that name them" in lines[3]


def test_a_changed_row_is_put_right_and_keeps_its_key() -> None:
    load()
    price = Price.objects.get(plan="hetzner-cax41", amount="41.49")
    Price.objects.filter(pk=price.pk).update(source="somebody else")
    LadderClass.objects.filter(slug="pmem").update(position=99)
    DriveFamily.objects.filter(slug="samsung-990-pro").update(plp="full")
    lines = load("--force").splitlines()
    assert "1 changed" in lines[0]
    assert "1 changed" in lines[1]
    assert "1 changed" in lines[4]
    assert DriveFamily.objects.get(slug="samsung-990-pro").plp == "none"
    assert Price.objects.get(pk=price.pk).source == price.source


def test_rungs_may_change_places() -> None:
    load()
    LadderClass.objects.filter(slug="pmem").update(position=8)
    LadderClass.objects.filter(slug="hdd").update(position=0)
    load("--force")
    assert LadderClass.objects.get(slug="pmem").position == 0


def test_the_catalogue_is_its_data_the_ladder_and_every_rule() -> None:
    """Else a rule at its next version would not judge the runs that are stored."""
    files = catalogue.catalogue_files()
    assert {RESULTS_FILE, REGIONS_FILE, JUDGEMENT_FILE} <= set(files)
    rules = {rule.id.replace("-", "_") for rule in TABLE}
    assert rules <= {path.stem for path in files if "rules" in path.parts}


def test_the_digest_follows_each_file(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.py"
    first.write_text("1")
    second.write_text("2")
    digests = {catalogue.digest_of([first]), catalogue.digest_of([first, second])}
    second.write_text("3")
    digests.add(catalogue.digest_of([first, second]))
    assert len(digests) == 3
    second.write_text("2")
    assert catalogue.digest_of([first, second]) in digests


def test_published_results_are_never_measured() -> None:
    load()
    assert set(Standing.objects.values_list("evidence", flat=True)) == {Evidence.PUBLISHED}
    assert not Run.objects.filter(level=Level.PUBLISHED, in_standings=True).exists()

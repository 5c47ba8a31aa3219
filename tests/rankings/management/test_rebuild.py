"""Rebuilding from the stored bytes changes nothing."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import models

from apps.intake.services.work import drain
from apps.plans.models import Plan
from apps.rankings.models import Evidence, ProviderStanding, Standing, StandingRun
from apps.runs.models import Citation, Label, Latency, Measurement, Run, Upload
from tests import make
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db

# What stands for a row when its own number is another after each rebuild.
NATURAL_KEYS: dict[type[models.Model], tuple[str, ...]] = {
    Plan: ("slug",),
    Run: ("id",),
    Citation: ("run_id",),
    Label: ("run_id", "rule"),
    Measurement: ("run_id", "workload", "version"),
    Latency: (
        "measurement__run_id", "measurement__workload", "measurement__version", "side",
    ),
    Standing: (
        "plan_id", "drive_family_id", "evidence", "workload", "version", "region_group", "variant",
    ),
    StandingRun: (
        "standing__plan_id", "standing__drive_family_id", "standing__evidence",
        "standing__workload", "standing__version", "standing__region_group", "standing__variant",
        "run_id",
    ),
    ProviderStanding: ("provider_id", "evidence", "workload", "version"),
}  # fmt: skip
SURROGATES = {"measurement_id", "standing_id", "best_id", "cheapest_id"}


def dump(model: type[models.Model]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return every column of every row but generated numbers, by natural key."""
    fields = [field.attname for field in model._meta.concrete_fields]
    numbers = SURROGATES if model is Run else SURROGATES | {"id"}
    kept = [name for name in fields if name not in numbers]
    keys = NATURAL_KEYS[model]
    rows = model._default_manager.values(*{*kept, *keys, *best_and_cheapest(model)})
    by_key = {tuple(str(row[key]) for key in keys): row for row in rows}
    assert len(by_key) == model._default_manager.count(), f"{model.__name__}: keys are not unique"
    return by_key


def best_and_cheapest(model: type[models.Model]) -> list[str]:
    if model is not ProviderStanding:
        return []
    return [f"{side}__{column}" for side in ("best", "cheapest") for column in ("plan_id",)]


def dump_all() -> dict[str, Any]:
    return {model.__name__: dump(model) for model in NATURAL_KEYS}


def seven_uploads() -> None:
    """Store uploads that differ: witnessed, offline, listed, unlisted, RAID, excluded, poison."""
    make.upload(witnessed=True)
    make.upload(make.payload(latency_ns=1_000_000))
    listed = Plan.objects.filter(is_listed=True).first()
    assert listed
    claim = {"provider": listed.provider_id, "plan": listed.name, "region": "fsn1"}
    make.upload(make.payload(claim=claim, latency_ns=300_000), witnessed=True)
    make.upload(make.payload(claim={"provider": "Home", "plan": "Shed", "region": None}))
    make.upload(make.payload(devices=[make.device(), make.device(model="no such drive")]))
    make.upload(make.payload(latency_ns=2_000), witnessed=True)
    make.upload(state=Upload.State.POISON, attempts=5)


def test_a_rebuild_changes_nothing() -> None:
    store_catalogue()
    seven_uploads()
    assert drain() == 6
    assert Run.objects.filter(in_standings=True).count() == 2
    before = dump_all()
    assert len(before["Run"]) == 673 + 6
    assert len(before["Label"]) >= 4

    for _ in range(2):
        output = StringIO()
        call_command("rebuild", stdout=output)
        assert "6 uploaded and 673 other runs" in output.getvalue()
        assert dump_all() == before


@pytest.mark.usefixtures("few_published")
def test_a_rebuild_keeps_the_run_of_an_upload_that_is_being_worked_on() -> None:
    store_catalogue()
    upload = make.upload()
    drain()
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.RETRY)
    call_command("rebuild", stdout=StringIO())
    assert Run.objects.filter(pk=upload.pk).exists()


@pytest.mark.usefixtures("few_published")
def test_a_rebuild_drops_unlisted_plans_that_no_run_names() -> None:
    store_catalogue()
    abandoned = make.plan(is_listed=False)
    call_command("rebuild", stdout=StringIO())
    assert not Plan.objects.filter(pk=abandoned.pk).exists()


@pytest.mark.usefixtures("few_published")
def test_a_rebuild_ranks_also_where_no_figure_changes() -> None:
    store_catalogue()
    make.upload(witnessed=True)
    drain()
    assert Standing.objects.filter(evidence=Evidence.MEASURED).update(rank_low=99)
    call_command("rebuild", stdout=StringIO())
    assert not Standing.objects.filter(rank_low=99).exists()

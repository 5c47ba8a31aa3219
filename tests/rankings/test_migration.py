"""A database with standings and marks takes region groups, and may go back while it has none."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [
    ("rankings", "0002_statistics_of_standings"),
    ("runs", "0005_imported_files"),
    ("plans", "0003_search"),
]
AFTER = [("rankings", "0003_region_groups"), ("runs", "0006_region")]


@pytest.mark.daily
@pytest.mark.django_db(transaction=True)
def test_rows_of_before_are_of_no_region() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(BEFORE)
        old = executor.loader.project_state(BEFORE).apps
        old.get_model("plans", "Provider").objects.create(slug="acme", name="Acme")
        old.get_model("plans", "Plan").objects.create(slug="x", provider_id="acme", name="X")
        for variant in (1, 2):
            old.get_model("rankings", "Standing").objects.create(
                evidence="measured", plan_id="x", workload="commit-8k", variant=variant,
                n_variants=2, rate_per_s=1.0, n_runs=1, n_machines=1, n_uploaders=1,
            )  # fmt: skip
        old.get_model("rankings", "CellMark").objects.create(
            subject="plan", slug="x", evidence="measured", workload="commit-8k", version=1
        )
        executor = MigrationExecutor(connection)
        executor.migrate(AFTER)
        new = executor.loader.project_state(AFTER).apps
        standings = new.get_model("rankings", "Standing").objects
        assert set(standings.values_list("region_group", "variant")) == {("", 1), ("", 2)}
        assert new.get_model("rankings", "CellMark").objects.get().region_group == ""
    finally:
        MigrationExecutor(connection).migrate(newest)

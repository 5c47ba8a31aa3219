"""Runs that labels kept out before there was a column for it get it."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [("runs", "0019_locators")]
AFTER = [("runs", "0020_kept_out_runs")]


@pytest.mark.django_db(transaction=True)
def test_runs_that_labels_keep_out_are_marked() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    out, kept = uuid.uuid4(), uuid.uuid4()
    try:
        executor.migrate(BEFORE)
        old = executor.loader.project_state(BEFORE).apps
        for key, part in ((out, "run"), (kept, "reads")):
            run = old.get_model("runs", "Run").objects.create(
                id=key, slug=str(key), level="witnessed"
            )
            old.get_model("runs", "Label").objects.create(
                run=run, rule="other-cpu", rule_version=1, keeps_out=part, outcome="label"
            )
        executor = MigrationExecutor(connection)
        executor.migrate(AFTER)
        runs = executor.loader.project_state(AFTER).apps.get_model("runs", "Run").objects
        assert set(runs.filter(is_kept_out=True).values_list("pk", flat=True)) == {out}
    finally:
        MigrationExecutor(connection).migrate(newest)

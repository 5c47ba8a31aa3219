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


@pytest.mark.django_db(transaction=True)
def test_runs_that_were_there_are_in_the_lists_and_in_their_sums() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    commits, others = uuid.uuid4(), uuid.uuid4()
    before, after = [("runs", "0070_levels")], [("runs", "0071_what_lists_read")]
    try:
        executor.migrate(before)
        old = executor.loader.project_state(before).apps
        for key, is_commit in ((commits, True), (others, False)):
            run = old.get_model("runs", "Run").objects.create(
                id=key, slug=str(key), level="witnessed"
            )
            old.get_model("runs", "Measurement").objects.create(
                run=run, workload="w", operation="commit", is_durable_single_writer=is_commit
            )
        executor = MigrationExecutor(connection)
        executor.migrate(after)
        new = executor.loader.project_state(after).apps
        runs = new.get_model("runs", "Run").objects
        assert set(runs.filter(has_commit=True).values_list("pk", flat=True)) == {commits}
        tally = new.get_model("runs", "RunTally").objects
        assert sorted(tally.values_list("level", "has_commit", "n")) == [
            ("witnessed", False, 1),
            ("witnessed", True, 1),
        ]
    finally:
        MigrationExecutor(connection).migrate(newest)

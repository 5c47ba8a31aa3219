"""An index of made-up runs, the newest first: lists say how many of them they leave out."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # writers go on while the index is made

    dependencies = (("runs", "0078_newest_envelopes"),)

    operations = (
        # a half-made one of a migration that gave up
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS run_newest_examples", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name="run",
            index=models.Index(
                name="run_newest_examples",
                fields=("-listed_at", "-id"),
                condition=models.Q(("is_example", True)),
            ),
        ),
    )

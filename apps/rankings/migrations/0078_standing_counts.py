"""An index of what boards count by workload, whose rows are large."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # writers go on while the index is made

    dependencies = (("rankings", "0077_large_cells_rest"),)

    operations = (
        # a half-made one of a migration that gave up
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS standing_counts", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name="standing",
            index=models.Index(
                name="standing_counts",
                fields=("workload", "plan", "drive_family"),
                include=("evidence", "is_durable_single_writer", "workload_title"),
            ),
        ),
    )

"""An index that has the commits of nearly the same mean side by side, the nearest first."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # writers go on while the index is made

    dependencies = (("runs", "0076_unused_indexes"),)

    operations = (
        # a half-made one of a migration that gave up
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS commits_mean", migrations.RunSQL.noop),
        AddIndexConcurrently(
            model_name="latency",
            index=models.Index(
                name="commits_mean",
                fields=("mean_ns", "p50_ns"),
                condition=models.Q(("side", "commit")),
            ),
        ),
        RemoveIndexConcurrently(model_name="latency", name="commits_p50"),
    )

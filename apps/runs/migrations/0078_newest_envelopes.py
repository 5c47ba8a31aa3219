"""An index of the runs whose signed bytes everybody may have, the newest first."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # writers go on while the index is made

    dependencies = (("runs", "0077_commits_by_mean"),)

    operations = (
        # a half-made one of a migration that gave up
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS run_newest_envelopes", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name="run",
            index=models.Index(
                name="run_newest_envelopes",
                fields=("-listed_at", "-id"),
                condition=models.Q(
                    ("environment__contains", {"consent": {"publish_envelope": True}}),
                    ("is_listed", True),
                    ("upload__isnull", False),
                ),
            ),
        ),
    )

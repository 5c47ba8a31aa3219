"""Columns for what is packed, beside those that it replaces: the program before runs on."""

from django.db import migrations, models

import apps.runs.packed.fields

FAST_TO_READ = """
    -- deflated already: PostgreSQL need not try
    ALTER TABLE runs_upload ALTER COLUMN payload SET STORAGE EXTERNAL;
    ALTER TABLE runs_upload ALTER COLUMN envelope DROP NOT NULL;
"""
AS_BEFORE = """
    ALTER TABLE runs_upload ALTER COLUMN payload SET STORAGE EXTENDED;
    ALTER TABLE runs_upload ALTER COLUMN envelope SET NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0072_upload_poison")]

    operations = [
        migrations.RunSQL(
            FAST_TO_READ,
            AS_BEFORE,
            state_operations=[
                migrations.AlterField("upload", "envelope", models.BinaryField(null=True))
            ],
        ),
        migrations.AddField(
            "upload", "signature", models.BinaryField(max_length=64, null=True)
        ),
        migrations.AddField(
            "measurement", "packed_passes", apps.runs.packed.fields.PackedJsonField(null=True)
        ),
        migrations.AddField(
            "latency", "histogram", apps.runs.packed.fields.HistogramField(null=True)
        ),
    ]

"""Takes away what was packed, after packing what came since the step before.

From here on the program before fails at these tables. Runs and envelopes stay what they are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.db import migrations, models
from django.db.models import Q

import apps.runs.packed.fields

LOCKED = "LOCK TABLE runs_upload, runs_measurement, runs_latency IN SHARE ROW EXCLUSIVE MODE"
CHECKED = "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED"


def pack_the_rest(_apps: Any, schema_editor: Any) -> None:
    """Pack what the program before stored meanwhile; nothing more comes."""
    schema_editor.execute(LOCKED)
    for _ in import_module("apps.runs.migrations.0074_pack").pack_all(schema_editor.connection):
        pass
    schema_editor.execute(CHECKED)


class Migration(migrations.Migration):
    dependencies = [("runs", "0074_pack")]

    operations = [
        migrations.RunPython(pack_the_rest, migrations.RunPython.noop),
        migrations.RenameField("upload", "payload", "packed_payload"),
        migrations.RenameField("upload", "envelope", "envelope_as_sent"),
        migrations.AddConstraint(
            "upload",
            models.CheckConstraint(
                name="upload_has_signature",
                condition=Q(signature__isnull=False) | Q(envelope_as_sent__isnull=False),
            ),
        ),
        migrations.RemoveField("measurement", "passes"),
        migrations.RenameField("measurement", "packed_passes", "passes"),
        migrations.AlterField(
            "measurement", "passes", apps.runs.packed.fields.PackedJsonField(default=list)
        ),
        migrations.RenameField("latency", "curve", "printed_curve"),
        migrations.RemoveField("latency", "buckets"),
        migrations.RemoveField("latency", "counts"),
    ]

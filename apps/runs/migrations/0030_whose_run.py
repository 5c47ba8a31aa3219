from typing import Any

import apps.runs.models
from django.db import migrations, models

BATCH = 1000


def name_uploads(historical: Any, _schema_editor: Any) -> None:
    """Give each upload that has none its short code."""
    uploads = historical.get_model("runs", "Upload").objects.filter(short_code=None).order_by("pk")
    while batch := list(uploads.only("pk")[:BATCH]):
        for upload in batch:
            upload.short_code = apps.runs.models.new_short_code()
        historical.get_model("runs", "Upload").objects.bulk_update(batch, ["short_code"])


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0021_rulings'),
    ]

    operations = [
        migrations.AddField(
            model_name='label',
            name='is_released',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='run',
            name='is_claimed',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='run',
            name='is_listed',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='upload',
            name='stated_at_unix_ns',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='upload',
            name='short_code',
            field=models.CharField(max_length=8, null=True, unique=True),
        ),
        migrations.RunPython(name_uploads, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='upload',
            name='short_code',
            field=models.CharField(default=apps.runs.models.new_short_code, max_length=8, unique=True),
        ),
    ]

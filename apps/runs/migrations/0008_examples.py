"""Runs that are made up say so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Two columns, false for everything that is there."""

    dependencies = [("runs", "0007_upload_network_provider")]
    operations = [
        migrations.AddField("upload", "is_example", models.BooleanField(default=False)),
        migrations.AddField("run", "is_example", models.BooleanField(default=False)),
    ]

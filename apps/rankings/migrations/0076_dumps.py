"""Attempts to write everything public as files."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("rankings", "0075_public_changes"),)

    operations = (
        migrations.CreateModel(
            name="Dump",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=24, unique=True)),
                ("begun_at", models.DateTimeField(db_index=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                ("files", models.JSONField(default=list)),
            ],
        ),
    )

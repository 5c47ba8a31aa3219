"""What standings rest on, beside them; empty until standings are computed again."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("rankings", "0072_drives_of_plans"),)

    operations = (
        migrations.CreateModel(
            name="StandingSpread",
            fields=[
                (
                    "standing",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="spread",
                        serialize=False,
                        to="rankings.standing",
                    ),
                ),
                ("uploaders", models.JSONField()),
                (
                    "items",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(blank=True, max_length=160), size=None
                    ),
                ),
                ("outcomes", models.JSONField()),
                ("n_unlisted", models.PositiveIntegerField()),
            ],
        ),
    )

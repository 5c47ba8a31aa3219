"""An index over the medians of commits, by which earlier runs with nearly the same are found."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("runs", "0016_parts_of_measurements")]

    operations = [
        migrations.AddIndex(
            model_name="latency",
            index=models.Index(
                name="commits_p50", fields=("p50_ns",), condition=Q(side="commit")
            ),
        ),
    ]

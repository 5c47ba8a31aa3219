"""Labels and verdicts keep figures, not sentences.

What was written in English goes: every stored run is judged again by the newer normaliser.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Columns of sentences out, columns of figures in."""

    dependencies = [("runs", "0010_illustrative_by_its_warning")]
    operations = [
        migrations.RemoveField("label", "text"),
        migrations.RemoveField("label", "detail"),
        migrations.AddField("label", "figures", models.JSONField(null=True)),
        migrations.RemoveField("run", "flush_reasons"),
        migrations.AddField("run", "flush_reasons", models.JSONField(default=list)),
        migrations.RemoveField("run", "placement_conflicts"),
        migrations.AddField("run", "placement_conflicts", models.JSONField(default=list)),
    ]

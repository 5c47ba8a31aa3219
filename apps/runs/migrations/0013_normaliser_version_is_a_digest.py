"""The version of the normaliser is a digest of the versions of all rules, no longer their sum.

A sum stays the same where two changes cancel each other, and stored runs would not be judged again.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Old numbers stay as text: they are no digest, so those runs are judged again."""

    dependencies = [("runs", "0012_what_imported_figures_are_of")]
    operations = [
        migrations.AlterField(
            "run", "normaliser_version", models.CharField(blank=True, max_length=16)
        ),
    ]

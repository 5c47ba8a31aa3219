"""Indexes of three-letter pieces for the search, and the extension that makes them.

PostgreSQL calls pg_trgm trusted: a role that may create in the database needs no superuser.
"""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("drives", "0002_recognition"),)

    operations = (
        TrigramExtension(),
        migrations.AddIndex(
            model_name="drivefamily",
            index=GinIndex(
                name="drive_family_pieces", fields=("slug",), opclasses=("gin_trgm_ops",)
            ),
        ),
        migrations.AddIndex(
            model_name="drivename",
            index=GinIndex(
                name="drive_name_pieces", fields=("model",), opclasses=("gin_trgm_ops",)
            ),
        ),
    )

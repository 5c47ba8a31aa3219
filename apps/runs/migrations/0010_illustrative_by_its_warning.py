"""Fills the flag from the warnings that said so until now."""

from typing import Any

from django.db import migrations


def fill(apps: Any, _schema_editor: Any) -> None:
    rows = apps.get_model("runs", "Citation").objects
    rows.filter(warning__contains="Illustrative").update(is_illustrative=True)


class Migration(migrations.Migration):
    dependencies = (("runs", "0009_illustrative"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)

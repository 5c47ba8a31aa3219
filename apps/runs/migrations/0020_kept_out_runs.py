"""Runs that a label already kept out say so in their own column, which came after them."""

from typing import Any

from django.db import migrations


def keep_out(apps: Any, _schema_editor: Any) -> None:
    run = apps.get_model("runs", "Run")
    run.objects.filter(labels__keeps_out="run", is_kept_out=False).update(is_kept_out=True)


class Migration(migrations.Migration):
    dependencies = [("runs", "0019_locators")]

    operations = [migrations.RunPython(keep_out, migrations.RunPython.noop)]

"""Keeps what each standing warned of, as one text, until a rebuild makes it anew."""

from typing import Any

from django.db import migrations
from django.db.models import F, Func, JSONField


def fill(apps: Any, _schema_editor: Any) -> None:
    rows = apps.get_model("rankings", "Standing").objects.exclude(warning="")
    rows.update(
        warnings=Func(F("warning"), function="jsonb_build_array", output_field=JSONField())
    )


class Migration(migrations.Migration):
    dependencies = (("rankings", "0007_warnings_as_data"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)

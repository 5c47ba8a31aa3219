"""A key that is nobody's has no name; what happens to keys is dated by the database's clock."""

from typing import Any

from django.db import migrations, models

import apps.accounts.clock


def forget_names(apps: Any, _editor: Any) -> None:
    apps.get_model("accounts", "AgentKey").objects.filter(owner=None).update(name="")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0070_revocations_of_keys")]

    operations = [
        migrations.AlterField(
            model_name="keyevent",
            name="at",
            field=models.DateTimeField(default=apps.accounts.clock.database_now),
        ),
        migrations.RunPython(forget_names, migrations.RunPython.noop),
    ]

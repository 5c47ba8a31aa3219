"""Each revocation of a key keeps its day; of those that are there the last one stands."""

from typing import Any

from django.db import migrations, models


def keep_days(apps: Any, _editor: Any) -> None:
    """Give the last revocation of a revoked key its day; others stand no more."""
    keys = apps.get_model("accounts", "AgentKey").objects.filter(state="revoked")
    revocations = apps.get_model("accounts", "KeyEvent").objects.filter(kind="revoked")
    revocations.update(is_taken_back=True)
    for key in keys.iterator():
        last = revocations.filter(key=key).order_by("-pk").first()
        if last is not None:
            last.compromised_since, last.is_taken_back = key.compromised_since, False
            last.save()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0040_notes_and_addresses")]

    operations = [
        migrations.AddField(
            model_name="keyevent",
            name="compromised_since",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="keyevent",
            name="is_taken_back",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(keep_days, migrations.RunPython.noop),
    ]

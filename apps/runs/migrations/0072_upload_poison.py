"""An index of uploads that became poison: metrics count them every few seconds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0071_what_lists_read")]

    operations = [
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(
                name="upload_poison",
                fields=["received_at"],
                condition=models.Q(("state", "poison")),
            ),
        ),
    ]

"""Whether a source calls its own figures a sample."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("rankings", "0004_p99_intervals"),)

    operations = (
        migrations.AddField(
            model_name="standing",
            name="is_illustrative",
            field=models.BooleanField(default=False),
        ),
    )

"""Whether a source calls its own figures a sample."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("runs", "0008_examples"),)

    operations = (
        migrations.AddField(
            model_name="citation",
            name="is_illustrative",
            field=models.BooleanField(default=False),
        ),
    )

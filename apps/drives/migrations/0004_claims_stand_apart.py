"""What is claimed of a class stands apart from the range that was measured."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("drives", "0003_search"),)

    operations = (
        migrations.AddField(
            model_name="ladderclass",
            name="claimed_low_ns",
            field=models.BigIntegerField(null=True, blank=True),
        ),
        migrations.AddField(
            model_name="ladderclass",
            name="claimed_high_ns",
            field=models.BigIntegerField(null=True, blank=True),
        ),
    )

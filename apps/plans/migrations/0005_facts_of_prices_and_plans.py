"""What a price is of, its term and its kind, and what keeps a plan from being rented, as fields."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("plans", "0004_provider_notes"),)

    operations = (
        migrations.AddField(
            model_name="plan", name="is_ephemeral", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="plan", name="is_component", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="plan", name="is_retired", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="price",
            name="unit",
            field=models.CharField(blank=True, default="", max_length=8),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="price",
            name="term_months",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="price",
            name="kind",
            field=models.CharField(blank=True, default="", max_length=16),
            preserve_default=False,
        ),
    )

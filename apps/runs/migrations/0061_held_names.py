from django.db import migrations

import apps.plans.held


class Migration(migrations.Migration):
    dependencies = [("runs", "0060_imported_names")]

    operations = [
        migrations.AlterField(
            model_name="run",
            name="claimed_provider",
            field=apps.plans.held.ShownName(blank=True, max_length=96),
        ),
        migrations.AlterField(
            model_name="run",
            name="claimed_plan",
            field=apps.plans.held.ShownName(blank=True, max_length=96),
        ),
        migrations.AlterField(
            model_name="run",
            name="drive_reported",
            field=apps.plans.held.ShownName(blank=True, max_length=140),
        ),
        migrations.AlterField(
            model_name="citation",
            name="machine_label",
            field=apps.plans.held.ShownName(blank=True, max_length=200),
        ),
    ]

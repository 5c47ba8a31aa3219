from django.db import migrations, models

import apps.plans.held


class Migration(migrations.Migration):
    dependencies = [("plans", "0050_moderation")]

    operations = [
        migrations.AlterField(
            model_name="plan",
            name="name",
            field=apps.plans.held.ShownName(max_length=96),
        ),
        migrations.AddField(
            model_name="plan",
            name="sent_name",
            field=models.CharField(blank=True, max_length=96),
        ),
    ]

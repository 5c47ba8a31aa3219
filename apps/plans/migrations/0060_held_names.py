from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("plans", "0050_moderation")]

    operations = [
        migrations.AddField(
            model_name="plan",
            name="sent_name",
            field=models.CharField(blank=True, max_length=96),
        ),
    ]

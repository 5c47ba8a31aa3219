from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0030_whose_run")]

    operations = [
        migrations.AddField(
            model_name="importedfile",
            name="claim_in_dispute",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="importedfile",
            name="names_seen",
            field=models.BooleanField(default=False),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("rankings", "0006_illustrative_by_its_warning"),)

    operations = (
        migrations.AddField("Standing", "warnings", models.JSONField(default=list)),
        migrations.AddField("Standing", "filesystems", models.JSONField(default=list)),
    )

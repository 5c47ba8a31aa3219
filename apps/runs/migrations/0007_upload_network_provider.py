from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0005_imported_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='upload',
            name='network_provider',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]

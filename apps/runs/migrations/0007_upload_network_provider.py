from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0006_region'),
    ]

    operations = [
        migrations.AddField(
            model_name='upload',
            name='network_provider',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]

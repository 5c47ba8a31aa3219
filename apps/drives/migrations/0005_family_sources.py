"""Which fact of a drive family stands in which document."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('drives', '0004_claims_stand_apart'),
    ]

    operations = [
        migrations.CreateModel(
            name='FamilySource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('facts', models.CharField(max_length=128)),
                ('found', models.TextField()),
                ('agrees', models.CharField(choices=[('yes', 'says the same'), ('adds', 'says more, or too little to decide'), ('no', 'says otherwise')], max_length=4)),
                ('url', models.URLField(max_length=400)),
                ('locator', models.CharField(max_length=200)),
                ('confidence', models.CharField(max_length=8)),
                ('family', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sources', to='drives.drivefamily')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
    ]

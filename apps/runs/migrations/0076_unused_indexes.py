"""Takes away indexes of tables that grow with runs which no query uses.

Others begin with the same column, or they are for LIKE, which nobody asks of these.
"""

import django.db.models.deletion
from django.db import migrations, models

FOR_LIKE = r"""
    DO $$ DECLARE unused text; BEGIN
        FOR unused IN SELECT indexname FROM pg_indexes WHERE indexname LIKE '%\_like'
            AND tablename IN ('runs_upload', 'runs_run', 'runs_rundrive', 'runs_label')
        LOOP EXECUTE format('DROP INDEX %I', unused); END LOOP;
    END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('drives', '0005_family_sources'),
        ('plans', '0060_held_names'),
        ('runs', '0075_only_packed'),
    ]

    operations = [
        migrations.RunSQL(FOR_LIKE, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='label',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='labels', to='runs.run'),
        ),
        migrations.AlterField(
            model_name='latency',
            name='measurement',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='latencies', to='runs.measurement'),
        ),
        migrations.AlterField(
            model_name='measurement',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='runs.run'),
        ),
        migrations.AlterField(
            model_name='run',
            name='drive_family',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='drives.drivefamily'),
        ),
        migrations.AlterField(
            model_name='run',
            name='plan',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='plans.plan'),
        ),
        migrations.AlterField(
            model_name='run',
            name='provider',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='plans.provider'),
        ),
        migrations.AlterField(
            model_name='rundrive',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='drives', to='runs.run'),
        ),
    ]

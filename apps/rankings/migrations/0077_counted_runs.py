"""How many runs of a plan or drive are in its standings, stored; a page counted them each time."""

from __future__ import annotations

from typing import Final

from django.db import migrations, models

COUNT_ALL: Final = """
    INSERT INTO rankings_countedruns (subject, slug, n_runs)
    SELECT subject, slug, count(*) FROM (
        SELECT DISTINCT named.subject, named.slug, counted.run_id
        FROM rankings_standing standing
            JOIN rankings_standingrun counted ON counted.standing_id = standing.id
            CROSS JOIN LATERAL (VALUES ('plan', standing.plan_id),
                ('drive', standing.drive_family_id)) AS named (subject, slug)
        WHERE standing.evidence <> 'published' AND named.slug IS NOT NULL
    ) AS runs GROUP BY 1, 2
"""


class Migration(migrations.Migration):
    dependencies = (("rankings", "0076_dumps"),)

    operations = (
        migrations.CreateModel(
            name='CountedRuns',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=8)),
                ('slug', models.CharField(max_length=160)),
                ('n_runs', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('subject', 'slug'), name='runs_are_counted_once')],
            },
        ),
        migrations.RunSQL(COUNT_ALL, migrations.RunSQL.noop),
    )

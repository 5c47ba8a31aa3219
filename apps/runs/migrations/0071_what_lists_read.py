"""What lists of runs read instead of counting: columns, their indexes, and tallies."""

from __future__ import annotations

import datetime
from typing import Final

import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models

import apps.runs.lists.days

HAS_COMMIT: Final = """
    UPDATE runs_run SET has_commit = true WHERE id IN
        (SELECT run_id FROM runs_measurement WHERE is_durable_single_writer);
    -- keys are checked now: no index is made while a check is due
    SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED;
"""
MARK_COMMITS: Final = """
    CREATE FUNCTION mark_commits() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE runs_run SET has_commit = true WHERE NOT has_commit AND id IN
            (SELECT run_id FROM new_rows WHERE is_durable_single_writer);
        RETURN NULL;
    END $$;
    CREATE TRIGGER mark_commits AFTER INSERT ON runs_measurement
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_commits();
"""
_KIND: Final = "level, is_example, has_commit, provider_id, plan_id, drive_family_id"
_SUM: Final = f"""
    INSERT INTO runs_runtally ({_KIND}, n)
    SELECT {_KIND}, sum(n) FROM ({{changes}}) AS change WHERE is_listed
    GROUP BY {_KIND} HAVING sum(n) <> 0
"""  # noqa: S608  of constants
_ADDED: Final = f"SELECT {_KIND}, is_listed, 1 AS n FROM {{rows}}"
_TAKEN: Final = f"SELECT {_KIND}, is_listed, -1 AS n FROM {{rows}}"
_CHANGES: Final = {
    "INSERT": (_ADDED.format(rows="new_rows"), "NEW TABLE AS new_rows"),
    "DELETE": (_TAKEN.format(rows="old_rows"), "OLD TABLE AS old_rows"),
    "UPDATE": (
        f"{_ADDED.format(rows='new_rows')} UNION ALL {_TAKEN.format(rows='old_rows')}",
        "NEW TABLE AS new_rows OLD TABLE AS old_rows",
    ),
}
TALLY: Final = _SUM.format(changes=_ADDED.format(rows="runs_run"))


def tally_trigger(verb: str) -> migrations.RunSQL:
    """Return the operation that adds up what a kind of statement changes."""
    changes, tables = _CHANGES[verb]
    name = f"tally_runs_{verb.lower()}"
    return migrations.RunSQL(
        f"""
        CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {_SUM.format(changes=changes)}; RETURN NULL; END $$;
        CREATE TRIGGER {name} AFTER {verb} ON runs_run
            REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION {name}();
        """,
        f"DROP TRIGGER {name} ON runs_run; DROP FUNCTION {name}()",
    )


class Migration(migrations.Migration):
    dependencies = (
        ("drives", "0005_family_sources"),
        ("plans", "0060_held_names"),
        ("runs", "0070_levels"),
    )

    operations = (

        migrations.CreateModel(
            name='RunTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(max_length=16)),
                ('is_example', models.BooleanField()),
                ('has_commit', models.BooleanField()),
                ('drive_family', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='drives.drivefamily')),
                ('plan', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='plans.plan')),
                ('provider', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='plans.provider')),
                ('n', models.IntegerField()),
            ],
        ),
        migrations.RemoveIndex(
            model_name='run',
            name='run_newest',
        ),
        migrations.AddField(
            model_name='run',
            name='has_commit',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='run',
            name='listed_at',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce('measured_at', datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)), output_field=models.DateTimeField()),
        ),
        migrations.AddField(
            model_name='run',
            name='listed_day',
            field=models.GeneratedField(db_persist=True, expression=apps.runs.lists.days.UtcDate('measured_at'), output_field=models.DateField(null=True)),
        ),
        migrations.AddField(
            model_name='run',
            name='thing',
            field=models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce('plan', 'drive_family'), output_field=models.CharField(max_length=160, null=True)),
        ),
        migrations.RunSQL(HAS_COMMIT, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('is_listed', True)), fields=['-listed_at', '-id'], name='run_newest'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('has_commit', True), ('is_listed', True)), fields=['-listed_at', '-id'], name='run_newest_commits'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['thing', 'level', 'listed_day', '-listed_at'], name='run_alike'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['plan', '-listed_at', '-id'], name='run_of_plan'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['drive_family', '-listed_at', '-id'], name='run_of_drive'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['provider', '-listed_at', '-id'], name='run_of_provider'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['level', '-listed_at', '-id'], name='run_of_level'),
        ),
        migrations.RunSQL(
            MARK_COMMITS, "DROP TRIGGER mark_commits ON runs_measurement; DROP FUNCTION mark_commits()"
        ),
        migrations.RunSQL(TALLY, migrations.RunSQL.noop),
        *map(tally_trigger, _CHANGES),
    )

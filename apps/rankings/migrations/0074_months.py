"""Months of cells, stored; triggers mark those in which runs changed. Filled by the workers."""

from __future__ import annotations

from typing import Final

from django.db import migrations, models

MARK: Final = """
    INSERT INTO rankings_monthmark (subject, slug, first_day)
    SELECT DISTINCT subject, named.slug, date_trunc('month', measured_at AT TIME ZONE 'UTC')::date
    FROM ({rows}) AS run CROSS JOIN LATERAL
        (VALUES ('plan', plan_id), ('drive', drive_family_id)) AS named (subject, slug)
    WHERE named.slug IS NOT NULL AND measured_at IS NOT NULL
    ORDER BY 1, 2, 3
"""
_NEW: Final = "SELECT measured_at, plan_id, drive_family_id FROM new_rows"
_OLD: Final = "SELECT measured_at, plan_id, drive_family_id FROM old_rows"
MARK_ALL: Final = MARK.format(rows="SELECT * FROM runs_run")
_CHANGES: Final = {
    "INSERT": (_NEW, "NEW TABLE AS new_rows"),
    "DELETE": (_OLD, "OLD TABLE AS old_rows"),
    "UPDATE": (f"{_NEW} UNION ALL {_OLD}", "NEW TABLE AS new_rows OLD TABLE AS old_rows"),
}


def mark_trigger(verb: str) -> migrations.RunSQL:
    """Return the operation that marks the months of the runs that a kind of statement changes."""
    rows, tables = _CHANGES[verb]
    name = f"mark_months_{verb.lower()}"
    return migrations.RunSQL(
        f"""
        CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {MARK.format(rows=rows)}; RETURN NULL; END $$;
        CREATE TRIGGER {name} AFTER {verb} ON runs_run
            REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION {name}();
        """,
        f"DROP TRIGGER {name} ON runs_run; DROP FUNCTION {name}()",
    )


class Migration(migrations.Migration):
    dependencies = (("rankings", "0073_spreads"), ("runs", "0077_commits_by_mean"))

    operations = (
        migrations.CreateModel(
            name='MonthMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=8)),
                ('slug', models.CharField(max_length=160)),
                ('first_day', models.DateField()),
            ],
        ),
        migrations.CreateModel(
            name='CellMonth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=8)),
                ('slug', models.CharField(max_length=160)),
                ('evidence', models.CharField(max_length=16)),
                ('workload', models.CharField(max_length=64)),
                ('version', models.PositiveSmallIntegerField()),
                ('region_group', models.CharField(blank=True, max_length=16)),
                ('first_day', models.DateField()),
                ('rate_per_s', models.FloatField()),
                ('low_per_s', models.FloatField(null=True)),
                ('high_per_s', models.FloatField(null=True)),
                ('bounds', models.JSONField()),
                ('n_uploaders', models.PositiveIntegerField()),
                ('n_machines', models.PositiveIntegerField()),
                ('n_runs', models.PositiveIntegerField()),
                ('drive', models.CharField(blank=True, max_length=160)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('slug', 'subject', 'evidence', 'workload', 'version', 'region_group', 'first_day'), name='cell_month_once')],
            },
        ),
        *map(mark_trigger, _CHANGES),
        migrations.RunSQL(MARK_ALL, migrations.RunSQL.noop),
        migrations.RunSQL(
            "CREATE TRIGGER note_data_change AFTER INSERT OR UPDATE OR DELETE ON rankings_cellmonth"
            " FOR EACH STATEMENT EXECUTE FUNCTION note_data_change()",
            "DROP TRIGGER note_data_change ON rankings_cellmonth",
        ),
    )

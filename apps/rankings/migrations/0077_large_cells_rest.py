"""When a mark is due: a large cell, or month, rests before it is computed again."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from django.db import migrations, models
from django.db.models.functions import Now

# As `standings.turns` says it of cells: 2 ms for each run beyond 5,000.
MARK: Final = """
    INSERT INTO rankings_monthmark (subject, slug, first_day, due_at)
    SELECT subject, slug, first_day, now() + greatest(0, coalesce((
        SELECT sum(n_runs) FROM rankings_cellmonth month WHERE month.slug = changed.slug
            AND month.subject = changed.subject AND month.first_day = changed.first_day
    ), 0) - 5000) * interval '2 milliseconds'
    FROM (
        SELECT DISTINCT subject, named.slug,
            date_trunc('month', measured_at AT TIME ZONE 'UTC')::date AS first_day
        FROM ({rows}) AS run CROSS JOIN LATERAL
            (VALUES ('plan', plan_id), ('drive', drive_family_id)) AS named (subject, slug)
        WHERE named.slug IS NOT NULL AND measured_at IS NOT NULL
    ) AS changed ORDER BY 1, 2, 3
"""
_before = import_module("apps.rankings.migrations.0074_months")
_NEW: Final = "SELECT measured_at, plan_id, drive_family_id FROM new_rows"
_OLD: Final = "SELECT measured_at, plan_id, drive_family_id FROM old_rows"
_ROWS: Final = {"INSERT": _NEW, "DELETE": _OLD, "UPDATE": f"{_NEW} UNION ALL {_OLD}"}


def mark_later(verb: str) -> migrations.RunSQL:
    """Return the operation that lets a kind of statement mark with a rest."""
    function = """
        CREATE OR REPLACE FUNCTION mark_months_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {mark}; RETURN NULL; END $$
    """
    rows, name = _ROWS[verb], verb.lower()
    return migrations.RunSQL(
        function.format(name=name, mark=MARK.format(rows=rows)),
        function.format(name=name, mark=_before.MARK.format(rows=rows)),
    )


class Migration(migrations.Migration):
    dependencies = (("rankings", "0076_dumps"),)

    operations = (
        *(
            migrations.AddField(
                model_name=model,
                name="due_at",
                field=models.DateTimeField(db_default=Now()),
            )
            for model in ("cellmark", "monthmark")
        ),
        *map(mark_later, _ROWS),
    )

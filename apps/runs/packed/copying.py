"""Stores rows with COPY: many at once, without an INSERT whose every value is quoted by Django."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.db import connection, models

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Their values go to the driver as they are.
_PLAIN = (
    models.CharField, models.TextField, models.UUIDField, models.DateTimeField, models.BooleanField,
    models.IntegerField, models.FloatField, models.ForeignKey,
)  # fmt: skip


def give_ids(rows: Sequence[models.Model]) -> None:
    """Give each of these rows of one table the number that an INSERT would give it: one query."""
    if not rows:
        return
    table, column = rows[0]._meta.db_table, rows[0]._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [table, column, len(rows)],
        )
        for row, (number,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = number


def copy_rows(rows: Sequence[models.Model]) -> None:
    """Store these rows of one table; those without a number get one, and are not told it."""
    if not rows:
        return
    fields = _stored_fields(type(rows[0]), has_ids=rows[0].pk is not None)
    quoted = ", ".join(connection.ops.quote_name(field.column) for field, _ in fields)
    table = connection.ops.quote_name(rows[0]._meta.db_table)
    statement = f"COPY {table} ({quoted}) FROM STDIN"
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for row in rows:
            copy.write_row(
                [
                    getattr(row, field.attname)
                    if is_plain
                    else field.get_db_prep_save(getattr(row, field.attname), connection)
                    for field, is_plain in fields
                ]
            )


@cache
def _stored_fields(
    model: type[models.Model], *, has_ids: bool
) -> tuple[tuple[models.Field[Any, Any], bool], ...]:
    """Return the columns that are written, and whether their values go as they are."""
    return tuple(
        (field, isinstance(field, _PLAIN))
        for field in model._meta.concrete_fields
        if not field.generated and (has_ids or not field.primary_key)
    )

"""How many runs there are of a kind, without counting them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection, models

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Provider

if TYPE_CHECKING:
    from django.db.models import Q


class RunTally(models.Model):
    """How many listed runs there are of a kind, as a sum of rows: nothing counts runs one by one.

    Triggers of the database add a row for each statement that changes a sum, so that no two
    transactions wait for each other; `add_up` makes one of many.
    """

    level = models.CharField(max_length=16)
    is_example = models.BooleanField()
    has_commit = models.BooleanField()
    provider = models.ForeignKey(
        Provider, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    plan = models.ForeignKey(
        Plan, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    drive_family = models.ForeignKey(
        DriveFamily, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    n = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.n} of {self.plan_id or self.drive_family_id or self.level}"


ROWS_FEW: Final = 2_000  # are added up for a page in a millisecond

_ADD_UP = """
    WITH taken AS (DELETE FROM runs_runtally RETURNING *)
    INSERT INTO runs_runtally
        (level, is_example, has_commit, provider_id, plan_id, drive_family_id, n)
    SELECT level, is_example, has_commit, provider_id, plan_id, drive_family_id, sum(n)
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0
"""

_COUNT_ALL = """
    INSERT INTO runs_runtally
        (level, is_example, has_commit, provider_id, plan_id, drive_family_id, n)
    SELECT level, is_example, has_commit, provider_id, plan_id, drive_family_id, count(*)
    FROM runs_run WHERE is_listed GROUP BY 1, 2, 3, 4, 5, 6
"""


def count_of(condition: Q) -> int:
    """Return how many listed runs there are, by columns of the tally."""
    n: int | None = RunTally.objects.filter(condition).aggregate(n=models.Sum("n"))["n"]
    return n or 0


def add_up() -> None:
    """Make one row of the rows of each kind, if they are many; nobody meanwhile is disturbed."""
    if RunTally.objects.count() <= ROWS_FEW:
        return
    with connection.cursor() as cursor:
        cursor.execute(_ADD_UP)


def count_all() -> None:
    """Count the runs of each kind, into an empty table."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_ALL)

"""How much something is looked for, as a column of other queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.interest.models import DailyInterest

if TYPE_CHECKING:
    from django.db.models import Expression


def times_looked_for(kind: str) -> Expression:
    """Return the total of all days that are kept, of the row of the outer query; 0 without any."""
    days = DailyInterest.objects.filter(kind=kind, slug=OuterRef("pk")).order_by().values("slug")
    total = days.annotate(total=Sum("n")).values("total")
    return Coalesce(Subquery(total), 0, output_field=IntegerField())

"""Fields of a standing: its costs at the ends of its interval, and the limit of useful IOPS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.rankings.cost import CostFunction, cost_per_billion, price_month_per_1000
from apps.wire.suites import p99_limit_of

if TYPE_CHECKING:
    from apps.rankings.models import Standing

_COSTS: Final[dict[str, CostFunction]] = {
    "cost_per_billion": cost_per_billion,
    "price_month_per_1000": price_month_per_1000,
}


@extend_schema_field({"type": ["number", "null"], "format": "double"})
class CostEndField(serializers.Field[Any, Any, Any, Any]):
    """A cost of a standing at one end of its rate; null where there is no cost or no such end."""

    def __init__(self, cost: str, *, rate: str, help_text: str) -> None:
        """Take the columns of the cost and of the rate at that end."""
        self._cost, self._rate = cost, rate
        super().__init__(source="*", read_only=True, help_text=help_text)

    def to_representation(self, standing: Standing) -> float | None:
        """Return the cost in the price's currency; only the rate varies."""
        rate_per_s = getattr(standing, self._rate)
        if getattr(standing, self._cost) is None or standing.price is None or not rate_per_s:
            return None
        return float(_COSTS[self._cost](standing.price, rate_per_s=rate_per_s))


@extend_schema_field({"type": ["integer", "null"]})
class UsefulLimitField(serializers.Field[Any, Any, Any, Any]):
    """The p99 below which a workload searches for its highest rate; null for other workloads."""

    def to_representation(self, standing: Standing) -> int | None:
        """Return nanoseconds."""
        return p99_limit_of(standing.workload, version=standing.version)

"""The parameters of the lists of the read API. An unknown parameter is refused, not ignored.

The `source` of a parameter is its lookup in the database. `rankings.standing_columns` declares the
columns by which both this API and the boards filter standings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from apps.api.paging import CURSOR_CHARACTERS_MAX, LIMIT_MAX, LIMIT_USUAL
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.rankings.standing_columns import (
    DRIVE_PLP,
    EVIDENCE,
    PLP,
    PROVIDER,
    REGION_GROUP,
    STORAGE_KIND,
)
from apps.runs.models import SHOWN_LEVELS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from apps.rankings.standing_columns import StandingColumn


class NamedChoiceField(serializers.ChoiceField):
    """A choice of names that stand for the values of a column."""

    def __init__(self, values: Mapping[str, Any], **options: Any) -> None:
        self.values = values
        super().__init__(choices=list(values), **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return the value that a name stands for."""
        return self.values[super().to_internal_value(data)]


def column_field(column: StandingColumn, **options: Any) -> NamedChoiceField:
    """Return an optional parameter that takes a value of a column, as filters of boards do."""
    return NamedChoiceField(column.values_by_name, required=False, source=column.lookup, **options)


def slug_field(help_text: str, *, source: str | None = None) -> serializers.CharField:
    """Return an optional parameter that takes the slug of something."""
    return serializers.RegexField(
        r"^[A-Za-z0-9_-]+$",
        required=False,
        source=source,
        max_length=SLUG_CHARACTERS_MAX,
        help_text=help_text,
        error_messages={"invalid": "Letters, digits, dashes and underscores only."},
    )


class ListQuery(serializers.Serializer[Any]):
    """What every list takes."""

    limit = serializers.IntegerField(
        required=False,
        default=LIMIT_USUAL,
        min_value=1,
        max_value=LIMIT_MAX,
        help_text="Rows in a page.",
    )
    cursor = serializers.CharField(
        required=False,
        max_length=CURSOR_CHARACTERS_MAX,
        help_text="Where the page begins: from `next` of the page before.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse unknown parameters, so that a misspelt one does not widen a query."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            allowed = ", ".join(sorted(self.fields))
            raise serializers.ValidationError(
                {name[:64]: f"Unknown parameter; there are {allowed}." for name in unknown[:5]}
            )
        return attrs


class RunsQuery(ListQuery):
    """The list of runs."""

    level = serializers.ChoiceField(choices=SHOWN_LEVELS, required=False, source="level_shown")
    provider = slug_field("Slug of a provider.", source="provider_id")
    plan = slug_field("Slug of a plan.", source="plan_id")
    drive = slug_field("Slug of a drive family.", source="drive_family_id")
    workload = slug_field("Id of a workload that the run measured.")


class PlansQuery(ListQuery):
    """The list of plans."""

    provider = slug_field("Slug of a provider.", source=PROVIDER.below("plan__").path)
    storage_kind = column_field(STORAGE_KIND.below("plan__"))


class DrivesQuery(ListQuery):
    """The list of drive families."""

    plp = column_field(DRIVE_PLP.below("drive_family__"))
    kind = slug_field("ssd, hdd, pmem or virtual.")
    ladder_class = slug_field(
        "Slug of the expected class on the fsync ladder.", source="ladder_class_id"
    )


class StandingsQuery(ListQuery):
    """The boards."""

    workload = slug_field("Id of a workload. Rates of different workloads do not compare.")
    evidence = column_field(EVIDENCE)
    subject = NamedChoiceField(
        {"plan": False, "drive": True}, required=False, source="plan__isnull"
    )
    provider = slug_field("Slug of a provider.", source=PROVIDER.path)
    region_group = column_field(
        REGION_GROUP,
        help_text="Where a plan was measured; drive families stand for all regions.",
    )
    storage_kind = column_field(STORAGE_KIND)
    plp = column_field(PLP)


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A checked query."""

    limit: int
    cursor: str | None
    conditions: dict[str, Any]  # by lookup


def read_query(kind: type[ListQuery], request: Request) -> CheckedQuery:
    """Return the checked parameters of a request. Raises DRF's ValidationError."""
    query = kind(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    conditions = dict(query.validated_data)
    limit, cursor = conditions.pop("limit"), conditions.pop("cursor", None)
    return CheckedQuery(limit=limit, cursor=cursor, conditions=conditions)

"""What the lists of the read API can be asked for. An unknown parameter is refused, not ignored.

The `source` of a parameter is the column that it is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from apps.api.paging import CURSOR_CHARACTERS_MAX, LIMIT_MAX, LIMIT_USUAL
from apps.drives.models import PowerLossProtection
from apps.plans.models import StorageKind
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence
from apps.runs.models import EXAMPLE, Level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

SLUG_CHARACTERS_MAX: Final = 160  # the longest slug of any model
NOT_STATED: Final = "not-stated"  # how a query names a blank storage kind or region group
REGION_GROUPS: Final = {group or NOT_STATED: group for group in ("", *GROUPS)}
STORAGE_KINDS: Final = {kind or NOT_STATED: kind for kind in StorageKind.values}


class NamedChoiceField(serializers.ChoiceField):
    """A choice of names that stand for the values of a column."""

    def __init__(self, values: Mapping[str, Any], **options: Any) -> None:
        self.values = values
        super().__init__(choices=list(values), **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return the value that a name stands for."""
        return self.values[super().to_internal_value(data)]


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
        """Refuse parameters that are not here, so that a typing error does not widen a query."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            known = ", ".join(sorted(self.fields))
            raise serializers.ValidationError(
                {name[:64]: f"Unknown parameter; there are {known}." for name in unknown[:5]}
            )
        return attrs


class RunsQuery(ListQuery):
    """The list of runs."""

    level = serializers.ChoiceField(
        choices=[*Level.values, EXAMPLE], required=False, source="level_shown"
    )
    provider = slug_field("Slug of a provider.", source="provider_id")
    plan = slug_field("Slug of a plan.", source="plan_id")
    drive = slug_field("Slug of a drive family.", source="drive_family_id")
    workload = slug_field("Id of a workload that the run measured.")


class PlansQuery(ListQuery):
    """The list of plans."""

    provider = slug_field("Slug of a provider.", source="provider_id")
    storage_kind = NamedChoiceField(STORAGE_KINDS, required=False)


class DrivesQuery(ListQuery):
    """The list of drive families."""

    plp = serializers.ChoiceField(choices=PowerLossProtection.values, required=False)
    kind = slug_field("ssd, hdd, pmem or virtual.")
    ladder_class = slug_field(
        "Slug of the expected class on the fsync ladder.", source="ladder_class_id"
    )


class StandingsQuery(ListQuery):
    """The boards."""

    workload = slug_field("Id of a workload. Rates of different workloads do not compare.")
    evidence = serializers.ChoiceField(choices=Evidence.values, required=False)
    subject = NamedChoiceField(
        {"plan": False, "drive": True}, required=False, source="plan__isnull"
    )
    provider = slug_field("Slug of a provider.", source="plan__provider_id")
    region_group = NamedChoiceField(
        REGION_GROUPS,
        required=False,
        help_text="Where a plan was measured; drive families stand for all regions.",
    )
    storage_kind = NamedChoiceField(STORAGE_KINDS, required=False, source="plan__storage_kind")
    plp = serializers.ChoiceField(choices=PowerLossProtection.values, required=False)


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A checked query."""

    limit: int
    cursor: str | None
    conditions: dict[str, Any]  # by column


def read_query(kind: type[ListQuery], request: Request) -> CheckedQuery:
    """Return the checked parameters of a request. Raises DRF's ValidationError."""
    query = kind(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    conditions = dict(query.validated_data)
    limit, cursor = conditions.pop("limit"), conditions.pop("cursor", None)
    return CheckedQuery(limit=limit, cursor=cursor, conditions=conditions)

"""The parameters of the lists of the read API. An unknown parameter is refused, not ignored.

The `source` of a parameter is its lookup in the database. `rankings.standing_columns` declares the
columns by which both this API and the boards filter standings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from apps.api.definitions.workload_list import defined_workloads
from apps.api.paging import CURSOR_CHARACTERS_MAX, LIMIT_MAX, LIMIT_USUAL
from apps.drives.models import DriveFamily, LadderClass
from apps.plans.models import Plan, Provider
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.rankings.models import Standing
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

    from django.db.models import Model
    from rest_framework.request import Request

    from apps.rankings.standing_columns import StandingColumn


DRIVE_KINDS: Final = ("hdd", "pmem", "ssd", "virtual")
SLUG: Final = r"^[A-Za-z0-9_-]+\Z"


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
        SLUG,
        required=False,
        source=source,
        max_length=SLUG_CHARACTERS_MAX,
        help_text=help_text,
        error_messages={"invalid": "Letters, digits, dashes and underscores only."},
    )


class KnownSlugField(serializers.RegexField):
    """The slug of a row that is there: a misspelt one is an error and not an empty list."""

    default_error_messages = {
        "unknown": "There is none of this name.",
        "invalid": "Letters, digits, dashes and underscores only.",
    }

    def __init__(self, of: type[Model], **options: Any) -> None:
        self.of = of
        super().__init__(SLUG, max_length=SLUG_CHARACTERS_MAX, required=False, **options)

    def run_validators(self, value: Any) -> None:
        """Look for the row once the slug is one."""
        super().run_validators(value)
        if not self.of._default_manager.filter(pk=value).exists():
            self.fail("unknown")


def known_slug_field(
    help_text: str, *, of: type[Model], source: str | None = None
) -> KnownSlugField:
    """Return an optional parameter that takes the slug of a row of a table."""
    return KnownSlugField(of, help_text=help_text, source=source)


class WorkloadField(serializers.RegexField):
    """The id of a workload that is defined, or in which something stands."""

    default_error_messages = {
        "unknown": "There is no such workload; /api/v1/workloads lists them.",
        "invalid": "Letters, digits, dashes and underscores only.",
    }

    def __init__(self, help_text: str) -> None:
        super().__init__(SLUG, max_length=SLUG_CHARACTERS_MAX, required=False, help_text=help_text)

    def run_validators(self, value: Any) -> None:
        """Look for it: one query, of what is not defined."""
        super().run_validators(value)
        is_defined = any(each.id == value for each in defined_workloads())
        if not is_defined and not Standing.objects.filter(workload=value).exists():
            self.fail("unknown")


class StrictQuery(serializers.Serializer[Any]):
    """A query of known parameters alone, so that a misspelt one does not widen it."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse unknown parameters."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            allowed = ", ".join(sorted(self.fields)) or "none"
            raise serializers.ValidationError(
                {name[:64]: f"Unknown parameter; there are {allowed}." for name in unknown[:5]}
            )
        return attrs


class ListQuery(StrictQuery):
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


class RunsQuery(ListQuery):
    """The list of runs."""

    level = serializers.ChoiceField(choices=SHOWN_LEVELS, required=False, source="level_shown")
    provider = known_slug_field("Slug of a provider.", of=Provider, source="provider_id")
    plan = known_slug_field("Slug of a plan.", of=Plan, source="plan_id")
    drive = known_slug_field("Slug of a drive family.", of=DriveFamily, source="drive_family_id")
    # any slug: an agent may send a workload of its own, and no index says whether some run has it
    workload = slug_field("Id of a workload that the run measured, also one of a sender's own.")


class PlansQuery(ListQuery):
    """The list of plans."""

    provider = known_slug_field(
        "Slug of a provider.", of=Provider, source=PROVIDER.below("plan__").path
    )
    storage_kind = column_field(STORAGE_KIND.below("plan__"))


class DrivesQuery(ListQuery):
    """The list of drive families."""

    plp = column_field(DRIVE_PLP.below("drive_family__"))
    kind = serializers.ChoiceField(choices=DRIVE_KINDS, required=False)
    ladder_class = known_slug_field(
        "Slug of the expected class on the fsync ladder.", of=LadderClass, source="ladder_class_id"
    )


class StandingsQuery(ListQuery):
    """The boards."""

    workload = WorkloadField("Id of a workload. Rates of different workloads do not compare.")
    evidence = column_field(EVIDENCE)
    subject = NamedChoiceField(
        {"plan": False, "drive": True}, required=False, source="plan__isnull"
    )
    provider = known_slug_field("Slug of a provider.", of=Provider, source=PROVIDER.path)
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

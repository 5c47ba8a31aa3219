"""Serializers of plans, drives, providers and standings: allow-lists of fields, without pseudonyms
of machines and people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.costs import CostEndField, UsefulLimitField
from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.plans.regions import GROUPS
from apps.rankings.models import ProviderStanding, Standing
from apps.runs.trust.licences import LICENCES, licence_of
from apps.words.standings import english_warning

if TYPE_CHECKING:
    from collections.abc import Callable


def absolute(name: str, *arguments: str) -> str:
    """Return the public address of a view."""
    return f"{settings.SITE_URL}{reverse(name, args=arguments)}"


URI = {"type": "string", "format": "uri"}


@extend_schema_field(URI)
class PageLinkField(serializers.Field[Any, Any, str, Any]):
    """The address of the page about the same row."""

    def __init__(self, view: str) -> None:
        self.view = view
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Any) -> str:
        """Return the address of the row's page."""
        return absolute(self.view, value.slug)


class PriceSerializer(serializers.ModelSerializer[Price]):
    """A list price as a source stated it on a day; nothing is converted."""

    amount = serializers.FloatField()
    setup_fee = serializers.FloatField(allow_null=True)
    is_unit_price = serializers.BooleanField(required=False)

    class Meta:
        model = Price
        fields = (
            "region", "currency", "amount", "period", "setup_fee", "valid_from", "is_unit_price",
            "includes", "source",
        )  # fmt: skip


class EnglishField(serializers.CharField):
    """Words about a row, always in English."""

    def __init__(self, words: Callable[[Any], str], **options: Any) -> None:
        self.words = words
        super().__init__(**options)

    def get_attribute(self, instance: Any) -> str:
        """Return the words about the row."""
        with translation.override("en"):
            return self.words(instance)


class LicenceField(serializers.ChoiceField):
    """On what terms figures may be used, by the kind of their evidence."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            choices=[each.id for each in LICENCES],
            help_text="Its terms; /api/v1/ says them.",
            read_only=True,
            **options,
        )

    def to_representation(self, value: Any) -> str:
        """Return the id of the terms."""
        return licence_of(value)


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """The standing of a plan or a drive family under one version of one workload."""

    plan = serializers.SlugField(source="plan_id", allow_null=True)
    provider = serializers.SlugField(source="plan.provider_id", default=None, allow_null=True)
    drive = serializers.SlugField(source="drive_family_id", allow_null=True)
    storage_kind = serializers.CharField(source="plan.storage_kind", default=None, allow_null=True)
    region_group = serializers.ChoiceField(
        choices=list(GROUPS),
        allow_blank=True,
        help_text="Where the plan was measured; empty where nobody said, and of drive families.",
    )
    ladder_class = serializers.SlugField(source="ladder_class_id", allow_null=True)
    newest_run = serializers.CharField(source="newest_run_slug")
    kinds = serializers.ListField(
        child=serializers.ListField(),
        help_text="Of several kinds of storage under one name, the commonest first: uploaders, "
        "rate a second, and the drive family if each kind has one only.",
    )
    points = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Where it needs runs: the rate of each uploader.",
    )
    order_rate_per_s = serializers.FloatField(
        allow_null=True, help_text="For the order of a board alone; null where it is not ranked."
    )
    median_sd_ln = serializers.FloatField(
        allow_null=True,
        help_text="Standard error of the median, in ln of the rate; null with too little evidence.",
    )
    apart_sds = serializers.FloatField(
        allow_null=True,
        help_text="Two rows of a board can be told apart where their medians differ by more than "
        "this many standard errors of the difference and their intervals do not overlap.",
    )
    changed_since = serializers.DateField(
        allow_null=True,
        help_text="From this day on other uploaders than before measured another rate.",
    )
    price = PriceSerializer(allow_null=True)
    cost_per_billion = serializers.FloatField(
        allow_null=True, help_text="Of a billion durable commits, in the price's currency."
    )
    cost_per_billion_low = CostEndField(
        "cost_per_billion", rate="rate_per_s_high",
        help_text="At the high end of the rate's interval: the price is taken as certain.",
    )  # fmt: skip
    cost_per_billion_high = CostEndField(
        "cost_per_billion", rate="rate_per_s_low", help_text="At its low end."
    )
    p99_limit_ns = UsefulLimitField(
        source="*", read_only=True,
        help_text="Of useful IOPS: the p99 below which the rate was looked for. Else null.",
    )  # fmt: skip
    price_month_per_1000 = serializers.FloatField(
        allow_null=True,
        help_text="A month of 1,000 durable commits/s, in the price's currency; of 1,000 useful "
        "IOPS where p99_limit_ns is stated.",
    )
    price_month_per_1000_low = CostEndField(
        "price_month_per_1000", rate="rate_per_s_high",
        help_text="At the high end of the rate's interval.",
    )  # fmt: skip
    price_month_per_1000_high = CostEndField(
        "price_month_per_1000", rate="rate_per_s_low", help_text="At its low end."
    )

    warning = EnglishField(english_warning, required=False)
    licence = LicenceField(source="evidence")

    class Meta:
        model = Standing
        fields = (
            "evidence", "plan", "provider", "region_group", "drive", "storage_kind", "workload",
            "version", "variant", "n_variants", "kinds", "workload_title",
            "is_durable_single_writer",
            "rate_per_s", "rate_per_s_low", "rate_per_s_high", "interval_is", "coverage",
            "p50_ns", "p99_ns", "p99_low_ns", "p99_high_ns", "p999_ns", "p9999_ns",
            "latency_side",
            "pooled_p50_ns", "pooled_p99_ns", "pooled_p999_ns", "n_runs", "n_machines",
            "n_uploaders", "n_claimed", "n_flagged", "is_anonymous", "is_reproduced", "needs_runs",
            "points", "order_rate_per_s",
            "rank_low", "rank_high", "tier", "is_tied_with_above",
            "median_sd_ln", "apart_sds", "changed_since", "rate_before_per_s", "rate_since_per_s",
            "n_since",
            "newest_run", "warning", "drive_names", "plp", "ladder_class", "price",
            "cost_per_billion", "cost_per_billion_low", "cost_per_billion_high", "p99_limit_ns",
            "price_month_per_1000", "price_month_per_1000_low", "price_month_per_1000_high",
            "method_version", "licence",
        )  # fmt: skip


class PlanSummarySerializer(serializers.ModelSerializer[Plan]):
    """One thing that can be rented, or a machine as its owner named it."""

    provider = serializers.SlugField(source="provider_id")
    page_url = PageLinkField("pages:plan")
    ram_gb = serializers.FloatField(allow_null=True)
    drive_gb = serializers.FloatField(allow_null=True)

    class Meta:
        model = Plan
        fields: tuple[str, ...] = (
            "slug", "name", "provider", "page_url", "is_listed", "kind", "cpu", "vcpus", "ram_gb",
            "storage_description", "storage_kind", "drive_count", "drive_gb",
            "drive_family_hint", "arch", "regions", "source",
        )  # fmt: skip


class PlanSerializer(PlanSummarySerializer):
    """A plan with its dated prices and its standings."""

    prices = PriceSerializer(many=True)
    standings = StandingSerializer(many=True)

    class Meta(PlanSummarySerializer.Meta):
        fields = (
            *PlanSummarySerializer.Meta.fields, "prices", "standings",
        )  # fmt: skip


class ProviderSummarySerializer(serializers.ModelSerializer[Provider]):
    """A company that rents machines, or one of the stand-ins `home` and `unlisted`."""

    page_url = PageLinkField("pages:provider")

    class Meta:
        model = Provider
        fields: tuple[str, ...] = (
            "slug", "name", "url", "page_url", "note", "note_by", "note_on",
        )  # fmt: skip


class ProviderStandingSerializer(serializers.ModelSerializer[ProviderStanding]):
    """The best and the cheapest plan of a provider under one version of one workload."""

    best = StandingSerializer()
    cheapest = StandingSerializer(allow_null=True)

    class Meta:
        model = ProviderStanding
        fields = ("evidence", "workload", "version", "n_plans", "best", "cheapest")


class ProviderSerializer(ProviderSummarySerializer):
    """A provider: it has no rate of its own, but a best plan and a cheapest."""

    standings = ProviderStandingSerializer(many=True)

    class Meta(ProviderSummarySerializer.Meta):
        fields = (*ProviderSummarySerializer.Meta.fields, "standings")


class DriveSummarySerializer(serializers.ModelSerializer[DriveFamily]):
    """A family of drives; what is null or blank is not known."""

    page_url = PageLinkField("pages:drive")
    ladder_class = serializers.SlugField(source="ladder_class_id", allow_null=True)
    endurance_dwpd = serializers.FloatField(allow_null=True)

    class Meta:
        model = DriveFamily
        fields: tuple[str, ...] = (
            "slug", "name", "vendor", "page_url", "kind", "segment", "interface",
            "protocol_generation", "form_factor", "nand", "dram", "plp", "released",
            "capacities_gb", "rated_seq_read_mbps", "rated_seq_write_mbps",
            "rated_rand_read_iops", "rated_rand_write_iops", "endurance_dwpd", "ladder_class",
            "source",
        )  # fmt: skip


class DriveSerializer(DriveSummarySerializer):
    """A drive family with its standings."""

    standings = StandingSerializer(many=True)

    class Meta(DriveSummarySerializer.Meta):
        fields = (*DriveSummarySerializer.Meta.fields, "standings")

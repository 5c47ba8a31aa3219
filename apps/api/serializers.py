"""What the API says of each thing: allow-lists of fields. Pseudonyms of machines and people are
in none of them.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.costs import CostEndField, UsefulLimitField
from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.plans.regions import GROUPS
from apps.rankings.models import ProviderStanding, Standing
from apps.runs.models import (
    Citation,
    FlushVerdict,
    KeepsOut,
    Label,
    Latency,
    Measurement,
    Outcome,
    Run,
    Upload,
)

# Of the environment in an upload: what the machine is, not who ran what on it.
ENVIRONMENT_PARTS = ("env", "stack", "devices")


def absolute(name: str, *arguments: str) -> str:
    """Return the public address of a view."""
    return f"{settings.SITE_URL}{reverse(name, args=arguments)}"


URI = {"type": "string", "format": "uri"}
URI_OR_NULL = {"type": ["string", "null"], "format": "uri"}


@extend_schema_field(URI)
class PageLinkField(serializers.Field[Any, Any, str, Any]):
    """The address of the page that shows the same thing to people."""

    def __init__(self, view: str) -> None:
        self.view = view
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Any) -> str:
        """Return the address of the row's page."""
        return absolute(self.view, value.slug)


class LatencySerializer(serializers.ModelSerializer[Latency]):
    """The distribution of one side of a measurement, in nanoseconds."""

    class Meta:
        model = Latency
        fields = (
            "side", "count", "sum_ns", "mean_ns", "min_ns", "p50_ns", "p90_ns", "p99_ns",
            "p999_ns", "p9999_ns", "max_ns", "curve",
        )  # fmt: skip

    curve = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2),
        help_text="[quantile, nanoseconds] pairs, rising.",
    )


class MeasurementSummarySerializer(serializers.ModelSerializer[Measurement]):
    """One workload of a run. Rates are operations per second of elapsed time."""

    class Meta:
        model = Measurement
        fields: tuple[str, ...] = (
            "workload", "version", "title", "tool", "operation", "sync", "block_bytes",
            "is_direct", "writers", "queue_depth", "is_durable_single_writer", "operations",
            "bytes", "elapsed_ns", "rate_per_s", "rate_per_s_low", "rate_per_s_high",
            "bandwidth_bytes_per_s", "is_ranked",
        )  # fmt: skip


class MeasurementSerializer(MeasurementSummarySerializer):
    """One workload of a run, with latencies, samples and whatever else is known of it."""

    latencies = LatencySerializer(many=True)

    class Meta(MeasurementSummarySerializer.Meta):
        fields = (
            *MeasurementSummarySerializer.Meta.fields,
            "sample_ns", "passes", "flushes", "device_bytes", "stall_share_milli",
            "engine", "other_io", "extra", "latencies",
        )  # fmt: skip


class CitationSerializer(serializers.ModelSerializer[Citation]):
    """Where a published run comes from, and what its reader must know."""

    class Meta:
        model = Citation
        fields = (
            "title", "url", "author", "machine_label", "storage_notes", "notes", "warning",
        )  # fmt: skip


class LabelSerializer(serializers.ModelSerializer[Label]):
    """What a rule found in a run, and what of the run that keeps out of standings."""

    outcome = serializers.ChoiceField(choices=Outcome.choices)
    keeps_out = serializers.ChoiceField(choices=KeepsOut.choices)
    rule_url = serializers.SerializerMethodField()

    class Meta:
        model = Label
        fields = (
            "rule", "rule_version", "rule_url", "outcome", "keeps_out", "text", "detail",
        )  # fmt: skip

    @extend_schema_field(URI)
    def get_rule_url(self, label: Label) -> str:
        """Return the address of the page that explains the rule."""
        return absolute("pages:rule", label.rule)


class RunSummarySerializer(serializers.ModelSerializer[Run]):
    """One result, with its rates."""

    run_id = serializers.UUIDField(source="id")
    url = serializers.SerializerMethodField()
    run_url = PageLinkField("pages:run")
    plan = serializers.SlugField(source="plan_id", allow_null=True)
    provider = serializers.SlugField(source="provider_id", allow_null=True)
    drive = serializers.SlugField(source="drive_family_id", allow_null=True)
    expected_class = serializers.SlugField(source="expected_class_id", allow_null=True)
    measured_class = serializers.SlugField(source="measured_class_id", allow_null=True)
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    flush_verdict = serializers.ChoiceField(
        choices=FlushVerdict.choices,
        allow_blank=True,
        help_text="What the run shows about the way of a commit; empty where nothing was timed.",
    )
    citation = CitationSerializer(allow_null=True, default=None)
    measurements = MeasurementSummarySerializer(many=True)

    class Meta:
        model = Run
        fields: tuple[str, ...] = (
            "run_id", "slug", "level", "url", "run_url", "measured_at", "suite", "suite_version",
            "suite_complete", "provider", "plan", "claimed_provider", "claimed_plan",
            "claimed_region", "region", "drive", "drive_reported", "drive_firmware",
            "is_single_drive", "expected_class", "measured_class", "filesystem", "kernel",
            "cpu_model", "agent_version", "outcome", "in_standings", "flush_verdict", "citation",
            "measurements",
        )  # fmt: skip

    @extend_schema_field(URI)
    def get_url(self, run: Run) -> str:
        """Return the address of the run in this API."""
        return absolute("api:run", run.slug)


class RunSerializer(RunSummarySerializer):
    """One result in full: figures, labels and environment."""

    state = serializers.SerializerMethodField()
    status_url = serializers.SerializerMethodField()
    envelope_url = serializers.SerializerMethodField()
    environment = serializers.SerializerMethodField()
    labels = LabelSerializer(many=True)
    measurements = MeasurementSerializer(many=True)

    class Meta(RunSummarySerializer.Meta):
        fields = (
            *RunSummarySerializer.Meta.fields,
            "state", "status_url", "envelope_url", "labels", "flush_reasons", "environment",
        )  # fmt: skip

    @extend_schema_field({"const": "done"})
    def get_state(self, _run: Run) -> str:
        """Return `done`: a run exists when its upload was normalised."""
        return "done"

    @extend_schema_field(URI)
    def get_status_url(self, run: Run) -> str:
        """Return the address to ask for the state, as the upload was told."""
        return self.get_url(run)

    @extend_schema_field(URI_OR_NULL)
    def get_envelope_url(self, run: Run) -> str | None:
        """Return where the signed bytes are; null where there are none or nobody agreed to it."""
        agreed = run.environment.get("consent", {}).get("publish_envelope") is True
        return absolute("files:run-envelope", run.slug) if run.upload_id and agreed else None

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_environment(self, run: Run) -> dict[str, Any]:
        """Return machine, stack and devices as the agent reported them."""
        return {
            part: run.environment[part] for part in ENVIRONMENT_PARTS if part in run.environment
        }


class PendingRunSerializer(serializers.ModelSerializer[Upload]):
    """An upload that is stored and not yet normalised, or that needs a person (`poison`)."""

    state = serializers.ChoiceField(
        source="public_state", choices=("received", "processing", "done", "poison")
    )
    level = serializers.SerializerMethodField()
    run_url = serializers.SerializerMethodField()
    status_url = serializers.SerializerMethodField()

    class Meta:
        model = Upload
        fields = ("run_id", "state", "level", "run_url", "status_url")

    @extend_schema_field({"type": "null"})
    def get_level(self, _upload: Upload) -> None:
        """Return null: the level is known once the run is normalised."""

    @extend_schema_field(URI)
    def get_run_url(self, upload: Upload) -> str:
        """Return the address of the page that the run gets."""
        return absolute("pages:run", str(upload.run_id))

    @extend_schema_field(URI)
    def get_status_url(self, upload: Upload) -> str:
        """Return the address to ask again."""
        return absolute("api:run", str(upload.run_id))


class PriceSerializer(serializers.ModelSerializer[Price]):
    """A list price as a source stated it on a day; nothing is converted."""

    amount = serializers.FloatField()
    setup_fee = serializers.FloatField(allow_null=True)

    class Meta:
        model = Price
        fields = (
            "region", "currency", "amount", "period", "setup_fee", "valid_from", "is_unit_price",
            "includes", "source",
        )  # fmt: skip


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """Where a plan or a drive family stands under one version of one workload."""

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
    points = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Where it needs runs: the rate of each uploader.",
    )
    order_rate_per_s = serializers.FloatField(
        allow_null=True, help_text="For the order of a board alone; null where it is not ranked."
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

    class Meta:
        model = Standing
        fields = (
            "evidence", "plan", "provider", "region_group", "drive", "storage_kind", "workload",
            "version", "variant", "n_variants", "workload_title", "is_durable_single_writer",
            "rate_per_s", "rate_per_s_low", "rate_per_s_high", "interval_is", "coverage",
            "p50_ns", "p99_ns", "p9999_ns", "latency_side", "pooled_p50_ns", "pooled_p99_ns",
            "pooled_p999_ns", "n_runs", "n_machines", "n_uploaders", "n_flagged", "is_anonymous",
            "needs_runs", "points", "order_rate_per_s", "at_least_per_s", "rank_low", "rank_high",
            "tier", "is_tied_with_above", "newest_run", "warning", "drive_names", "plp",
            "ladder_class", "price", "cost_per_billion", "cost_per_billion_low",
            "cost_per_billion_high", "p99_limit_ns", "price_month_per_1000",
            "price_month_per_1000_low", "price_month_per_1000_high", "method_version",
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

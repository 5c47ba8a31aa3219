"""Serializers of runs: allow-lists of fields, without pseudonyms of machines and people."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.serializers import URI, EnglishField, LicenceField, PageLinkField, absolute
from apps.runs.models import (
    EXAMPLE,
    Citation,
    FlushVerdict,
    KeepsOut,
    Label,
    Latency,
    Level,
    Measurement,
    Outcome,
    Run,
    Upload,
)
from apps.runs.selectors import agrees_to_publish, envelope_is_held
from apps.runs.trust.levels import evidence_of
from apps.words.flush_reasons import reason_sentences
from apps.words.labels import sentences_of, text_of

URI_OR_NULL = {"type": ["string", "null"], "format": "uri"}
SHOWN_LEVELS = (*Level.values, EXAMPLE)
RUN_EVIDENCE = tuple(dict.fromkeys(map(evidence_of, SHOWN_LEVELS)))
# The public parts of the environment in an upload: the machine, and nothing about its users.
PUBLIC_PARTS = ("env", "stack", "devices")


class EvidenceField(serializers.ChoiceField):
    """The kind of evidence of a run, by the level that it is shown with."""

    def to_representation(self, value: Any) -> str:
        """Return the kind of evidence of a level."""
        return evidence_of(value)


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
    passes = serializers.JSONField(required=False)

    class Meta(MeasurementSummarySerializer.Meta):
        fields = (
            *MeasurementSummarySerializer.Meta.fields,
            "sample_ns", "passes", "flushes", "device_bytes", "stall_share_milli",
            "engine", "others_device_permille", "others_cpu_permille", "extra", "latencies",
        )  # fmt: skip


class CitationSerializer(serializers.ModelSerializer[Citation]):
    """Where a published run comes from, and what its reader must know."""

    class Meta:
        model = Citation
        fields = (
            "title", "url", "author", "machine_label", "storage_notes", "notes", "warning",
            "locator_url", "locator_find", "confidence", "confidence_reason",
        )  # fmt: skip


class FlushReasonsField(serializers.ListField):
    """The sentences on which a flush verdict rests, in English."""

    child = serializers.CharField()

    def get_attribute(self, instance: Run) -> list[str]:
        """Return the sentences of a run."""
        with translation.override("en"):
            return reason_sentences(instance.flush_reasons)


class LabelSerializer(serializers.ModelSerializer[Label]):
    """What a rule found in a run, and what of the run that keeps out of standings."""

    outcome = serializers.ChoiceField(choices=Outcome.choices)
    keeps_out = serializers.ChoiceField(choices=KeepsOut.choices)
    is_released = serializers.BooleanField(
        help_text="A moderator found that the rule does not hold here: nothing is kept out by it."
    )
    rule_url = serializers.SerializerMethodField()
    text = EnglishField(text_of, max_length=200)
    detail = EnglishField(lambda label: " ".join(sentences_of(label)))

    class Meta:
        model = Label
        fields = (
            "rule", "rule_version", "rule_url", "outcome", "keeps_out", "is_released", "text",
            "detail",
        )  # fmt: skip

    @extend_schema_field(URI)
    def get_rule_url(self, label: Label) -> str:
        """Return the address of the page that explains the rule."""
        return absolute("pages:rule", label.rule)


class RunSummarySerializer(serializers.ModelSerializer[Run]):
    """One result, with its rates."""

    run_id = serializers.UUIDField(source="id")
    level = serializers.ChoiceField(
        choices=SHOWN_LEVELS, source="shown_level",
        help_text="How much can be defended about it; `example` where it is made up.",
    )  # fmt: skip
    evidence = EvidenceField(
        choices=RUN_EVIDENCE,
        source="shown_level",
        help_text="`example`: nobody measured it. It was loaded to look at pages, and counts "
        "among examples alone.",
    )
    licence = LicenceField(source="shown_level")
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
            "run_id", "slug", "level", "evidence", "url", "run_url", "measured_at", "suite",
            "suite_version", "suite_complete", "provider", "plan", "claimed_provider",
            "claimed_plan", "claimed_region", "region", "drive", "drive_reported", "drive_firmware",
            "is_single_drive", "expected_class", "measured_class", "filesystem", "kernel",
            "cpu_model", "agent_version", "outcome", "in_standings", "is_listed",
            "is_claimed", "plan_in_doubt", "flush_verdict", "licence", "citation",
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
    flush_reasons = FlushReasonsField()
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
        """Return the address of the state, which the response to the upload has too."""
        return self.get_url(run)

    @extend_schema_field(URI_OR_NULL)
    def get_envelope_url(self, run: Run) -> str | None:
        """Return the address of the signed bytes; null where nobody may have them."""
        is_public = agrees_to_publish(run) and not envelope_is_held(run)
        return absolute("files:run-envelope", run.slug) if run.upload_id and is_public else None

    @extend_schema_field({"type": "object", "additionalProperties": True})
    def get_environment(self, run: Run) -> dict[str, Any]:
        """Return machine, stack and devices as the agent reported them."""
        return {part: run.environment[part] for part in PUBLIC_PARTS if part in run.environment}


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

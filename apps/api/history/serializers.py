"""Serializers of labels, prices, envelopes and changes."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.run_serializers import SHOWN_LEVELS, LabelSerializer
from apps.api.serializers import URI, PriceSerializer, absolute
from apps.plans.models import Price
from apps.rankings.models import PublicChange
from apps.runs.models import Label, Run
from apps.runs.trust.licences import CITED

LIST_PRICE: Final = "list"
KINDS: Final = {"run": "api:run", "plan": "api:plan", "drive": "api:drive"}


class RunLabelSerializer(LabelSerializer):
    """A label, and the run that carries it."""

    run = serializers.SlugField(source="run.slug")
    run_url = serializers.SerializerMethodField()

    class Meta:
        model = Label
        fields = ("run", "run_url", *LabelSerializer.Meta.fields)

    @extend_schema_field(URI)
    def get_run_url(self, label: Label) -> str:
        """Return the address of the run in this API."""
        return absolute("api:run", label.run.slug)


class DatedPriceSerializer(PriceSerializer):
    """A price of one plan as its source stated it on a day."""

    plan = serializers.SlugField(source="plan_id")
    provider = serializers.SlugField(source="plan.provider_id")
    kind = serializers.SerializerMethodField()
    licence = serializers.SerializerMethodField()

    class Meta:
        model = Price
        fields = (
            "plan", "provider", *PriceSerializer.Meta.fields, "unit", "term_months", "kind",
            "licence",
        )  # fmt: skip

    @extend_schema_field(
        {"type": "string", "enum": [LIST_PRICE, "superseded", "from", "derived", "quoted"]}
    )
    def get_kind(self, price: Price) -> str:
        """Return what it is where it is not the list price of its day."""
        return price.kind or LIST_PRICE

    @extend_schema_field({"const": CITED})
    def get_licence(self, _price: Price) -> str:
        """Return the terms of a figure of somebody else."""
        return CITED


class EnvelopeSerializer(serializers.ModelSerializer[Run]):
    """The signed bytes of a run, for who checks them: `fsyncmark verify FILE` does."""

    run_id = serializers.UUIDField(source="id")
    level = serializers.ChoiceField(choices=SHOWN_LEVELS, source="shown_level")
    keyid = serializers.CharField(source="upload.key_id", help_text="Of the key that signed.")
    received_at = serializers.DateTimeField(source="upload.received_at")
    payload_sha256 = serializers.SerializerMethodField(help_text="Of the signed payload, in hex.")
    envelope_url = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = (
            "run_id", "slug", "level", "keyid", "received_at", "payload_sha256", "envelope_url",
        )  # fmt: skip

    def get_payload_sha256(self, run: Run) -> str:
        """Return the digest of the payload that was signed."""
        return bytes(run.upload.payload_sha256).hex() if run.upload else ""

    @extend_schema_field(URI)
    def get_envelope_url(self, run: Run) -> str:
        """Return the address of the bytes."""
        return absolute("files:run-envelope", run.slug)


class ChangeSerializer(serializers.ModelSerializer[PublicChange]):
    """Something to fetch again, or to forget."""

    kind = serializers.ChoiceField(choices=list(KINDS))
    is_gone = serializers.BooleanField(help_text="Deleted, or no longer in lists: forget it.")
    url = serializers.SerializerMethodField()

    class Meta:
        model = PublicChange
        fields: tuple[str, ...] = ("kind", "slug", "is_gone", "changed_at", "url")

    @extend_schema_field(URI)
    def get_url(self, change: Any) -> str:
        """Return the address of the thing in this API."""
        return absolute(KINDS[change.kind], change.slug)

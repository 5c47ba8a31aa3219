"""Serializers of what is defined: workloads, rules, versions of the method, names of drives."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.definitions.workload_list import DefinedWorkload
from apps.api.serializers import URI, DriveSummarySerializer, absolute
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules import Rule, RuleKind
from apps.wire.suites import WorkloadDefinition
from apps.words.labels import why_of

_NUMBER = serializers.IntegerField
_TEXT = serializers.CharField


class WorkloadDefinitionSerializer(serializers.Serializer[WorkloadDefinition]):
    """What the agent does, to the byte. Times in nanoseconds."""

    sync = _TEXT(help_text="fdatasync, fsync, o_dsync, rwf_dsync or none.")
    block_bytes = _NUMBER()
    file_state = _TEXT(help_text="overwritten, growing or fallocated.")
    file_bytes = _NUMBER()
    area_bytes = _NUMBER()
    access = _TEXT(help_text="sequential or random.")
    page_cache = serializers.BooleanField()
    writers = _NUMBER()
    queue_depth = _NUMBER(help_text="Of each writer.")
    passes = _NUMBER()
    warm_up_ns = _NUMBER()
    pass_ns_min = _NUMBER()
    pass_ns_max = _NUMBER()
    p99_ns_max = _NUMBER(
        allow_null=True, help_text="Of useful IOPS: the p99 below which the rate is looked for."
    )
    contents = _TEXT(help_text="random or zeros.")


class WorkloadSerializer(serializers.Serializer[DefinedWorkload]):
    """One version of a workload; its name and version mean the same for ever."""

    id = _TEXT()
    version = _NUMBER()
    title = _TEXT()
    operation = _TEXT()
    is_durable_single_writer = serializers.BooleanField()
    comparable_class = serializers.ChoiceField(
        choices=(1, 2, 3),
        help_text="1: overwrites with a data sync; 2: metadata in each sync too; 3: comparable "
        "with itself alone.",
    )
    suites = serializers.ListField(
        child=_TEXT(), help_text="That measure it, as quick/1; none of a published one."
    )
    definition = WorkloadDefinitionSerializer(
        allow_null=True, help_text="Null where only an article says what was done."
    )


class RuleSerializer(serializers.Serializer[Rule]):
    """A rule that every run is judged by."""

    id = _TEXT()
    version = _NUMBER()
    kind = serializers.ChoiceField(choices=[kind.value for kind in RuleKind])
    outcome = serializers.ChoiceField(choices=Outcome.choices)
    keeps_out = serializers.ChoiceField(choices=KeepsOut.choices)
    text = _TEXT(help_text="What stands on its label.")
    why = serializers.SerializerMethodField()
    remedy = _TEXT()
    basis = _TEXT(
        allow_null=True, help_text="Of its threshold: measured, documented or convention."
    )
    document = _TEXT(source="source", help_text="Address of what it rests on; may be empty.")
    rule_url = serializers.SerializerMethodField()

    def get_why(self, rule: Rule) -> str:
        """Return when it speaks, and why that matters."""
        with translation.override("en"):
            return why_of(rule)

    @extend_schema_field(URI)
    def get_rule_url(self, rule: Rule) -> str:
        """Return the address of the page that explains it."""
        return absolute("pages:rule", rule.id)


class MethodSerializer(serializers.Serializer[Any]):
    """A version of the method, which every standing names as its `method_version`."""

    version = _NUMBER()
    since = serializers.RegexField(r"^\d{4}-\d{2}$", help_text="Its month.")
    text = _TEXT(help_text="What it changed.")
    is_current = serializers.BooleanField()


class RecognisedSerializer(serializers.Serializer[Any]):
    """What a reported name is taken for."""

    vendor = _TEXT(allow_blank=True)
    model = _TEXT()
    drive = DriveSummarySerializer(
        allow_null=True, help_text="Null where no family fits, or more than one."
    )

"""What was found and when: labels, dated prices, envelopes, and what changed since a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from apps.api.history import selectors
from apps.api.history.serializers import (
    ChangeSerializer,
    DatedPriceSerializer,
    EnvelopeSerializer,
    RunLabelSerializer,
)
from apps.api.paging import Resumable
from apps.api.queries import ListQuery, known_slug_field
from apps.api.selectors import NEWEST_FIRST
from apps.api.views import ListView
from apps.plans.models import Plan, Provider
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules import RULES

if TYPE_CHECKING:
    from django.db.models import QuerySet


class LabelsQuery(ListQuery):
    """The list of labels."""

    rule = serializers.ChoiceField(choices=sorted(RULES), required=False)
    outcome = serializers.ChoiceField(choices=(Outcome.LABEL, Outcome.QUARANTINE), required=False)
    keeps_out = serializers.ChoiceField(choices=KeepsOut.choices, required=False)


class LabelsView(ListView):
    """Labels of runs, those of the newest judgement first."""

    query, keys, serializer_class = (
        LabelsQuery, selectors.NEWEST_ROW_FIRST, RunLabelSerializer,
    )  # fmt: skip

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.labels(**self.checked_query.conditions)


class PricesQuery(ListQuery):
    """The list of prices."""

    plan = known_slug_field("Slug of a plan.", of=Plan, source="plan_id")
    provider = known_slug_field("Slug of a provider.", of=Provider, source="plan__provider_id")
    currency = serializers.RegexField(
        r"^[A-Z]{3}\Z", required=False, help_text="As ISO 4217 has it."
    )


class PricesView(ListView):
    """Prices with their history, as sources stated them, the newest first; nothing is converted."""

    query, keys, serializer_class = (
        PricesQuery, selectors.NEWEST_PRICE_FIRST, DatedPriceSerializer,
    )  # fmt: skip

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.prices(**self.checked_query.conditions)


class EnvelopesView(ListView):
    """Signed bytes that their senders agreed to publish, those of the newest runs first."""

    query, keys, serializer_class = ListQuery, NEWEST_FIRST, EnvelopeSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.envelopes()


class ChangesView(ListView):
    """What to fetch again, oldest change first, each thing once; `resume` goes on from there.

    Whoever begins without a cursor gets everything that there is. Standings are in no change, nor
    are those that a plan or drive comes with: one upload can move a whole board.
    """

    pagination_class = Resumable
    query, keys, serializer_class = ListQuery, selectors.IN_THEIR_ORDER, ChangeSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.changes()

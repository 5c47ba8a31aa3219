"""`GET /api/v1/advice`: which plans carry a load, with confidence, cost and weakest point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.base import ReadView
from apps.api.openapi.answers import LIST_RESPONSES
from apps.api.queries import known_slug_field, slug_field
from apps.plans.models import Provider
from apps.plans.prices.rates import current_rates
from apps.plans.regions import is_place
from apps.rankings.advice.engine import PlanAnswer, advise
from apps.rankings.advice.needs import P99_NS_MAX, Need, NeedError
from apps.rankings.advice.selectors import candidates_for
from apps.rankings.advice.software import BY_ID, MS
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.standing_columns import PLAN_KIND
from apps.words import confidence
from apps.words.advice import (
    UNKNOWN_REGION,
    basis_of_answer,
    doubt_words,
    reason_of,
    refusal_of,
    sentence_of,
)
from apps.words.catalogue import PLAN_KINDS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from apps.plans.prices.currencies import RateTable

# Words of version 1, which outlive the names of the verdicts.
VERDICTS: Final = {
    Verdict.PASSES: "meets",
    Verdict.MAY: "may",
    Verdict.FAILS: "fails",
    Verdict.NOT_MEASURED: "unmeasured",
}
ANSWERS_MAX: Final = 100  # the first ones; a narrower need gives others
MONEY_DIGITS: Final = 12
PROVIDERS: Final = r"^[a-z0-9-]+(,[a-z0-9-]+)*$"
PROVIDERS_CHARACTERS_MAX: Final = 2_000  # twice as long as a list of all providers


class WholeNumber(serializers.IntegerField):
    """A whole number. 1.000 is refused, because it means a thousand to some and one to others."""

    def to_internal_value(self, data: Any) -> int:
        """Refuse a decimal point, which IntegerField would accept."""
        if "." in str(data):
            self.fail("invalid")
        return super().to_internal_value(data)


class AdviceQuery(serializers.Serializer[Any]):
    """What is needed."""

    software = serializers.ChoiceField(choices=sorted(BY_ID), default="commits")
    rate = WholeNumber(help_text="Transactions a second.")
    p99_ms = serializers.FloatField(
        required=False,
        help_text="Highest p99: kept for certain by 99.9 % of all commits, or by useful IOPS.",
    )
    sessions = WholeNumber(default=1, help_text="Sessions that commit at once.")
    capacity_gb = WholeNumber(default=0)
    region = slug_field(
        "A region, a country or a group of countries; borderline where a source leaves it open."
    )
    provider = known_slug_field("Slug of a provider.", of=Provider)
    kind = serializers.ChoiceField(
        choices=(*PLAN_KINDS, PLAN_KIND.blank), required=False,
        help_text="Kind of plan: cloud is the same as vps.",
    )  # fmt: skip
    budget = serializers.DecimalField(
        max_digits=MONEY_DIGITS, decimal_places=2, required=False, help_text="A month."
    )
    currency = serializers.RegexField(r"^[A-Z]{3}$", default="EUR")
    providers = serializers.RegexField(
        PROVIDERS, required=False, max_length=PROVIDERS_CHARACTERS_MAX,
        help_text="Slugs of several providers, with commas between them: any of these.",
    )  # fmt: skip
    ram_gb = WholeNumber(default=0, help_text="Memory at least.")
    vcpus = WholeNumber(default=0, help_text="Processors at least.")
    plp = serializers.BooleanField(
        default=False, help_text="Power-loss protection, also where the software asks for none."
    )

    def validate_region(self, region: str) -> str:
        """Refuse a place that nobody knows: it would make every answer uncertain."""
        if not is_place(region):
            raise serializers.ValidationError(str(UNKNOWN_REGION))
        return region

    def validate_providers(self, value: str) -> frozenset[str]:
        """Return the providers, all of which are there."""
        names = frozenset(value.split(","))
        known = Provider.objects.filter(pk__in=names).values_list("pk", flat=True)
        if unknown := sorted(names.difference(known)):
            raise serializers.ValidationError(f"There is no provider {unknown[0][:64]}.")
        return names

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse unknown parameters and needs that cannot be answered."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            raise serializers.ValidationError({unknown[0][:64]: "Unknown parameter."})
        attrs["rates"] = current_rates()
        if attrs["currency"] not in attrs["rates"].currencies:
            raise serializers.ValidationError({"currency": "There is no exchange rate for it."})
        try:
            attrs["need"] = _need(attrs)
        except NeedError as error:
            field = "p99_ms" if error.field == "p99" else error.field
            raise serializers.ValidationError({field: refusal_of(error)}) from None
        return attrs


class WordsField(serializers.CharField):
    """A part of an answer as words in the current language."""

    def __init__(self, words: Callable[[Any], str], **options: Any) -> None:
        self.words = words
        super().__init__(**options)

    def to_representation(self, value: Any) -> str:
        """Return the words of the value."""
        return self.words(value)


def answer_of(answer: PlanAnswer) -> str:
    """Return how sure it is that a plan meets the need, with the margin, as the page says it."""
    return confidence.line(answer.sure, basis_of_answer(answer), answer.margin)


class DriveSeenSerializer(serializers.Serializer[Any]):
    """A drive family that people really got with this plan."""

    name = serializers.CharField()
    plp = serializers.CharField()
    n_uploaders = serializers.IntegerField()
    n_machines = serializers.IntegerField(help_text="Told apart within one uploader.")
    share = serializers.FloatField(
        help_text="Of the plan's uploaders, each split evenly over what its machines got."
    )
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)
    rate_low_per_s = serializers.FloatField(help_text="Of the lowest uploader, at its median.")
    rate_high_per_s = serializers.FloatField(help_text="Of the highest uploader, at its median.")


class AnswerSerializer(serializers.Serializer[PlanAnswer]):
    """What is said of one plan."""

    plan = serializers.CharField(source="candidate.slug")
    provider = serializers.CharField(source="candidate.provider")
    verdict = serializers.SerializerMethodField()
    confidence = serializers.SerializerMethodField()
    sure = serializers.CharField(
        source="sure.confidence.value",
        help_text="firm, likely, borderline, unlikely or unknown; of fails firm: surely not.",
    )
    answer = WordsField(
        answer_of, source="*", help_text="That word, the margin, and what stands behind it."
    )
    rate_low_per_s = serializers.FloatField(
        allow_null=True, help_text="Transactions a second that can be counted on."
    )
    workload = serializers.CharField(source="figure.workload", default=None, allow_null=True)
    low_is = WordsField(
        sentence_of,
        source="figure.low_end", default=None, allow_null=True, help_text="What that rate is.",
    )  # fmt: skip
    p99_limit_ns = serializers.IntegerField(
        source="figure.p99_limit_ns", default=None, allow_null=True,
        help_text="Of useful IOPS: the limit that they keep.",
    )  # fmt: skip
    breaks_first = serializers.CharField(
        help_text="What gives way first when the load grows: rate, writers, p99, capacity or "
        "budget; empty where nothing is known."
    )
    headroom = serializers.FloatField(
        allow_null=True, help_text="How often the rate that is needed fits into what is known."
    )
    run = serializers.CharField(
        source="figure.run_slug", default=None, allow_null=True,
        help_text="The newest run behind the figure, where its source is.",
    )  # fmt: skip
    measured_on = serializers.DateField(
        source="figure.measured_on", default=None, allow_null=True, help_text="That run."
    )
    price_month = serializers.DecimalField(
        source="candidate.offer.price_month", max_digits=MONEY_DIGITS, decimal_places=2,
        allow_null=True, coerce_to_string=False, help_text="With its volume, where it needs one.",
    )  # fmt: skip
    price_day = serializers.DateField(source="candidate.offer.price_day", allow_null=True)
    price_is_part = serializers.BooleanField(
        source="candidate.offer.is_part", help_text="Whether a server is still to be paid."
    )
    listed_month = serializers.DecimalField(
        source="candidate.offer.listed_month", max_digits=MONEY_DIGITS, decimal_places=2,
        allow_null=True, coerce_to_string=False, help_text="Before it was converted.",
    )  # fmt: skip
    listed_currency = serializers.CharField(source="candidate.offer.listed_currency")
    exchange_rate = serializers.FloatField(
        source="candidate.offer.exchange_rate", allow_null=True,
        help_text="What one unit of listed_currency is worth, on rates_day; null: not converted.",
    )  # fmt: skip
    why = WordsField(
        lambda answer: doubt_words(answer.doubt),
        source="*", help_text="What keeps the verdict from being a better one; empty of meets.",
    )  # fmt: skip
    is_ephemeral = serializers.BooleanField(
        source="candidate.is_ephemeral",
        help_text="Whether its storage is lost when the machine stops.",
    )
    reasons = serializers.ListField(child=WordsField(reason_of))
    assumptions = serializers.ListField(child=WordsField(sentence_of))
    drives = DriveSeenSerializer(source="candidate.drives", many=True)

    def get_verdict(self, answer: PlanAnswer) -> str:
        """Return meets, may, fails or unmeasured."""
        return VERDICTS[answer.verdict]

    def get_confidence(self, answer: PlanAnswer) -> str:
        """Return firm, few, published or none."""
        return answer.confidence.name.lower()


class AdviceSerializer(serializers.Serializer[Any]):
    """Plans by the word of confidence that they carry the load, of one word the cheapest first."""

    rule = serializers.CharField(help_text="What this software asks of a disk.")
    rule_source = serializers.CharField(help_text="Where the rule stands.")
    currency = serializers.CharField()
    rates_day = serializers.DateField(allow_null=True, help_text="Of the exchange rates.")
    n_plans = serializers.IntegerField(help_text="How many were in question.")
    results = AnswerSerializer(many=True)


class AdviceView(ReadView):
    """Which plans carry a load."""

    @extend_schema(
        operation_id="advise",
        parameters=[AdviceQuery],
        responses={200: AdviceSerializer, **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Plans that carry a load: judged by the low end of what was measured on them."""
        query = AdviceQuery(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        need: Need = query.validated_data["need"]
        rates: RateTable = query.validated_data["rates"]
        words = SOFTWARE_WORDS[need.software.id]
        answers = advise(need, candidates_for(need, rates=rates))
        body = {
            "rule": words.rule,
            "rule_source": words.source,
            "currency": need.currency,
            "rates_day": rates.day,
            "n_plans": len(answers),
            "results": answers[:ANSWERS_MAX],
        }
        return Response(AdviceSerializer(body).data)


def _need(attrs: dict[str, Any]) -> Need:
    p99_ms = attrs.get("p99_ms")
    return Need(
        software=BY_ID[attrs["software"]],
        rate_per_s=attrs["rate"],
        # no number of milliseconds is too large to be refused in words, even 1e308
        p99_ns_max=None if p99_ms is None else round(min(p99_ms, P99_NS_MAX) * MS),
        sessions=attrs["sessions"],
        capacity_gb=attrs["capacity_gb"],
        region=attrs.get("region", ""),
        provider=attrs.get("provider", ""),
        kind=attrs.get("kind", ""),
        budget_month=attrs.get("budget"),
        currency=attrs["currency"],
        providers=attrs.get("providers", frozenset()),
        ram_gb=attrs["ram_gb"],
        vcpus=attrs["vcpus"],
        plp=attrs["plp"],
    )

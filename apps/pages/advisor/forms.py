"""The form of the advisor: the query string checked field by field, with defaults and presets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.show.phrases import join_facts, with_name
from apps.plans.models import VIRTUAL_MACHINES, VPS
from apps.plans.prices.currencies import EURO
from apps.plans.regions import is_place
from apps.rankings.advice.needs import MONEY_MAX, P99_NS_MAX, Need, NeedError
from apps.rankings.advice.software import BY_ID, RATE, SOFTWARE
from apps.words.advice import UNKNOWN_REGION, refusal_of
from apps.words.catalogue import CHOSEN_KINDS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

NUMBER_CHARACTERS_MAX: Final = 64  # as of the field; what is longer was not typed
REGION_CHARACTERS_MAX: Final = 64
PROVIDERS_MAX: Final = 60  # more than the catalogue has
UNITS_NS: Final = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
DIGITS_MAX: Final = 18  # a large exponent would take for ever to write out
P99_DECIMALS: Final = 6  # the sixth decimal of a millisecond is a nanosecond
MONEY_DECIMALS: Final = 2
DEFAULTS: Final[Mapping[str, str]] = {
    "software": "commits",
    "rate": str(RATE),
    "p99_unit": "ms",
    "sessions": "1",
    "currency": EURO,
}
FOLDED: Final = (
    "capacity_gb", "region", "kind", "ram_gb", "vcpus", "plp", "provider", "sessions",
)  # fmt: skip
# The most of an amount; a whole number is checked by the need.
AMOUNTS_MAX: Final[Mapping[str, Decimal | int]] = {"p99": P99_NS_MAX, "budget": MONEY_MAX}
# What stands for a field that cannot be read, while the others are checked.
_NOTHING_ASKED: Final[Mapping[str, Any]] = {
    "software": DEFAULTS["software"], "rate": RATE, "p99": None, "p99_unit": "ms", "budget": None,
    "currency": EURO, "sessions": 1, "capacity_gb": 0, "region": "", "kind": "", "ram_gb": 0,
    "vcpus": 0, "plp": False, "provider": [],
}  # fmt: skip
EXAMPLES: Final[Mapping[str, str]] = {
    "rate": "5000",
    "p99": "0.5",
    "budget": "49.90",
    "sessions": "16",
    "capacity_gb": "500",
    "ram_gb": "32",
    "vcpus": "8",
}
PRESETS: Final = (
    (gettext_lazy("Small shop on PostgreSQL"),
     {"software": "postgresql", "rate": "200", "p99": "20", "budget": "50"}),
    (gettext_lazy("etcd of a busy cluster"), {"software": "etcd", "rate": "500"}),
    (gettext_lazy("Busy OLTP: 5,000 commits/s, p99 under 2 ms"), {"rate": "5000", "p99": "2"}),
    (gettext_lazy("ZFS SLOG"), {"software": "zfs-slog", "rate": "2000"}),
)  # fmt: skip
# A point before three digits parts thousands for some and decimals for others: 1.000, 12.500.
_AMBIGUOUS: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
# A group of thousands never begins with 0: 0,500 is a half as an amount, and no whole number.
_SEPARATORS: Final = re.compile(r"(?<=\d)(?<!^0)[,_'\s](?=\d{3}(?!\d))")
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d+")
_IN_POWERS: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s?([kKM]|[eE]\d{1,2})")  # 5k, 1e4
_POWERS: Final[Mapping[str, int]] = {"k": 3, "K": 3, "M": 6}


class NumberField(forms.IntegerField):
    """A whole number as people write it: 5,000, 5 000, 5k and 5e3 are 5000."""

    def to_python(self, value: Any) -> int | None:
        """Leave out what parts thousands; refuse what is too long to be meant."""
        if len(str(value or "")) > NUMBER_CHARACTERS_MAX:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(plain_number(value))


class AmountField(forms.DecimalField):
    """An amount with decimals, written the same way, or with a decimal comma: 49,90 is 49.90.

    A comma before three digits parts thousands, as on every page of ours: 1,500 is 1500. A point
    there is refused, since it is our decimal point and the thousands of those who write 49,90.
    """

    def to_python(self, value: Any) -> Any:
        """Leave out what parts thousands; refuse what is too long to be meant."""
        if len(str(value or "")) > NUMBER_CHARACTERS_MAX:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        plain = plain_number(value)
        is_with_comma = _DECIMAL_COMMA.fullmatch(plain) is not None
        return super().to_python(plain.replace(",", ".") if is_with_comma else plain)


def plain_number(value: Any) -> str:
    """The digits of a number without its thousands separators and powers of ten.

    Raises ValidationError where the number is ambiguous.
    """
    text = "" if value is None else str(value).strip()
    if _AMBIGUOUS.fullmatch(text):
        message = _("“%(typed)s” can be read in two ways. Write %(whole)s or %(part)s.")
        values = {"typed": text, "whole": text.replace(".", ""), "part": f"{float(text):g}"}
        raise ValidationError(message % values, code="ambiguous")
    text = _SEPARATORS.sub("", text)
    if power := _IN_POWERS.fullmatch(text):
        digits, times = power.groups()
        number = Decimal(digits.replace(",", "."))
        return f"{number.scaleb(_POWERS.get(times) or int(times[1:])):f}"
    return text


class AdviceForm(forms.Form):
    """The need in the query string; `need` is set once the form is valid."""

    defaults = DEFAULTS

    software = forms.ChoiceField(
        label=gettext_lazy("Workload"),
        choices=[(each.id, SOFTWARE_WORDS[each.id].title) for each in SOFTWARE],
    )
    rate = NumberField(label=gettext_lazy("How many a second"))
    p99 = AmountField(
        label=gettext_lazy("99 of 100 within"),
        required=False, max_digits=DIGITS_MAX, decimal_places=P99_DECIMALS,
    )  # fmt: skip
    p99_unit = forms.ChoiceField(
        label=gettext_lazy("99 of 100 within"), choices=[("us", "µs"), ("ms", "ms"), ("s", "s")]
    )
    budget = AmountField(
        label=gettext_lazy("At most, a month"),
        required=False, max_digits=DIGITS_MAX, decimal_places=MONEY_DECIMALS,
    )  # fmt: skip
    currency = forms.ChoiceField(label=gettext_lazy("Currency"))
    sessions = NumberField(label=gettext_lazy("Sessions that commit at once"))
    capacity_gb = NumberField(label=gettext_lazy("Storage, GB"), required=False)
    region = forms.CharField(
        label=gettext_lazy("Region"), required=False, max_length=REGION_CHARACTERS_MAX
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of plan"),
        required=False,
        choices=[("", ""), *CHOSEN_KINDS.items()],
    )
    ram_gb = NumberField(label=gettext_lazy("Memory, GB"), required=False)
    vcpus = NumberField(label=gettext_lazy("vCPUs"), required=False)
    plp = forms.BooleanField(label=gettext_lazy("Power-loss protection"), required=False)
    provider = forms.MultipleChoiceField(label=gettext_lazy("Providers"), required=False)

    need: Need | None = None
    # Fields that have another name in `Need`.

    def __init__(
        self,
        query: QueryDict,
        *,
        currencies: Sequence[str],
        providers: Sequence[tuple[str, str]],
    ) -> None:
        """Read the query string; a missing field takes its default."""
        data = query.copy()
        for name, value in defaults_of(query.get("software", "")).items():
            if name not in data:
                data[name] = value
        if data.get("kind") in VIRTUAL_MACHINES:
            data["kind"] = VPS
        super().__init__(data)
        self.providers = providers
        self._choose("currency", [(each, each) for each in currencies])
        self._choose("provider", providers)
        for name, field in self.fields.items():
            field.error_messages |= _messages(name)

    def _choose(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def clean_region(self) -> str:
        """Refuse an unknown region: it would make every answer uncertain."""
        region = str(self.cleaned_data["region"]).strip()
        if region and not is_place(region):
            raise ValidationError(UNKNOWN_REGION)
        return region

    def clean_provider(self) -> list[str]:
        """The providers that are ticked."""
        ticked: list[str] = self.cleaned_data["provider"]
        return ticked[:PROVIDERS_MAX]

    def clean(self) -> dict[str, Any]:
        """Make the need; an error of the need becomes an error of its field."""
        cleaned = super().clean() or self.cleaned_data
        readable = {**_NOTHING_ASKED, **cleaned}
        need = None
        while need is None:  # a turn mends one field, so that all that is wrong is said at once
            try:
                need = _need(readable)
            except NeedError as error:
                self.add_error(error.field, refusal_of(error))
                readable[error.field] = _NOTHING_ASKED[error.field]
        self.need = None if self.errors else need
        return cleaned

    @property
    def has_folded_error(self) -> bool:
        """Whether a field of the folded part has to be mended."""
        return any(name in self.errors for name in FOLDED)

    @property
    def narrowed_by(self) -> str:
        """What the fields of the folded part are set to, in words; empty where none is."""
        need = self.need
        if need is None:
            return ""
        names = dict(self.providers)
        owners = need.providers or {need.provider}
        return join_facts(
            [
                *(names[slug] for slug in sorted(owners) if slug in names),
                need.region,
                CHOSEN_KINDS.get(need.kind, ""),
                with_name(_("Sessions that commit at once"), need.sessions)
                if need.sessions > 1
                else "",
                f"\u2265 {need.capacity_gb:,} GB" if need.capacity_gb else "",
                f"\u2265 {need.ram_gb:,} GB RAM" if need.ram_gb else "",
                f"\u2265 {need.vcpus:,} vCPU" if need.vcpus else "",
                _("Power-loss protection") if need.plp else "",
            ]
        )

    @property
    def api_query(self) -> str:
        """The query string for the API with this need; empty where the form is not valid."""
        if self.need is None:
            return ""
        need = self.need
        parameters: dict[str, object] = {
            "software": need.software.id,
            "rate": need.rate_per_s,
            "p99_ms": need.p99_ns_max / UNITS_NS["ms"] if need.p99_ns_max else "",
            "sessions": need.sessions if need.sessions > 1 else "",
            "capacity_gb": need.capacity_gb or "",
            "region": need.region,
            "kind": need.kind,
            "budget": need.budget_month or "",
            "currency": need.currency,
            "provider": need.provider,
            "providers": ",".join(sorted(need.providers)),
            "ram_gb": need.ram_gb or "",
            "vcpus": need.vcpus or "",
            "plp": "true" if need.plp else "",
        }
        return urlencode({name: value for name, value in parameters.items() if value != ""})


def defaults_of(software: str) -> dict[str, str]:
    """The default of each field; the rate is that of the guide to the software."""
    entry = BY_ID.get(software)
    return {**DEFAULTS, "rate": str(entry.rate_per_s)} if entry else dict(DEFAULTS)


def short_query(query: QueryDict) -> str:
    """The shortest query string for this need, without fields that are empty or at their default.

    An empty rate stays in, because the page must show it as a mistake.
    """
    defaults = defaults_of(query.get("software", ""))
    pairs = [
        (name, value)
        for name in query
        for value in query.getlist(name)
        if (value or name == "rate") and defaults.get(name) != value
    ]
    return urlencode([pair for pair in pairs if pair[0] in AdviceForm.base_fields])


def presets() -> list[tuple[str, str]]:
    """The words of each preset and its query string."""
    return [(str(words), urlencode(parameters)) for words, parameters in PRESETS]


def _messages(name: str) -> dict[str, str]:
    """The error messages of a field that cannot be read."""
    message = _("Choose one of the list.")
    if name in EXAMPLES:
        message = _("Write a number, such as %(example)s.") % {"example": EXAMPLES[name]}
    kinds = (
        "invalid", "invalid_choice", "max_decimal_places", "required",
    )  # fmt: skip
    messages = dict.fromkeys(kinds, message)
    if name in AMOUNTS_MAX:
        too_large = refusal_of(NeedError(name, most=AMOUNTS_MAX[name]))
        messages |= dict.fromkeys(("max_digits", "max_whole_digits"), too_large)
    return messages


def _need(cleaned: Mapping[str, Any]) -> Need:
    """The need of the checked fields. Raises NeedError where they contradict each other."""
    p99, budget = cleaned["p99"], cleaned["budget"]
    providers: list[str] = cleaned["provider"]
    return Need(
        software=BY_ID[cleaned["software"]],
        rate_per_s=cleaned["rate"],
        p99_ns_max=None if p99 is None else round(p99 * UNITS_NS[cleaned["p99_unit"]]),
        sessions=cleaned["sessions"],
        capacity_gb=cleaned["capacity_gb"] or 0,
        region=cleaned["region"],
        provider=providers[0] if len(providers) == 1 else "",
        kind=cleaned["kind"],
        budget_month=None if budget is None else budget,
        currency=cleaned["currency"],
        providers=frozenset(providers if len(providers) > 1 else ()),
        ram_gb=cleaned["ram_gb"] or 0,
        vcpus=cleaned["vcpus"] or 0,
        plp=cleaned["plp"],
    )

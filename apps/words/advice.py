"""What the advisor says, in the language in force: sentences of its remarks, doubts and needs.

The pages and the API say the same of a plan, so these stand once, above `rankings` and below both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.plans.prices.currencies import decimals_of
from apps.rankings.advice.remarks import RemarkKind
from apps.rankings.advice.software import MS, Operation
from apps.rankings.advice.verdicts import VerdictDoubt
from apps.stats.standings.confidence import UNKNOWN
from apps.words import confidence
from apps.words.software import LIKENESSES, SOFTWARE_WORDS
from apps.words.standings import RANKED_FROM, kinds_words
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.utils.functional import Promise

    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.needs import NeedError
    from apps.rankings.advice.remarks import Remark

UNKNOWN_REGION: Final = gettext_lazy(
    "We know no such region. Name a continent, a country (DE) or a region (fsn1)."
)
REMARKS: Final[Mapping[RemarkKind, str | Promise]] = {
    RemarkKind.NOT_MEASURED: gettext_lazy("Nobody has measured this."),
    RemarkKind.RATE_COUNTED_ON: gettext_lazy(
        "%(rate)s %(operations)s a second can be counted on, %(needed)s are needed."
    ),
    RemarkKind.RATE_WITHOUT_INTERVAL: gettext_lazy(
        "%(rate)s %(operations)s a second, without an interval; %(needed)s are needed."
    ),
    RemarkKind.RATE_OF_OTHER_WORK: gettext_lazy(
        "%(rate)s %(operations)s a second or more, by other work; %(needed)s are needed."
    ),
    RemarkKind.MORE_SESSIONS: gettext_lazy(
        "%(n)s sessions at once got %(rate)s: with more of them it carries more."
    ),
    RemarkKind.LOW_UNKNOWN: gettext_lazy("One figure without an interval: no low end is known."),
    RemarkKind.LOW_OF_SAMPLES: gettext_lazy("Counted on is the slowest half second of one run."),
    RemarkKind.LOW_OF_INTERVAL: gettext_lazy("Counted on is the low end of its interval."),
    RemarkKind.P99: gettext_lazy("p99 is %(p99)s ms, %(allowed)s ms are allowed."),
    RemarkKind.P99_OF_SYNCS: gettext_lazy(
        "p99 is %(p99)s ms a sync, %(all)s ms for %(n)s in a row, %(allowed)s ms are allowed."
    ),
    RemarkKind.P99_KEPT_BY_RATE: gettext_lazy(
        "At this rate 99 of 100 are answered within %(kept)s ms, %(allowed)s ms are allowed."
    ),
    RemarkKind.P99_UNKNOWN: gettext_lazy("Its p99 is not known."),
    RemarkKind.P99_OVER: gettext_lazy(
        "Its p99 is over %(p99)s ms, its p50; %(allowed)s ms are allowed."
    ),
    RemarkKind.P99_AT_MOST: gettext_lazy(
        "p99 at most %(p99)s ms, from its two sides; %(allowed)s ms are allowed."
    ),
    RemarkKind.MEAN_OVER: gettext_lazy("Its mean is %(mean)s ms; %(allowed)s ms are allowed."),
    RemarkKind.P99_TYPICAL: gettext_lazy("It is typical and no bound."),
    RemarkKind.POOLED_P999: gettext_lazy(
        "Of all commits of all uploaders together 99.9 %% ended within %(time)s ms."
    ),
    RemarkKind.SIZE: gettext_lazy("%(size)s: %(has)s, %(needed)s are needed."),
    RemarkKind.SIZE_NOT_STATED: gettext_lazy("%(size)s: not stated."),
    RemarkKind.CAPACITY_ORDERED: gettext_lazy("Its volume is ordered with %(gb)s GB."),
    RemarkKind.KINDS: gettext_lazy("Nobody chooses which storage they get: %(kinds)s"),
    RemarkKind.BUDGET: gettext_lazy("It costs %(price)s %(currency)s a month of %(budget)s."),
    RemarkKind.REGION_NOT_SURE: gettext_lazy("Whether it is offered in %(region)s is not stated."),
    RemarkKind.REGION_OF_FIGURE_UNKNOWN: gettext_lazy(
        "In which region it was measured is not known."
    ),
    RemarkKind.EMPTIED: gettext_lazy(
        "Its storage is emptied when the machine is stopped or moved."
    ),
    RemarkKind.DRIVES_UNKNOWN: gettext_lazy(
        "Which drive one gets is not known, nor whether it has PLP."
    ),
    RemarkKind.DRIVES_PROTECTED: gettext_lazy(
        "%(share)s of the uploaders got a drive with power-loss protection."
    ),
    RemarkKind.NO_PRICE: gettext_lazy("No price is known."),
    RemarkKind.NO_EXCHANGE_RATE: gettext_lazy("There is no exchange rate for %(currency)s."),
    RemarkKind.SERVER_NOT_PRICED: gettext_lazy("The price is without a server."),
    RemarkKind.VOLUME_NOT_PRICED: gettext_lazy("A volume like this has no list price."),
    RemarkKind.VOLUME_TOO_MUCH: gettext_lazy("At most %(most)s %(what)s can be priced here."),
    RemarkKind.VOLUME_PRICED: gettext_lazy(
        "Priced with %(name)s, %(ordered)s, at %(amount)s %(currency)s a month."
    ),
    RemarkKind.SETUP_FEE: gettext_lazy(
        "A setup fee of %(amount)s %(currency)s is paid once and not counted."
    ),
    RemarkKind.CONVERTED: gettext_lazy(
        "%(amount)s %(currency)s at 1 %(currency)s = %(rate)s %(wanted)s, the reference rate of "
        "the European Central Bank of %(day)s."
    ),
    RemarkKind.SOFTWARE_RULE: "%(software)s",
    RemarkKind.SHARED_SYNCS: gettext_lazy(
        "%(n)s sessions get at least what %(size)s got that share syncs."
    ),
    RemarkKind.NO_SHARED_SYNCS: gettext_lazy(
        "Nobody measured sessions that share syncs here: one writer's rate is counted on."
    ),
    RemarkKind.OTHER_WORKLOAD: gettext_lazy(
        "“%(work)s” was not measured: “%(other)s” stands for it. %(why)s"
    ),
    RemarkKind.USEFUL_IOPS: gettext_lazy(
        "Useful IOPS of %(workload)s: 99 of 100 answered within %(ms)s ms."
    ),
    RemarkKind.LOADED_TO_SHARE: gettext_lazy(
        "Under a limit of p99 it is loaded to %(share)s of its rate: a rule of thumb."
    ),
}
_OTHER_WORK: Final = gettext_lazy("measured with other work than it does")
DOUBTS: Final[Mapping[VerdictDoubt, Promise]] = {
    VerdictDoubt.NOT_MEASURED: gettext_lazy("not measured with a workload that stands for it"),
    VerdictDoubt.P99_OF_NO_SYNC: gettext_lazy("its p99 is not of a sync"),
    VerdictDoubt.WITHOUT_PLP: gettext_lazy("no power-loss protection"),
    VerdictDoubt.EMPTIED: gettext_lazy("its storage is emptied when the machine stops"),
    VerdictDoubt.NEEDS_REPLICA: gettext_lazy("lost on a stop, so only with a replica"),
    VerdictDoubt.PLP_NOT_STATED: gettext_lazy("power-loss protection not stated"),
    VerdictDoubt.ONE_SOURCE: gettext_lazy("one published source"),
    VerdictDoubt.FEW: gettext_lazy("fewer than %(uploaders)s uploaders, or an interval too wide"),
    VerdictDoubt.LOW_END: gettext_lazy("its low end lies below"),
    VerdictDoubt.HIGH_END: gettext_lazy("only its high end reaches it"),
    VerdictDoubt.HALF_SAW_WORSE: gettext_lazy("half of the uploaders saw a slower p99 than this"),
    VerdictDoubt.SEVERAL_SYNCS: gettext_lazy("no bound is known of several syncs in a row"),
    VerdictDoubt.BELOW: gettext_lazy("the rate lies below"),
    VerdictDoubt.ABOVE: gettext_lazy("the p99 lies above"),
    VerdictDoubt.MORE_WORK: _OTHER_WORK,
    VerdictDoubt.LESS_WORK: _OTHER_WORK,
    VerdictDoubt.OTHER_WORK: _OTHER_WORK,
}
SIZES: Final[Mapping[str, Promise]] = {
    "capacity": gettext_lazy("Storage, GB"),
    "ram": gettext_lazy("Memory, GB"),
    "vcpus": gettext_lazy("vCPUs"),
}

OPERATIONS: Final[Mapping[Operation, Promise]] = {
    Operation.SYNCS: gettext_lazy("syncs"),
    Operation.READS: gettext_lazy("reads"),
    Operation.DURABLE_WRITES: gettext_lazy("durable writes"),
}


def load_words(answer: PlanAnswer) -> str:
    """How much of its rate counts under a limit of p99, where the rate decides; else nothing."""
    if answer.margin_of != "rate" or answer.share == 1 or answer.sure == UNKNOWN:
        return ""
    return _("at %(share)s load") % {"share": f"{answer.share:.0%}"}


def basis_of_answer(answer: PlanAnswer) -> str:
    """Return what stands behind the word: the runs, or the price where that alone fails."""
    if answer.margin_of == "budget":
        remarks = [each for reason in answer.reasons for each in reason]
        return reason_of(each for each in remarks if each.kind is RemarkKind.BUDGET)
    return confidence.basis_of(answer.figure)


def _ms(ns: int) -> str:
    return f"{ns / MS:.3g}"


# How a figure is written, by its name; what has no line here is written as it is.
FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("rate", "has", "gb"), "{:,.0f}".format),
    **dict.fromkeys(("needed", "most"), "{:,}".format),
    **dict.fromkeys(("price", "budget"), "{:.2f}".format),
    **dict.fromkeys(("p99", "mean", "all", "allowed", "kept", "time", "ms"), _ms),
    "share": "{:.0%}".format,
    **dict.fromkeys(("work", "other", "workload"), workload_short),
    "size": lambda name: str(SIZES.get(name, name)),
    "kinds": kinds_words,
    "amount": "{:,f}".format,
    "operations": lambda operation: str(OPERATIONS[operation]),
    "why": lambda likeness: str(LIKENESSES[likeness]) if likeness else "",
    "software": lambda software_id: str(SOFTWARE_WORDS[software_id].rule),
}
# Amounts of currencies without cents, as their fields of a remark are called.
FORMATS_WITHOUT_CENTS: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("price", "budget"), "{:.0f}".format),
    "amount": "{:,.0f}".format,
}
# An amount that is converted is rounded, and its rate is the exchange rate.
CONVERSION_FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    "amount": "{:,.2f}".format,
    "rate": "{:.4f}".format,
}


def sentence_of(remark: Remark) -> str:
    """Return a remark as a sentence."""
    formats = FORMATS
    if remark.kind is RemarkKind.CONVERTED:
        formats = {**formats, **CONVERSION_FORMATS}
    if not decimals_of(str(remark.figures.get("currency", ""))):
        formats = {**formats, **FORMATS_WITHOUT_CENTS}
    figures = {
        name: formats[name](value) if name in formats else value
        for name, value in remark.figures.items()
    }
    text: str = REMARKS[remark.kind] % figures
    return text


def sentences_of(remarks: Iterable[Remark]) -> list[str]:
    """Return each of several remarks as a sentence."""
    return [sentence_of(remark) for remark in remarks]


def reason_of(remarks: Iterable[Remark]) -> str:
    """Return the remarks on one limit, which belong together, as one text."""
    return " ".join(sentences_of(remarks))


def doubt_words(doubt: VerdictDoubt | None) -> str:
    """Return in a few words why a verdict is not better; empty if nothing is missing."""
    return str(DOUBTS[doubt]) % RANKED_FROM if doubt is not None else ""


def refusal_of(error: NeedError) -> str:
    """Return what would be right in place of a need that makes no sense."""
    if error.field == "p99":
        return _("More than 0, a minute at most.")
    if error.field == "budget":
        return _("More than 0, %(most)s at most.") % {"most": f"{error.most:,}"}
    return _("From %(least)s to %(most)s.") % {
        "least": f"{error.least:,}",
        "most": f"{error.most:,}",
    }

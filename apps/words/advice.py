"""What the advisor says, in the language in force: sentences of its remarks, doubts and needs.

The pages and the API say the same of a plan, so these stand once, above `rankings` and below both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from apps.plans.prices.currencies import decimals_of
from apps.rankings.advice.remarks import RemarkKind
from apps.rankings.advice.software import MS, Operation
from apps.rankings.advice.verdicts import VerdictDoubt
from apps.words.software import LIKENESSES, SOFTWARE_WORDS
from apps.words.standings import RANKED_FROM, kinds_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.utils.functional import Promise

    from apps.rankings.advice.needs import NeedError
    from apps.rankings.advice.remarks import Remark

REMARKS: Final[Mapping[RemarkKind, str | Promise]] = {
    RemarkKind.NOT_MEASURED: gettext_lazy("Nobody has measured this."),
    RemarkKind.RATE_COUNTED_ON: gettext_lazy(
        "%(rate)s %(operations)s a second can be counted on, %(needed)s are needed."
    ),
    RemarkKind.RATE_WITHOUT_INTERVAL: gettext_lazy(
        "One figure without an interval, %(rate)s %(operations)s a second: nobody has measured "
        "how low it falls; %(needed)s are needed."
    ),
    RemarkKind.RATE_OF_OTHER_WORK: gettext_lazy(
        "%(rate)s %(operations)s a second are the low end of what was measured with other "
        "work, %(needed)s are needed."
    ),
    RemarkKind.SHARE_OF_LOW_END: gettext_lazy(
        "%(share)s of the low end, %(whole)s: %(rate)s %(operations)s a second can be counted "
        "on, %(needed)s are needed."
    ),
    RemarkKind.SHARE_WITHOUT_INTERVAL: gettext_lazy(
        "One figure without an interval, %(whole)s %(operations)s a second, of which %(share)s "
        "is %(rate)s: nobody has measured how low it falls; %(needed)s are needed."
    ),
    RemarkKind.SHARE_OF_OTHER_WORK: gettext_lazy(
        "%(share)s of the low end of what was measured with other work, %(whole)s: %(rate)s "
        "%(operations)s a second, %(needed)s are needed."
    ),
    RemarkKind.MORE_SESSIONS: gettext_lazy(
        "%(n)s sessions at once got %(rate)s: with more of them it carries more."
    ),
    RemarkKind.LOW_UNKNOWN: gettext_lazy(
        "There is one figure without an interval: it bounds nothing from below."
    ),
    RemarkKind.LOW_OF_SEARCHES: gettext_lazy(
        "Counted on is the lowest of three searches of one run."
    ),
    RemarkKind.LOW_OF_SAMPLES: gettext_lazy("Counted on is the slowest half second of one run."),
    RemarkKind.LOW_OF_REPEATS: gettext_lazy(
        "Counted on is the lowest of the repeats on one machine."
    ),
    RemarkKind.LOW_OF_FILESYSTEMS: gettext_lazy(
        "Counted on is the lowest figure of one machine, over several filesystems."
    ),
    RemarkKind.LOW_OF_MACHINES: gettext_lazy("Counted on is the lowest machine."),
    RemarkKind.LOW_OF_UPLOADERS: gettext_lazy("Counted on is the low end over uploaders."),
    RemarkKind.LOW_OF_INTERVAL: gettext_lazy("Counted on is the low end of its interval."),
    RemarkKind.P99: gettext_lazy("p99 is %(p99)s ms, %(allowed)s ms are allowed."),
    RemarkKind.P99_OF_SYNCS: gettext_lazy(
        "p99 is %(p99)s ms a sync, %(all)s ms for %(n)s in a row, %(allowed)s ms are allowed."
    ),
    RemarkKind.P99_KEPT_BY_RATE: gettext_lazy(
        "At this rate 99 of 100 are answered within %(kept)s ms, %(allowed)s ms are allowed."
    ),
    RemarkKind.P99_UNKNOWN: gettext_lazy("Its p99 is not known."),
    RemarkKind.P99_OF_NO_SYNC: gettext_lazy(
        "Its p99 of %(p99)s ms is not of a sync: it ends before the sync begins."
    ),
    RemarkKind.P99_OF_UPLOADERS: ngettext_lazy(
        "It is typical and no bound: the median of %(n)s uploader, half of whom saw worse.",
        "It is typical and no bound: the median of %(n)s uploaders, half of whom saw worse.",
        "n",
    ),
    RemarkKind.P99_OF_ARTICLE: gettext_lazy("It is typical and no bound: that of one article."),
    RemarkKind.P99_OF_ONE_UPLOADER: gettext_lazy(
        "It is typical and no bound: that of one uploader."
    ),
    RemarkKind.POOLED_P999: gettext_lazy(
        "Of all commits of all uploaders together 99.9 %% ended within %(time)s ms."
    ),
    RemarkKind.CAPACITY: gettext_lazy("It holds %(has)s GB, %(needed)s are needed."),
    RemarkKind.CAPACITY_ORDERED: gettext_lazy("Its volume is ordered with %(gb)s GB."),
    RemarkKind.CAPACITY_NOT_STATED: gettext_lazy("Its capacity is not stated."),
    RemarkKind.RAM: gettext_lazy("It has %(has)s GB of memory, %(needed)s are needed."),
    RemarkKind.RAM_NOT_STATED: gettext_lazy("Its memory is not stated."),
    RemarkKind.VCPUS: gettext_lazy("It has %(has)s vCPUs, %(needed)s are needed."),
    RemarkKind.VCPUS_NOT_STATED: gettext_lazy("Its processors are not stated."),
    RemarkKind.KINDS: gettext_lazy("Nobody chooses which storage they get: %(kinds)s"),
    RemarkKind.BUDGET: gettext_lazy("It costs %(price)s %(currency)s a month of %(budget)s."),
    RemarkKind.REGIONS_NOT_STATED: gettext_lazy(
        "In which regions it is offered is not stated: %(region)s may not be one."
    ),
    RemarkKind.REGION_NOT_SURE: gettext_lazy(
        'Its regions are stated as "%(stated)s": whether it is in %(region)s is not sure.',
    ),
    RemarkKind.REGION_OF_FIGURE_UNKNOWN: gettext_lazy(
        "In which region it was measured is not known."
    ),
    RemarkKind.EMPTIED: gettext_lazy(
        "What it keeps must outlive a stop of the machine, and here it does not."
    ),
    RemarkKind.DRIVES_UNKNOWN: gettext_lazy(
        "Which drive one gets is not known, nor whether it has PLP."
    ),
    RemarkKind.DRIVES_PROTECTED: gettext_lazy(
        "Every drive that was seen has power-loss protection."
    ),
    RemarkKind.DRIVES_MIXED: gettext_lazy(
        "Not every drive that was seen has power-loss protection: those of %(share)s of the "
        "uploaders have it for certain."
    ),
    RemarkKind.NO_PRICE: gettext_lazy("No price is known."),
    RemarkKind.NO_VOLUME_PRICE: gettext_lazy("No price is known of a volume for it."),
    RemarkKind.NO_EXCHANGE_RATE: gettext_lazy("There is no exchange rate for %(currency)s."),
    RemarkKind.SERVER_NOT_PRICED: gettext_lazy(
        "The server that it is attached to is not in the price."
    ),
    RemarkKind.CHEAPEST_VOLUME: gettext_lazy(
        "Of this provider's volumes the cheapest is taken; on which one the server was "
        "measured is not recorded."
    ),
    RemarkKind.VOLUME_EMPTY: gettext_lazy("A volume has at least 1 GiB."),
    RemarkKind.VOLUME_CURRENCIES: gettext_lazy("The prices of %(plan)s are in several currencies."),
    RemarkKind.VOLUME_NO_CAPACITY_PRICE: gettext_lazy(
        "%(plan)s has no price per gigabyte and month."
    ),
    RemarkKind.VOLUME_NOT_SOLD: gettext_lazy("%(what)s cannot be ordered for this volume."),
    RemarkKind.VOLUME_TOO_MUCH: gettext_lazy("At most %(most)s %(what)s can be priced here."),
    RemarkKind.VOLUME_NO_UNIT_PRICE: gettext_lazy("No unit price is known for %(plan)s."),
    RemarkKind.USUAL_CAPACITY: gettext_lazy("No capacity was asked for: %(gb)s GB are priced."),
    RemarkKind.VOLUME_PRICED: gettext_lazy(
        "It is priced as %(name)s of %(gib)s GiB, %(amount)s %(currency)s a month."
    ),
    RemarkKind.VOLUME_PRICED_WITH_IOPS: gettext_lazy(
        "It is priced as %(name)s of %(gib)s GiB with %(iops)s IOPS, %(amount)s %(currency)s a "
        "month: one IOPS for each operation a second, and no less than comes with it."
    ),
    RemarkKind.VOLUME_ADDED: gettext_lazy(
        "Added to the server is %(name)s of %(gib)s GiB, %(amount)s %(currency)s a month."
    ),
    RemarkKind.VOLUME_ADDED_WITH_IOPS: gettext_lazy(
        "Added to the server is %(name)s of %(gib)s GiB with %(iops)s IOPS, %(amount)s "
        "%(currency)s a month: one IOPS for each operation a second, and no less than comes "
        "with it."
    ),
    RemarkKind.DRIVE_NOT_USED: gettext_lazy("The %(gb)s GB that come with it are not used."),
    RemarkKind.SETUP_FEE: gettext_lazy(
        "A setup fee of %(amount)s %(currency)s is paid once and not counted."
    ),
    RemarkKind.CONVERTED: gettext_lazy(
        "%(amount)s %(currency)s are converted at 1 %(currency)s = %(rate)s %(wanted)s, the "
        "reference rate of the European Central Bank of %(day)s."
    ),
    RemarkKind.SOFTWARE_RULE: "%(software)s",
    RemarkKind.SHARED_SYNCS: gettext_lazy(
        "%(n)s sessions get at least what %(size)s got that share syncs."
    ),
    RemarkKind.NO_SHARED_SYNCS: gettext_lazy(
        "Nobody measured sessions that share syncs here: one writer's rate is counted on."
    ),
    RemarkKind.NO_USEFUL_IOPS: gettext_lazy(
        "Nobody measured useful IOPS in this time here: %(workload)s does it."
    ),
    RemarkKind.OTHER_WORKLOAD: gettext_lazy(
        "%(wanted)s was not measured: %(other)s stands for it. %(why)s"
    ),
    RemarkKind.USEFUL_IOPS: gettext_lazy(
        "Its useful IOPS are those of %(workload)s: as many as arrive with 99 of 100 answered "
        "within %(ms)s ms."
    ),
    RemarkKind.LOOSEST_LIMIT: gettext_lazy(
        "No p99 was asked for: the loosest limit that was measured is taken, 99 of 100 "
        "answered within %(ms)s ms."
    ),
    RemarkKind.LOADED_TO_SHARE: gettext_lazy(
        "Under a limit of p99 %(medium)s is loaded to %(share)s of its rate: a rule of thumb."
    ),
}
DOUBTS: Final[Mapping[VerdictDoubt, Promise]] = {
    VerdictDoubt.NOT_MEASURED: gettext_lazy("not measured with a workload that stands for it"),
    VerdictDoubt.P99_OF_NO_SYNC: gettext_lazy("its p99 is not of a sync"),
    VerdictDoubt.WITHOUT_PLP: gettext_lazy("no power-loss protection"),
    VerdictDoubt.EMPTIED: gettext_lazy("its storage is emptied when the machine stops"),
    VerdictDoubt.PLP_NOT_STATED: gettext_lazy("power-loss protection not stated"),
    VerdictDoubt.ONE_SOURCE: gettext_lazy("one published source"),
    VerdictDoubt.FEW: gettext_lazy("fewer than %(uploaders)s uploaders, or an interval too wide"),
    VerdictDoubt.LOW_END: gettext_lazy("its low end lies below"),
    VerdictDoubt.HIGH_END: gettext_lazy("only its high end reaches it"),
    VerdictDoubt.HALF_SAW_WORSE: gettext_lazy("half of the uploaders saw a slower p99 than this"),
    VerdictDoubt.SEVERAL_SYNCS: gettext_lazy(
        "several syncs one after the other: no bound is known"
    ),
    VerdictDoubt.BELOW: gettext_lazy("the rate lies below"),
    VerdictDoubt.ABOVE: gettext_lazy("the p99 lies above"),
    VerdictDoubt.MORE_WORK: gettext_lazy("measured with more work than it does"),
    VerdictDoubt.LESS_WORK: gettext_lazy("measured with less work than it does"),
    VerdictDoubt.OTHER_WORK: gettext_lazy("measured with other work than it does"),
}
MEDIA: Final[Mapping[str, Promise]] = {
    "local-nvme": gettext_lazy("a local NVMe drive"),
    "local-sata": gettext_lazy("a local SATA drive"),
    "hdd": gettext_lazy("a hard disk"),
    "network": gettext_lazy("a network volume"),
    "": gettext_lazy("storage that is not stated"),
}

OPERATIONS: Final[Mapping[Operation, Promise]] = {
    Operation.SYNCS: gettext_lazy("syncs"),
    Operation.READS: gettext_lazy("reads"),
    Operation.DURABLE_WRITES: gettext_lazy("durable writes"),
}


def _ms(ns: int) -> str:
    return f"{ns / MS:.3g}"


# How a figure is written, by its name; what has no line here is written as it is.
FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("rate", "whole", "has", "gb"), "{:,.0f}".format),
    **dict.fromkeys(("needed", "most", "gib", "iops"), "{:,}".format),
    **dict.fromkeys(("price", "budget"), "{:.2f}".format),
    **dict.fromkeys(("p99", "all", "allowed", "kept", "time", "ms"), _ms),
    "share": "{:.0%}".format,
    "kinds": kinds_words,
    "amount": "{:,f}".format,
    "operations": lambda operation: str(OPERATIONS[operation]),
    "medium": lambda storage_kind: str(MEDIA.get(storage_kind, MEDIA[""])),
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
    """Return what is wrong with a need, and what would be right."""
    texts = {
        "rate": _("The rate must be from %(least)s to %(most)s a second."),
        "sessions": _("Sessions must be from %(least)s to %(most)s."),
        "p99": _("The p99 must be more than nothing and at most a minute."),
        "capacity_gb": _("The capacity must be from %(least)s to %(most)s GB."),
        "ram_gb": _("The memory must be from %(least)s to %(most)s GB."),
        "vcpus": _("Processors must be from %(least)s to %(most)s."),
        "budget": _("The budget must be more than nothing and at most %(most)s."),
    }
    return texts[error.field] % {"least": f"{error.least:,}", "most": f"{error.most:,}"}

"""What is stated about plans and drives, with its sources, as lines of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.drives.catalogue import CITED, unsourced_facts
from apps.drives.models import FamilySource, PowerLossProtection
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.fact import NOT_STATED, Fact
from apps.rankings.cost import price_month_per_tb
from apps.words.catalogue import INTERFACES, PLAN_KINDS, STORAGE_KINDS
from apps.words.facts import note_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django_stubs_ext import StrOrPromise

    from apps.drives.models import DriveFamily, LadderClass
    from apps.plans.models import Plan, Price

UNSOURCED: Final = "datasheet (general knowledge)"  # as the catalogue of drives says it
_FACT_NAMES: Final = {  # by the names of drive_sources.csv
    "plp": gettext_lazy("Protection"),
    "vendor": gettext_lazy("Maker"),
    "segment": gettext_lazy("Market"),
    "interface": gettext_lazy("Interface"),
    "protocol_gen": gettext_lazy("Interface"),
    "form_factor": gettext_lazy("Form factor"),
    "nand": gettext_lazy("Flash"),
    "dram": gettext_lazy("DRAM"),
    "released": gettext_lazy("Released"),
    "capacities_gb": gettext_lazy("Capacities"),
    "rated_seq_read_mbps": gettext_lazy("Rated in order"),
    "rated_seq_write_mbps": gettext_lazy("Rated in order"),
    "rated_rand_read_iops": gettext_lazy("Rated reads"),
    "rated_rand_write_iops": gettext_lazy("Rated writes"),
    "endurance_dwpd": gettext_lazy("Endurance"),
    "match": gettext_lazy("Model names"),
    "controller": gettext_lazy("Controller"),
    "slc_cache": gettext_lazy("SLC cache"),
    "recording": gettext_lazy("Recording"),
}
_AGREEMENTS: Final = {
    FamilySource.Agreement.YES: gettext_lazy("says the same"),
    FamilySource.Agreement.ADDS: gettext_lazy("says more, or too little to decide"),
    FamilySource.Agreement.NO: gettext_lazy("says otherwise"),
}
_CONFIDENCES: Final = {
    "high": gettext_lazy("high confidence"),
    "medium": gettext_lazy("medium confidence"),
}
# What the market that a drive is sold to says of its protection: what to expect, and no proof.
_LIKELY: Final = {
    "consumer": gettext_lazy("Few drives sold to consumers have it."),
    "prosumer": gettext_lazy("Few drives sold to consumers have it."),
    "datacenter": gettext_lazy("Most drives sold for servers have it."),
}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What one document says of a drive family: of which facts, where it stands, how sure."""

    facts: str
    found: str
    agreement: StrOrPromise
    contradicts: bool
    url: str
    host: str
    locator: str
    confidence: StrOrPromise


@dataclass(frozen=True, slots=True)
class SourcesFold:
    """The documents behind the facts of a drive, and the facts that none of them states."""

    lines: tuple[SourceLine, ...]
    unsourced: str  # names of facts; empty: none, or nobody tells them apart


def terabyte_fact(plan: Plan, price: Price | None) -> tuple[Fact, ...]:
    """What a terabyte of a plan costs, where both are known."""
    if price is None or not plan.drive_gb:
        return ()
    cost = price_month_per_tb(price, drive_count=plan.drive_count, drive_gb=plan.drive_gb)
    amount = _("%(amount)s a month") % {"amount": units.money(cost, price.currency)}
    return (Fact(_("A terabyte"), amount, _("the whole price over the capacity of all disks")),)


def plan_facts(plan: Plan, price: Price | None) -> tuple[Fact, ...]:
    """What the provider says about a plan, and what its capacity costs at the price that counts."""
    storage = str(STORAGE_KINDS.get(plan.storage_kind, ""))
    drives = f"{plan.drive_count} \u00d7 " if plan.drive_count else ""
    drives += f"{units.as_stated(plan.drive_gb)} GB" if plan.drive_gb else ""
    memory = f"{units.as_stated(plan.ram_gb)} GB" if plan.ram_gb else ""
    cpus = words.count(plan.vcpus, "vCPU") if plan.vcpus else ""
    return (
        Fact(_("Kind"), str(PLAN_KINDS.get(plan.kind, plan.kind))),
        Fact(_("Processor"), plan.cpu or cpus, cpus if plan.cpu else ""),
        Fact(_("Memory"), memory),
        Fact(
            _("Storage"),
            note_in_words(plan.storage_description),
            storage or _("local or network: not stated"),
        ),
        Fact(_("Disks"), drives),
        *terabyte_fact(plan, price),
        Fact(
            _("Drive named"),
            plan.drive_family_hint,
            _("a hint: providers mix drives") if plan.drive_family_hint else "",
        ),
        Fact(_("Architecture"), plan.arch),
        Fact(_("Regions"), note_in_words(plan.regions)),
    )


def source_words(source: str) -> StrOrPromise:
    """The source of a row of the catalogue; its "verified" means that somebody looked there."""
    if source == UNSOURCED:
        return _("general knowledge of the field; nobody has looked into its data sheet yet")
    prefix, _colon, rest = source.partition(":")
    if prefix not in {"verified", "derived"}:
        return source
    document = format_html('<span lang="en">{}</span>', rest.strip())
    return (
        document if prefix == "verified" else format_html(_("derived: {source}"), source=document)
    )


def drive_facts(
    drive: DriveFamily, sources: Sequence[FamilySource], possible: Sequence[LadderClass]
) -> tuple[Fact, ...]:
    """What is stated about a drive family, and by whom."""
    return (
        *_build_facts(drive, possible),
        *_rating_facts(drive),
        Fact(_("Source"), _source_of_row(drive, sources)),
    )


def sources_fold(drive: DriveFamily, sources: Sequence[FamilySource]) -> SourcesFold | None:
    """Which document states which fact, protection first; None without any."""
    if not sources:
        return None
    places = {fact: place for place, fact in enumerate(_FACT_NAMES)}
    ordered = sorted(sources, key=lambda each: places.get(each.fact_names[0], len(places)))
    is_cited = drive.source.startswith(f"{CITED}:")
    return SourcesFold(
        lines=tuple(_source_line(source) for source in ordered),
        unsourced=_names_of(unsourced_facts(drive, sources)) if is_cited else "",
    )


def _source_line(source: FamilySource) -> SourceLine:
    agreement = FamilySource.Agreement(source.agrees)
    return SourceLine(
        facts=_names_of(source.fact_names),
        found=source.found,
        agreement=_AGREEMENTS[agreement],
        contradicts=agreement is FamilySource.Agreement.NO,
        url=source.url,
        host=_host(source),
        locator=source.locator,
        confidence=_CONFIDENCES.get(source.confidence, source.confidence),
    )


def _source_of_row(drive: DriveFamily, sources: Sequence[FamilySource]) -> StrOrPromise:
    """The source of a whole row: of a cited one its documents, and what none of them states."""
    if not drive.source.startswith(f"{CITED}:"):
        return source_words(drive.source)
    hosts = phrases.join_names(_hosts(sources))
    unsourced = _names_of(unsourced_facts(drive, sources))
    if not unsourced:
        return hosts
    return _("%(hosts)s; from general knowledge: %(facts)s") % {"hosts": hosts, "facts": unsourced}


def _names_of(facts: Iterable[str]) -> str:
    """Names of facts, each once."""
    return phrases.join_names(dict.fromkeys(str(_FACT_NAMES.get(fact, fact)) for fact in facts))


def _hosts(sources: Iterable[FamilySource]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_host(source) for source in sources))


def _host(source: FamilySource) -> str:
    return urlsplit(source.url).netloc.removeprefix("www.")


def protection_remark(drive: DriveFamily, possible: Sequence[LadderClass]) -> str:
    """What it means for the class that nobody states the protection of an SSD; else nothing."""
    is_open = drive.plp == PowerLossProtection.UNKNOWN and len(possible) > 1
    if not is_open:
        return ""
    fast, slow = possible[0], possible[-1]
    either = _(
        "No document that we know says it. With it the class is %(fast)s, %(fast_range)s a sync; "
        "without it %(slow)s, %(slow_range)s."
    ) % {
        "fast": phrases.translate(fast.name),
        "fast_range": units.latency_range(fast.low_ns, fast.high_ns),
        "slow": phrases.translate(slow.name),
        "slow_range": units.latency_range(slow.low_ns, slow.high_ns),
    }
    return phrases.join_sentences([either, str(_LIKELY.get(drive.segment, ""))])


def _build_facts(drive: DriveFamily, possible: Sequence[LadderClass]) -> tuple[Fact, ...]:
    """What a drive is made of."""
    capacities = drive.capacities_gb.replace(";", ", ")
    return (
        Fact(_("Maker"), drive.vendor, words.SEGMENTS.get(drive.segment, drive.segment)),
        Fact(_("Protection"), words.plp_words(drive.plp), protection_remark(drive, possible)),
        Fact(
            _("Interface"),
            str(INTERFACES.get(drive.interface, drive.interface)),
            drive.protocol_generation,
        ),
        Fact(
            _("Form factor"),
            phrases.join_names(phrases.translate(each) for each in drive.form_factor.split(";")),
        ),
        Fact(
            _("Flash"),
            words.FLASH.get(drive.nand, drive.nand.upper()),
            words.DRAM.get(drive.dram, ""),
        ),
        Fact(_("Capacities"), f"{capacities} GB" if capacities else NOT_STATED),
        Fact(_("Released"), drive.released),
    )


def _rating_facts(drive: DriveFamily) -> tuple[Fact, ...]:
    """What a drive is rated for."""
    writes, reads = drive.rated_rand_write_iops, drive.rated_rand_read_iops
    endurance = drive.endurance_dwpd
    sequential = [
        text % {"n": f"{value:,}"}
        for value, text in (
            (drive.rated_seq_read_mbps, _("%(n)s MB/s read")),
            (drive.rated_seq_write_mbps, _("%(n)s MB/s written")),
        )
        if value
    ]
    return (
        Fact(
            _("Rated writes"),
            _("%(n)s random writes/s") % {"n": f"{writes:,}"} if writes else NOT_STATED,
            _("without a sync, many in flight") if writes else "",
        ),
        Fact(
            _("Rated reads"),
            _("%(n)s random reads/s") % {"n": f"{reads:,}"} if reads else NOT_STATED,
        ),
        Fact(_("Rated in order"), phrases.join_facts(sequential)),
        Fact(
            _("Endurance"),
            ngettext(
                "%(n)s drive write a day", "%(n)s drive writes a day", words.plural_of(endurance)
            )
            % {"n": f"{endurance.normalize():f}"}
            if endurance
            else NOT_STATED,
        ),
    )

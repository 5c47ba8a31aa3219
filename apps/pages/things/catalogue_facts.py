"""What is stated about plans and drives, with its sources, as lines of a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.catalogue import CITED, unsourced_facts
from apps.drives.models import FamilySource, PowerLossProtection
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.fact import NOT_STATED, Fact, yes_or_no
from apps.plans.models import Price
from apps.rankings.cost import price_month_per_tb
from apps.words.catalogue import INTERFACES, PLAN_KINDS, SEGMENTS, STORAGE_KINDS
from apps.words.facts import note_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django_stubs_ext import StrOrPromise

    from apps.drives.models import DriveFamily, LadderClass
    from apps.plans.models import Plan
    from apps.runs.clouds.selectors import Challenges

UNSOURCED: Final = "datasheet (general knowledge)"  # as the catalogue of drives says it
_ASIDE: Final = re.compile(r" \([^()]*\)")  # what its reader noted beside a document
_FLASH_NAMES: Final = {"3dxpoint": "3D XPoint"}
_FACT_NAMES: Final = {  # by the names of drive_sources.csv
    "plp": gettext_lazy("Protection"),
    "vendor": gettext_lazy("Maker"),
    "segment": gettext_lazy("Made for"),
    "interface": gettext_lazy("Interface"),
    "protocol_gen": gettext_lazy("Interface"),
    "form_factor": gettext_lazy("Form factor"),
    "nand": gettext_lazy("Flash"),
    "dram": "DRAM",
    "released": gettext_lazy("Released"),
    "capacities_gb": gettext_lazy("Capacity"),
    "rated_seq_read_mbps": gettext_lazy("Sequential reads"),
    "rated_seq_write_mbps": gettext_lazy("Sequential writes"),
    "rated_rand_read_iops": gettext_lazy("Rated reads/s"),
    "rated_rand_write_iops": gettext_lazy("Rated writes/s"),
    "endurance_dwpd": gettext_lazy("Endurance"),
    "match": gettext_lazy("Model names"),
    "controller": gettext_lazy("Controller"),
    "slc_cache": gettext_lazy("SLC cache"),
    "recording": gettext_lazy("Recording"),
}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What one document says of a drive family: of which facts, where it stands, how sure."""

    facts: str
    found: str
    contradicts: bool
    url: str
    host: str
    locator: str
    is_doubtful: bool  # the finder was not sure


def terabyte_fact(plan: Plan, price: Price | None) -> tuple[Fact, ...]:
    """What a terabyte of a plan costs, where both are known."""
    if price is None or not plan.drive_gb:
        return ()
    cost = price_month_per_tb(price, drive_count=plan.drive_count, drive_gb=plan.drive_gb)
    amount = units.with_period(units.money(cost, price.currency), Price.Period.MONTH)
    return (Fact(_("A terabyte"), amount),)


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
            storage or _("not stated"),
        ),
        Fact(_("Capacity"), drives),
        *terabyte_fact(plan, price),
        Fact(
            _("Drive"),
            plan.drive_family_hint,
            _("a hint: providers mix drives") if plan.drive_family_hint else "",
        ),
        Fact(_("Architecture"), plan.arch),
        Fact(_("Regions"), note_in_words(plan.regions)),
    )


def reporting_facts(challenges: Challenges) -> tuple[Fact, ...]:
    """How many runs of those who measured a plan last never came; nothing if nobody was asked."""
    if not challenges.issued:
        return ()
    lost = words.never_reported(challenges)
    return (Fact(_("Never reported"), lost, _("of the keys that sent its newest runs")),)


def source_words(source: str) -> StrOrPromise:
    """The source of a row of the catalogue; its "verified" means that somebody looked there."""
    if source == UNSOURCED:
        return _("no document read")
    prefix, _colon, rest = source.partition(":")
    if prefix not in {"verified", "derived"}:
        return source
    document = format_html('<span lang="en">{}</span>', _ASIDE.sub("", rest).strip())
    mark = phrases.in_brackets(_("derived")) if prefix == "derived" else ""
    return format_html("{}{}", document, mark)


def drive_facts(
    drive: DriveFamily, sources: Sequence[FamilySource], possible: Sequence[LadderClass]
) -> tuple[Fact, ...]:
    """What is stated about a drive family, and by whom."""
    return (
        *_build_facts(drive, possible),
        *_rating_facts(drive),
        Fact(_("Source"), _source_of_row(drive, sources)),
    )


def source_lines(sources: Sequence[FamilySource]) -> tuple[SourceLine, ...]:
    """Which document states which fact, protection first."""
    places = {fact: place for place, fact in enumerate(_FACT_NAMES)}
    ordered = sorted(sources, key=lambda each: places.get(each.fact_names[0], len(places)))
    return tuple(map(_source_line, ordered))


def _source_line(source: FamilySource) -> SourceLine:
    return SourceLine(
        facts=_names_of(source.fact_names),
        found=source.found,
        contradicts=source.agrees == FamilySource.Agreement.NO,
        url=source.url,
        host=_host(source),
        locator=source.locator,
        is_doubtful=source.confidence != "high",
    )


def _source_of_row(drive: DriveFamily, sources: Sequence[FamilySource]) -> StrOrPromise:
    """The source of a whole row: of a cited one its documents, and what none of them states."""
    if not drive.source.startswith(f"{CITED}:"):
        return source_words(drive.source)
    hosts = phrases.join_names(_hosts(sources))
    unsourced = _names_of(unsourced_facts(drive, sources))
    if not unsourced:
        return hosts
    unread = phrases.with_name(_("no document read"), unsourced)
    return phrases.join_clauses((hosts, unread))


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
    return _(
        "With it the class is %(fast)s, %(fast_range)s a sync; without it %(slow)s, %(slow_range)s."
    ) % {
        "fast": phrases.translate(fast.name),
        "fast_range": units.latency_range(fast.low_ns, fast.high_ns),
        "slow": phrases.translate(slow.name),
        "slow_range": units.latency_range(slow.low_ns, slow.high_ns),
    }


def _build_facts(drive: DriveFamily, possible: Sequence[LadderClass]) -> tuple[Fact, ...]:
    """What a drive is made of."""
    capacities = drive.capacities_gb.replace(";", ", ")
    return (
        Fact(_("Maker"), drive.vendor),
        Fact(_("Made for"), str(SEGMENTS.get(drive.segment, drive.segment))),
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
            words.FLASH.get(drive.nand, _FLASH_NAMES.get(drive.nand, drive.nand.upper())),
        ),
        Fact("DRAM", _dram_words(drive.dram)),
        Fact(_("Capacity"), f"{capacities} GB" if capacities else NOT_STATED),
        Fact(_("Released"), drive.released),
    )


def _dram_words(dram: str) -> str:
    """Where a drive keeps its mapping table."""
    return "HMB" if dram == "hmb" else yes_or_no({"yes": True, "no": False}.get(dram))


def _rating_facts(drive: DriveFamily) -> tuple[Fact, ...]:
    """What a drive is rated for."""
    endurance = drive.endurance_dwpd
    rated = (
        (_("Rated writes/s"), drive.rated_rand_write_iops, ""),
        (_("Rated reads/s"), drive.rated_rand_read_iops, ""),
        (_("Sequential writes"), drive.rated_seq_write_mbps, " MB/s"),
        (_("Sequential reads"), drive.rated_seq_read_mbps, " MB/s"),
    )
    return (
        *(Fact(name, f"{value:,}{unit}" if value else NOT_STATED) for name, value, unit in rated),
        Fact(_("Endurance"), f"{endurance.normalize():f} DWPD" if endurance else NOT_STATED),
    )

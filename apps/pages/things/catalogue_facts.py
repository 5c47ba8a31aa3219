"""What is stated about plans and drives, with its sources, as lines of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.pages.show import phrases, units, words
from apps.pages.show.facts.fact import NOT_STATED, Fact
from apps.rankings.cost import price_month_per_tb
from apps.words.catalogue import INTERFACES, PLAN_KINDS, STORAGE_KINDS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from apps.drives.models import DriveFamily
    from apps.plans.models import Plan, Price

UNSOURCED: Final = "datasheet (general knowledge)"  # as the catalogue of drives says it


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
            phrases.translate(plan.storage_description),
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
        Fact(_("Regions"), phrases.translate(plan.regions)),
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


def drive_facts(drive: DriveFamily) -> tuple[Fact, ...]:
    """What is stated about a drive family, and by whom."""
    return (
        *_build_facts(drive),
        *_rating_facts(drive),
        Fact(_("Source"), source_words(drive.source)),
    )


def _build_facts(drive: DriveFamily) -> tuple[Fact, ...]:
    """What a drive is made of."""
    capacities = drive.capacities_gb.replace(";", ", ")
    return (
        Fact(_("Maker"), drive.vendor, words.SEGMENTS.get(drive.segment, drive.segment)),
        Fact(_("Protection"), words.plp_words(drive.plp)),
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

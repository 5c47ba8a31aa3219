"""How the surroundings of the things differ: drive, filesystem, kernel, cache, region and more.

A run says it itself; for a plan or a drive family its newest run does, and the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.compare.things import Thing
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.payload import MachineReading, read_machine
from apps.plans.models import Plan
from apps.runs.models import Run


@dataclass(frozen=True, slots=True)
class Aspect:
    """One fact over all things; empty where nobody states it."""

    name: str
    values: tuple[str, ...]

    @property
    def stated(self) -> set[str]:
        """The different values."""
        return {value for value in self.values if value}

    @property
    def differs(self) -> bool:
        """Whether two of the things state different values."""
        return len(self.stated) > 1

    @property
    def agrees(self) -> bool:
        """Whether all state it, and the same."""
        return len(self.stated) == 1 and all(self.values)


@dataclass(frozen=True, slots=True)
class SharedAspects:
    """What differs, what agrees, and what only some state."""

    differing: tuple[Aspect, ...]
    agreeing: tuple[Aspect, ...]
    partial: tuple[Aspect, ...]


def surroundings_of(things: Sequence[Thing]) -> SharedAspects:
    """Compare everything that is stated about the things."""
    stated = [described(thing) for thing in things]
    names = list(dict.fromkeys(name for each in stated for name in each))
    aspects = [Aspect(name, tuple(each.get(name, "") for each in stated)) for name in names]
    known = [aspect for aspect in aspects if aspect.stated]
    return SharedAspects(
        differing=tuple(each for each in known if each.differs),
        agreeing=tuple(each for each in known if each.agrees),
        partial=tuple(each for each in known if not each.differs and not each.agrees),
    )


def described(thing: Thing) -> dict[str, str]:
    """Everything about one thing, by the name of the fact."""
    run = thing.described_by
    read = read_machine(run) if run else None
    return {
        **drive_of(thing, run, read),
        **machine_of(thing.plan, run, read),
        **(system_of(read) if read else {}),
        **method_of(thing, run),
    }


def drive_of(thing: Thing, run: Run | None, read: MachineReading | None) -> dict[str, str]:
    """The drive and what it does with writes."""
    family = (run.drive_family if run else None) or thing.drive
    plan = thing.plan
    return {
        _("Drive"): (family.name if family else "") or (run.drive_reported if run else ""),
        _("Protection"): words.plp_words(family.plp if family else thing.plp),
        _("Firmware of the drive"): run.drive_firmware if run else "",
        _("Size of the drive"): units.size(read.drive_bytes) if read and read.drive_bytes else "",
        _("Storage offered"): phrases.translate(plan.storage_description) if plan else "",
        _("Attached by"): read.transport if read else "",
        _("Write cache"): read.write_cache if read else "",
        _("Scheduler"): read.scheduler if read else "",
    }


def machine_of(plan: Plan | None, run: Run | None, read: MachineReading | None) -> dict[str, str]:
    """Processor, memory, and where it stands: as the run states it, else as the plan does."""
    rented = plan or (run.plan if run else None)
    memory = f"{units.as_stated(rented.ram_gb)} GB" if rented and rented.ram_gb else ""
    count = (read.n_processors if read else None) or (rented.vcpus if rented else None)
    ram = read.ram_bytes if read else None
    return {
        _("Provider"): rented.provider.name if rented else "",
        _("Region"): run.region if run else "",
        _("Processor"): (read.processor if read else "") or (rented.cpu if rented else ""),
        _("Processors"): f"{count:,}" if count else "",
        _("Memory"): memory or (units.size(ram) if ram else ""),
        _("Virtualisation"): read.virtualisation if read else "",
        _("Architecture"): (read.architecture if read else "") or (rented.arch if rented else ""),
    }


def system_of(read: MachineReading) -> dict[str, str]:
    """Filesystem, the layers below it, and the kernel."""
    return {
        _("Filesystem"): read.filesystem,
        _("Mount options"): read.mount_flags,
        _("Layers"): " / ".join(read.layers),
        _("Kernel"): read.kernel,
    }


def method_of(thing: Thing, run: Run | None) -> dict[str, str]:
    """With what, and in which version, it was measured."""
    if run is None or thing.figures is None:
        return {}
    suite = f"{run.suite} v{run.suite_version}" if run.suite else ""
    return {
        _("Latency of"): words.SIDES.get(thing.figures.side, thing.figures.side),
        _("Suite"): suite,
        _("Agent"): run.agent_version,
        _("Rules"): _("version %(n)s") % {"n": run.normaliser_version} if run.upload_id else "",
    }

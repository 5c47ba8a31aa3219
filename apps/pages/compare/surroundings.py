"""How the surroundings of the things differ: drive, filesystem, kernel, cache, region and more.

A run says it itself; for a plan or a drive family its newest run does, and the catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.compare.things import Thing
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.payload import RunSurroundings, read_surroundings
from apps.plans.models import Plan
from apps.runs.models import Run
from apps.words.facts import note_in_words


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

    @property
    def all(self) -> tuple[Aspect, ...]:
        """Every fact: what differs first, what all agree on last."""
        return (*self.differing, *self.partial, *self.agreeing)


def surroundings_of(things: Sequence[Thing]) -> SharedAspects:
    """Compare everything that is stated about the things."""
    all_facts = [facts_of(thing) for thing in things]
    names = list(dict.fromkeys(name for each in all_facts for name in each))
    aspects = [Aspect(name, tuple(each.get(name, "") for each in all_facts)) for name in names]
    aspects_stated = [aspect for aspect in aspects if aspect.stated]
    return SharedAspects(
        differing=tuple(each for each in aspects_stated if each.differs),
        agreeing=tuple(each for each in aspects_stated if each.agrees),
        partial=tuple(each for each in aspects_stated if not each.differs and not each.agrees),
    )


def facts_of(thing: Thing) -> dict[str, str]:
    """Everything about one thing, by the name of the fact."""
    run = thing.newest_run
    surroundings = read_surroundings(run) if run else RunSurroundings()
    return {
        **drive_of(thing, run, surroundings),
        **machine_of(thing.plan, run, surroundings),
        **system_of(surroundings),
        **method_of(thing, run),
    }


def drive_of(thing: Thing, run: Run | None, surroundings: RunSurroundings) -> dict[str, str]:
    """The drive and what it does with writes."""
    family = (run.drive_family if run else None) or thing.drive
    plan, size = thing.plan, surroundings.drive_bytes
    return {
        _("Drive"): (family.name if family else "") or (run.drive_reported if run else ""),
        _("Protection"): words.plp_words(family.plp if family else thing.plp),
        _("Firmware"): run.drive_firmware if run else "",
        _("Capacity"): units.size(size) if size else "",
        _("Storage"): note_in_words(plan.storage_description) if plan else "",
        _("Attached by"): surroundings.transport,
        _("Write cache"): surroundings.write_cache,
        _("Scheduler"): surroundings.scheduler,
    }


def machine_of(plan: Plan | None, run: Run | None, surroundings: RunSurroundings) -> dict[str, str]:
    """Processor, memory, and where it stands: as the run states it, else as the plan does."""
    rented = plan or (run.plan if run else None)
    memory = f"{units.as_stated(rented.ram_gb)} GB" if rented and rented.ram_gb else ""
    count = surroundings.n_processors or (rented.vcpus if rented else None)
    ram = surroundings.ram_bytes
    return {
        _("Provider"): rented.provider.name if rented else "",
        _("Region"): run.region if run else "",
        _("Processor"): surroundings.processor or (rented.cpu if rented else ""),
        _("vCPUs"): f"{count:,}" if count else "",
        _("Memory"): memory or (units.size(ram) if ram else ""),
        _("Virtualisation"): surroundings.virtualisation,
        _("Architecture"): surroundings.architecture or (rented.arch if rented else ""),
    }


def system_of(surroundings: RunSurroundings) -> dict[str, str]:
    """Filesystem, the layers below it, and the kernel."""
    return {
        _("Filesystem"): surroundings.filesystem,
        _("Layers"): " / ".join(surroundings.layers),
        _("Kernel"): surroundings.kernel,
    }


def method_of(thing: Thing, run: Run | None) -> dict[str, str]:
    """With what, and in which version, it was measured."""
    if run is None or thing.figures is None:
        return {}
    suite = f"{run.suite} v{run.suite_version}" if run.suite else ""
    return {
        _("Agent"): phrases.join_facts((run.agent_version, suite)),
        _("Rules"): f"v{run.normaliser_version}" if run.upload_id else "",
    }

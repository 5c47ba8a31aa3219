"""What is known about the machine of a run, as lines of a list; missing facts too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from apps.pages.run.facts.drive import device_facts
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.fact import NOT_STATED, Fact
from apps.pages.show.facts.payload import RunSurroundings, part, read_surroundings, text, whole
from apps.plans.regions import place_of
from apps.runs.models import Run
from apps.words.labels import conflict_sentences

# The limits of its control groups, by the names that cgroup v2 gives them.
LIMIT_WORDS: dict[str, Callable[[int], str]] = {
    "cpu_milli": lambda amount: words.fractional_count(amount / 1000, "processor"),
    "memory_bytes": lambda amount: f"memory.max {units.size(amount)}",
    "io_weight": lambda amount: f"io.weight {amount}",
    "read_bytes_per_s": lambda amount: f"rbps {units.size(amount)}",
    "write_bytes_per_s": lambda amount: f"wbps {units.size(amount)}",
    "read_ops_per_s": lambda amount: f"riops {amount:,}",
    "write_ops_per_s": lambda amount: f"wiops {amount:,}",
}

# Notes on the storage of a published run that say what its write cache was set to.
SAYS_CACHE: Final = re.compile(r"write[- ](cache|back|through)", re.IGNORECASE)


def machine_facts(run: Run) -> tuple[Fact, ...]:
    """Everything that the run says about where it was measured."""
    if run.upload_id is None:
        return unsigned_run_facts(run)
    surroundings = read_surroundings(run)
    clock = part(run.environment, "clock")
    return (
        *hardware_facts(run, surroundings),
        *device_facts(run, surroundings),
        *system_facts(surroundings),
        Fact(_("Clock, one reading"), phrases.join_facts(clock_words(clock))),
        Fact(
            _("Agent"),
            f"fsyncmark {run.agent_version}".strip(),
            suite_words(run),
        ),
    )


def hardware_facts(run: Run, surroundings: RunSurroundings) -> tuple[Fact, ...]:
    """What was claimed, and the processor and memory behind it."""
    provider = run.provider.name if run.provider else run.claimed_provider
    claimed = " ".join(each for each in (provider, run.claimed_plan) if each)
    env, cpus, ram = surroundings.environment, surroundings.n_processors, surroundings.ram_bytes
    amounts = [words.count(cpus, "processor")] if cpus else []
    amounts += [_("%(size)s RAM") % {"size": units.size(ram)}] if ram else []
    cloud = " ".join(text(env, name) for name in ("cloud_vendor", "cloud_product")).strip()
    container = text(env, "container")
    around = [each for each in (cloud, container) if each]
    return (
        Fact(_("Claimed plan"), claimed, run.claimed_region),
        *region_facts(run),
        *placement_facts(run),
        Fact(_("Processor"), surroundings.processor, phrases.join_facts(amounts)),
        Fact(
            _("Virtualisation"),
            surroundings.virtualisation,
            phrases.join_facts(around),
        ),
        *restraint_facts(env),
    )


def suite_words(run: Run) -> str:
    """Which suite a run is of, and whether it is all of it."""
    name = f"{run.suite} v{run.suite_version}"
    return name if run.suite_complete else phrases.join_facts((name, _("not finished")))


def region_facts(run: Run) -> tuple[Fact, ...]:
    """Where the machine stands, where anybody says it, and with which others it counts."""
    if not run.region:
        return ()
    group = words.region(place_of(run.region, provider=run.provider_id or "").group)
    return (Fact(_("Region"), run.region, group),)


def placement_facts(run: Run) -> tuple[Fact, ...]:
    """What the machine names beside the claim, what decided, and in what they disagree."""
    reported = " ".join(each for each in (run.seen_provider, run.seen_instance_type) if each)
    metadata = part(part(run.environment, "env"), "cloud_metadata")
    answered = " ".join(
        each for name in ("provider", "instance_type", "region") if (each := text(metadata, name))
    )
    facts = [
        Fact("DMI", reported),
        Fact(_("Cloud metadata"), answered),
        Fact(_("Plan known by"), *words.PLAN_BASES.get(run.plan_basis, ("", ""))),
        *(Fact(_("Disagreement"), each) for each in conflict_sentences(run.placement_conflicts)),
    ]
    return tuple(fact for fact in facts if fact.value)


def restraint_facts(env: Mapping[str, object]) -> tuple[Fact, ...]:
    """What held the machine back, where anything did: its limits, its neighbours, its governor."""
    limits = part(env, "limits")
    limit_words = [
        words_of(amount)
        for name, words_of in LIMIT_WORDS.items()
        if (amount := whole(limits, name)) is not None
    ]
    steal, governor = whole(env, "steal_permille"), text(env, "cpu_governor")
    facts = (
        Fact("cgroup", phrases.join_facts(limit_words)),
        Fact("steal", f"{steal / 10:g} %" if steal else ""),
        Fact("scaling_governor", governor),
    )
    return tuple(fact for fact in facts if fact.value)


def system_facts(surroundings: RunSurroundings) -> tuple[Fact, ...]:
    """Kernel, filesystem and the layers between it and the drive."""
    env = surroundings.environment
    free, size = whole(env, "fs_free_bytes"), whole(env, "fs_size_bytes")
    room = room_words(free, size) if free is not None and size else ""
    return (
        Fact(_("Filesystem"), surroundings.filesystem, surroundings.mount_flags),
        Fact(_("Layers"), " / ".join(surroundings.layers)),
        Fact(_("Free space"), room),
        Fact(_("Kernel"), surroundings.kernel, surroundings.architecture),
    )


def room_words(free: int, size: int) -> str:
    """How much of a filesystem is free."""
    return f"{units.size(free)} / {units.size(size)}"


def clock_words(clock: Mapping[str, object]) -> tuple[str, str]:
    """The source of the clock, and what one reading of it costs."""
    cost = whole(clock, "read_cost_ns")
    return text(clock, "source"), units.latency(cost) if cost is not None else ""


def unsigned_run_facts(run: Run) -> tuple[Fact, ...]:
    """What a published result says about its machine: often little."""
    citation = getattr(run, "citation", None)
    drive = run.drive_reported or (run.drive_family.name if run.drive_family else "")
    family = run.drive_family.name if run.drive_family else ""
    label, notes = (citation.machine_label, citation.storage_notes) if citation else ("", "")
    return (
        Fact(_("Machine"), label, run.cpu_model),
        Fact(_("Drive"), drive, family if family != drive else ""),
        Fact(
            _("Protection"),
            words.plp_words(run.drive_family.plp) if run.drive_family else NOT_STATED,
        ),
        Fact(_("Storage"), notes, is_english=True),
        Fact(_("Kernel"), run.kernel),
        Fact(_("Filesystem"), run.filesystem),
        *(() if SAYS_CACHE.search(notes) else (Fact(_("Write cache"), NOT_STATED),)),
    )

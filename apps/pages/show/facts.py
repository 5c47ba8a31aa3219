"""What is known about the machine of a run, as lines of a list; missing facts too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.media import NAMES, Doubt, Reported, disagreements, medium_of_device
from apps.pages.show import phrases, units, words
from apps.plans.regions import place_of
from apps.runs.models import ChallengeUse, Measurement, Run
from apps.runs.rules import RULES
from apps.words.labels import conflict_sentences
from apps.words.sentences import sentences

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from apps.runs.figures import Words

NOT_STATED = ""

# In what a device and its family disagree; the rule of media has the words of the first.
DOUBTS: Final[dict[str, Words]] = {
    **RULES["medium-disagrees"].cases,
    Doubt.CALLED_WRITE_THROUGH: "The kernel takes the cache for write through; the drive says "
    "volatile.",
    Doubt.CALLED_WRITE_BACK: "The kernel takes the cache for write back; the drive says none is "
    "volatile.",
    Doubt.PROTECTED_CALLED_VOLATILE: "The device reports a volatile write cache; {family} keeps "
    "its cache through a power cut, and some such drives say volatile all the same.",
    Doubt.UNPROTECTED_CALLED_SAFE: "The device reports no volatile write cache; {family} has no "
    "power-loss protection as far as the catalogue knows.",
}
LIMIT_WORDS: dict[str, Callable[[int], str]] = {
    "cpu_milli": lambda amount: _("%(n)s processors") % {"n": f"{amount / 1000:g}"},
    "memory_bytes": lambda amount: _("%(size)s memory") % {"size": units.size(amount)},
    "io_weight": lambda amount: _("I/O weight %(n)s") % {"n": amount},
    "read_bytes_per_s": lambda amount: _("%(size)s/s read") % {"size": units.size(amount)},
    "write_bytes_per_s": lambda amount: _("%(size)s/s written") % {"size": units.size(amount)},
    "read_ops_per_s": lambda amount: _("%(n)s reads/s") % {"n": f"{amount:,}"},
    "write_ops_per_s": lambda amount: _("%(n)s writes/s") % {"n": f"{amount:,}"},
}
MTS_PER_GTS = 1000


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: what, which value, and a remark in small print."""

    name: str
    value: StrOrPromise
    remark: StrOrPromise = ""


def text(source: Mapping[str, object], name: str) -> str:
    """A text or number of the payload; empty where it is missing."""
    value = source.get(name)
    return "" if value is None or isinstance(value, dict | list) else str(value)


def whole(source: Mapping[str, object], name: str) -> int | None:
    """A whole number of the payload."""
    value = source.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def part(source: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object inside the payload; empty where it is missing."""
    value = source.get(name)
    return value if isinstance(value, dict) else {}


def items(source: Mapping[str, object], name: str) -> list[object]:
    """A list inside the payload; empty where it is missing."""
    value = source.get(name)
    return value if isinstance(value, list) else []


def yes_or_no(value: object) -> str:
    """A boolean as a word; what the kernel does not say is not stated."""
    return (_("yes") if value else _("no")) if isinstance(value, bool) else NOT_STATED


def machine_facts(run: Run) -> tuple[Fact, ...]:
    """Everything that the run says about where it was measured."""
    if run.upload_id is None:
        return published_facts(run)
    env = part(run.environment, "env")
    clock = part(run.environment, "clock")
    devices = [each for each in items(run.environment, "devices") if isinstance(each, dict)]
    return (
        *hardware_facts(run, env),
        *device_facts(run, devices),
        *system_facts(run, env),
        Fact(_("Clock"), text(clock, "source"), clock_remark(clock)),
        Fact(
            _("Agent"),
            f"fsyncmark {run.agent_version}".strip(),
            suite_words(run),
        ),
    )


def hardware_facts(run: Run, env: Mapping[str, object]) -> tuple[Fact, ...]:
    """What was claimed, and the processor and memory behind it."""
    provider = run.provider.name if run.provider else run.claimed_provider
    claimed = " ".join(each for each in (provider, run.claimed_plan) if each)
    cpus, ram = whole(env, "cpu_count"), whole(env, "ram_bytes")
    amounts = [words.count(cpus, "processor")] if cpus else []
    amounts += [_("%(size)s RAM") % {"size": units.size(ram)}] if ram else []
    cloud = " ".join(text(env, name) for name in ("cloud_vendor", "cloud_product")).strip()
    container = text(env, "container")
    around = [
        each
        for each in (cloud, container and _("inside %(container)s") % {"container": container})
        if each
    ]
    return (
        Fact(_("Claimed plan"), claimed, run.claimed_region),
        *region_facts(run),
        *placement_facts(run),
        Fact(_("Processor"), run.cpu_model or text(env, "cpu_model"), phrases.join_facts(amounts)),
        Fact(
            _("Virtualisation"),
            virtualisation(env),
            phrases.join_facts(around),
        ),
        *restraint_facts(env),
    )


def virtualisation(env: Mapping[str, object]) -> str:
    """What the machine runs inside; "none" is a word of the agent's."""
    virt = text(env, "virt")
    return _("none: bare metal") if virt == "none" else virt


def suite_words(run: Run) -> str:
    """Which suite a run is of, and whether it is all of it."""
    name = {"suite": run.suite, "version": run.suite_version}
    if run.suite_complete:
        return _("suite %(suite)s v%(version)s") % name
    return _("suite %(suite)s v%(version)s, a part of it") % name


def region_facts(run: Run) -> tuple[Fact, ...]:
    """Where the machine stands, where anybody says it, and with which others it counts."""
    if not run.region:
        return ()
    group = words.region(place_of(run.region, provider=run.provider_id or "").group)
    stands = (
        _("counts with %(group)s") % {"group": group} if group else _("not a region that we know")
    )
    return (Fact(_("Region"), run.region, stands),)


def placement_facts(run: Run) -> tuple[Fact, ...]:
    """What the machine names beside the claim, what decided, and in what they disagree."""
    seen = " ".join(each for each in (run.seen_provider, run.seen_instance_type) if each)
    metadata = part(part(run.environment, "env"), "cloud_metadata")
    answered = " ".join(
        each for name in ("provider", "instance_type", "region") if (each := text(metadata, name))
    )
    facts = [
        Fact(_("Firmware names"), seen, _("as the machine itself says")),
        Fact(_("Cloud metadata"), answered, _("as the cloud's service told the machine")),
        Fact(_("Placed by"), *words.PLAN_BASES.get(run.plan_basis, ("", ""))),
        *(Fact(_("Disagreement"), each) for each in conflict_sentences(run.placement_conflicts)),
    ]
    return tuple(fact for fact in facts if fact.value)


def restraint_facts(env: Mapping[str, object]) -> tuple[Fact, ...]:
    """What held the machine back, where anything did: its limits, its neighbours, its governor."""
    limits = part(env, "limits")
    stated = [
        words_of(amount)
        for name, words_of in LIMIT_WORDS.items()
        if (amount := whole(limits, name)) is not None
    ]
    steal, governor = whole(env, "steal_permille"), text(env, "cpu_governor")
    facts = (
        Fact(_("Limits"), phrases.join_facts(stated), _("of its control groups")),
        Fact(_("Steal"), f"{steal / 10:g} %" if steal else "", _("processor time given to others")),
        Fact(_("Governor"), governor, _("of the processor's clock")),
    )
    return tuple(fact for fact in facts if fact.value)


def device_facts(run: Run, devices: list[dict[str, object]]) -> tuple[Fact, ...]:
    """The drive as it reports itself, and what the kernel says about its cache."""
    family = run.drive_family.name if run.drive_family else ""
    first = devices[0] if devices else {}
    known = (
        _("recognised as %(family)s") % {"family": family}
        if family
        else _("not a drive that we know")
    )
    remark = [known if run.drive_reported else _("the kernel names no model")]
    if run.drive_firmware:
        remark.append(_("firmware %(name)s") % {"name": run.drive_firmware})
    if (size := whole(first, "size_bytes")) is not None:
        remark.append(units.size(size))
    if len(devices) > 1:
        remark.append(_("one of %(n)s") % {"n": len(devices)})
    cache = text(first, "write_cache")
    return (
        Fact(_("Drive"), run.drive_reported, phrases.join_facts(remark)),
        Fact(
            _("Protection"),
            words.plp_words(run.drive_family.plp) if run.drive_family else NOT_STATED,
            _("as the catalogue of drives has it") if run.drive_family else "",
        ),
        Fact(_("Attached by"), text(first, "transport"), text(first, "class")),
        *medium_facts(run, first),
        *link_facts(part(first, "pcie")),
        Fact(
            _("Write cache"),
            "" if cache == "unknown" else phrases.translate(cache),
            cache_remark(first),
        ),
        Fact(_("FUA"), yes_or_no(first.get("fua")), _("force unit access")),
        Fact(_("Scheduler"), text(first, "scheduler")),
        *wear_facts(first),
    )


def medium_facts(run: Run, device: Mapping[str, object]) -> tuple[Fact, ...]:
    """The medium by the device's own word, and where the drive's family says otherwise."""
    rotational, volatile = device.get("rotational"), device.get("volatile_write_cache")
    reported = Reported(
        device_class=text(device, "class"),
        transport=text(device, "transport"),
        rotational=rotational if isinstance(rotational, bool) else None,
        write_cache=text(device, "write_cache"),
        volatile_write_cache=volatile if isinstance(volatile, bool) else None,
    )
    family = run.drive_family
    doubts = disagreements(reported, family) if family else []
    return (
        Fact(
            _("Medium"),
            phrases.translate(NAMES[medium_of_device(reported)]),
            _("by the device's own word"),
        ),
        *(
            Fact(_("Disagreement"), each)
            for doubt in doubts
            for each in sentences(doubt, cases=DOUBTS)
        ),
    )


def link_facts(link: Mapping[str, object]) -> tuple[Fact, ...]:
    """The PCIe link of the drive, where the kernel names it."""
    speed, width = whole(link, "speed_mts"), whole(link, "width")
    most, widest = whole(link, "speed_max_mts"), whole(link, "width_max")
    if not (speed and width and most and widest):
        return ()
    is_narrowed = (speed, width) != (most, widest)
    most_words = f"{most / MTS_PER_GTS:g} GT/s \u00d7 {widest}"
    best = _("of %(link)s that it could") % {"link": most_words} if is_narrowed else ""
    return (Fact(_("PCIe link"), f"{speed / MTS_PER_GTS:g} GT/s \u00d7 {width}", best),)


def wear_facts(device: Mapping[str, object]) -> tuple[Fact, ...]:
    """How much of its rated endurance the drive says is used; mostly to root alone."""
    wear = whole(device, "wear_percent")
    return (
        () if wear is None else (Fact(_("Wear"), f"{wear} %", _("of the rated endurance is used")),)
    )


def cache_remark(device: Mapping[str, object]) -> str:
    """Who says so about the write cache: the kernel, and to root the drive."""
    volatile = device.get("volatile_write_cache")
    if not isinstance(volatile, bool):
        return _("as the kernel sees it")
    if volatile:
        return _("as the kernel sees it; the drive says volatile")
    return _("as the kernel sees it; the drive says none that is volatile")


def system_facts(run: Run, env: Mapping[str, object]) -> tuple[Fact, ...]:
    """Kernel, filesystem and the layers between it and the drive."""
    flags = ", ".join(str(flag) for flag in items(env, "mount_flags"))
    stack = _(" over ").join(str(layer) for layer in items(run.environment, "stack"))
    free, size = whole(env, "fs_free_bytes"), whole(env, "fs_size_bytes")
    room = room_words(free, size) if free is not None and size else ""
    other = part(env, "other_io")
    before = ""
    if (writes := whole(other, "writes")) is not None:
        reads = whole(other, "reads") or 0
        before = phrases.join_facts(
            (
                words.count(reads, "read"),
                words.count(writes, "write"),
            )
        )
    return (
        Fact(_("Filesystem"), run.filesystem or text(env, "fs"), flags),
        Fact(_("Layers"), stack),
        Fact(_("Free space"), room),
        Fact(_("Kernel"), run.kernel or text(env, "kernel"), text(env, "arch")),
        Fact(_("Other I/O"), before, _("on the device just before the run") if before else ""),
    )


def room_words(free: int, size: int) -> str:
    """How much of a filesystem is free."""
    return _("%(free)s of %(size)s") % {"free": units.size(free), "size": units.size(size)}


def clock_remark(clock: Mapping[str, object]) -> str:
    """What one reading of the clock costs."""
    cost = whole(clock, "read_cost_ns")
    return (
        _("one reading takes %(time)s") % {"time": units.latency(cost)} if cost is not None else ""
    )


def published_facts(run: Run) -> tuple[Fact, ...]:
    """What a published result says about its machine: often little."""
    citation = getattr(run, "citation", None)
    drive = run.drive_reported or (run.drive_family.name if run.drive_family else "")
    family = run.drive_family.name if run.drive_family else ""
    label = citation.machine_label if citation else ""
    file = run.imported_file
    sender = (
        _("said by who sent it, %(day)s") % {"day": units.day(file.received_at)} if file else ""
    )
    return (
        Fact(_("Machine"), label, phrases.join_facts((run.cpu_model, label and sender))),
        Fact(_("Drive"), drive, (drive and sender) or (family if family != drive else "")),
        Fact(
            _("Protection"),
            words.plp_words(run.drive_family.plp) if run.drive_family else NOT_STATED,
        ),
        Fact(_("Storage"), phrases.translate(citation.storage_notes) if citation else ""),
        Fact(_("System"), run.kernel),
        Fact(_("Filesystem"), run.filesystem),
        Fact(_("Write cache"), NOT_STATED),
    )


CHALLENGE_WORDS: dict[str, StrOrPromise] = {
    ChallengeUse.NONE: gettext_lazy("measured without a challenge"),
    ChallengeUse.REDEEMED: gettext_lazy("answered our challenge in time"),
    ChallengeUse.EXPIRED: gettext_lazy("answered our challenge too late"),
}


def operations(measurement: Measurement) -> str:
    """How many commits, or other operations, a measurement is of."""
    noun = "commit" if measurement.is_durable_single_writer else "operation"
    return words.count(measurement.operations or 0, noun)


def measurement_facts(measurement: Measurement) -> tuple[str, ...]:
    """Short facts about one measurement, as labels: shape, duration, operations."""
    facts = []
    if measurement.is_direct is not None:
        facts.append("O_DIRECT" if measurement.is_direct else _("buffered writes"))
    if measurement.queue_depth:
        many = measurement.queue_depth > 1
        facts.append(
            _("%(n)s in flight") % {"n": measurement.queue_depth} if many else _("one writer")
        )
    if measurement.operations:
        facts.append(operations(measurement))
    if measurement.elapsed_ns:
        facts.append(f"{units.latency(measurement.elapsed_ns)}")
    if measurement.bytes:
        facts.append(units.size(measurement.bytes))
    return tuple(facts)

"""What is known about the machine of a run, as lines of a list; missing facts are said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.drives.media import NAMES, Reported, disagreements, medium_of_device
from apps.drives.models import DriveFamily
from apps.pages import units, words
from apps.plans.models import Plan, Price, StorageKind
from apps.plans.regions import place_of
from apps.rankings.cost import price_month_per_tb
from apps.runs.models import ChallengeUse, Measurement, Run

NOT_STATED = ""


LIMIT_WORDS: dict[str, Callable[[int], str]] = {
    "cpu_milli": lambda amount: f"{amount / 1000:g} processors",
    "memory_bytes": lambda amount: f"{units.size(amount)} memory",
    "io_weight": lambda amount: f"I/O weight {amount}",
    "read_bytes_per_s": lambda amount: f"{units.size(amount)}/s read",
    "write_bytes_per_s": lambda amount: f"{units.size(amount)}/s written",
    "read_ops_per_s": lambda amount: f"{amount:,} reads/s",
    "write_ops_per_s": lambda amount: f"{amount:,} writes/s",
}
MTS_PER_GTS = 1000


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: what, which value, and a remark in small print."""

    name: str
    value: str
    remark: str = ""


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
    return {True: "yes", False: "no"}.get(value, NOT_STATED) if isinstance(value, bool) else ""


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
        Fact("Clock", text(clock, "source"), clock_remark(clock)),
        Fact(
            "Agent",
            f"fsyncmark {run.agent_version}".strip(),
            f"suite {run.suite} v{run.suite_version}"
            + ("" if run.suite_complete else ", a part of it"),
        ),
    )


def hardware_facts(run: Run, env: Mapping[str, object]) -> tuple[Fact, ...]:
    """What was claimed, and the processor and memory behind it."""
    provider = run.provider.name if run.provider else run.claimed_provider
    claimed = " ".join(each for each in (provider, run.claimed_plan) if each)
    cpus, ram = whole(env, "cpu_count"), whole(env, "ram_bytes")
    amounts = [words.count(cpus, "processor")] if cpus else []
    amounts += [f"{units.size(ram)} RAM"] if ram else []
    cloud = " ".join(text(env, name) for name in ("cloud_vendor", "cloud_product")).strip()
    virt, container = text(env, "virt"), text(env, "container")
    around = [each for each in (cloud, container and f"inside {container}") if each]
    return (
        Fact("Claimed plan", claimed, run.claimed_region),
        *region_facts(run),
        *placement_facts(run),
        Fact("Processor", run.cpu_model or text(env, "cpu_model"), ", ".join(amounts)),
        Fact("Virtualisation", "none: bare metal" if virt == "none" else virt, ", ".join(around)),
        *restraint_facts(env),
    )


def region_facts(run: Run) -> tuple[Fact, ...]:
    """Where the machine stands, where anybody says it, and with which others it counts."""
    if not run.region:
        return ()
    group = words.region(place_of(run.region, provider=run.provider_id or "").group)
    stands = f"counts with {group}" if group else "not a region that we know"
    return (Fact("Region", run.region, stands),)


def placement_facts(run: Run) -> tuple[Fact, ...]:
    """What the machine names beside the claim, what decided, and in what they disagree."""
    seen = " ".join(each for each in (run.seen_provider, run.seen_instance_type) if each)
    metadata = part(part(run.environment, "env"), "cloud_metadata")
    answered = " ".join(
        each for name in ("provider", "instance_type", "region") if (each := text(metadata, name))
    )
    facts = [
        Fact("Firmware names", seen, "as the machine itself says"),
        Fact("Cloud metadata", answered, "as the cloud's service told the machine"),
        Fact("Placed by", *words.PLAN_BASES.get(run.plan_basis, ("", ""))),
        *(Fact("Disagreement", each) for each in run.placement_conflicts),
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
        Fact("Limits", ", ".join(stated), "of its control groups"),
        Fact("Steal", f"{steal / 10:g} %" if steal else "", "processor time given to others"),
        Fact("Governor", governor, "of the processor's clock"),
    )
    return tuple(fact for fact in facts if fact.value)


def device_facts(run: Run, devices: list[dict[str, object]]) -> tuple[Fact, ...]:
    """The drive as it reports itself, and what the kernel says about its cache."""
    family = run.drive_family.name if run.drive_family else ""
    first = devices[0] if devices else {}
    known = f"recognised as {family}" if family else "not a drive that we know"
    remark = [known if run.drive_reported else "the kernel names no model"]
    if run.drive_firmware:
        remark.append(f"firmware {run.drive_firmware}")
    if (size := whole(first, "size_bytes")) is not None:
        remark.append(units.size(size))
    if len(devices) > 1:
        remark.append(f"one of {len(devices)}")
    cache = text(first, "write_cache")
    return (
        Fact("Drive", run.drive_reported, ", ".join(remark)),
        Fact(
            "Protection",
            words.plp_words(run.drive_family.plp) if run.drive_family else NOT_STATED,
            "as the catalogue of drives has it" if run.drive_family else "",
        ),
        Fact("Attached by", text(first, "transport"), text(first, "class")),
        *medium_facts(run, first),
        *link_facts(part(first, "pcie")),
        Fact("Write cache", "" if cache == "unknown" else cache, cache_remark(first)),
        Fact("FUA", yes_or_no(first.get("fua")), "force unit access"),
        Fact("Scheduler", text(first, "scheduler")),
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
    doubts = disagreements(reported, family) if family else ()
    return (
        Fact("Medium", NAMES[medium_of_device(reported)], "by the device's own word"),
        *(Fact("Disagreement", each) for each in doubts),
    )


def link_facts(link: Mapping[str, object]) -> tuple[Fact, ...]:
    """The PCIe link of the drive, where the kernel names it."""
    speed, width = whole(link, "speed_mts"), whole(link, "width")
    most, widest = whole(link, "speed_max_mts"), whole(link, "width_max")
    if not (speed and width and most and widest):
        return ()
    is_narrowed = (speed, width) != (most, widest)
    best = f"of {most / MTS_PER_GTS:g} GT/s \u00d7 {widest} that it could" if is_narrowed else ""
    return (Fact("PCIe link", f"{speed / MTS_PER_GTS:g} GT/s \u00d7 {width}", best),)


def wear_facts(device: Mapping[str, object]) -> tuple[Fact, ...]:
    """How much of its rated endurance the drive says is used; mostly only root is told."""
    wear = whole(device, "wear_percent")
    return () if wear is None else (Fact("Wear", f"{wear} %", "of the rated endurance is used"),)


def cache_remark(device: Mapping[str, object]) -> str:
    """Who says so about the write cache: the kernel, and to root the drive."""
    by_drive = {True: "; the drive says volatile", False: "; the drive says none that is volatile"}
    volatile = device.get("volatile_write_cache")
    return "as the kernel sees it" + (by_drive[volatile] if isinstance(volatile, bool) else "")


def system_facts(run: Run, env: Mapping[str, object]) -> tuple[Fact, ...]:
    """Kernel, filesystem and the layers between it and the drive."""
    flags = ", ".join(str(flag) for flag in items(env, "mount_flags"))
    stack = " over ".join(str(layer) for layer in items(run.environment, "stack"))
    free, size = whole(env, "fs_free_bytes"), whole(env, "fs_size_bytes")
    room = f"{units.size(free)} of {units.size(size)}" if free is not None and size else ""
    other = part(env, "other_io")
    before = ""
    if (writes := whole(other, "writes")) is not None:
        reads = whole(other, "reads") or 0
        before = f"{words.count(reads, 'read')}, {words.count(writes, 'write')}"
    return (
        Fact("Filesystem", run.filesystem or text(env, "fs"), flags),
        Fact("Layers", stack),
        Fact("Free space", room),
        Fact("Kernel", run.kernel or text(env, "kernel"), text(env, "arch")),
        Fact("Other I/O", before, "on the device just before the run" if before else ""),
    )


def clock_remark(clock: Mapping[str, object]) -> str:
    """What one reading of the clock costs."""
    cost = whole(clock, "read_cost_ns")
    return f"one reading takes {units.latency(cost)}" if cost is not None else ""


def published_facts(run: Run) -> tuple[Fact, ...]:
    """What a published result says about its machine: often little."""
    citation = getattr(run, "citation", None)
    drive = run.drive_reported or (run.drive_family.name if run.drive_family else "")
    family = run.drive_family.name if run.drive_family else ""
    label = citation.machine_label if citation else ""
    file = run.imported_file
    said = f"said by who sent it, {units.day(file.received_at)}" if file else ""
    return (
        Fact("Machine", label, ", ".join(filter(None, (run.cpu_model, label and said)))),
        Fact("Drive", drive, (drive and said) or (family if family != drive else "")),
        Fact(
            "Protection",
            words.plp_words(run.drive_family.plp) if run.drive_family else NOT_STATED,
        ),
        Fact("Storage", citation.storage_notes if citation else ""),
        Fact("System", run.kernel),
        Fact("Filesystem", run.filesystem),
        Fact("Write cache", NOT_STATED),
    )


CHALLENGE_WORDS: dict[str, str] = {
    ChallengeUse.NONE: "measured without a challenge",
    ChallengeUse.REDEEMED: "answered our challenge in time",
    ChallengeUse.EXPIRED: "answered our challenge too late",
}


def measurement_facts(measurement: Measurement) -> tuple[str, ...]:
    """Short facts about one measurement, as labels: shape, duration, operations."""
    facts = []
    if measurement.is_direct is not None:
        facts.append("O_DIRECT" if measurement.is_direct else "buffered writes")
    if measurement.queue_depth:
        many = measurement.queue_depth > 1
        facts.append(f"{measurement.queue_depth} in flight" if many else "one writer")
    if measurement.operations:
        noun = "commit" if measurement.is_durable_single_writer else "operation"
        facts.append(words.count(measurement.operations, noun))
    if measurement.elapsed_ns:
        facts.append(f"{units.latency(measurement.elapsed_ns)}")
    if measurement.bytes:
        facts.append(units.size(measurement.bytes))
    return tuple(facts)


def terabyte_fact(plan: Plan, price: Price | None) -> tuple[Fact, ...]:
    """What a terabyte of a plan costs, where both are known."""
    if price is None or not plan.drive_gb:
        return ()
    cost = price_month_per_tb(price, drive_count=plan.drive_count, drive_gb=plan.drive_gb)
    amount = f"{units.money(cost, price.currency)} a month"
    return (Fact("A terabyte", amount, "the whole price over the capacity of all disks"),)


def plan_facts(plan: Plan, price: Price | None) -> tuple[Fact, ...]:
    """What the provider says about a plan, and what its capacity costs at the price that counts."""
    storage = str(StorageKind(plan.storage_kind).label) if plan.storage_kind else NOT_STATED
    drives = f"{plan.drive_count} \u00d7 " if plan.drive_count else ""
    drives += f"{units.stated(plan.drive_gb)} GB" if plan.drive_gb else ""
    memory = f"{units.stated(plan.ram_gb)} GB" if plan.ram_gb else ""
    cpus = words.count(plan.vcpus, "vCPU") if plan.vcpus else ""
    return (
        Fact("Kind", plan.kind),
        Fact("Processor", plan.cpu or cpus, cpus if plan.cpu else ""),
        Fact("Memory", memory),
        Fact("Storage", plan.storage_description, storage or "local or network: not stated"),
        Fact("Disks", drives),
        *terabyte_fact(plan, price),
        Fact(
            "Drive named",
            plan.drive_family_hint,
            "a hint: providers mix drives" if plan.drive_family_hint else "",
        ),
        Fact("Architecture", plan.arch),
        Fact("Regions", plan.regions),
    )


def source_words(source: str) -> str:
    """The source of a row of the catalogue; its "verified" means that somebody looked there."""
    prefix, colon, rest = source.partition(":")
    return f"looked up:{rest}" if colon and prefix == "verified" else source


def drive_facts(drive: DriveFamily) -> tuple[Fact, ...]:
    """What the data sheet says about a drive family."""
    writes, reads = drive.rated_rand_write_iops, drive.rated_rand_read_iops
    capacities = drive.capacities_gb.replace(";", ", ")
    endurance = drive.endurance_dwpd
    sequential = ", ".join(
        f"{value:,} MB/s {what}"
        for value, what in (
            (drive.rated_seq_read_mbps, "read"),
            (drive.rated_seq_write_mbps, "written"),
        )
        if value
    )
    return (
        Fact("Maker", drive.vendor, drive.segment),
        Fact("Protection", words.plp_words(drive.plp)),
        Fact(
            "Interface",
            words.INTERFACES.get(drive.interface, drive.interface),
            drive.protocol_generation,
        ),
        Fact("Form factor", drive.form_factor.replace(";", ", ")),
        Fact("Flash", drive.nand.upper(), f"DRAM: {drive.dram}" if drive.dram else ""),
        Fact("Capacities", f"{capacities} GB" if capacities else NOT_STATED),
        Fact("Released", drive.released),
        Fact(
            "Rated writes",
            f"{writes:,} random writes/s" if writes else NOT_STATED,
            "without a sync, many in flight, fresh drive" if writes else "",
        ),
        Fact("Rated reads", f"{reads:,} random reads/s" if reads else NOT_STATED),
        Fact("Rated in order", sequential),
        Fact(
            "Endurance",
            f"{endurance.normalize():f} drive write{'' if endurance == 1 else 's'} a day"
            if endurance
            else NOT_STATED,
        ),
        Fact("Source", source_words(drive.source)),
    )

"""How one workload was measured, as lines of a list: its shape, its engine, what it cost."""

from apps.pages import units
from apps.pages.facts import Fact
from apps.pages.workloads import (
    cpu_words,
    depth_words,
    device_words,
    engine_words,
)
from apps.runs.models import Measurement
from apps.wire.suites import WorkloadDefinition, find_workload

STATES = {
    "overwritten": "every block was written and made durable before",
    "growing": "empty at first: each write makes it longer",
    "fallocated": "allocated and never written: each write turns extents into written ones",
}
SYNCS = {
    "fdatasync": "fdatasync",
    "fsync": "fsync",
    "o_dsync": "the file is opened with O_DSYNC",
    "rwf_dsync": "each write carries RWF_DSYNC",
    "none": "nothing",
}
ENDINGS = {
    "time": "its time was over",
    "bytes": "its bytes were used up",
    "time-limit": "the longest time it may take was over",
    "interrupted": "it was interrupted",
    "error": "the device or filesystem failed",
}


def workload_facts(measurement: Measurement) -> tuple[Fact, ...]:
    """Everything that is known; lines without a value are left out."""
    definition = find_workload(measurement.workload, version=measurement.version)
    facts = (
        *(shape_facts(definition) if definition else ()),
        Fact("Measured by", engine_words(measurement)),
        Fact("Queue", depth_words(measurement), "by Little's law, from all latencies"),
        Fact("Processor time", cpu_words(measurement), "of this process, for each operation"),
        Fact("Stalls", stall_words(measurement), "of the time, in operations of over ten medians"),
        Fact(
            "Device",
            ", ".join(device_words(measurement)),
            "as /proc/diskstats counts them, whoever wrote",
        ),
        Fact("Passes", str(len(measurement.passes) or ""), endings_of(measurement)),
        Fact(
            "Moved",
            f"{units.size(measurement.bandwidth_bytes_per_s)}/s"
            if measurement.bandwidth_bytes_per_s
            else "",
        ),
    )
    return tuple(fact for fact in facts if fact.value)


def shape_facts(definition: WorkloadDefinition) -> tuple[Fact, ...]:
    """What its definition says: for ever the same for this name and version."""
    area = (
        f"{units.size(definition.area_bytes)} of it are used"
        if definition.area_bytes != definition.file_bytes
        else ""
    )
    each = f", each with {definition.queue_depth} in flight" if definition.queue_depth > 1 else ""
    way = "through the page cache" if definition.page_cache else "past it, by O_DIRECT"
    return (
        Fact(
            "Operation",
            f"{definition.operation} of {units.size(definition.block_bytes)}"
            if definition.block_bytes
            else definition.operation,
            f"{definition.access}, {way}",
        ),
        Fact("Made durable by", SYNCS.get(definition.sync, definition.sync)),
        Fact("File", units.size(definition.file_bytes), area),
        Fact("State of the file", definition.file_state, STATES.get(definition.file_state, "")),
        Fact("Writers", f"{definition.writers}{each}"),
    )


def stall_words(measurement: Measurement) -> str:
    """The share of the time that the longest operations took; of one at a time only."""
    share = measurement.stall_share_milli
    is_alone = measurement.queue_depth == 1 and measurement.operation != "mix"
    return f"{share / 10:g} %" if share is not None and is_alone else ""


def endings_of(measurement: Measurement) -> str:
    """Why its passes ended."""
    reasons = dict.fromkeys(str(each.get("ended_by", "")) for each in measurement.passes)
    known = [ENDINGS[reason] for reason in reasons if reason in ENDINGS]
    return f"ended when {' or '.join(known)}" if known else ""

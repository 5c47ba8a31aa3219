"""How one workload was measured, as lines of a list: its shape, its engine, what it cost."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.run.workloads import cpu_words, depth_words, device_words, engine_words
from apps.pages.show import phrases, units
from apps.pages.show.facts.fact import Fact
from apps.runs.models import Measurement
from apps.wire.suites import WorkloadDefinition, find_workload

STATES = {
    "overwritten": gettext_lazy("every block was written and made durable before"),
    "growing": gettext_lazy("empty at first: each write makes it longer"),
    "fallocated": gettext_lazy(
        "allocated and never written: each write turns extents into written ones"
    ),
}
SYNCS = {
    "fdatasync": "fdatasync",
    "fsync": "fsync",
    "o_dsync": gettext_lazy("the file is opened with O_DSYNC"),
    "rwf_dsync": gettext_lazy("each write carries RWF_DSYNC"),
    "none": gettext_lazy("nothing"),
}
ENDINGS = {
    "time": gettext_lazy("its time was over"),
    "bytes": gettext_lazy("its bytes were used up"),
    "time-limit": gettext_lazy("the longest time it may take was over"),
    "interrupted": gettext_lazy("it was interrupted"),
    "error": gettext_lazy("the device or filesystem failed"),
}


OPERATIONS = {
    "commit": gettext_lazy("commit"),
    "group-commit": gettext_lazy("group commit"),
    "batch": gettext_lazy("batch"),
    "doublewrite": gettext_lazy("doublewrite"),
    "mix": gettext_lazy("mix"),
    "read": gettext_lazy("read"),
    "write": gettext_lazy("write"),
    "clock-gap": gettext_lazy("clock gap"),
}
ACCESS = {"random": gettext_lazy("random"), "sequential": gettext_lazy("sequential")}
FILE_STATES = {
    "overwritten": gettext_lazy("overwritten"),
    "growing": gettext_lazy("growing"),
    "fallocated": gettext_lazy("fallocated"),
}


def workload_facts(measurement: Measurement) -> tuple[Fact, ...]:
    """Everything that is known; lines without a value are left out."""
    definition = find_workload(measurement.workload, version=measurement.version)
    facts = (
        *(shape_facts(definition) if definition else ()),
        Fact(_("Measured by"), engine_words(measurement)),
        Fact(_("Queue"), depth_words(measurement), _("by Little's law, from all latencies")),
        Fact(_("Processor time"), cpu_words(measurement), _("of this process, for each operation")),
        Fact(
            _("Stalls"),
            stall_words(measurement),
            _("of the time, in operations of over ten medians"),
        ),
        Fact(
            _("Device"),
            phrases.join_facts(device_words(measurement)),
            _("as /proc/diskstats counts them, whoever wrote"),
        ),
        Fact(_("Passes"), str(len(measurement.passes) or ""), endings_of(measurement)),
        Fact(
            _("Moved"),
            f"{units.size(measurement.bandwidth_bytes_per_s)}/s"
            if measurement.bandwidth_bytes_per_s
            else "",
        ),
    )
    return tuple(fact for fact in facts if fact.value)


def shape_facts(definition: WorkloadDefinition) -> tuple[Fact, ...]:
    """What its definition says: for ever the same for this name and version."""
    area = (
        _("%(size)s of it are used") % {"size": units.size(definition.area_bytes)}
        if definition.area_bytes != definition.file_bytes
        else ""
    )
    writers = f"{definition.writers}"
    if definition.queue_depth > 1:
        writers = _("%(writers)s, each with %(depth)s in flight") % {
            "writers": definition.writers,
            "depth": definition.queue_depth,
        }
    way = _("%(access)s, through the page cache") if definition.page_cache else ""
    way = way or _("%(access)s, past the page cache, by O_DIRECT")
    operation = str(OPERATIONS.get(definition.operation, definition.operation))
    return (
        Fact(
            _("Operation"),
            _("%(operation)s of %(size)s")
            % {"operation": operation, "size": units.size(definition.block_bytes)}
            if definition.block_bytes
            else operation,
            way % {"access": ACCESS.get(definition.access, definition.access)},
        ),
        Fact(_("Made durable by"), str(SYNCS.get(definition.sync, definition.sync))),
        Fact(_("File"), units.size(definition.file_bytes), area),
        Fact(
            _("State of the file"),
            str(FILE_STATES.get(definition.file_state, definition.file_state)),
            str(STATES.get(definition.file_state, "")),
        ),
        Fact(_("Writers"), writers),
    )


def stall_words(measurement: Measurement) -> str:
    """The share of the time that the longest operations took; of one at a time only."""
    share = measurement.stall_share_milli
    is_alone = measurement.queue_depth == 1 and measurement.operation != "mix"
    return f"{share / 10:g} %" if share is not None and is_alone else ""


def endings_of(measurement: Measurement) -> str:
    """Why its passes ended."""
    reasons = dict.fromkeys(str(each.get("ended_by", "")) for each in measurement.passes)
    endings = [str(ENDINGS[reason]) for reason in reasons if reason in ENDINGS]
    if not endings:
        return ""
    return _("ended when %(reasons)s") % {"reasons": _(" or ").join(endings)}

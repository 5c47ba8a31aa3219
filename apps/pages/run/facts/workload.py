"""How one workload was measured, as lines of a list: its shape, its engine, what it cost."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.run.workloads import (
    STALL_REMARK,
    cpu_words,
    depth_words,
    device_words,
    engine_words,
)
from apps.pages.show import phrases, units
from apps.pages.show.facts.fact import Fact
from apps.runs.models import Measurement
from apps.wire.suites import WorkloadDefinition, find_workload

SYNCS = {
    "o_dsync": "O_DSYNC",
    "rwf_dsync": "RWF_DSYNC",
    "none": gettext_lazy("no sync"),
}
# Why a pass ended before its time or its bytes were used up.
CUT_SHORT = {
    "time-limit": gettext_lazy("cut short"),
    "interrupted": gettext_lazy("cut short"),
    "error": gettext_lazy("the device or filesystem failed"),
}
FILE_STATES = {
    "overwritten": gettext_lazy("overwritten"),
    "growing": gettext_lazy("growing"),
    "fallocated": gettext_lazy("preallocated"),
}


def workload_facts(measurement: Measurement) -> tuple[Fact, ...]:
    """Everything that is known; lines without a value are left out."""
    definition = find_workload(measurement.workload, version=measurement.version)
    facts = (
        *(shape_facts(definition) if definition else ()),
        Fact(_("Measured by"), engine_words(measurement)),
        Fact(_("In flight on average"), depth_words(measurement)),
        Fact(_("Processor time of each"), cpu_words(measurement)),
        Fact(_("Stalls"), stall_words(measurement), STALL_REMARK),
        Fact("/proc/diskstats", phrases.join_facts(device_words(measurement))),
        Fact(_("Passes"), str(len(measurement.passes) or ""), cut_short(measurement)),
    )
    return tuple(fact for fact in facts if fact.value)


def shape_facts(definition: WorkloadDefinition) -> tuple[Fact, ...]:
    """What its definition says: for ever the same for this name and version."""
    file = units.size(definition.file_bytes)
    if definition.area_bytes != definition.file_bytes:
        file = f"{units.size(definition.area_bytes)} / {file}"
    state = str(FILE_STATES.get(definition.file_state, definition.file_state))
    writers = f"{definition.writers}"
    if definition.queue_depth > 1:
        writers = f"{writers} \u00d7 {definition.queue_depth}"
    size = units.size(definition.block_bytes) if definition.block_bytes else ""
    way = _("buffered writes") if definition.page_cache else "O_DIRECT"
    return (
        Fact(
            _("Work"),
            " ".join(filter(None, (definition.operation, size))),
            phrases.join_facts((definition.access, way)),
        ),
        Fact(capfirst(_("sync")), str(SYNCS.get(definition.sync, definition.sync))),
        Fact(_("File"), file, state),
        Fact(_("Writers"), writers),
    )


def stall_words(measurement: Measurement) -> str:
    """The share of the time that the longest operations took; of one at a time only."""
    share = measurement.stall_share_milli
    is_alone = measurement.queue_depth == 1 and measurement.operation != "mix"
    return f"{share / 10:g} %" if share is not None and is_alone else ""


def cut_short(measurement: Measurement) -> str:
    """Why passes ended before they were done; nothing where all were."""
    reasons = dict.fromkeys(str(each.get("ended_by", "")) for each in measurement.passes)
    said = (str(CUT_SHORT[reason]) for reason in reasons if reason in CUT_SHORT)
    return phrases.join_facts(dict.fromkeys(said))

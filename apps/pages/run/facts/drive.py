"""What is known about the drive of a run, as lines of a list."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from apps.drives.media import NAMES, DeviceReport, disagreements, medium_of_device
from apps.pages.show import phrases, units, words
from apps.pages.show.facts.fact import NOT_STATED, Fact, yes_or_no
from apps.pages.show.facts.payload import RunSurroundings, part, text, whole
from apps.runs.models import Run
from apps.words.device_doubts import DEVICE_DOUBTS
from apps.words.sentences import sentences

MTS_PER_GTS = 1000


def device_facts(run: Run, surroundings: RunSurroundings) -> tuple[Fact, ...]:
    """The drive as it reports itself, and what the kernel says about its cache."""
    device, family = surroundings.device, run.drive_family
    unknown = _("nobody has named it yet") if run.drive_reported else ""
    remark = [family.name if family else unknown]
    if run.drive_firmware:
        remark.append(phrases.with_name(_("the firmware"), run.drive_firmware))
    if surroundings.drive_bytes is not None:
        remark.append(units.size(surroundings.drive_bytes))
    if surroundings.n_devices > 1:
        remark.append(f"1 / {surroundings.n_devices}")
    return (
        Fact(_("Drive"), run.drive_reported, phrases.join_facts(remark)),
        Fact(_("Protection"), words.plp_words(family.plp) if family else NOT_STATED),
        Fact(_("Attached by"), surroundings.transport, text(device, "class")),
        *medium_facts(run, device),
        *link_facts(part(device, "pcie")),
        Fact(_("Write cache"), surroundings.write_cache, cache_remark(device)),
        Fact("FUA", yes_or_no(device.get("fua"))),
        Fact(_("Scheduler"), surroundings.scheduler),
        *wear_facts(device),
    )


def medium_facts(run: Run, device: Mapping[str, object]) -> tuple[Fact, ...]:
    """The medium by the device's own word, and where the drive's family says otherwise."""
    rotational, volatile = device.get("rotational"), device.get("volatile_write_cache")
    reported = DeviceReport(
        device_class=text(device, "class"),
        transport=text(device, "transport"),
        rotational=rotational if isinstance(rotational, bool) else None,
        write_cache=text(device, "write_cache"),
        volatile_write_cache=volatile if isinstance(volatile, bool) else None,
    )
    family = run.drive_family
    doubts = disagreements(reported, family) if family else []
    return (
        Fact(_("Medium"), phrases.translate(NAMES[medium_of_device(reported)])),
        *(
            Fact(_("Disagreement"), each)
            for doubt in doubts
            for each in sentences(doubt, cases=DEVICE_DOUBTS)
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
    best = f"\u2264 {most_words}" if is_narrowed else ""
    return (Fact("PCIe", f"{speed / MTS_PER_GTS:g} GT/s \u00d7 {width}", best),)


def wear_facts(device: Mapping[str, object]) -> tuple[Fact, ...]:
    """How much of its rated endurance the drive says is used; mostly to root alone."""
    wear = whole(device, "wear_percent")
    return () if wear is None else (Fact("SMART percentage used", f"{wear} %"),)


def cache_remark(device: Mapping[str, object]) -> str:
    """What the drive says about its cache, to root alone; the value is what the kernel sees."""
    volatile = device.get("volatile_write_cache")
    if not isinstance(volatile, bool):
        return ""
    return phrases.with_name("VWC", yes_or_no(volatile))

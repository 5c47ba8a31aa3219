"""Judges an imported output by what physics and its surroundings say against its durability.

Rules for uploads need what only the agent reports. Three of them speak of an output too: its files
lay in memory, were mounted without barriers, or its mean commit is quicker than any medium of its
class. Then nothing of it is called durable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apps.drives.models import DriveFamily
from apps.drives.recognition import recognise
from apps.runs.imported.facts import FILESYSTEM, MOUNT_OPTIONS, SEPARATOR
from apps.runs.imported.figures import latencies_of, measurement_of
from apps.runs.ladder.floors import floor_of
from apps.runs.rules import label_of
from apps.runs.rules.environment.storage import barriers_off, memory_filesystem
from apps.runs.rules.physics import faster_than_medium

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from apps.runs.figures import Figures
    from apps.runs.ladder.floors import Floor
    from apps.runs.models import Label, Latency, Measurement, Run

NS_PER_S: Final = 1_000_000_000
NOT_DURABLE: Final = "write"  # the operation of what was a commit until it was judged


@dataclass(frozen=True, slots=True)
class JudgedOutput:
    """The unsaved rows of an output, one for each of its jobs, and what speaks against them."""

    measurements: tuple[Measurement, ...]
    headline: Measurement | None  # what stands for it
    latencies: tuple[Latency, ...]  # of the headline
    labels: tuple[Label, ...]

    @property
    def headline_first(self) -> list[Measurement]:
        """The rows in the order in which pages list them."""
        return sorted(self.measurements, key=lambda each: each is not self.headline)


def judge_output(
    document: Mapping[str, Any], *, run: Run, floor: Floor, released: Collection[str] = ()
) -> JudgedOutput:
    """Return the rows of an output; where a label speaks against them, none is durable.

    A moderator may have released the run from some rules.
    """
    jobs = document["jobs"]
    measurements = [
        measurement_of(job, run=run, tool=document["tool"], place=place)
        for place, job in enumerate(jobs, start=1)
    ]
    places = sorted(range(len(jobs)), key=lambda place: _headline_key(jobs[place]))
    labels = _labels(document["facts"], measurements, floor=floor, released=released)
    if not all(label.is_released for label in labels):
        call_none_durable(measurements)
    headline = measurements[places[0]] if places else None
    latencies = latencies_of(jobs[places[0]], measurement=headline) if headline else []
    return JudgedOutput(tuple(measurements), headline, tuple(latencies), tuple(labels))


def call_none_durable(measurements: Iterable[Measurement]) -> None:
    """Turn commits into writes, because something speaks against their durability."""
    for each in measurements:
        if each.is_durable_single_writer:
            each.is_durable_single_writer, each.operation = False, NOT_DURABLE


def family_of_claim(model: str) -> DriveFamily | None:
    """Return the family of the drive that a sender named, if the catalogue has it.

    By its own name, as the form completes it, else by what a drive calls itself.
    """
    if not model:
        return None
    families = DriveFamily.objects.select_related("ladder_class")
    if (named := families.filter(name__iexact=model).first()) is not None:
        return named
    slug = recognise(vendor="", model=model)
    return families.get(pk=slug) if slug else None


def floor_of_family(family: DriveFamily | None) -> Floor:
    """Return the shortest commit on a drive of a family; on any device where none was named."""
    return floor_of(family.ladder_class if family else None, [family])


def _headline_key(job: Mapping[str, Any]) -> tuple[bool, bool]:
    """Return what sorts the job first that stands for its output: the tool's own default."""
    return not job["is_durable_single_writer"], not job.get("is_default", False)


def _labels(
    facts: Mapping[str, str],
    measurements: Sequence[Measurement],
    *,
    floor: Floor,
    released: Collection[str],
) -> list[Label]:
    findings = (
        (memory_filesystem.RULE, _in_memory(facts)),
        (barriers_off.RULE, without_barriers(facts.get(MOUNT_OPTIONS, "").split(SEPARATOR))),
        (faster_than_medium.RULE, below_floor(measurements, floor=floor)),
    )
    return [
        label_of(rule, figures, is_released=rule.id in released)
        for rule, figures in findings
        if figures is not None
    ]


def without_barriers(mount_options: Iterable[str]) -> Figures | None:
    """Return the mount options that keep flushes from a drive, or None."""
    flags = barriers_off.BARRIERS_OFF.intersection(mount_options)
    return {"flags": sorted(flags)} if flags else None


def below_floor(measurements: Iterable[Measurement], *, floor: Floor) -> Figures | None:
    """Return the quickest mean commit if it is below the floor: outputs rarely have a median."""
    rates = [each.rate_per_s for each in measurements if each.is_durable_single_writer]
    quickest = max((rate for rate in rates if rate), default=None)
    if quickest is None or NS_PER_S / quickest >= floor.floor_ns:
        return None
    return {
        "case": faster_than_medium.MEAN,
        "mean_ns": round(NS_PER_S / quickest),
        "class": floor.id,
        "floor_ns": floor.floor_ns,
    }


def _in_memory(facts: Mapping[str, str]) -> Figures | None:
    layer = facts.get(FILESYSTEM, "")
    return {"layer": layer} if layer in memory_filesystem.MEMORY_LAYERS else None

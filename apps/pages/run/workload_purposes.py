"""What a workload of a run is for, by the fields of its definition and never by its name."""

from collections.abc import Iterable

from apps.runs.models import Measurement
from apps.wire.suites import HEADLINE_WORKLOAD, WorkloadDefinition, find_workload


def definition_of(measurement: Measurement) -> WorkloadDefinition | None:
    """The definition of a workload; None of one that no suite of ours has."""
    return find_workload(measurement.workload, version=measurement.version)


def with_definitions(
    measurements: Iterable[Measurement],
) -> list[tuple[Measurement, WorkloadDefinition]]:
    """The measurements of our suites, each with its definition."""
    pairs = ((each, definition_of(each)) for each in measurements)
    return [(each, definition) for each, definition in pairs if definition is not None]


def is_search(workload: WorkloadDefinition) -> bool:
    """Whether it looks for the highest rate below a limit of p99."""
    return workload.p99_ns_max is not None


def has_several_writers(workload: WorkloadDefinition) -> bool:
    """Whether several writers wait for one operation each."""
    return workload.writers > 1 and workload.queue_depth == 1


def is_flush(workload: WorkloadDefinition) -> bool:
    """Whether it writes some bytes, or none, and times the flush after them."""
    return workload.operation == "batch"


def is_area(workload: WorkloadDefinition) -> bool:
    """Whether it reads a part of the file, one read at a time, in passes that are compared."""
    is_alone = workload.writers * workload.queue_depth == 1
    return workload.operation == "read" and is_alone and workload.passes > 1


def compares_contents(workload: WorkloadDefinition) -> bool:
    """Whether it writes what takes turns with other bytes: zeros with random ones."""
    return (
        workload.operation == "commit" and workload.stage == "together" and not is_search(workload)
    )


def is_lasting(workload: WorkloadDefinition) -> bool:
    """Whether it writes until caches are full and credits used up, after everything else."""
    return workload.stage == "last"


def is_filling(workload: WorkloadDefinition) -> bool:
    """Whether it is the lasting write of a fresh file, in which a cliff shows."""
    return is_lasting(workload) and workload.file_state == "fallocated"


def is_rounds(workload: WorkloadDefinition) -> bool:
    """Whether it is the lasting write in rounds, by which a steady state is judged."""
    return is_lasting(workload) and workload.passes > 1


def is_probe(workload: WorkloadDefinition) -> bool:
    """Whether it asks what the device or the machine does, not how fast it is."""
    asks = (is_flush, is_area, compares_contents)
    return workload.operation == "clock-gap" or any(each(workload) for each in asks)


def needs_passes(measurement: Measurement) -> bool:
    """Whether its findings are in its single passes."""
    if measurement.workload == HEADLINE_WORKLOAD:
        return True
    workload = definition_of(measurement)
    asks = (is_search, is_area, compares_contents, is_filling, is_rounds)
    return workload is not None and any(each(workload) for each in asks)

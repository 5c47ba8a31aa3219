"""Every workload that has a definition: those of our suites, and those of published figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from apps.runs.published.comparable import comparable_class
from apps.runs.published.services import published_workloads
from apps.wire.suites import ComparableClass, WorkloadDefinition, suites


@dataclass(frozen=True, slots=True)
class DefinedWorkload:
    """One version of a workload; of a published one nothing but its operation is defined."""

    id: str
    version: int
    title: str  # in English
    operation: str
    is_durable_single_writer: bool
    comparable_class: ComparableClass
    suites: tuple[str, ...] = ()  # that measure it: quick/1
    definition: WorkloadDefinition | None = None


@cache
def defined_workloads() -> tuple[DefinedWorkload, ...]:
    """Return them all, by id and version."""
    ours: dict[tuple[str, int], DefinedWorkload] = {}
    for suite in suites().values():
        for each in suite.workloads:
            before = ours.get((each.id, each.version))
            names = (*(before.suites if before else ()), f"{suite.id}/{suite.version}")
            ours[each.id, each.version] = _of_suite(each, names)
    published = [
        DefinedWorkload(
            id=slug,
            version=1,
            title=entry["title"],
            operation=entry["operation"],
            is_durable_single_writer=entry["is_durable_single_writer"],
            comparable_class=comparable_class(slug),
        )
        for slug, entry in published_workloads().items()
        if (slug, 1) not in ours
    ]
    return tuple(sorted((*ours.values(), *published), key=lambda each: (each.id, each.version)))


def _of_suite(each: WorkloadDefinition, names: tuple[str, ...]) -> DefinedWorkload:
    return DefinedWorkload(
        id=each.id,
        version=each.version,
        title=each.title,
        operation=each.operation,
        is_durable_single_writer=each.is_durable_single_writer,
        comparable_class=each.comparable_class,
        suites=names,
        definition=each,
    )

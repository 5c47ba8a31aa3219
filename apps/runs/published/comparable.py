"""The class of comparable work of any workload, the agent's and those that others published."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from apps.runs.published.services import published_workloads
from apps.wire.suites import suites

if TYPE_CHECKING:
    from apps.wire.suites import ComparableClass

OVERWRITE: Final[ComparableClass] = 1
WITH_METADATA: Final[ComparableClass] = 2
APART: Final[ComparableClass] = 3


def comparable_class(workload: str) -> ComparableClass:
    """Return the class: 1 overwrite with data sync, 2 with metadata in each sync, 3 all else.

    The agent's own follow from their definitions; of others `published_workloads.json` says it, and
    what nobody has classed is apart (3). Classes 1 and 2 may stand in one list, in this order;
    ranks stay within one workload.
    """
    return _classes().get(workload, APART)


def workloads_of(comparable: ComparableClass) -> frozenset[str]:
    """Return the workloads of a class."""
    return frozenset(name for name, of in _classes().items() if of == comparable)


@cache
def _classes() -> dict[str, ComparableClass]:
    written = {
        slug: entry.get("comparable_class", APART) for slug, entry in published_workloads().items()
    }
    ours = {
        each.id: each.comparable_class for suite in suites().values() for each in suite.workloads
    }
    return written | ours

"""The class of comparable work of any workload, the agent's and those that others published."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Final

from apps.runs.published.services import WORKLOADS_FILE
from apps.wire.suites import find_workload

if TYPE_CHECKING:
    from apps.wire.suites import ComparableClass

APART: Final = 3


def comparable_class(workload_id: str, *, version: int = 1) -> ComparableClass:
    """Return the class: 1 overwrite with data sync, 2 with metadata in each sync, 3 all else.

    The agent's own follow from their definitions; of others `published_workloads.json` says it, and
    what nobody has classed is apart (3). Classes 1 and 2 may stand in one list, in this order;
    ranks stay within one workload.
    """
    definition = find_workload(workload_id, version=version)
    if definition is not None:
        return definition.comparable_class
    return _published_classes().get(workload_id, APART)


@cache
def _published_classes() -> dict[str, ComparableClass]:
    workloads = json.loads(WORKLOADS_FILE.read_text(encoding="utf-8"))
    return {slug: entry.get("comparable_class", APART) for slug, entry in workloads.items()}

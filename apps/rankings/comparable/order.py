"""The order in which workloads may stand for the durable commits of a plan, a drive or a run."""

from __future__ import annotations

from functools import cache
from typing import Final

from apps.runs.published.comparable import OVERWRITE, WITH_METADATA, workloads_of
from apps.wire.suites import HEADLINE_WORKLOAD

# Overwrites with a data sync first, ours and those of articles, the most similar first; then work
# whose syncs write metadata too. What is not named stands at the end of its class.
HEADLINE_ORDER: Final = (
    HEADLINE_WORKLOAD,
    "commit-8k-dsync",
    "commit-8k-rwf-dsync",
    "pg-8k-fdatasync",
    "pg-8k-open-datasync",
    "fio-4k-direct-fdatasync-overwrite",
    "fio-4k-direct-odsync-overwrite",
    "direct-16k-fdatasync",
    "fio-16k-direct-randwrite-fdatasync",
    "fio-4k-fdatasync-raw",
    "fio-4k-sync-direct",
    "commit-8k-fsync",
    "pg-8k-fsync",
    "pg-8k-open-sync",
    "fallocated-8k-fsync",
    "direct-16k-fsync",
    "fio-16k-direct-randwrite-fsync",
    "fio-4k-fdatasync",
    "direct-same-4k-fsync",
    "providerbench-4k-fsync",
    "etcd-2300-fdatasync",
    "randwrite-4k-fsync",
)


@cache
def headline_places() -> dict[str, int]:
    """Return the place of each workload that may stand for a plan or a drive, the first at 0."""
    named = {workload: place for place, workload in enumerate(HEADLINE_ORDER)}
    by_class = [
        workload
        for comparable in (OVERWRITE, WITH_METADATA)
        for workload in sorted(
            workloads_of(comparable), key=lambda each: (named.get(each, len(named)), each)
        )
    ]
    return {workload: place for place, workload in enumerate(by_class)}


def headline_place(workload: str) -> int:
    """Return the place of a workload among those that may stand for a thing; all else is last."""
    return headline_places().get(workload, len(headline_places()))

"""By which call a workload makes its writes durable: two calls are two figures of one plan."""

from apps.wire.suites import find_workload

CALLS = {"fdatasync": "fdatasync", "fsync": "fsync", "o_dsync": "O_DSYNC", "rwf_dsync": "RWF_DSYNC"}


def call_of(workload: str, *, version: int = 1) -> str:
    """The name of the call; nothing where nothing is synced or the workload is not ours."""
    definition = find_workload(workload, version=version)
    return CALLS.get(definition.sync, "") if definition else ""

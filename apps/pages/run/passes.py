"""Of which workloads the page of a run reads every pass."""

from apps.runs.models import Measurement
from apps.wire.suites import HEADLINE_WORKLOAD

SHOWN_WHOLE_MAX = 6  # so many other workloads have their charts on the page of the run itself
PROBED = (
    "slo-",
    "sustained-",
    "steady-",
    "read-4k-area-",
    "write-64k-",
)  # their passes are read one by one


def needs_passes(measurement: Measurement) -> bool:
    """Whether its findings are in its single passes."""
    return measurement.workload == HEADLINE_WORKLOAD or measurement.workload.startswith(PROBED)

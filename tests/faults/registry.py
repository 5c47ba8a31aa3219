"""Every fault by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.faults.kinds.cluster import CLUSTER
from tests.faults.kinds.machine import MACHINE
from tests.faults.kinds.processes import PROCESSES
from tests.faults.kinds.senders import SENDERS
from tests.faults.kinds.servers import SERVERS
from tests.faults.trial import Fault

FAULTS: Final[Mapping[str, Fault]] = {
    each.name: each for each in (*PROCESSES, *SERVERS, *SENDERS, *MACHINE, *CLUSTER)
}

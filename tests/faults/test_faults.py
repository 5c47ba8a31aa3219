"""One upload under each fault: nothing acknowledged is lost, doubled, changed or half visible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.kinds.processes import PROCESSES
from tests.faults.kinds.senders import SENDERS
from tests.faults.kinds.servers import SERVERS
from tests.faults.registry import FAULTS
from tests.faults.site.grounds import NotHereError, usual
from tests.faults.site.rig import Rig
from tests.faults.table import as_json, table
from tests.faults.trial import Fault, try_fault
from tests.faults.uploads import Programs

PAUSE: float = 0.3  # between two faults of a group: the second meets a site that is coming back

USUAL = [fault for fault in FAULTS.values() if fault.ground is usual]
SPECIAL = [fault for fault in FAULTS.values() if fault.ground is not usual]
# What waits for a clock or for seven attempts is tried once a day.
DAILY = ("poison", "slowly")
GROUPS = {"processes": PROCESSES, "servers": SERVERS, "senders": SENDERS}


@pytest.mark.slow
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("name", GROUPS)
def test_nothing_is_lost(usual_rig: Rig, name: str) -> None:
    faults = [each for each in GROUPS[name] if each in USUAL and each.name not in DAILY]

    def act(rig: Rig) -> Iterator[float]:
        for fault in faults:
            yield from fault.act(rig)
            yield PAUSE

    trial = try_fault(usual_rig, Fault(name, name, act), uploads=len(faults), rush=True)
    assert not trial.found
    assert trial.acknowledged == len(faults)
    assert name in table([trial])
    assert as_json(trial)["found"] == []


@pytest.mark.daily
@pytest.mark.slow
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("fault", USUAL, ids=lambda fault: fault.name)
def test_nothing_of_ten_is_lost(usual_rig: Rig, fault: Fault) -> None:
    trial = try_fault(usual_rig, fault, uploads=10, rush=True)
    assert not trial.found
    assert trial.acknowledged == 10


@pytest.mark.daily
@pytest.mark.slow
@pytest.mark.parametrize("fault", SPECIAL, ids=lambda fault: fault.name)
def test_nothing_is_lost_elsewhere(programs: Programs, fault: Fault) -> None:
    try:
        with fault.ground(programs) as found:
            trial = try_fault(found, fault, uploads=10, rush=True)
    except NotHereError as error:
        pytest.skip(str(error))
    assert not trial.found
    assert trial.acknowledged == 10

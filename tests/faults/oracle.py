"""What must be true when it is quiet again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from apps.runs.packed.packing import inflated
from tests.faults.site.rig import Rig

ASKERS: Final = 4
FACTS: Final = """
    SELECT upload.run_id::text, upload.state, encode(upload.payload_sha256, 'hex'),
           upload.packed_payload,
           (SELECT count(*) FROM runs_run run WHERE run.upload_id = upload.run_id),
           (SELECT count(*) FROM runs_measurement one JOIN runs_run run ON run.id = one.run_id
            WHERE run.upload_id = upload.run_id)
    FROM runs_upload upload
"""


def is_quiet(rig: Rig) -> bool:
    """Whether nothing waits: each upload is done or set aside, each standing computed."""
    waiting = "SELECT count(*) FROM runs_upload WHERE state NOT IN ('done', 'poison')"
    marks = "SELECT count(*) FROM rankings_cellmark"
    return rig.sql(f"SELECT ({waiting}) + ({marks})") == [(0,)]


def faults_of(rig: Rig, acknowledged: Mapping[str, str], sent: AbstractSet[str]) -> list[str]:
    """What is wrong, a line each: lost, changed, doubled or half visible."""
    rows = rig.sql(FACTS)
    stored = {row[0] for row in rows}
    found = [f"{run_id} was acknowledged and is lost" for run_id in acknowledged.keys() - stored]
    found += [f"{run_id} is stored, and nobody sent it" for run_id in stored - sent]
    whole = max((row[5] for row in rows), default=0)
    for run_id, state, noted, packed, runs, measurements in rows:
        if run_id in acknowledged and {noted, sha256_of(packed)} != {acknowledged[run_id]}:
            found.append(f"{run_id} is stored with other bytes")
        if state != "done":
            found.append(f"{run_id} is {state}")
        if (runs, measurements) != (1, whole):
            found.append(f"{run_id} has {runs} runs and {measurements} of {whole} measurements")
    return found + not_shown(rig, sorted(acknowledged))


def sha256_of(packed: bytes) -> str:
    """The digest of the bytes of an upload, as they came, in hexadecimal."""
    return hashlib.sha256(inflated(packed)).hexdigest()


def not_shown(rig: Rig, run_ids: list[str]) -> list[str]:
    """Which of these runs the site does not show as done."""

    def fault(run_id: str) -> str:
        answer = rig.site.get(f"/api/v1/runs/{run_id}")
        is_shown = answer.status_code == 200 and answer.json()["state"] == "done"
        return "" if is_shown else f"{run_id} is not shown: {answer.status_code}"

    with ThreadPoolExecutor(ASKERS) as askers:
        found = [each for each in askers.map(fault, run_ids) if each]
    pages = ("/", "/runs/", *(f"/runs/{run_id}/" for run_id in run_ids[:1]))
    statuses = {path: rig.site.get(path).status_code for path in pages}
    return found + [f"{path} is a {status}" for path, status in statuses.items() if status != 200]

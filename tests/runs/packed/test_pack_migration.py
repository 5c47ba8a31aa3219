"""What was stored before columns were packed is the same after, to the byte."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from apps.runs.models import Latency, Measurement, Upload
from tests import make

BEFORE = [("runs", "0072_upload_poison")]
EXPANDED = [("runs", "0073_packed_columns")]


def odd_envelopes(agent: make.Agent, body: bytes) -> dict[str, bytes]:
    """Return envelopes of one payload that were stored as they came, and the one that is usual."""
    usual = agent.seal(body)
    document = json.loads(usual)
    url_safe = {**document, "payload": document["payload"].replace("+", "-").replace("/", "_")}
    two = document["signatures"] + json.loads(make.Agent().seal(body))["signatures"]
    return {
        "usual": usual,
        "with blanks": json.dumps(document, indent=1).encode(),
        "in another order": json.dumps(dict(reversed(document.items()))).encode(),
        "URL-safe": json.dumps(url_safe, separators=(",", ":")).encode(),
        "signed twice": json.dumps({**document, "signatures": two}).encode(),
        "with a note": json.dumps({**document, "note": "é"}, separators=(",", ":")).encode(),
        "none": b"no envelope",
    }


def store(apps: Any, agent: make.Agent, body: bytes, envelope: bytes) -> Any:
    """Store an upload as the program before did."""
    key, _ = apps.get_model("accounts", "AgentKey").objects.get_or_create(
        keyid=agent.keyid, defaults={"public_key": agent.public_key, "lab_setup_url": ""}
    )
    return apps.get_model("runs", "Upload").objects.create(
        run_id=make.uuid7(), key=key, envelope=envelope, payload=body,
        payload_sha256=hashlib.sha256(body).digest(), received_at=make.NOON,
        network="0" * 32, next_attempt_at=make.NOON,
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_what_was_stored_before_is_the_same_after() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    agent, body = make.Agent(), make.as_bytes(make.payload()) + b" \xff"
    envelopes = odd_envelopes(agent, body)
    try:
        executor.migrate(BEFORE)
        old = executor.loader.project_state(BEFORE).apps
        sent = {store(old, agent, body, each).pk: each for each in envelopes.values()}
        run = old.get_model("runs", "Run").objects.create(
            id=make.uuid7(), slug="one", level="witnessed"
        )
        passes = [{"operations": 7, "rate_samples": [1, 2**40], "open_loop": None}]
        one, other = (
            old.get_model("runs", "Measurement").objects.create(
                run=run, workload=each, operation="commit", passes=passes
            )
            for each in ("one", "other")
        )
        latencies = old.get_model("runs", "Latency").objects
        measured = latencies.create(
            measurement=one, side="commit", min_ns=3, max_ns=900, curve=[[0.5, 130]],
            buckets=[3, 130, 500], counts=[1, 2**40, 9],
        )  # fmt: skip
        printed = latencies.create(measurement=one, side="write", curve=[[0.5, 10]])
        MigrationExecutor(connection).migrate(EXPANDED)
        later = store(old, agent, body, envelopes["usual"])  # the program before is still there
        sent[later.pk] = envelopes["usual"]
    finally:
        MigrationExecutor(connection).migrate(newest)
    assert {each.pk: each.envelope for each in Upload.objects.all()} == sent
    assert {each.payload for each in Upload.objects.all()} == {body}
    assert Upload.objects.filter(envelope_as_sent=None).count() == 2  # the usual ones
    assert [each.passes for each in Measurement.objects.order_by("pk")] == [passes, passes]
    assert other.pk
    found = Latency.objects.get(pk=measured.pk)
    assert found.histogram == ([3, 130, 500], [1, 2**40, 9])
    assert found.curve[0] == [0.01, 130]
    assert Latency.objects.get(pk=printed.pk).curve == [[0.5, 10]]

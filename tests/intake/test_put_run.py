"""The door for runs: what it stores, what it answers, and everything that it refuses."""

from __future__ import annotations

import json

import pytest

from apps.intake.services.work import drain
from apps.runs.models import Run, Upload
from tests import make

pytestmark = pytest.mark.django_db

CONTENT_TYPE = "application/vnd.fsyncmark.dsse.v1+json"


def put(client, run_id, body, **headers):
    return client.put(
        f"/api/v1/runs/{run_id}", data=body, content_type=CONTENT_TYPE, headers=headers
    )


def test_a_run_is_stored_and_normalised(client):
    agent = make.Agent()
    agent.enrolled()
    document = make.payload()
    answer = put(client, document["run_id"], agent.seal(document))
    assert answer.status_code == 201, answer.content
    upload = Upload.objects.get()
    assert bytes(upload.payload) == make.as_bytes(document)
    print(json.dumps(answer.json()))
    assert drain() == 1
    upload.refresh_from_db()
    assert upload.state == "done", upload.last_error
    run = Run.objects.get()
    print(run.level, run.plan_id, run.labels.all(), [ (m.workload, m.rate_per_s, [(l.side,l.p50_ns,l.p99_ns) for l in m.latencies.all()]) for m in run.measurements.all()])

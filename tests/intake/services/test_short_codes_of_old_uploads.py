"""Uploads that were there before short addresses get one each."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from apps.runs.models import SHORT_ALPHABET, SHORT_CHARACTERS
from tests import make

BEFORE = [("runs", "0021_rulings"), ("accounts", "0002_people")]
AFTER = [("runs", "0030_whose_run")]


@pytest.mark.daily
@pytest.mark.django_db(transaction=True)
def test_uploads_of_before_have_codes_that_differ() -> None:
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(BEFORE)
        old = executor.loader.project_state(BEFORE).apps
        agent = make.Agent()
        key = old.get_model("accounts", "AgentKey").objects.create(
            keyid=agent.keyid, public_key=agent.public_key, lab_setup_url=""
        )
        for _ in range(3):
            old.get_model("runs", "Upload").objects.create(
                run_id=make.uuid7(), key=key, envelope=b"", payload=b"", payload_sha256=b"",
                received_at=make.NOON, network="0" * 32, next_attempt_at=make.NOON,
            )  # fmt: skip
        executor = MigrationExecutor(connection)
        executor.migrate(AFTER)
        uploads = executor.loader.project_state(AFTER).apps.get_model("runs", "Upload").objects
        codes = set(uploads.values_list("short_code", flat=True))
        assert len(codes) == 3
        assert {len(each) for each in codes} == {SHORT_CHARACTERS}
        assert set("".join(codes)) <= {*SHORT_ALPHABET}
    finally:
        MigrationExecutor(connection).migrate(newest)

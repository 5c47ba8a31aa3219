"""Without its database the door answers 503, and says when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from apps.embedded.postgres import free_port
from apps.runs.models import Upload
from tests import make
from tests.intake.conftest import Door, problem_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def no_database() -> Iterator[None]:
    """Point the connection at a port where nobody listens."""
    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(HOST="127.0.0.1", PORT=str(free_port()))
    yield
    connection.close()
    connection.settings_dict.update(HOST=before["HOST"], PORT=before["PORT"])


@pytest.mark.django_db(transaction=True)
def test_uploads_are_refused_for_the_moment(
    door: Door, agent: make.Agent, no_database: None
) -> None:
    document = make.payload()
    answer = door.put_run(document["run_id"], agent.seal(document))
    assert problem_of(answer) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "10"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "trigger",
    [
        "TRIGGER fail BEFORE INSERT ON runs_upload",
        "CONSTRAINT TRIGGER fail AFTER INSERT ON runs_upload DEFERRABLE INITIALLY DEFERRED",
    ],
    ids=["in the insert", "in the commit"],
)
def test_a_full_disk_acknowledges_nothing_and_the_upload_is_taken_later(
    door: Door, agent: make.Agent, trigger: str, rings: list[int]
) -> None:
    document = make.payload()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION pg_temp.fail() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute(f"CREATE {trigger} FOR EACH ROW EXECUTE FUNCTION pg_temp.fail()")
    answer = door.put_run(document["run_id"], agent.seal(document))
    assert problem_of(answer) == (503, "unavailable")
    assert not Upload.objects.exists()
    assert rings == []
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER fail ON runs_upload")
    assert door.put_run(document["run_id"], agent.seal(document)).status_code == 201

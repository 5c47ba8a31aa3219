"""The product behind a real PgBouncer in transaction mode, with the file that containers mount."""

from __future__ import annotations

import configparser
import copy
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.test import Client

from apps.config.databases.connecting import connecting, limits_of
from apps.config.roles import Role
from apps.embedded.process import Child
from apps.intake.services.work import drain
from apps.runs.models import Run
from tests import make
from tests.cluster.hosts import SCALE, Hosts, MissingProgramError
from tests.cluster.pooler import FILE, PORT, start_pooler
from tests.faults.site.own_site import new_home
from tests.intake.conftest import CONTENT_TYPE

RUNS = 4  # sent at once, over a pool of two sessions


@pytest.mark.parametrize("role", [Role.WEB, Role.WORKER, Role.SWEEPER])
def test_the_file_gives_each_process_its_limits(role: Role) -> None:
    found = configparser.ConfigParser(interpolation=None, comment_prefixes=(";",))
    found.read(SCALE / FILE)
    limits = "; ".join(f"SET {name} = {value}" for name, value in limits_of(role).items())
    for name, words in found["databases"].items():
        if name.endswith(f"-{role}"):
            assert f"connect_query='{limits}'" in words
    assert f"fsyncmark-{role}" in found["databases"]
    assert found["pgbouncer"]["pool_mode"] == "transaction"


@pytest.fixture
def pooler(transactional_db: None) -> Iterator[Child]:
    """PgBouncer before the database of the tests, and this process as a web process behind it."""
    hosts, folder, before = Hosts(), new_home(), copy.deepcopy(connection.settings_dict)
    instead = {
        "host=primary|host=127[.0-9]+": f"host={before['HOST']}",
        "port=5432": f"port={before['PORT']}",
        "dbname=fsyncmark": f"dbname={before['NAME']}",
        "pool_size=20": "pool_size=2",
    }
    try:
        child = start_pooler(
            hosts, folder, user=before["USER"], password=before["PASSWORD"], instead=instead
        )
    except MissingProgramError as error:
        pytest.skip(str(error))
    address = {"HOST": hosts.address("pgbouncer"), "PORT": PORT, "NAME": "fsyncmark", "OPTIONS": {}}
    connection.close()
    connection.settings_dict.update(connecting({**before, **address}, Role.WEB, is_pooled=True))
    yield child
    connection.close()
    connection.settings_dict.clear()
    connection.settings_dict.update(before)
    child.stop()
    shutil.rmtree(folder)


def shown(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        return str(cursor.fetchone()[0])


@pytest.mark.usefixtures("pooler")
def test_a_session_of_the_pool_has_the_limits_of_the_process() -> None:
    assert [shown(name) for name in limits_of(Role.WEB)] == ["10s", "1min", "on"]


@pytest.mark.usefixtures("pooler")
def test_uploads_work_and_pages_of_many_threads_share_two_sessions() -> None:
    start = threading.Barrier(RUNS)
    agents = [make.Agent() for _ in range(RUNS)]

    def send(agent: make.Agent) -> str:
        start.wait(10)
        client, document = Client(), make.payload()
        run_id = document["run_id"]
        for path, body in (
            (f"/api/v1/keys/{agent.keyid}", agent.key_statement()),
            (f"/api/v1/runs/{run_id}", agent.seal(document)),
        ):
            assert client.generic("PUT", path, body, content_type=CONTENT_TYPE).status_code == 201
        drain()
        connection.close()
        return str(run_id)

    with ThreadPoolExecutor(RUNS) as threads:
        sent = set(threads.map(send, agents))
    assert {str(each) for each in Run.objects.values_list("upload_id", flat=True)} == sent
    for slug, plan in Run.objects.values_list("slug", "plan"):
        assert Client().get(f"/runs/{slug}/").status_code == 200
        assert Client().get(f"/plans/{plan}/").status_code == 200
    assert len(Client().get("/runs.csv").getvalue().splitlines()) == 1 + RUNS


@pytest.mark.usefixtures("pooler")
def test_a_list_is_read_to_its_end_while_another_thread_takes_the_session() -> None:
    def take(entered: threading.Event, leave: threading.Event) -> None:
        with transaction.atomic():
            ContentType.objects.count()
            entered.set()
            leave.wait(10)
        connection.close()

    rows = ContentType.objects.order_by("pk").iterator(chunk_size=1)
    seen = [next(rows)]
    entered, leave = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as thread:
        taking = thread.submit(take, entered, leave)
        entered.wait(10)
        try:
            seen += rows
        finally:
            leave.set()
        taking.result()
    assert len(seen) == ContentType.objects.count()

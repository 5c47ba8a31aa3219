"""The whole cluster: who answers what, and what a replica that stands still changes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
import requests

from apps.embedded.process import wait_until
from tests.cluster.hosts import MissingProgramError
from tests.cluster.site import WEB_HOSTS, Cluster, cluster
from tests.faults.site.own_site import new_home

pytestmark = [pytest.mark.daily, pytest.mark.slow]

SECONDS_MAX = 60.0
PROVIDER = (
    "INSERT INTO plans_provider (slug, name, url, note, note_by) VALUES ('new', 'New', '', '', '')"
)


@pytest.fixture(scope="module")
def found() -> Iterator[Cluster]:
    home = new_home()
    try:
        with cluster(home) as (found, _setting):
            yield found
    except MissingProgramError as error:
        pytest.skip(str(error))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def get(found: Cluster, path: str, **headers: str) -> requests.Response:
    return requests.get(found.url + path, headers=headers, timeout=30)


def test_nginx_keeps_what_all_may_see_and_nothing_of_who_wrote(found: Cluster) -> None:
    get(found, "/drives/")
    assert get(found, "/drives/").headers["X-Cache-Status"] == "HIT"
    assert get(found, "/drives/", Cookie="wrote=1").headers["X-Cache-Status"] == "BYPASS"
    assert get(found, "/account/login/").headers["X-Cache-Status"] == "MISS"
    assert get(found, "/account/login/").headers["X-Cache-Status"] == "MISS"


def test_pages_are_read_from_the_replica_until_it_stands_still(found: Cluster) -> None:
    def say(words: str) -> bool:
        logs = [found.folder / "logs" / f"{name}.log" for name in WEB_HOSTS]
        ends = [
            [line for line in log.read_text().splitlines() if "pages are" in line][-1:]
            for log in logs
        ]
        return all(words in line for lines in ends for line in lines) and all(ends)

    wait_until(lambda: say("the replica"), what="the replica is read from", seconds=SECONDS_MAX)
    sessions = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'fsyncmark-web'"
    assert found.databases.execute(sessions, host="replica")
    found.databases.execute("SELECT pg_wal_replay_pause()", host="replica")
    found.databases.execute(PROVIDER)
    assert not found.databases.execute(
        "SELECT 1 FROM plans_provider WHERE slug='new'", host="replica"
    )
    assert get(found, "/providers/new/").status_code == 200  # the primary has it
    wait_until(lambda: say("the primary"), what="the primary is read from", seconds=SECONDS_MAX)
    found.databases.execute("SELECT pg_wal_replay_resume()", host="replica")
    wait_until(lambda: say("the replica"), what="the replica is read again", seconds=SECONDS_MAX)

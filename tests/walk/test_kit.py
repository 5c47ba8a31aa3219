"""A kit with the real agent: what a rented machine does, and whose its run is, found by its id."""

from __future__ import annotations

import functools
import hashlib
import shutil
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from django.urls import reverse

from apps.config.one_machine.demo import directory_on_disk
from apps.embedded.process import wait_until
from apps.runs.models import Run
from apps.wire.suites import HEADLINE_WORKLOAD
from tests.pages.reading.kits.places import NAME, offer, rented_plan
from tests.pages.reading.kits.test_on_the_machine import Machine, Quiet, with_settings
from tests.support.accounts.people import make_person, signed_in
from tests.support.sent import uuid7

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

    from tests.support.live_site import LiveSite

pytestmark = [pytest.mark.slow, pytest.mark.daily]


def test_a_rented_machine_measures_in_the_name_of_who_made_its_ticket(
    built_agent: Path, live_site: LiveSite, tmp_path: Path, client: Client, settings: Settings
) -> None:
    plan, person = rented_plan("hetzner", slug="hetzner-cx23"), make_person()
    served = tmp_path / "served"
    handler = functools.partial(Quiet, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        files = served / "files"
        offer(files, settings, live_site.url)
        (files / NAME).write_bytes(built_agent.read_bytes())
        sums = f"'{hashlib.sha256(built_agent.read_bytes()).hexdigest()}  {NAME}'"
        run_id = str(uuid7())
        machine = Machine(tmp_path / "home", served, client)
        address = f"{reverse('pages:ticket-new')}?plan={plan.slug}&region=fsn1"
        user_data = yaml.safe_load(signed_in(person).post(address, {"text": "user-data"}).content)
        script = with_settings(
            user_data["write_files"][0]["content"],
            files=f"http://127.0.0.1:{server.server_port}/files", sums=sums, run_id=run_id,
        )  # fmt: skip
        assert "--suite standard " in script
        # One workload instead of all 57: what is tried here is the way, not the suite.
        script = script.replace("--suite standard ", f"--suite quick --only {HEADLINE_WORKLOAD} ")
        script = script.replace("--wait-quiet=300", "--wait-quiet=1")  # others test beside us
        place = Path(directory_on_disk()) / run_id
        status = machine.run(
            script, FSYNCMARK_PLACE=str(place), FSYNCMARK_HOME=str(tmp_path / "key")
        )
        shutil.rmtree(place)
        server.shutdown()
    assert status == 0
    assert machine.did == ["shutdown --no-wall +30", "poweroff "]
    wait_until(
        lambda: "slug" in live_site.get(f"/api/v1/runs/{run_id}")[1], what="the run is shown",
        seconds=60,
    )  # fmt: skip
    run = Run.objects.get(pk=run_id)
    assert (run.plan_id, run.uploader) == (plan.slug, f"account:{person.pk}")
    assert run.upload
    assert run.upload.key.owner is None  # the ticket is of the run alone

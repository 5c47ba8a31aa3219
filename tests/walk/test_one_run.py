"""The walk of one run: the real agent measures, signs and uploads; the site shows its figures."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.config.one_machine.demo import directory_on_disk
from apps.embedded.process import wait_until
from apps.rankings.catalogue import load_catalogue
from apps.runs.models import ChallengeUse, KeepsOut, Level, Run, Upload
from apps.runs.rules import RULES, RuleKind
from apps.stats.figures import significant
from apps.wire.suites import HEADLINE_WORKLOAD, find_suite
from tests.support.live_site import LiveSite

RUN_SECONDS_MAX = 240  # the quick suite takes one minute; a slow disk fills its files for longer
DONE_SECONDS_MAX = 120  # a second alone; only a test that fails waits for so long

pytestmark = pytest.mark.slow


def measure(agent: Path, site: LiveSite, home: Path) -> dict[str, Any]:
    """Run the quick suite on this machine's disk and return what the agent prints."""
    done = subprocess.run(
        [
            agent, "run", directory_on_disk(), "--server", site.url, "--yes", "--json",
            "--provider", "Home", "--plan", "Workbench", "--region", "cellar",
        ],
        env={**os.environ, "FSYNCMARK_HOME": str(home)},
        check=False, capture_output=True, text=True, timeout=RUN_SECONDS_MAX,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def await_done(run_id: str, site: LiveSite) -> Upload:
    """Wait until the workers have normalised an upload."""

    def state() -> str | None:
        connection.ensure_connection()
        states = Upload.objects.filter(pk=run_id).values_list("state", flat=True)
        return states.first()

    wait_until(
        lambda: state() in {"done", "poison"},
        what=f"upload {run_id} is worked on",
        seconds=DONE_SECONDS_MAX,
        children=list(site.product.children.values()),
    )
    return Upload.objects.get(pk=run_id)


def test_a_run_walks_from_the_disk_to_the_page(
    built_agent: Path, live_site: LiveSite, tmp_path: Path
) -> None:
    load_catalogue()
    printed = measure(built_agent, live_site, tmp_path)

    upload = await_done(printed["run_id"], live_site)
    assert upload.state == Upload.State.DONE, upload.last_error
    assert upload.challenge_use == ChallengeUse.REDEEMED

    run = Run.objects.get(upload=upload)
    excluding = run.labels.filter(rule__in=_consistency_rules()).values_list("rule", "figures")
    assert list(excluding) == []
    assert run.level == Level.WITNESSED
    assert run.plan
    assert run.plan.sent_name == "Workbench"
    suite = find_suite("quick", version=1)
    assert suite
    measured = {each.workload: each for each in run.measurements.all()}
    assert list(measured) == [each.id for each in suite.workloads]
    headline = measured[HEADLINE_WORKLOAD]
    assert headline.rate_per_s
    assert headline.rate_per_s == pytest.approx(printed["commits_per_s"], rel=1e-3)

    _shows_figures(run, live_site, rate_per_s=headline.rate_per_s)


def _consistency_rules() -> list[str]:
    return [rule.id for rule in RULES.values() if rule.kind is RuleKind.CONSISTENCY]


def _shows_figures(run: Run, site: LiveSite, *, rate_per_s: float) -> None:
    rate = significant(rate_per_s)
    status, page = site.get(f"/runs/{run.slug}/")
    assert status == 200
    assert rate in page
    status, badge = site.get(f"/badge/run/{run.slug}.svg")
    assert status == 200
    assert rate in badge
    resource = site.get_json(f"/api/v1/runs/{run.slug}")
    assert resource["state"] == "done"
    if run.in_standings:
        status, page = site.get(f"/plans/{run.plan_id}/")
        assert status == 200
        assert rate in page
    else:
        assert run.labels.filter(keeps_out=KeepsOut.RUN).exists()

"""A rebuild over many synthetic runs gives the same standings, byte for byte, twice.

With as many as in production, in half an hour: FSYNCMARK_REBUILD_RUNS=10000 ./run test
tests/rankings/management/test_rebuild_identical.py -k two_rebuilds -s
"""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from apps.intake.services.work import drain
from apps.plans.models import Plan
from apps.rankings.digest import standings_digest
from apps.rankings.models import Standing
from apps.runs.models import Upload
from tests import make
from tests.support.catalogue import store_catalogue

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.daily]

RUNS = 80
REBUILD_RUNS = int(os.environ.get("FSYNCMARK_REBUILD_RUNS", "40"))
OPERATIONS = 100  # in each pass: enough for a histogram
PLANS = 4
NETWORKS = 12


def synthetic_uploads(count: int, **changes: Any) -> None:
    """Store witnessed uploads of several plans, networks, agents and days.

    One plan has two kinds of storage, another one was measured in two regions.

    Their numbers are seeded, their ids and keys are not: nothing may depend on those.
    """
    generator = np.random.default_rng(20_261_121)
    # The machine of a payload is bare metal, as these are.
    sold = Plan.objects.filter(is_listed=True, provider="hetzner", kind="dedicated")
    plans = list(sold.order_by("pk")[:PLANS])
    agents = [make.Agent() for _ in range(3 * NETWORKS)]
    for number in range(count):
        plan, agent = plans[number % PLANS], int(generator.integers(len(agents)))
        kind = 5 if number % PLANS == 0 and agent % NETWORKS < NETWORKS // 2 else 1
        latency_ns = int(200_000 * kind * np.exp(generator.normal(0, 0.15)))
        region = ("fsn1", "ash")[agent % 2] if number % PLANS == 1 else None
        document = make.payload(
            run_id=make.uuid7(),
            claim={"provider": plan.provider_id, "plan": plan.name, "region": region},
            latency_ns=latency_ns,
            operations=OPERATIONS,
        )
        make.upload(
            document,
            agent=agents[agent],
            witnessed=True,
            network=f"{agent % NETWORKS:032x}",
            received_at=make.NOON + timedelta(hours=number % 500),
            **changes,
        )


def rebuilt() -> str:
    """Rebuild everything and return the digest that the command printed."""
    out, begun = StringIO(), time.monotonic()
    call_command("rebuild", stdout=out)
    line = out.getvalue().splitlines()[-1]
    sys.stdout.write(f"\n{line} ({time.monotonic() - begun:.0f} s)")
    return line.rsplit(" ", 1)[1].rstrip(".")


def test_a_rebuild_gives_the_bytes_that_the_sweep_gave() -> None:
    store_catalogue()
    synthetic_uploads(RUNS)
    assert drain() == RUNS
    assert not Upload.objects.exclude(state=Upload.State.DONE).exists()
    measured = Standing.objects.filter(evidence="measured", workload="commit-8k")
    assert set(measured.values_list("n_variants", flat=True)) == {1, 2}
    regions = {"", "europe", "north-america"}
    assert set(measured.values_list("region_group", flat=True)) == regions
    assert measured.filter(tier__gte=1).exists()
    swept = standings_digest()
    assert rebuilt() == swept


def test_two_rebuilds_give_the_same_bytes() -> None:
    store_catalogue()
    synthetic_uploads(REBUILD_RUNS, state=Upload.State.DONE)
    assert rebuilt() == rebuilt()
    measured = Standing.objects.filter(evidence="measured", workload="commit-8k")
    assert sum(measured.filter(plan=None).values_list("n_runs", flat=True)) == REBUILD_RUNS


def test_the_digest_sees_every_column() -> None:
    before = standings_digest()
    standing = make.standing()
    with_one = standings_digest()
    Standing.objects.filter(pk=standing.pk).update(median_sd_ln=0.1)
    assert len({before, with_one, standings_digest()}) == 3

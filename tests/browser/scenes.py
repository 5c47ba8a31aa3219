"""What the tables hold for most browser tests; each function fills empty ones."""

from __future__ import annotations

from apps.plans.models import Plan, Provider
from apps.rankings.services import refresh_cells
from apps.runs.models import Run
from apps.runs.services import record_run
from tests import make
from tests.support.catalogue import store_catalogue


def measured_run() -> Run:
    """A witnessed run of a machine of one's own, in the standings beside the catalogue."""
    store_catalogue()
    run = record_run(upload=make.upload(witnessed=True, state="done"))
    refresh_cells(run_ids=[run.id])
    assert Plan.objects.filter(pk=run.plan_id).exists()
    return run


def long_run() -> Run:
    """A run of every workload there is."""
    run = make.run()
    make.measurements_of(run, suite="deep")
    return run


def long_board() -> None:
    """More plans of one provider than fit on a page, best first P00, P01 …"""
    owner = Provider.objects.create(slug="acme", name="Acme")
    for place in range(60):
        plan = make.plan(provider=owner, slug=f"acme-{place:02}", name=f"P{place:02}")
        make.standing(
            plan=plan, rate_per_s=9_000 - place, p99_ns=200_000 - place,
            is_durable_single_writer=True, plp="full" if place < 55 else "none",
        )  # fmt: skip

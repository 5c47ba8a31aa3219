"""Runs with one measurement each, as standings see them: only what a test names differs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import Standing
from apps.runs.models import Latency, Level, Measurement, Run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SPREAD = (0.92, 0.96, 1.0, 1.04, 1.08, 1.12, 0.88)  # of seven uploaders, around a rate


def plan(name: str = "X1", *, provider: str = "acme") -> Plan:
    Provider.objects.get_or_create(slug=provider, defaults={"name": provider.title()})
    made, _ = Plan.objects.get_or_create(
        slug=f"{provider}-{name.lower()}", defaults={"provider_id": provider, "name": name}
    )
    return made


def family(slug: str = "fast-drive", **fields: Any) -> DriveFamily:
    usual = {"name": slug.title(), "vendor": "V", "kind": "ssd", "plp": "full"}
    made, _ = DriveFamily.objects.get_or_create(slug=slug, defaults=usual | fields)
    return made


def price(of: Plan, amount: Decimal, *, currency: str = "EUR") -> Price:
    return Price.objects.create(
        plan=of, amount=amount, currency=currency, period="month", valid_from=NOW.date()
    )


def run(rate_per_s: float, **fields: Any) -> Run:
    """Return a witnessed run of commit-8k whose commits all took 1/rate."""
    measured = {
        "workload": fields.pop("workload", "commit-8k"),
        "rate_per_s_low": fields.pop("low", None),
        "rate_per_s_high": fields.pop("high", None),
        "slowest_part_per_s": fields.pop("slowest", None),
        "fastest_part_per_s": fields.pop("fastest", None),
        "is_durable_single_writer": fields.pop("is_durable_single_writer", True),
    }
    p50_ns = fields.pop("p50_ns", round(1e9 / rate_per_s))
    side = fields.pop("side", "commit")
    run_id = uuid4()
    usual = {
        "id": run_id,
        "slug": str(run_id),
        "level": Level.WITNESSED,
        "measured_at": NOW,
        "machine": "m1",
        "uploader": "u1",
        "in_standings": True,
    }
    made = Run.objects.create(**(usual | fields))
    measurement = Measurement.objects.create(
        run=made, title="8 KiB overwrite", operation="commit", rate_per_s=rate_per_s, **measured
    )
    Latency.objects.create(
        measurement=measurement,
        side=side,
        p50_ns=p50_ns,
        p99_ns=p50_ns * 2,
        printed_curve=[[0.5, p50_ns], [0.99, p50_ns * 2]],
    )
    return made


def measure(of: Plan, rates: Sequence[float], *, machines: int = 2, **fields: Any) -> list[Run]:
    """Store a run of each machine of one uploader a rate."""
    return [
        run(rate, plan=of, uploader=f"u{place}", machine=f"{place}-{machine}", **fields)
        for place, rate in enumerate(rates)
        for machine in range(machines)
    ]


def ranked_plan(name: str, rate: float, *, uploaders: int = 7) -> Plan:
    made = plan(name)
    measure(made, [rate * each for each in SPREAD[:uploaders]])
    return made


def standing_of(of: Plan) -> Standing:
    return Standing.objects.get(plan=of)

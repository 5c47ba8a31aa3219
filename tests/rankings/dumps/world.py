"""A small site with all that standings know: weights, kinds of storage, changes, articles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from apps.intake.services.work import drain
from apps.plans.models import ExchangeRate
from apps.rankings.models import StandingsDay
from apps.rankings.services import refresh_all
from apps.runs.models import KeepsOut, Level, Run
from tests import make
from tests.rankings import build
from tests.rankings.build import NOW, SPREAD

if TYPE_CHECKING:
    from apps.runs.models import Upload

DAY: Final = timedelta(days=1)
KINDS: Final = (1_000.0, 1_010.0, 1_020.0, 1_030.0, 5_000.0, 5_050.0, 5_100.0, 5_150.0)


@dataclass(frozen=True, slots=True)
class World:
    """What a dump must not tell, and uploads that it may hand out or not."""

    secrets: frozenset[str]
    agreed: Upload
    refused: Upload


def build_world() -> World:
    """Store everything, compute all standings and return what tests ask for."""
    StandingsDay.objects.create(day=NOW.date())
    ExchangeRate.objects.create(day=NOW.date(), currency="USD", per_euro=Decimal("1.1"))
    build.price(build.ranked_plan("A", 1_000), Decimal(30))
    build.price(build.ranked_plan("B", 300), Decimal(5), currency="USD")
    build.measure(build.plan("Kinds"), KINDS, region="us-east-1")
    _accounts_beside_networks()
    _older_and_changed()
    _articles()
    agreed, refused = _uploads()
    refresh_all()
    hidden = Run.objects.exclude(level=Level.PUBLISHED).values_list("uploader", "machine")
    # short names are in every date
    names = {name for row in hidden for name in row if len(name) > len("u0-0000")}
    keys = {agreed.key_id, refused.key_id, agreed.network}
    return World(frozenset(names | keys), agreed, refused)


def _accounts_beside_networks() -> None:
    plan, drive = build.plan("Claimed"), build.family()
    for place in range(9):
        made = build.run(
            700 + 20 * place, plan=plan, drive_family=drive, is_claimed=place < 4,
            uploader=f"account-{place}", machine=f"machine-{place}", slowest=600 + 20 * place,
        )  # fmt: skip
        if place % 3 == 0:
            make.label(run=made, keeps_out=KeepsOut.WEIGHT)
    out = build.run(9_999, plan=plan, in_standings=False, is_kept_out=True, uploader="out-of-it")
    make.label(run=out, rule="too-fast", outcome="quarantine", keeps_out=KeepsOut.RUN)


def _older_and_changed() -> None:
    plan = build.plan("Changed")
    for place, factor in enumerate([*SPREAD, *SPREAD]):
        build.run(
            (2_000 if place < len(SPREAD) else 500) * factor, plan=plan,
            uploader=f"network-{place}", machine=f"of-{place}",
            measured_at=NOW - (130 - 8 * place) * DAY,
        )  # fmt: skip
    build.measure(build.plan("Old"), SPREAD, measured_at=NOW - 300 * DAY)
    build.measure(build.plan("Renewed"), [800 * each for each in SPREAD])
    build.measure(build.plan("Renewed"), [90], measured_at=NOW - 300 * DAY)


def _articles() -> None:
    for rate in (400.0, 600.0):
        published = build.run(
            rate, plan=build.plan("A"), level=Level.PUBLISHED, side="sync", uploader="",
            measured_at=None, drive_family=build.family("slow-drive"),
        )  # fmt: skip
        make.citation(run=published, warning="=1+1 is what the article says")


def _uploads() -> tuple[Upload, Upload]:
    """Two uploads with histograms; their key moved to another network in between."""
    agent = make.Agent()
    agreed, refused = (
        make.upload(
            make.payload(run_id=make.uuid7(), consent={"terms": 1, "publish_envelope": is_agreed}),
            agent=agent, witnessed=True, network=network * 32, received_at=NOW - days * DAY,
        )
        for is_agreed, network, days in ((True, "e", 2), (False, "f", 1))
    )  # fmt: skip
    assert drain() == 2
    return agreed, refused

"""What several tests of the pages put on the site, and how they read it."""

from __future__ import annotations

import re
from decimal import Decimal
from html import unescape
from typing import TYPE_CHECKING

from apps.plans.models import Plan, Price, Provider
from apps.runs.models import Level
from tests import make

if TYPE_CHECKING:
    from django.test import Client

    from apps.rankings.models import Standing
    from apps.runs.models import Run

LISTS = [
    "/", "/plans/", "/providers/", "/drives/", "/runs/", "/measure/", "/method/", "/rules/",
    "/guides/", "/guides/oltp/", "/lies/", "/about/", "/embed/",
]  # fmt: skip


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def tight(markup: str) -> str:
    """Markup without the white space beside its tags: how it is laid out is not what it says."""
    return re.sub(r"\s*([<>])\s*", r"\1", " ".join(markup.split()))


def main(client: Client, address: str) -> str:
    """What a page says itself: without the head and the foot that all have."""
    return main_of(text(client, address))


def answer_on(page: str) -> str:
    """What a page answers before its evidence, in words; nothing where it answers nothing."""
    if '<div class="answer">' not in page:
        return ""
    answer = page.split('<div class="answer">')[1].split("</div>", maxsplit=1)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", answer).split())


def copied(page: str, box: str) -> str:
    """What the copy button of a box would put on the clipboard."""
    found = re.search(rf'<pre id="{box}">(.*?)</pre>', page, re.DOTALL)
    assert found
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


def unmarked(page: str) -> str:
    """A page whose commands stand without the marks of their options."""
    return re.sub(r'<span class="whole">(--[a-z-]+)</span>', r"\1", page)


def main_of(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


def plan_at(rate: float, name: str, **changes: object) -> Standing:
    """Return a standing of a new plan of one provider."""
    owner = Provider.objects.get_or_create(slug="acme", defaults={"name": "Acme"})[0]
    plan = make.plan(provider=owner, slug=f"acme-{name.lower()}", name=name)
    return make.standing(
        plan=plan,
        rate_per_s=rate,
        **{"is_durable_single_writer": True, **changes},
    )


def volume_for_8_cents() -> Standing:
    """Return a standing of a new volume that costs $0.08 a GiB and month, in any region."""
    standing = plan_at(900, "Disk")
    Plan.objects.filter(pk=standing.plan_id).update(kind="volume", drive_gb=None)
    make.price(
        plan=standing.plan, amount=Decimal("0.08"), currency="USD", unit="GiB",
        period=Price.Period.MONTH, region="",
    )  # fmt: skip
    return standing


def measured_run(**changes: object) -> Run:
    """Return a run with a headline measurement, its distribution and its rate samples."""
    run = make.run(**changes)
    passes = [{"operations": 1000, "elapsed_ns": 2 * 10**9, "rate_samples": [500, 480, 20, 500]}]
    measurement = make.measurement(run=run, sample_ns=500_000_000, passes=passes)
    make.latency(measurement=measurement)
    make.latency(measurement=measurement, side="sync", p50_ns=990_000)
    return run


def published_run(**changes: object) -> Run:
    run = make.run(level=Level.PUBLISHED, in_standings=False, slug="article-1", measured_at=None)
    make.citation(run=run, title="An article", warning="Read this twice.")
    measurement = make.measurement(run=run, **{"workload": "fallocated-8k-fsync", **changes})
    make.latency(measurement=measurement, side="sync")
    return run

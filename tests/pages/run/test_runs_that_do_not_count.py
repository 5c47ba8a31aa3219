"""Runs that other programs disturbed: their page says it first, and nothing else shows a figure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.config.one_machine.proof import OUT
from apps.drives.catalogue import read_ladder
from apps.drives.models import LadderClass
from apps.intake.services.work import drain
from apps.pages.embed.cards.contents import card_of
from apps.plans.models import Plan
from apps.rankings.models import Standing
from apps.runs.models import Run, RunRuling
from apps.runs.rulings import rule_on_run
from tests import make
from tests.pages.site import text
from tests.runs.rules.changes import disturbed

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db


def stored(change: Callable[[make.Json], None], *, witnessed: bool = True) -> Run:
    """Return a run of a plan, with this change, as a worker stores it."""
    LadderClass.objects.bulk_create(read_ladder())
    plan = make.plan()
    document = make.payload()
    document["claim"] = {"provider": plan.provider_id, "plan": plan.name, "region": None}
    change(document)
    make.upload(document, witnessed=witnessed)
    assert drain() == 1
    return Run.objects.get()


def flat(client: Client, address: str) -> str:
    """Return a page without its line breaks."""
    return " ".join(text(client, address).split())


def first_words(client: Client, run: Run) -> str:
    """Return the answer with which the page of a run begins, and why it is that."""
    return flat(client, f"/runs/{run.slug}/").split('<div class="answer">')[1].split("<dl")[0]


def test_a_quiet_run_counts_and_says_what_others_had(client: Client) -> None:
    run = stored(disturbed())
    assert run.in_standings
    assert "does not count" not in flat(client, f"/runs/{run.slug}/")
    page = flat(client, f"/runs/{run.slug}/")
    assert "Other programs: disk 0 %, processors" in page
    assert "Likely: 1 witnessed run" in page
    assert "ladder-title" in page
    assert Standing.objects.filter(n_runs__gt=0).exists()


@pytest.mark.parametrize(
    ("change", "share"),
    [
        (disturbed(device_permille=970), "Their share was 96.9 %."),
        (disturbed(cpu_permille=1000), "Their share was 100 %."),
    ],
    ids=["dd", "busy loops"],
)
def test_a_disturbed_run_says_so_first_and_stands_nowhere(
    client: Client, change: Callable[[make.Json], None], share: str
) -> None:
    run = stored(change)
    words = first_words(client, run)
    assert words.startswith(f' <p class="answer-says">{OUT}: others used the')  # as the demo looks
    assert "Unknown: does not count" in words
    assert share in words
    assert "Stop the other programs and measure again." in words
    page = flat(client, f"/runs/{run.slug}/")
    assert "This run does not count: others used the" in page
    assert "ladder-title" not in page
    title = page.split("<title>")[1].split("</title>")[0]
    assert "durable commits/s" not in title
    assert not run.in_standings
    assert not Standing.objects.filter(n_runs__gt=0).exists()
    assert run.slug in flat(client, "/runs/")


def test_what_its_owner_decided_is_the_first_reason(client: Client) -> None:
    run = stored(disturbed(cpu_permille=1000))
    rule_on_run(run.pk, RunRuling.Kind.WITHDRAWN, "the wrong disk")
    drain()
    assert "This run does not count: withdrawn by its owner" in first_words(client, run)


def test_what_others_disturbed_beside_the_headline_counts_nowhere(client: Client) -> None:
    run = stored(disturbed(device_permille=970, place=3))
    assert run.in_standings
    ranked = dict(run.measurements.values_list("workload", "is_ranked"))
    assert [name for name, is_ranked in ranked.items() if not is_ranked] == ["read-4k-floor"]
    assert "partly disturbed" in flat(client, f"/runs/{run.slug}/")
    assert "does not count" not in first_words(client, run)


def test_a_machine_that_is_not_the_claimed_plan_counts_for_its_drive_alone(client: Client) -> None:
    family = make.drive_family(match="^SAMSUNG MZQL2.*$")
    owner = make.provider(slug="hetzner", name="Hetzner")
    sold = make.plan(
        provider=owner,
        slug="hetzner-ccx33",
        name="CCX33",
        kind="cloud",
        vcpus=8,
        ram_gb=32,
        arch="x86_64",
    )

    def claims(document: make.Json) -> None:
        document["claim"] = {"provider": sold.provider_id, "plan": sold.name, "region": None}
        document["env"].update(virt="kvm", cpu_count=2, ram_bytes=24 << 30)

    document = make.payload()
    claims(document)
    make.upload(document, witnessed=True)
    assert drain() == 1
    run = Run.objects.get()
    assert (run.plan_id, run.in_standings, run.plan_in_doubt) == (sold.slug, True, True)
    words = first_words(client, run)
    assert words.startswith(' <p class="answer-says">This run does not count for its plan:')
    assert "CCX33 has 8 vCPUs; the machine shows 2." in words
    assert not Standing.objects.filter(plan__isnull=False, n_runs__gt=0).exists()
    assert "not the claimed plan" in flat(client, f"/plans/{sold.slug}/")
    page = flat(client, f"/runs/{run.slug}/")
    assert "durable commits/s" not in page.split("<title>")[1].split("</title>")[0]
    assert run.drive_family_id == family.pk
    assert Standing.objects.filter(drive_family=family, n_runs__gt=0).exists()


def in_memory(document: make.Json) -> None:
    document["env"]["fs"] = "tmpfs"
    document["stack"] = ["tmpfs"]


def test_nothing_in_memory_is_called_durable(client: Client) -> None:
    run = stored(in_memory)
    words = first_words(client, run)
    assert words.startswith(' <p class="answer-says">This run does not count:')
    assert "The file lay on tmpfs." in words
    assert "operations/s" in words
    assert "durable commits" not in words


def test_lists_mark_what_does_not_count_and_the_first_page_leaves_it_out(client: Client) -> None:
    run = stored(disturbed(device_permille=970))
    assert ">does not count<" in flat(client, "/runs/")
    assert client.get("/runs.json").json()["rows"][0]["keeps_out"] == "run"
    assert run.slug not in flat(client, "/")
    assert run.slug in flat(client, f"/?run={run.slug}")


def test_a_run_of_a_doubted_plan_is_named_as_a_claim_and_has_no_cost(client: Client) -> None:
    def half_the_machine(document: make.Json) -> None:
        Plan.objects.update(kind="cloud", vcpus=8)
        make.price(plan=Plan.objects.get())
        document["env"].update(cpu_count=2, virt="kvm", container=None)

    run = stored(half_the_machine)
    assert run.plan_in_doubt
    page = flat(client, f"/runs/{run.slug}/")
    assert f"claimed: {run.plan.name if run.plan else ''}" in page
    assert "Per billion" not in page
    assert ">does not count for its plan<" in flat(client, "/runs/")
    assert run.slug not in flat(client, "/")


@pytest.mark.parametrize("witnessed", [True, False], ids=["witnessed", "signed"])
def test_no_card_title_feed_badge_or_ladder_carries_the_figure_of_a_run_in_memory(
    client: Client, *, witnessed: bool
) -> None:
    run = stored(in_memory, witnessed=witnessed)
    rate = run.measurements.get(workload="commit-8k").rate_per_s or 0
    shown = re.compile(rf"{round(rate):,}|{int(rate)}")
    assert not shown.search(flat(client, f"/?run={run.slug}"))
    assert not shown.search(flat(client, "/runs.atom"))
    for address in (f"/runs/{run.slug}/", f"/runs/{run.slug}/commit-8k-v1/"):
        assert not shown.search(between(flat(client, address), "<title>", "</title>"))
    assert "durable" not in flat(client, f"/badge/run/{run.slug}.svg")
    comparison = flat(client, f"/compare/?on=run:{run.slug}&on=plan:{run.plan_id}")
    assert "(does not count)" in between(comparison, 'property="og:description"', ">")
    card = card_of("run", run.slug)
    assert card is not None
    assert (card.rate_per_s, card.at_ns) == (None, None)
    assert card.sentence.endswith("run that does not count")


def between(text: str, begin: str, end: str) -> str:
    """Return what lies between the first of these."""
    return text.split(begin)[1].split(end, maxsplit=1)[0]

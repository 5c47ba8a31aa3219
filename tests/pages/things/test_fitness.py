"""Whether a drive is fit for Postgres: one sentence at the head of its page, with what it is by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.show.answer import WORDS_MAX
from apps.pages.things.fitness import fitness_of
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Level
from tests import make
from tests.pages.measured import counted, stand
from tests.pages.site import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def verdict(client: Client, slug: str = "d") -> str:
    page = " ".join(text(client, f"/drives/{slug}/").split())
    return page.partition('id="fitness-title"')[2].partition("</section>")[0]


@pytest.mark.parametrize(
    ("rates", "says", "sure"),
    [
        ((20_000, 15_000, 40_000), "Yes, at", "Firm: at least 15 times what you need, 7 uploaders"),
        ((1_200, 1_000, 1_500), "Yes, at", "Firm: at least 1.0 times what you need, 7 uploaders"),
        ((1_200, 999, 1_500), "Borderline at", "Borderline: at least 1.0 times what you need"),
        ((900, 800, 1_000), "Borderline at", "Borderline: at least 0.80 times what you need"),
        ((700, 600, 800), "No, not at", "Firm: fails: 0.80 times what you need, 7 uploaders"),
    ],
)
def test_both_ends_of_what_was_measured_decide(
    client: Client, rates: tuple[float, float, float], says: str, sure: str
) -> None:
    rate, low, high = rates
    family = make.drive_family(slug="d", plp="full")
    run = make.run(slug="newest")
    make.standing(
        drive_family=family, rate_per_s=rate, rate_per_s_low=low, rate_per_s_high=high,
        is_durable_single_writer=True, n_machines=9, n_uploaders=7, newest_run_slug=run.slug,
    )  # fmt: skip
    said = verdict(client)
    assert f'<p class="answer-says">{says} 1,000 commits a second of one session.</p>' in said
    assert sure in said
    page = " ".join(text(client, "/drives/d/").split())
    assert "9 machines / 7 uploaders" in page
    assert "<dd>2025-06-15" in page
    assert "a datasheet" in page.partition('id="facts"')[2]


def test_what_is_not_enough_is_said_by_its_better_end(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(slug="d"), rate_per_s=150, rate_per_s_low=100,
        rate_per_s_high=190, is_durable_single_writer=True, evidence=Evidence.PUBLISHED,
    )  # fmt: skip
    assert "Unlikely: 0.19 times what you need" in verdict(client)


def test_the_sentences_hold_their_words() -> None:
    for plp in ("full", "none", "unknown"):
        rung = make.ladder_class(name="Consumer NVMe SSD")
        drive = make.drive_family(plp=plp, ladder_class=rung)
        for judged in (None, make.standing(drive_family=drive, is_durable_single_writer=True)):
            for possible in ((), (rung,), (rung, rung)):
                said = fitness_of(drive, judged, possible=possible).answer.sentence
                assert len(said.split()) <= WORDS_MAX


def test_what_is_made_up_decides_nothing(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(slug="d", plp="full"), rate_per_s=20_000,
        is_durable_single_writer=True, evidence=Evidence.EXAMPLE,
    )  # fmt: skip
    assert "Unknown: nobody measured it" in verdict(client)


@pytest.mark.parametrize(
    ("plp", "rate", "says"),
    [
        ("none", 9_000, "Nobody knows why it is this fast without power-loss protection."),
        ("none", 300, "it loses no commit, as long as it honours flushes"),
    ],
)
def test_what_protection_changes_is_said_beside_the_verdict(
    client: Client, plp: str, rate: float, says: str
) -> None:
    make.standing(
        drive_family=make.drive_family(slug="d", plp=plp), rate_per_s=rate, rate_per_s_low=rate,
        is_durable_single_writer=True, n_machines=7, n_uploaders=4,
    )  # fmt: skip
    assert says in verdict(client)


def test_the_nearest_workload_is_judged_and_another_one_never(client: Client) -> None:
    family = make.drive_family(slug="d")
    of = {"drive_family": family, "is_durable_single_writer": True, "evidence": "published"}
    make.standing(workload="fio-2m-direct-randwrite-fsync", rate_per_s=142_800, **of)
    assert "Unknown: nobody measured it" in verdict(client)
    make.standing(workload="direct-16k-fsync", rate_per_s=329, **of)
    said = verdict(client)  # of work that is only alike
    assert "What was measured reaches 329 of 1,000 commits a second of one session." in said
    assert "Borderline: 0.33 times what you need" in said
    make.standing(workload="direct-16k-fdatasync", rate_per_s=330, **of | {"evidence": "measured"})
    said = verdict(client)
    assert "No, not at 1,000" in said
    assert '<b class="fig">330</b>' in said
    page = " ".join(text(client, "/drives/d/").split())
    assert "16 KiB page, O_DIRECT, fdatasync" in page


def test_what_nobody_measured_is_expected_of_its_class_and_said_to_be(client: Client) -> None:
    rung = make.ladder_class(name="Consumer", low_ns=200_000, high_ns=1_000_000)
    make.drive_family(slug="d", plp="none", ladder_class=rung)
    said = verdict(client)
    assert "Drives of its class, Consumer, sync about 1,000\u20135,000 times a second." in said
    assert "Unknown: nobody measured it" in said
    about = make.ladder_class(name="Optane", low_ns=7_000, high_ns=7_000)
    make.drive_family(slug="g", plp="full", ladder_class=about)
    assert "its class, Optane, sync about 140,000 times a second" in verdict(client, "g")
    make.drive_family(slug="f")
    assert "Its class is not stated" in verdict(client, "f")


def test_a_published_figure_is_said_to_be_one(client: Client) -> None:
    family = make.drive_family(slug="d", plp="none")
    run = make.run(slug="an-article", level=Level.PUBLISHED, measured_at=None)
    make.citation(run=run, title="An article")
    make.standing(
        drive_family=family, rate_per_s=187, is_durable_single_writer=True,
        evidence=Evidence.PUBLISHED, newest_run_slug=run.slug,
    )  # fmt: skip
    assert "0.19 times what you need, 1 published run" in verdict(client)
    page = " ".join(text(client, "/drives/d/").split())
    assert "<dd>date not stated</dd>" in page
    assert ">An article, date not stated</a>" in page


def test_a_drive_says_what_was_timed_and_of_whom(client: Client) -> None:
    plan = make.plan(slug="p")
    standing = make.standing(
        plan=plan, rate_per_s=9_000, is_durable_single_writer=True, n_runs=1,
        n_machines=1, n_uploaders=1, latency_side="commit", p50_ns=110_000, p99_ns=300_000,
    )  # fmt: skip

    def page(**changes: object) -> str:
        for name, value in changes.items():
            setattr(standing, name, value)
        standing.save()
        return " ".join(text(client, "/plans/p/").split())

    said = "Half of all commits finish within 110 µs, 99 of 100 within 300 µs."
    assert said in page()
    assert "Half of all commits" in page(evidence=Evidence.PUBLISHED)
    assert "middle uploader" not in page(n_runs=2)
    several = page(evidence=Evidence.MEASURED, n_uploaders=3, n_machines=3, p99_low_ns=200_000,
                   p99_high_ns=400_000)  # fmt: skip
    assert said in several
    assert "middle uploader" in several
    assert "200\u2013400 µs" in several
    assert "Half of all syncs finish within 110" in page(latency_side="sync")
    untimed = page(latency_side="completion")  # it ends where the sync begins
    assert "half of all" not in untimed.lower()
    assert "One commit takes 111 µs on average" in untimed
    assert 'aria-label="9,000 /s overwrite, fdatasync' in untimed
    assert "big-curve" not in untimed


def test_a_virtual_disk_is_no_model_to_judge(client: Client) -> None:
    family = make.drive_family(slug="d", kind="virtual")
    stand([counted(1_000, uploader=1, drive_family=family, is_single_drive=True)])
    assert not Standing.objects.filter(drive_family=family).exists()
    page = text(client, "/drives/d/")
    assert page.count("A virtual disk is no drive model: it has no standing.") >= 2
    assert "fit for Postgres" not in page

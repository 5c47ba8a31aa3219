"""Whether a drive is fit for Postgres: one sentence at the head of its page, with what it is by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence, Standing
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
    ("rate", "low", "high", "begins"),
    [
        (20_000, 15_000, 40_000, "Yes, it passes at 1,000 commits a second of one session."),
        (1_200, 1_000, 1_500, "Yes, it passes"),
        (1_200, 999, 1_500, "It may be, at 1,000 commits a second of one session."),
        (900, 800, 1_000, "It may be"),
        (900, 800, 999, "No, it fails at 1,000 commits a second of one session."),
    ],
)
def test_both_ends_of_what_was_measured_decide(
    client: Client, rate: float, low: float, high: float, begins: str
) -> None:
    family = make.drive_family(slug="d", plp="full")
    run = make.run(slug="newest")
    make.standing(
        drive_family=family, rate_per_s=rate, rate_per_s_low=low, rate_per_s_high=high,
        is_durable_single_writer=True, n_machines=7, n_uploaders=4, newest_run_slug=run.slug,
    )  # fmt: skip
    said = verdict(client)
    assert f'<p class="verdict">{begins}' in said
    assert "(7 machines of 4 uploaders, interval " in said
    assert "last on 2025-06-15" in said
    assert "Source: a datasheet." in said


def test_what_is_made_up_decides_nothing(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(slug="d", plp="full"), rate_per_s=20_000,
        is_durable_single_writer=True, evidence=Evidence.EXAMPLE,
    )  # fmt: skip
    assert "Not measured" in verdict(client)


@pytest.mark.parametrize(
    ("plp", "rate", "says"),
    [
        ("none", 9_000, "It is not known why it is this fast without power-loss protection."),
        ("none", 300, "loses no commit as long as it honours flushes"),
        ("unknown", 300, "Whether it has power-loss protection is not stated."),
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
    make.standing(workload="randwrite-4k-fsync", rate_per_s=142_800, **of)
    assert "Nobody has measured its commits with a workload that stands for them" in verdict(client)
    make.standing(workload="direct-16k-fsync", rate_per_s=329, **of)
    assert "It may be" in verdict(client)
    make.standing(workload="direct-16k-fdatasync", rate_per_s=330, **of | {"evidence": "measured"})
    said = verdict(client)
    assert "No, it fails" in said
    assert "330 a second with 16 KiB page, O_DIRECT, fdatasync" in said


def test_what_nobody_measured_is_expected_of_its_class_and_said_to_be(client: Client) -> None:
    rung = make.ladder_class(name="Consumer", low_ns=200_000, high_ns=1_000_000)
    make.drive_family(slug="d", plp="none", ladder_class=rung)
    said = verdict(client)
    assert "Not measured. Without power-loss protection each commit waits" in said
    assert "about 1,000 to 5,000 times a second" in said
    make.drive_family(slug="e", plp="full", ladder_class=rung)
    assert "what to expect, not a measurement" in verdict(client, "e")
    about = make.ladder_class(name="Optane", low_ns=7_000, high_ns=7_000)
    make.drive_family(slug="g", plp="full", ladder_class=about)
    assert "(Optane) sync about 140,000 times a second" in verdict(client, "g")
    make.drive_family(slug="f")
    assert "its class is not stated" in verdict(client, "f")


def test_a_published_figure_is_said_to_be_one(client: Client) -> None:
    family = make.drive_family(slug="d", plp="none")
    make.standing(
        drive_family=family, rate_per_s=187, is_durable_single_writer=True,
        evidence=Evidence.PUBLISHED,
    )  # fmt: skip
    said = verdict(client)
    assert "1 published run, no interval, on a day" in said
    assert "on a day that its source does not state" in said
    assert "Nobody has signed a run of it" in said


def test_a_drive_says_what_was_timed_and_of_whom(client: Client) -> None:
    family = make.drive_family(slug="d", plp="full")
    standing = make.standing(
        drive_family=family, rate_per_s=9_000, is_durable_single_writer=True, n_runs=1,
        n_machines=1, n_uploaders=1, latency_side="commit", p50_ns=110_000, p99_ns=300_000,
    )  # fmt: skip

    def page(**changes: object) -> str:
        for name, value in changes.items():
            setattr(standing, name, value)
        standing.save()
        return " ".join(text(client, "/drives/d/").split())

    said = "Half of all commits finished in 110 µs, and 99 of 100 within 300 µs."
    assert said in page()
    assert "Half of all commits" in page(evidence=Evidence.PUBLISHED)
    assert "In the middle run, half of all commits finished in 110" in page(n_runs=2)
    several = page(evidence=Evidence.MEASURED, n_uploaders=3, n_machines=3, p99_low_ns=200_000,
                   p99_high_ns=400_000)  # fmt: skip
    assert "For the middle uploader, half of all commits finished in 110" in several
    assert "200\u2013400 µs" in several
    assert "For the middle uploader, half of all syncs finished" in page(latency_side="sync")
    assert "half of all" not in page(latency_side="completion").lower()


def test_a_virtual_disk_is_no_model_to_judge(client: Client) -> None:
    family = make.drive_family(slug="d", kind="virtual")
    stand([counted(1_000, uploader=1, drive_family=family, is_single_drive=True)])
    assert not Standing.objects.filter(drive_family=family).exists()
    page = text(client, "/drives/d/")
    assert "a virtual disk is no model of drive: it has no standing" in page
    assert "it has no standing, no rank and no verdict" in page
    assert "fit for Postgres" not in page
    assert "A virtual disk" in page

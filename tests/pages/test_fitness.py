"""Whether a drive is fit for Postgres: one sentence at the head of its page, with what it is by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def verdict(client: Client, slug: str = "d") -> str:
    page = " ".join(text(client, f"/drives/{slug}/").split())
    return page.partition('id="fitness-title"')[2].partition("</section>")[0]


@pytest.mark.parametrize(
    ("plp", "rate", "low", "begins"),
    [
        ("full", 20_000, 15_000, "Yes. One session gets 20,000"),
        ("none", 20_000, 15_000, "Fast, and not explained. One session gets 20,000"),
        ("unknown", 20_000, 15_000, "Fast, and not explained."),
        ("full", 6_000, 2_000, "Yes, as long as one log commits less than 6,000 times"),
        ("none", 1_500, 1_200, "Yes, as long as one log commits less than 1,500 times"),
        ("none", 329, 325, "Only where commits are rare, or lost ones do no harm."),
        ("full", 1_200, 400, "Only where commits are rare"),  # its low end decides
    ],
)
def test_the_low_end_of_what_was_measured_decides(
    client: Client, plp: str, rate: float, low: float, begins: str
) -> None:
    family = make.drive_family(slug="d", plp=plp)
    run = make.run(slug="newest")
    make.standing(
        drive_family=family, rate_per_s=rate, rate_per_s_low=low, rate_per_s_high=2 * rate,
        is_durable_single_writer=True, n_machines=7, n_uploaders=4, newest_run_slug=run.slug,
    )  # fmt: skip
    said = verdict(client)
    assert f'<p class="verdict">{begins}' in said
    assert "(7 machines of 4 uploaders, interval " in said
    assert "last on 2025-06-15" in said
    assert "Data sheet: a datasheet." in said


def test_what_nobody_measured_is_expected_of_its_class_and_said_to_be(client: Client) -> None:
    rung = make.ladder_class(name="Consumer", low_ns=200_000, high_ns=1_000_000)
    make.drive_family(slug="d", plp="none", ladder_class=rung)
    said = verdict(client)
    assert "Not known, and not to be expected: without power-loss protection" in said
    assert "some 1,000 to 5,000 times a second" in said
    make.drive_family(slug="e", plp="full", ladder_class=rung)
    assert "an expectation and no measurement" in verdict(client, "e")
    make.drive_family(slug="f")
    assert "its class is not stated" in verdict(client, "f")


def test_a_published_figure_is_said_to_be_one(client: Client) -> None:
    family = make.drive_family(slug="d", plp="none")
    make.standing(
        drive_family=family, rate_per_s=187, is_durable_single_writer=True,
        evidence=Evidence.PUBLISHED,
    )  # fmt: skip
    said = verdict(client)
    assert "1 published run, no interval, as it is one value" in said
    assert "on a day that its source does not state" in said
    assert "Nobody has signed a run of it" in said


def test_a_virtual_disk_is_no_model_to_judge(client: Client) -> None:
    make.drive_family(slug="d", kind="virtual")
    page = text(client, "/drives/d/")
    assert "fit for Postgres" not in page
    assert "A virtual disk" in page

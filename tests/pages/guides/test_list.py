"""The list of guides: the best that is known beside each, as the guide itself names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.selectors import read_guide, read_guides
from apps.pages.guides.verdicts import GuideLine, lines_of
from apps.rankings.models import Evidence
from tests import make
from tests.pages.guides.test_guides import CEPH, ENOUGH, OLTP
from tests.pages.site import answer_on, main, plan_at, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def guide_lines() -> tuple[GuideLine, ...]:
    """Return the lines of the list of guides."""
    return lines_of(GUIDES, read_guides(GUIDES))


def best_names(slug: str) -> list[str]:
    """Return the plan and the drive that the list names beside a guide."""
    return [each.name for line in guide_lines() if line.guide.slug == slug for each in line.best]


def test_the_list_names_the_best_that_is_known(client: Client) -> None:
    assert "not measured" in main(client, "/guides/")
    plan_at(9_000, "Article", evidence=Evidence.PUBLISHED)
    plan_at(1_300, "Well", rate_per_s_low=1_200, **ENOUGH)
    page = tight(main(client, "/guides/"))
    line = page.partition('href="/guides/oltp/"')[2].partition("</li>")[0]
    assert '<a href="/plans/acme-well/">Well</a>' in line
    assert "Firm, 1.2\u00d7 of 1,000/s" in line
    assert ">1,300</b>durable commits/s" in line


def test_what_nobody_measured_is_counted_and_examples_are_left_out_of_the_list() -> None:
    plan_at(1_000, "Measured")
    make.plan(name="Waiting")
    plan_at(1_000, "Unrelated", workload="mix-4k-write")
    assert read_guide(OLTP).unmeasured_plans == 2
    plan_at(1_000, "Made-up", evidence=Evidence.EXAMPLE)
    assert read_guide(OLTP).unmeasured_plans == 3
    assert best_names("oltp") == ["Measured"]


def test_plans_and_drives_have_lists_of_their_own_and_the_drive_is_named_too(
    client: Client,
) -> None:
    plan_at(5_000, "Rented", evidence=Evidence.PUBLISHED)
    drive = make.drive_family(name="Bought", vendor="Maker", plp="full")
    make.standing(
        drive_family=drive, rate_per_s=9_000, is_durable_single_writer=True,
        evidence=Evidence.PUBLISHED,
    )  # fmt: skip
    page = main(client, "/guides/oltp/")
    assert "Plan surest to be fit, of 1: Rented. 5,000" in answer_on(page)
    assert "Drive surest to be fit, of 1: Bought." in page
    plans, drives = page.partition("Which drives are fit?")[::2]
    assert ">Rented</a>" in plans.partition("Which plans are fit?")[2]
    assert ">Bought</a>" in drives
    assert best_names("oltp") == ["Rented", "Bought"]


def test_the_list_names_what_each_guide_names(client: Client) -> None:
    run, other = make.run(), make.run()
    plan_at(9_000, "Rented", newest_run_slug=run.slug)
    for name, rate, slug in (("Inside", 9_000, run.slug), ("Slower", 5_000, other.slug)):
        drive = make.drive_family(name=name, vendor="Maker", plp="full")
        make.standing(
            drive_family=drive, rate_per_s=rate, is_durable_single_writer=True,
            newest_run_slug=slug,
        )  # fmt: skip
    assert best_names("oltp") == ["Rented", "Inside"]
    assert "Drive surest to be fit, of 2: Inside." in main(client, "/guides/oltp/")


def test_what_its_article_calls_illustrative_gets_no_verdict(client: Client) -> None:
    drive = make.drive_family(name="PM893", vendor="Samsung", plp="full")
    sampled = {"evidence": Evidence.PUBLISHED, "workload": "randwrite-4k-fsync", "plp": "full",
               "rate_per_s": 3_920, "warnings": ["Illustrative: a sample run."],
               "is_illustrative": True}  # fmt: skip
    make.standing(drive_family=drive, newest_run_slug="sample", **sampled)
    page = main(client, "/guides/ceph-wal/")
    assert "verdict-mark" not in page
    assert "Nobody has measured what it waits for." in page
    line = page.partition("Illustrative figures of an article, not judged:")[2]
    assert ">PM893</a> 3,920 durable commits/s, " in " ".join(line.partition("</p>")[0].split())
    assert 'href="/runs/sample/"' in line
    assert read_guide(CEPH).unmeasured_drives == 1
    assert best_names("ceph-wal") == []
    make.standing(drive_family=drive, **{**sampled, "warnings": [], "is_illustrative": False,
                                         "workload": "direct-16k-fsync",
                                         "is_durable_single_writer": True})  # fmt: skip
    assert "not judged" not in main(client, "/guides/oltp/")

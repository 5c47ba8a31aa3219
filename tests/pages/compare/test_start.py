"""The start page of a comparison: questions with their answers, and things to tick."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from apps.words.workloads import workload_short
from tests import make
from tests.pages.compare.build import against, head_of, words_of
from tests.pages.site import main, plan_at, text, tight
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("query", ["", "?on=", "?on=%00", "?base=x&workload=..%2f&evidence=no"])
def test_too_little_is_a_start_page_with_things_to_tick(client: Client, query: str) -> None:
    plan_at(1000, "A", n_uploaders=3)
    plan_at(2000, "B")
    page = text(client, f"/compare/{query}")
    assert page.index('value="plan:acme-b"') < page.index('value="plan:acme-a"')
    assert 'name="add"' in page


def test_the_start_page_answers_questions_that_people_ask(client: Client) -> None:
    store_catalogue()
    page = main(client, "/compare/")
    ready = page[page.index('class="ready"') : page.index("</ul>")]
    asked = [html.unescape(each) for each in re.findall(r'<a href="([^"]+)">', ready)]
    assert asked == [
        "/compare/?on=plan:hetzner-ax102-15-36-tb-nvme-dc-drive&on=plan:hetzner-ax41-nvme",
        "/compare/?on=drive:intel-dc-s3700&on=drive:samsung-850-pro",
    ]
    for said in ("55\u00d7", "Likely: 43\u201374 times", "10,318/s", "187/s"):
        assert said in ready
    for address in asked:  # the page says what the door says
        head = html.unescape(head_of(words_of(client, address)))
        assert re.findall(r"[\d.]+\u00d7", head)[0] in ready
        assert "not measured" not in head


def test_one_thing_says_what_is_known_of_it_and_what_is_near(client: Client) -> None:
    store_catalogue()
    page = tight(main(client, "/compare/?on=plan:hetzner-ccx33"))
    assert "Published: Random reads, 8 KiB, 128 in flight: 325,000 /s" in page
    near = page[page.index("Measured and near to it") :]
    offered = re.findall(r"<b>([^<]+)</b>", near)
    assert (offered[0], len(offered)) == ("CCX13", 4)
    unknown = tight(main(client, "/compare/?on=plan:hetzner-ccx43"))
    assert "Nobody has measured CCX43." in unknown
    assert "Which \u201cAX41\u201d do you mean?" in tight(main(client, "/compare/?add=AX41"))


def test_what_is_ticked_stands_by_its_class_of_work(client: Client) -> None:
    plan_at(500, "Two")
    plan_at(9000, "Three", workload="commit-8k-fsync")
    heads = re.findall(r"<legend>([^<]+)</legend>", main(client, "/compare/"))
    assert heads == [
        "Plans\u00a0\u00b7 Overwrite with a data sync",
        "Plans\u00a0\u00b7 Heavier work: each sync writes metadata too",
    ]


def test_only_plans_of_one_kind_and_one_work_are_asked_whose_is_the_fastest(client: Client) -> None:
    one = plan_at(1_000, "One").plan
    two = make.plan(provider=make.provider(slug="other", name="Other"), slug="two", name="Two")
    row = make.standing(plan=two, rate_per_s=2_000, is_durable_single_writer=True)
    asked = "Whose storage commits fastest: Other, Acme?"
    assert one
    assert asked in main(client, "/compare/")
    row.workload = "commit-8k-fsync"
    row.save()
    assert asked not in main(client, "/compare/")


def test_what_is_ticked_and_what_is_compared_says_its_work(client: Client) -> None:
    rows = [plan_at(rate, name) for rate, name in ((1000, "One"), (500, "Two"))]
    three = plan_at(9000, "Three", workload="commit-8k-fsync")
    short = workload_short(three.workload)
    assert f"Acme, {short}</span>" in tight(main(client, "/compare/"))
    page = main(client, against(*rows, three))
    assert f"<small>{short}</small>" in page
    assert "The work differs, as each row says" in page
    # work that most of them have goes before the one that leads its plan
    also = {"workload": rows[0].workload, "is_durable_single_writer": True}
    make.standing(plan=three.plan, rate_per_s=700, **also)
    assert f"<small>{short}</small>" not in main(client, against(*rows, three))

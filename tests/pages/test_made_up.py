"""What is made up says so wherever it is shown, and is counted nowhere."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest
from django.utils.translation import override

from apps.pages.embed.cards.contents import card_of
from apps.pages.show import words
from apps.rankings.models import Evidence
from apps.runs.models import EXAMPLE, SHOWN_LEVEL, Level, Run
from apps.runs.trust.levels import evidence_of
from tests import make
from tests.pages.site import main, measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
NOINDEX = '<meta name="robots" content="noindex">'
JSON_LD = "application/ld+json"
# A level is a claim about a machine; none is true of what nobody measured.
LEVEL_MARK = re.compile(r"</svg>\s*(Witnessed|Signed)")
NOT_COUNTED = "Made-up example runs are not counted here."


@pytest.fixture
def example() -> Run:
    plan = make.plan(slug="acme-x1", name="X1", provider=make.provider(slug="acme", name="Acme"))
    family = make.drive_family(name="Samsung 990 PRO")
    return measured_run(is_example=True, plan=plan, provider=plan.provider, drive_family=family)


def head_of(page: str) -> str:
    return page[: page.index("</head>")]


def test_the_database_says_the_same_level_as_the_run(example: Run) -> None:
    for level in Level.values:
        make.run(level=level, in_standings=False)
        make.run(level=level, is_example=True)
    for run in Run.objects.annotate(shown=SHOWN_LEVEL):
        assert run.shown == run.shown_level
        assert (evidence_of(run.shown_level) == EXAMPLE) is run.is_example
    kinds = {evidence_of(each) for each in (*Level.values, EXAMPLE)}
    assert kinds == {*Evidence.values, Level.IMPORTED}


def test_the_page_of_an_example_is_marked_and_is_no_data(client: Client, example: Run) -> None:
    page = text(client, f"/runs/{example.slug}/")
    assert NOINDEX in page
    assert JSON_LD not in page
    head = head_of(page)
    title = re.search(r"<title>(.*?)</title>", head, re.DOTALL)
    assert title
    assert title[1].startswith("Made-up example: X1, Samsung 990 PRO, ")
    for name in ("description", "og:title", "og:description"):
        said = re.search(rf'(?:name|property)="{name}"\s+content="([^"]*)"', head)
        assert said, name
        assert "made-up example" in said[1].lower(), name
    assert "Made-up example" in page[page.index("<h1") : page.index("</h1>")]
    quoted = re.search(r'id="quotation">(.*?)<', page, re.DOTALL)
    assert quoted
    assert ", made-up example, " in quoted[1]
    assert not re.search("witnessed|signed", main(client, f"/runs/{example.slug}/"), re.IGNORECASE)


def test_the_page_of_a_workload_of_an_example_is_marked(client: Client, example: Run) -> None:
    measurement = example.measurements.get()
    page = text(client, f"/runs/{example.slug}/{measurement.workload}-v{measurement.version}/")
    assert NOINDEX in page
    assert "<title>Made-up example: " in page
    assert "Made-up example" in page[page.index("<h1") : page.index("</h1>")]
    assert not LEVEL_MARK.search(page)


def test_a_real_run_is_data_and_may_be_indexed(client: Client) -> None:
    page = text(client, f"/runs/{measured_run().slug}/")
    assert NOINDEX not in page
    assert JSON_LD in page
    assert "Made-up" not in page


def test_the_list_of_runs_has_examples_only_where_they_are_asked_for(
    client: Client, example: Run
) -> None:
    real = measured_run()
    page = main(client, "/runs/")
    assert f"/runs/{real.slug}/" in page
    assert example.slug not in page
    assert "Left out" in page
    assert 'href="/runs/?level=example">made-up example (1)<' in page
    asked = main(client, "/runs/?level=example")
    assert f"/runs/{example.slug}/" in asked
    assert real.slug not in asked
    assert "Made-up example" in asked
    assert not LEVEL_MARK.search(asked)
    assert example.slug not in main(client, "/runs/?level=witnessed")


def test_files_say_it_in_every_row(client: Client, example: Run) -> None:
    measured_run()
    [real] = client.get("/runs.json").json()["rows"]
    assert (real["level"], real["evidence"]) == ("witnessed", "measured")
    [made_up] = client.get("/runs.json?level=example").json()["rows"]
    assert (made_up["level"], made_up["evidence"]) == ("example", "example")
    answer = client.get("/runs.csv?level=example").getvalue()
    [row] = csv.DictReader(io.StringIO(answer.decode()))
    assert row["evidence"] == "example"
    assert "witnessed" not in row.values()


def test_a_standing_of_examples_is_marked_on_board_page_and_picture(client: Client) -> None:
    standing = plan_at(1_000, "X1", evidence=Evidence.EXAMPLE, n_machines=9, n_uploaders=4)
    page = text(client, f"/plans/{standing.plan_id}/")
    assert NOINDEX in page
    assert JSON_LD not in page
    said = re.search(r'name="description" content="([^"]*)"', page)
    assert said
    assert "made-up example, 9 machines, 4 uploaders" in said[1]
    assert not LEVEL_MARK.search(page)
    board = main(client, "/plans/")
    assert "Made-up example" in board
    assert "made-up example, 9 machines / 4 uploaders" in board
    assert not LEVEL_MARK.search(board)
    card = card_of("plan", standing.plan_id or "")
    assert card
    assert card.is_made_up
    assert "example" in card.counts


def test_the_picture_of_an_example_says_it(example: Run) -> None:
    card = card_of("run", example.slug)
    assert card
    assert card.is_made_up
    assert card.counts == "1 run, made-up example"
    real = card_of("run", measured_run().slug)
    assert real
    assert not real.is_made_up


def test_the_feed_and_the_first_page_leave_them_out(client: Client, example: Run) -> None:
    real = measured_run()
    feed = text(client, "/runs.atom")
    assert real.slug in feed
    assert example.slug not in feed
    assert ", made-up example" in text(client, f"/runs/{example.slug}/")
    assert "Made-up example: X1" in text(client, f"/?run={example.slug}")


def test_the_number_on_the_link_is_the_number_behind_it(client: Client, example: Run) -> None:
    make.ladder_class()
    for _ in range(3):
        measured_run()
    make.measurement(run=make.run(), workload="read-4k", is_durable_single_writer=False)
    assert "<b>3</b> runs" in " ".join(main(client, "/runs/").split())
    assert example.slug not in main(client, "/")


def test_what_has_only_examples_is_what_nobody_measured(client: Client) -> None:
    plan_at(1_000, "Zebra", evidence=Evidence.EXAMPLE)
    found = main(client, "/search/?q=zebra")
    assert "Nobody has measured this." in found
    assert NOT_COUNTED in found
    guide = " ".join(main(client, "/guides/oltp/").split())
    assert "Nobody has measured what it waits for." in guide
    assert NOT_COUNTED in guide
    needs = " ".join(main(client, "/plans/").split())
    assert 'Waiting for a first run</h2> <span class="fig">1</span>' in needs
    plan_at(1_000, "Yak")
    assert "1 not measured." in " ".join(main(client, "/guides/oltp/").split())


def test_what_happened_to_an_example_is_no_standing_that_it_counts_in(
    client: Client, example: Run
) -> None:
    page = main(client, f"/uploads/?q={example.slug}")
    assert "Made-up example" in page
    assert not LEVEL_MARK.search(page)


def test_the_level_has_words_of_its_own() -> None:
    said = words.level_words(EXAMPLE)
    assert said.bars == 0
    assert "Made up, to look at pages" in said.explanation
    with override("en"):
        assert words.level_of(Evidence.EXAMPLE) == EXAMPLE
        assert words.level_of(Evidence.PUBLISHED) == Level.PUBLISHED
        assert words.level_of(Evidence.MEASURED) == Level.WITNESSED


def test_no_made_up_curve_lies_behind_a_measured_one(client: Client) -> None:
    curve = [[0.5, 100_000], [0.99, 200_000]]
    plan_at(1_000, "Invented", evidence=Evidence.EXAMPLE, workload="commit-8k", curve=curve)
    plan_at(1_000, "Measured", workload="commit-8k", curve=curve)
    page = main(client, f"/runs/{measured_run().slug}/")
    assert "Measured" in page
    assert "Invented" not in page

"""Where is my run: every state of an upload, by its id, its address or the key that sent it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from apps.rankings.models import StandingRun
from apps.runs.models import KeepsOut, Level, Outcome, Upload
from tests import make
from tests.pages.site import main, main_of, measured_run, published_run

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.runs.models import Run

pytestmark = pytest.mark.django_db

QUERIES_MAX = 6


def look(client: Client, asked: object) -> str:
    answer = client.get("/uploads/", {"q": str(asked)})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return " ".join(main_of(answer.content.decode()).split())


def sent_run(agent: make.Agent | None = None, **changes: object) -> Run:
    """Return a run that came in by an upload."""
    upload = make.upload(agent=agent, state=Upload.State.DONE)
    return measured_run(id=upload.run_id, slug=str(upload.run_id), upload=upload, **changes)


def test_without_a_question_it_says_what_to_paste(client: Client) -> None:
    page = look(client, "")
    assert "fsyncmark key" in page
    assert "hx-trigger" not in page


def test_a_waiting_upload_says_its_place_and_asks_again(client: Client) -> None:
    for minutes in (1, 2):
        make.upload(next_attempt_at=make.NOON - timedelta(minutes=minutes))
    make.upload(state=Upload.State.DONE, next_attempt_at=make.NOON - timedelta(hours=1))
    upload = make.upload()
    page = look(client, upload.run_id)
    assert "place 3 in the queue" in page
    assert "2025-06-15" in page
    assert 'hx-trigger="every 3s"' in page
    assert "Look again" in page


@pytest.mark.parametrize(
    "asked",
    ["{id}", "  {id} ", "https://site.example/zh-hans/runs/{id}/", "runs/{id}.json", "/runs/{id}"],
)
def test_a_run_is_found_by_whatever_holds_its_id(client: Client, asked: str) -> None:
    upload = make.upload()
    assert "place 1 in the queue" in look(client, asked.format(id=str(upload.run_id).upper()))


@pytest.mark.parametrize(
    ("state", "changes", "words"),
    [
        ("leased", {"attempts": 2, "lease_token": UUID(int=1)}, "attempt 2 of 5"),
        ("retry", {"attempts": 3}, "Attempt 3 of 5 failed here; the next one follows"),
        (
            "retry",
            {"attempts": 3, "next_attempt_at": datetime(2999, 1, 1, tzinfo=UTC)},
            "the next one follows",
        ),
        ("retry", {"attempts": 0}, "Received and stored"),  # staff put it back
        ("poison", {"attempts": 5}, "our fault"),
        ("done", {}, "This page shows the run as soon as it is there"),
    ],
)
def test_every_state_has_words(
    client: Client, state: str, changes: dict[str, Any], words: str
) -> None:
    upload = make.upload(state=state, **changes)
    page = look(client, upload.run_id)
    assert words in page
    assert ("hx-trigger" in page) == (state != "poison")


@pytest.mark.parametrize(
    ("state", "lease", "words"),
    [
        ("retry", None, "It is being processed again"),
        ("leased", UUID(int=1), "It is being processed again"),
        ("poison", None, "failed: our fault. What is shown stays"),
    ],
)
def test_a_shown_run_that_is_worked_on_again_is_shown_first(
    client: Client, state: str, lease: UUID | None, words: str
) -> None:
    agent = make.Agent()
    run = sent_run(agent)
    Upload.objects.update(state=state, attempts=0, lease_token=lease)
    page = look(client, run.slug)
    assert f'href="/runs/{run.slug}/"' in page
    assert "received<small>2025-06-15" in "".join(page.split())
    assert words in page
    assert "ttempt" not in page
    assert 'aria-current="step"> shown' in page
    assert "hx-trigger" not in page
    assert "shown, and counts" in look(client, agent.keyid)


def test_nobody_is_told_the_same_twice(client: Client) -> None:
    upload = make.upload()
    page = look(client, upload.run_id)
    again = page.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    headers = {"HX-Request": "true"}
    assert client.get(again, headers=headers).status_code == 204
    Upload.objects.filter(pk=upload.pk).update(state="leased", attempts=1, lease_token=UUID(int=1))
    answer = client.get(again, headers=headers)
    assert answer.status_code == 200
    assert "attempt 1 of 5" in answer.text
    assert "<html" not in answer.text


def test_a_run_that_counts_says_in_what(client: Client) -> None:
    run = sent_run()
    for workload in ("commit-8k", "commit-8k-fsync"):
        standing = make.standing(plan=make.plan(name=f"Plan of {workload}"), workload=workload)
        StandingRun.objects.create(standing=standing, run_id=run.id)
    page = look(client, run.slug)
    assert "It counts for:" in page
    assert "Plan of commit-8k-fsync" in page
    assert f'href="/runs/{run.slug}/"' in page
    assert "hx-trigger" not in page


def test_a_run_that_does_not_count_says_the_rule(client: Client) -> None:
    run = sent_run(in_standings=False)
    make.label(
        run=run, rule="memory-filesystem", keeps_out=KeepsOut.RUN, figures={"layer": "tmpfs"}
    )
    page = look(client, run.slug)
    assert "This run does not count." in page
    assert "The file lay on tmpfs." in page
    assert "This keeps the run out of standings." in page
    assert 'href="/rules/memory-filesystem/"' in page


def test_quarantine_says_why_and_what_to_do(client: Client) -> None:
    run = sent_run(in_standings=False, level=Level.SIGNED, outcome=Outcome.QUARANTINE)
    make.label(
        run=run, rule="server-clock", outcome=Outcome.QUARANTINE, keeps_out=KeepsOut.RUN,
        figures={"agent_ns": 9, "server_ns": 3},
    )  # fmt: skip
    page = look(client, run.slug)
    assert "In quarantine" in page
    assert "The run took 9 ns by its own clock, 3 ns by ours." in page
    assert "what to do" in page


def test_a_signed_run_says_how_it_would_count(client: Client) -> None:
    assert "Run it again while the machine is online" in look(
        client, sent_run(in_standings=False, level=Level.SIGNED).slug
    )


def test_a_published_run_is_found_by_its_address(client: Client) -> None:
    run = published_run()
    type(run).objects.update(measured_at=make.NOON)  # the article's day, on which nothing arrived
    for asked in (f"https://x.example/runs/{run.slug}/", run.slug, f" {run.slug} "):
        page = look(client, asked)
        assert f'<a href="/runs/{run.slug}/">' in page
        assert "Published elsewhere" in page
        assert "waiting" not in page
        assert "received" not in page


def test_a_key_lists_its_newest_uploads_and_nobody_else_s(client: Client) -> None:
    agent = make.Agent()
    own = make.upload(agent=agent)
    done = sent_run(agent, machine="deadbeef" * 4)
    other = make.upload()
    page = look(client, agent.keyid)
    assert f'href="/uploads/?q={own.run_id}"' in page
    assert f'href="/runs/{done.slug}/"' in page
    assert "shown, and counts" in page
    assert str(other.run_id) not in page
    assert "deadbeef" not in page
    assert 'hx-trigger="every 3s"' in page


def test_a_short_key_lists_nothing(client: Client) -> None:
    agent = make.Agent()
    upload = make.upload(agent=agent)
    page = look(client, str(upload.key))
    assert "short form of a key" in page
    assert str(upload.run_id) not in page


def test_a_key_that_never_sent_anything(client: Client) -> None:
    assert "Nothing has arrived with this key" in look(client, "0" * 64)
    key = make.agent_key()
    assert "Nothing has arrived with this key" in look(client, key.keyid)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("01a1fd8e-317e-759e-a28d-334284863af5", "was refused"),
        ("hello", "no id of a run or of a key"),
        ("pm9a3-960", "no id of a run or of a key"),
        ("\x00'--", "no id of a run or of a key"),
        ("/runs/none/", "No such run has arrived here"),
    ],
)
def test_a_wrong_id_gets_an_answer_that_helps(client: Client, asked: str, words: str) -> None:
    page = look(client, asked)
    assert words in page
    assert "64 characters" in page


def test_the_page_of_a_waiting_run_says_the_same(client: Client) -> None:
    upload = make.upload()
    page = main(client, f"/runs/{upload.run_id}/")
    assert "place 1 in the queue" in page
    again = page.split('hx-get="')[1].split('"')[0]
    assert client.get(again, headers={"HX-Request": "true"}).status_code == 204


def test_a_key_with_hundreds_of_uploads_asks_six_times_at_most(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    agent = make.Agent()
    for _ in range(60):
        make.label(run=sent_run(agent))
    slug, shown = str(make.upload(agent=agent).run_id), sent_run(agent).slug
    with django_assert_max_num_queries(QUERIES_MAX):
        assert look(client, agent.keyid).count("<li>") >= 20
    with django_assert_max_num_queries(QUERIES_MAX):
        look(client, slug)
    with django_assert_max_num_queries(QUERIES_MAX):
        look(client, shown)

"""Labels, prices, envelopes and changes, page by page."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from apps.plans.held import UNSEEN_NAME
from apps.rankings.versions.public import number_changes
from apps.runs.models import KeepsOut, Outcome
from tests import make

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
AGREED = {"consent": {"publish_envelope": True}}


def page(client: Client, path: str) -> Any:
    answer = client.get(path if path.startswith("http") else f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def changes(client: Client, path: str = "changes") -> tuple[list[tuple[str, str, bool]], str]:
    answer = page(client, path)
    found = [(row["kind"], row["slug"], row["is_gone"]) for row in answer["results"]]
    return found, answer["resume"]


def test_labels_name_their_run_the_newest_first(client: Client) -> None:
    first, second = make.label(), make.label(outcome=Outcome.QUARANTINE, keeps_out=KeepsOut.RUN)
    make.label(run=make.run(is_listed=False))
    found = page(client, "labels")["results"]
    assert [row["run"] for row in found] == [second.run.slug, first.run.slug]
    assert found[0]["run_url"] == f"http://testserver/api/v1/runs/{second.run.slug}"
    narrowed = page(client, "labels?outcome=quarantine&rule=stolen-time")["results"]
    assert [row["run"] for row in narrowed] == [second.run.slug]


def test_prices_have_their_history_and_no_licence_of_ours(client: Client) -> None:
    plan = make.plan()
    for day in (1, 3, 2):
        make.price(plan=plan, valid_from=date(2026, 11, day))
    make.price(plan=plan, valid_from=date(2026, 11, 4), is_disputed=True)
    make.price()
    answer = page(client, f"prices?plan={plan.slug}&limit=2")
    rest = page(client, answer["next"])
    found = answer["results"] + rest["results"]
    assert [row["valid_from"] for row in found] == ["2026-11-03", "2026-11-02", "2026-11-01"]
    assert {(row["plan"], row["kind"], row["licence"]) for row in found} == {
        (plan.slug, "list", "cited-facts")
    }
    assert page(client, "prices?currency=USD")["results"] == []


def test_only_envelopes_that_may_be_had_are_listed(client: Client) -> None:
    public = make.run(upload=make.upload(), environment=AGREED)
    make.run(upload=make.upload())
    make.run(upload=make.upload(), environment=AGREED, is_listed=False)
    make.run(upload=make.upload(), environment=AGREED, claimed_plan=UNSEEN_NAME)
    make.run(environment=AGREED)
    [found] = page(client, "envelopes")["results"]
    assert found["slug"] == public.slug
    assert found["payload_sha256"] == bytes(public.upload.payload_sha256).hex()  # type: ignore[union-attr]  # made with one
    assert client.get(found["envelope_url"]).status_code == 200


def test_a_copy_begins_with_all_and_goes_on_where_it_was(client: Client) -> None:
    run, plan = make.run(), make.plan()
    number_changes()
    found, resume = changes(client)
    assert ("run", run.slug, False) in found
    assert ("plan", plan.slug, False) in found
    assert changes(client, resume) == ([], resume)
    make.price(plan=plan)
    number_changes()
    found, later = changes(client, resume)
    assert found == [("plan", plan.slug, False)]
    assert later != resume


def test_a_thing_that_changes_twice_is_fetched_once(client: Client) -> None:
    run = make.run()
    number_changes()
    run.level = "signed"
    run.save()
    number_changes()
    run.save()
    number_changes()
    found, _ = changes(client)
    assert [each for each in found if each[0] == "run"] == [("run", run.slug, False)]


def test_what_left_the_lists_is_told_to_who_knows_it(client: Client) -> None:
    deleted, hidden = make.run(), make.run()
    never_listed = make.run(is_listed=False)
    number_changes()
    _, resume = changes(client)
    deleted.delete()
    hidden.is_listed = False
    hidden.save()
    never_listed.save()
    number_changes()
    found, _ = changes(client, resume)
    assert set(found) == {("run", deleted.slug, True), ("run", hidden.slug, True)}


def test_what_is_written_as_it_was_is_no_change(client: Client) -> None:
    plan, drive = make.plan(), make.drive_family()
    number_changes()
    _, resume = changes(client)
    plan.save()
    drive.save()
    number_changes()
    assert changes(client, resume)[0] == []


def test_what_has_no_number_yet_is_not_shown(client: Client) -> None:
    make.run()
    assert changes(client)[0] == []
    assert number_changes() > 0
    assert changes(client)[0] != []
    assert number_changes() == 0

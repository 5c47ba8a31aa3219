"""The list of tickets: what was measured by each, and taking one back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from apps.accounts.credit.tickets import make_ticket, use_ticket
from apps.accounts.models import Ticket
from apps.pages.account.selectors.data import data_of
from apps.runs.models import Run
from tests import make
from tests.support.accounts.people import signed_in
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from uuid import UUID

    from django.contrib.auth.models import User

    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


def measured(user: User, plan: Plan, *, of: Plan) -> UUID:
    """Return a run of a plan that was measured by a ticket of somebody for a plan."""
    agent = make.Agent()
    upload = make.upload(agent=agent, state="done")
    token = make_ticket(user, plan=plan.slug, region="fsn1")
    use_ticket(token, key=agent.enrolled(), run_id=upload.run_id)
    Ticket.objects.update(used_at=upload.received_at - timedelta(minutes=5))
    make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload, plan=of)
    return upload.run_id


def test_each_ticket_says_what_became_of_it(person: User) -> None:
    client, address = signed_in(person), reverse("pages:account-tickets")
    assert "None yet" in client.get(address).text
    plan, other = make.plan(slug="x1"), make.plan(slug="x2")
    run_id = measured(person, plan, of=plan)
    measured(person, plan, of=other)
    use_ticket(
        make_ticket(person, plan="x1", region=""), key=make.Agent().enrolled(), run_id=make.uuid7()
    )
    make_ticket(person, plan="x1", region="")
    Ticket.objects.filter(run_id=None).update(not_after=make.NOON - timedelta(days=600))
    make_ticket(person, plan="gone", region="")
    shown = client.get(address).text
    for words in (
        reverse("pages:account-run", args=[run_id]), "another plan", "no run yet", "expired",
        "unused, good until", plan.full_name,
    ):  # fmt: skip
        assert shown.count(words) == 1 or words == plan.full_name, words


def test_a_run_by_ticket_is_ones_own_until_the_ticket_is_taken_back(person: User) -> None:
    plan, client = make.plan(slug="x1"), signed_in(person)
    run_id = measured(person, plan, of=plan)
    address = reverse("pages:account-run", args=[run_id])
    assert client.get(address).status_code == 200
    assert str(run_id) in client.get("/account/runs/").text
    data = data_of(person)
    assert [each["run_id"] for each in data["uploads"]] == [run_id]
    assert [each["plan"] for each in data["tickets"]] == ["x1"]
    assert client.post(f"{address}withdraw/", {"reason": "wrong"}).status_code == 302
    end = reverse("pages:account-ticket-end", args=[Ticket.objects.get().pk])
    assert client.get(end).status_code == 405
    client.post(end)
    assert client.get(address).status_code == 404
    assert Run.objects.filter(pk=run_id).exists()

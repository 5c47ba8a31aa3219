"""Attempts on tickets: stolen, shown again, too old, for another plan, another's run, guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.urls import reverse

from apps.accounts.credit.tickets import OPEN_TICKETS_MAX, TicketUse, make_ticket
from apps.accounts.models import AgentKey, Ticket
from apps.accounts.services import accept_terms, claim_key
from apps.accounts.signals import keys_changed
from apps.accounts.terms import TERMS_VERSION
from apps.moderation.leaving import delete_person
from apps.moderation.models import BinnedRun, Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide
from apps.runs.models import Run
from tests import make
from tests.attacks.keys.conftest import drained, signed_in
from tests.pages.reading.kits.places import offer, rented_plan
from tests.support.accounts.staff import REASON, make_staff

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django.fixtures import Settings

    from apps.plans.models import Plan
    from tests.attacks.conftest import Weakened
    from tests.attacks.keys.conftest import World

pytestmark = [pytest.mark.attack, pytest.mark.django_db]

OTHER: Final = "CX53"


@pytest.fixture
def plan(db: None) -> Plan:
    """CX23 of Hetzner, which the tickets here are for; and another one."""
    provider = make.provider(slug="hetzner", name="Hetzner")
    make.plan(provider=provider, slug="hetzner-cx53", name=OTHER)
    return make.plan(provider=provider, slug="hetzner-cx23", name="CX23")


@pytest.fixture
def browser(mallory: User, tmp_path: Path, settings: Settings) -> Client:
    """Somebody who is signed in where kits are handed out."""
    offer(tmp_path, settings)
    rented_plan("hetzner")
    accept_terms(mallory, version=TERMS_VERSION)
    return signed_in(mallory)


def ticket_for(user: User, plan: Plan) -> str:
    return make_ticket(user, plan=plan.slug, region="fsn1")


def ask(world: World, token: str, run_id: UUID, agent: make.Agent | None = None) -> Any:
    body = (agent or world.agent).challenge_request(run_id, ticket=token)
    answer = world.send("POST", "/api/v1/challenges", body)
    assert answer.status_code in (200, 201), answer.content  # whatever the ticket is
    return answer.json()


def send(world: World, run_id: UUID, agent: make.Agent | None = None, *, plan: str = "CX23") -> Run:
    """Upload a run and return it: it is never lost."""
    named = {"provider": "Hetzner", "plan": plan, "region": None}
    body = (agent or world.agent).seal(make.payload(run_id=run_id, claim=named))
    assert world.send("PUT", f"/api/v1/runs/{run_id}", body).status_code == 201
    drained()
    return Run.objects.get(pk=run_id)


def measured(
    world: World, token: str, agent: make.Agent | None = None, *, plan: str = "CX23"
) -> Run:
    """Measure with a ticket, from its challenge on."""
    run_id = make.uuid7()
    ask(world, token, run_id, agent)
    return send(world, run_id, agent, plan=plan)


def judge_again(agent: make.Agent) -> None:
    keys_changed.send(sender=AgentKey, keyids=[agent.keyid])
    drained()


def is_of(run: Run, user: User) -> bool:
    return run.uploader == f"account:{user.pk}"


def test_a_stolen_ticket_is_one_run_in_its_name_which_is_undone(
    weakened: Weakened, world: World, owner: User, mallory: User, plan: Plan
) -> None:
    token = ticket_for(owner, plan)
    stolen = measured(world, token, world.attacker)
    assert is_of(stolen, owner)
    assert AgentKey.objects.get(pk=world.attacker.keyid).owner is None
    assert not is_of(measured(world, token, world.attacker), owner)
    assert not is_of(measured(world, token), owner)
    address = reverse("pages:account-ticket-end", args=[Ticket.objects.get().pk])
    assert signed_in(mallory).post(address).status_code == 404
    assert signed_in(owner).post(address).status_code == 302
    drained()
    assert not Run.objects.filter(uploader=f"account:{owner.pk}").exists()
    assert Run.objects.count() == 3  # the measurements stay, as those of their networks
    again = ticket_for(owner, plan)
    measured(world, again)
    with weakened.with_tickets_used_again():
        assert is_of(measured(world, again), owner)


def test_an_expired_ticket_names_nobody(
    weakened: Weakened, world: World, owner: User, plan: Plan
) -> None:
    token = ticket_for(owner, plan)
    Ticket.objects.update(not_after=make.NOON)
    assert ask(world, token, make.uuid7())["ticket"] == TicketUse.EXPIRED
    assert not is_of(measured(world, token), owner)
    with weakened.with_tickets_for_ever():
        assert is_of(measured(world, token), owner)


def test_a_ticket_of_one_plan_names_nobody_on_another(
    weakened: Weakened, world: World, owner: User, plan: Plan
) -> None:
    run = measured(world, ticket_for(owner, plan), plan=OTHER)
    assert (run.plan_id, is_of(run, owner)) == ("hetzner-cx53", False)
    with weakened.with_tickets_of_any_plan():
        assert is_of(measured(world, ticket_for(owner, plan), plan=OTHER), owner)


def test_a_ticket_takes_no_run_of_another_key(
    weakened: Weakened, world: World, mallory: User, plan: Plan
) -> None:
    """Who sees the id of a run shows a ticket for it, by a key of their own."""
    run_id = make.uuid7()
    ask(world, ticket_for(mallory, plan), run_id, world.attacker)
    assert not is_of(send(world, run_id), mallory)
    other = make.uuid7()
    ask(world, ticket_for(mallory, plan), other, world.attacker)
    with weakened.with_tickets_of_any_key():
        assert is_of(send(world, other), mallory)


def test_a_ticket_takes_no_earlier_run_of_a_key(
    weakened: Weakened, world: World, mallory: User, plan: Plan
) -> None:
    run_id = make.uuid7()
    earlier = send(world, run_id)
    ask(world, ticket_for(mallory, plan), run_id)
    measured(world, ticket_for(mallory, plan))
    judge_again(world.agent)
    assert not is_of(Run.objects.get(pk=earlier.pk), mallory)
    with weakened.with_tickets_for_earlier_runs():
        judge_again(world.agent)
    assert is_of(Run.objects.get(pk=earlier.pk), mallory)


def test_a_ticket_does_not_rename_the_runs_of_a_claimed_key(
    world: World, owner: User, mallory: User, plan: Plan
) -> None:
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    run_id = make.uuid7()
    assert ask(world, ticket_for(mallory, plan), run_id)["ticket"] == TicketUse.CLAIMED
    assert is_of(send(world, run_id), owner)


def test_a_key_that_is_claimed_afterwards_is_its_owners(
    world: World, owner: User, mallory: User, plan: Plan
) -> None:
    run = measured(world, ticket_for(mallory, plan))
    assert is_of(run, mallory)
    claim_key(AgentKey.objects.get(pk=world.agent.keyid), owner)
    drained()
    assert is_of(Run.objects.get(pk=run.pk), owner)


@pytest.mark.parametrize("token", ["t_" + "A" * 16, "t_", "x", "\0", "é" * 64])
def test_a_guessed_ticket_is_unknown_and_costs_no_measurement(
    world: World, owner: User, plan: Plan, token: str
) -> None:
    ticket_for(owner, plan)
    assert ask(world, token, make.uuid7())["ticket"] == TicketUse.UNKNOWN
    assert not is_of(measured(world, token), owner)


def test_the_database_gives_no_ticket_away(weakened: Weakened, owner: User, plan: Plan) -> None:
    token = ticket_for(owner, plan)
    assert len(token.removeprefix("t_")) == 16  # 96 bits
    assert token not in str(Ticket.objects.values_list().get())
    with weakened.with_tickets_stored():
        token = ticket_for(owner, plan)
    assert Ticket.objects.filter(token_sha256=token).exists()


def test_no_log_has_a_ticket(
    weakened: Weakened,
    world: World,
    owner: User,
    plan: Plan,
    caplog: pytest.LogCaptureFixture,
) -> None:
    token = ticket_for(owner, plan)
    caplog.set_level("DEBUG")
    measured(world, token)
    measured(world, token)
    assert token not in caplog.text
    with weakened.with_tickets_in_logs():
        measured(world, token)
    assert token in caplog.text


def test_a_session_makes_some_tickets_and_no_more(weakened: Weakened, browser: Client) -> None:
    address = f"{reverse('pages:ticket-new')}?plan=hetzner-x"
    sent = [browser.post(address, {"text": "script"}) for _ in range(OPEN_TICKETS_MAX + 1)]
    assert [each.status_code for each in sent] == [200] * OPEN_TICKETS_MAX + [409]
    assert not re.search(r"t_[\w-]{16}", sent[-1].content.decode())
    with weakened.with_tickets_without_end():
        assert browser.post(address, {"text": "script"}).status_code == 200


def test_another_site_makes_no_ticket_for_who_is_signed_in(
    weakened: Weakened, browser: Client
) -> None:
    address = f"{reverse('pages:ticket-new')}?plan=hetzner-x"
    browser.handler.enforce_csrf_checks = True
    assert browser.post(address, {"text": "script"}).status_code == 403
    assert not Ticket.objects.exists()
    with weakened.without_form_tokens():
        assert browser.post(address, {"text": "script"}).status_code == 200


def test_nobody_takes_back_the_ticket_of_another(
    weakened: Weakened, owner: User, mallory: User, plan: Plan
) -> None:
    ticket_for(owner, plan)
    address = reverse("pages:account-ticket-end", args=[Ticket.objects.get().pk])
    client = signed_in(mallory)
    assert client.post(address).status_code == 404
    assert Ticket.objects.count() == 1
    with weakened.with_tickets_that_anybody_takes_back():
        assert client.post(address).status_code == 302
    assert not Ticket.objects.exists()


def test_a_leaver_takes_along_what_their_tickets_name_and_nothing_of_others(
    world: World, owner: User, plan: Plan
) -> None:
    """A ticket that is shown for the id of another's binned run does not empty the bin."""
    run = measured(world, ticket_for(owner, plan))
    binned = send(world, make.uuid7(), world.attacker)
    ask(world, ticket_for(owner, plan), binned.pk)
    decide([Order("delete", Subject.RUN, str(binned.pk), REASON, make_staff())])
    delete_person(owner, with_runs=True)
    assert not Run.objects.filter(pk=run.pk).exists()
    assert BinnedRun.objects.filter(pk=binned.pk).exists()

"""Tickets: how many, for how long, and that one is one run of one key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import F

from apps.accounts.credit.tickets import (
    OPEN_TICKETS_MAX,
    TicketUse,
    TooManyTicketsError,
    forget_tickets,
    make_ticket,
    take_back,
    use_ticket,
)
from apps.accounts.models import TICKET_LIFE, Ticket
from tests import make
from tests.support.accounts.people import make_person

pytestmark = pytest.mark.django_db


def ticket_of(user: User) -> str:
    return make_ticket(user, plan="x1", region="fsn1")


def test_a_ticket_is_one_run_of_one_key_however_often_that_asks() -> None:
    token, key, run_id = ticket_of(make_person()), make.Agent().enrolled(), make.uuid7()
    shown = use_ticket(token, key=key, run_id=run_id)
    assert (shown.use, shown.plan) == (TicketUse.ACCEPTED, "x1")
    assert use_ticket(token, key=key, run_id=run_id) == shown
    for other_key, other_run in ((key, make.uuid7()), (make.Agent().enrolled(), run_id)):
        refused = use_ticket(token, key=other_key, run_id=other_run)
        assert (refused.use, refused.plan) == (TicketUse.USED, "")


def test_a_run_has_one_ticket() -> None:
    user, key, run_id = make_person(), make.Agent().enrolled(), make.uuid7()
    first, second = ticket_of(user), ticket_of(make_person())
    assert use_ticket(first, key=key, run_id=run_id).use is TicketUse.ACCEPTED
    assert use_ticket(second, key=key, run_id=run_id).use is TicketUse.USED
    assert Ticket.objects.filter(run_id=None).count() == 1  # the second is as it was


def test_a_person_has_some_that_are_open_and_any_number_that_are_used() -> None:
    user = make_person()
    tokens = [ticket_of(user) for _ in range(OPEN_TICKETS_MAX)]
    with pytest.raises(TooManyTicketsError):
        ticket_of(user)
    use_ticket(tokens[0], key=make.Agent().enrolled(), run_id=make.uuid7())
    ticket_of(user)
    Ticket.objects.filter(run_id=None).update(not_after=make.NOON - TICKET_LIFE)
    ticket_of(user)
    ticket_of(make_person())


def test_who_takes_a_ticket_back_has_it_themselves() -> None:
    user, other = make_person(), make_person()
    token = ticket_of(user)
    pk = Ticket.objects.get().pk
    assert not take_back(other, pk)
    assert take_back(user, pk)
    shown = use_ticket(token, key=make.Agent().enrolled(), run_id=make.uuid7())
    assert shown.use is TicketUse.UNKNOWN


def test_unused_tickets_are_forgotten_after_a_week_and_used_ones_stay() -> None:
    user = make_person()
    ticket_of(user)
    use_ticket(ticket_of(user), key=make.Agent().enrolled(), run_id=make.uuid7())
    forget_tickets()
    assert Ticket.objects.count() == 2
    Ticket.objects.update(not_after=F("not_after") - TICKET_LIFE - timedelta(seconds=1))
    forget_tickets()
    assert Ticket.objects.get().run_id is not None

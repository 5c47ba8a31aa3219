"""Tickets: one measurement of one plan by a key that is nobody's, for the person who made it.

A ticket and a key meet where the key asks for its challenge. From then on the ticket is good for
that run of that key and for nothing else: no earlier run, no other one, no other plan.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts.clock import database_now
from apps.accounts.models import TICKET_LIFE, AgentKey, Ticket, token_sha256
from apps.accounts.signals import keys_changed

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

BITS_BYTES: Final = 12  # random: 96 bits are not guessed in 7 days, and short in user data
PREFIX: Final = "t_"
OPEN_TICKETS_MAX: Final = 10  # of a person: as many machines as somebody rents at a time


class TooManyTicketsError(Exception):
    """A person has as many unused tickets as they may."""


class TicketUse(StrEnum):
    """What became of a ticket that a key showed."""

    ACCEPTED = "accepted"
    UNKNOWN = "unknown"  # there is none, or its person took it back
    USED = "used"  # for another run
    EXPIRED = "expired"
    CLAIMED = "claimed"  # the key has an owner, whose run it is


@dataclass(frozen=True, slots=True)
class ShownTicket:
    """A ticket that was shown, and of which plan it is; "" of one that is good for nothing."""

    use: TicketUse
    plan: str = ""


@transaction.atomic
def make_ticket(user: User, *, plan: str, region: str) -> str:
    """Return the token of a new ticket, which is kept nowhere. Raises TooManyTicketsError."""
    # a lock, so that of several at once none is one too many
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = database_now()
    if open_tickets(user).count() >= OPEN_TICKETS_MAX:
        raise TooManyTicketsError(user.pk)
    token = PREFIX + secrets.token_urlsafe(BITS_BYTES)
    Ticket.objects.create(
        token_sha256=token_sha256(token), user=user, plan=plan, region=region, made_at=now,
        not_after=now + TICKET_LIFE,
    )  # fmt: skip
    return token


def open_tickets(user: User) -> QuerySet[Ticket]:
    """Return the tickets of a person that a machine could use now."""
    return Ticket.objects.filter(user=user, run_id=None, not_after__gte=database_now())


@transaction.atomic
def use_ticket(token: str, *, key: AgentKey, run_id: UUID) -> ShownTicket:
    """Bind a ticket to a run that a key is about to measure; the same again is the same."""
    ticket = Ticket.objects.select_for_update().filter(token_sha256=token_sha256(token)).first()
    use = _use_of(ticket, key=key, run_id=run_id)
    if ticket is None or use is not TicketUse.ACCEPTED:
        return ShownTicket(use)
    if ticket.run_id is None:
        ticket.key, ticket.run_id, ticket.used_at = key, run_id, database_now()
        ticket.save(update_fields=("key", "run_id", "used_at"))
    return ShownTicket(use, ticket.plan)


@transaction.atomic
def take_back(user: User, ticket_id: int) -> bool:
    """Delete a ticket of a person, and return whether there was one: its run is nobody's again."""
    ticket = Ticket.objects.select_for_update().filter(pk=ticket_id, user=user).first()
    if ticket is None:
        return False
    keyid = ticket.key_id
    ticket.delete()
    if keyid is not None:
        keys_changed.send(sender=AgentKey, keyids=[keyid])
    return True


def take_all_back(user: User) -> None:
    """Delete every ticket of a person, who leaves."""
    for ticket_id in Ticket.objects.filter(user=user).values_list("pk", flat=True):
        take_back(user, ticket_id)


def forget_tickets() -> None:
    """Delete tickets that no machine used in time."""
    Ticket.objects.filter(run_id=None, not_after__lt=database_now()).delete()


def _use_of(ticket: Ticket | None, *, key: AgentKey, run_id: UUID) -> TicketUse:
    if ticket is None:
        return TicketUse.UNKNOWN
    if (ticket.key_id, ticket.run_id) == (key.pk, run_id):
        return TicketUse.ACCEPTED
    if ticket.run_id is not None or Ticket.objects.filter(key=key, run_id=run_id).exists():
        return TicketUse.USED
    if ticket.not_after < database_now():
        return TicketUse.EXPIRED
    return TicketUse.ACCEPTED if key.owner_id is None else TicketUse.CLAIMED

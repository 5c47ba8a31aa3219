"""Servers without one of their guards of tickets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import structlog

from apps.accounts.credit import tickets
from apps.accounts.models import Ticket
from apps.runs.trust import ownership
from tests.attacks.weakened import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager as Server

    from apps.runs.models import Upload

TICKETS = "apps.accounts.credit.tickets"
END_OF_TIME = datetime(2999, 1, 1, tzinfo=UTC)


def _tickets_as_if(change: Callable[[Ticket], None]) -> Server[None]:
    use_of = tickets._use_of

    def use(ticket: Ticket | None, **shown: Any) -> tickets.TicketUse:
        if ticket is not None:
            change(ticket)
        return use_of(ticket, **shown)

    return changed((f"{TICKETS}._use_of", use))


def with_tickets_used_again() -> Server[None]:
    """A ticket is good as often as somebody shows it."""

    def unused(ticket: Ticket) -> None:
        ticket.key, ticket.run_id, ticket.used_at = None, None, None

    return _tickets_as_if(unused)


def with_tickets_for_ever() -> Server[None]:
    """No ticket is too old."""
    return _tickets_as_if(lambda ticket: setattr(ticket, "not_after", END_OF_TIME))


def _owner_as_if(change: Callable[[Ticket, Upload, str], None]) -> Server[None]:
    owner_of = ownership.owner_of

    def owner(upload: Upload, shown: Iterable[Ticket], *, plan: str) -> ownership.RunOwner | None:
        found = list(shown)
        for ticket in found:
            change(ticket, upload, plan)
        return owner_of(upload, found, plan=plan)

    return changed(("apps.runs.services.owner_of", owner))


def with_tickets_of_any_plan() -> Server[None]:
    """A ticket is good for whatever was measured."""
    return _owner_as_if(lambda ticket, _upload, plan: setattr(ticket, "plan", plan))


def with_tickets_of_any_key() -> Server[None]:
    """A ticket takes the run of its id, whoever signed that."""
    return _owner_as_if(lambda ticket, upload, _: setattr(ticket, "key_id", upload.key_id))


def with_tickets_for_earlier_runs() -> Server[None]:
    """A ticket takes a run that was there before it was shown."""
    return _owner_as_if(lambda ticket, upload, _: setattr(ticket, "used_at", upload.received_at))


def with_tickets_stored() -> Server[None]:
    """The database holds tickets as they are."""
    return changed((f"{TICKETS}.token_sha256", lambda token: token))


def with_tickets_without_end() -> Server[None]:
    """A person has as many open tickets as they like."""
    return changed((f"{TICKETS}.OPEN_TICKETS_MAX", 10**6))


def with_tickets_that_anybody_takes_back() -> Server[None]:
    """A ticket is taken back by its number alone."""
    take_back = tickets.take_back

    def take(_user: Any, ticket_id: int) -> bool:
        return take_back(Ticket.objects.get(pk=ticket_id).user, ticket_id)

    return changed(("apps.pages.account.credit.ticket_views.take_back", take))


def with_tickets_in_logs() -> Server[None]:
    """The door writes down what it reads."""
    use = tickets.use_ticket

    def logged(token: str, **shown: Any) -> tickets.ShownTicket:
        structlog.get_logger(__name__).warning("a ticket came", ticket=token)
        return use(token, **shown)

    return changed(("apps.intake.services.challenges.use_ticket", logged))

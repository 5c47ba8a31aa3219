"""Reads which names are those of companies, and the tickets of a person with their runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from apps.accounts.models import Ticket
from apps.drives.models import DriveFamily
from apps.pages.show.table.paging import Pages, paging
from apps.plans.models import Plan, Provider
from apps.plans.naming import PROVIDER_ALIASES, slug_of
from apps.runs.models import Run
from apps.runs.trust.ownership import runs_by_ticket

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TICKETS_A_PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class OwnTicket:
    """A ticket, its plan, and the run that was measured by it."""

    ticket: Ticket
    plan: str  # its name
    run: Run | None  # None: no run came, or one that the ticket is not good for
    is_of_other: bool  # the latter

    @property
    def is_open(self) -> bool:
        """Whether a machine could use it now."""
        return self.ticket.run_id is None and self.ticket.not_after >= timezone.now()


@dataclass(frozen=True, slots=True)
class OwnTickets:
    """One page of somebody's tickets, newest first."""

    tickets: tuple[OwnTicket, ...]
    pages: Pages


def names_of_others() -> set[str]:
    """Return the providers and makers of the catalogue, as addresses spell them: two queries."""
    makers = DriveFamily.objects.values_list("vendor", flat=True).distinct()
    providers = Provider.objects.values_list("slug", flat=True)
    return {*providers, *PROVIDER_ALIASES, *(slug_of(each) for each in makers)} - {""}


def tickets_of(user: User, page: int) -> OwnTickets:
    """Return a page of the tickets that somebody made: five queries."""
    made = Ticket.objects.filter(user=user).order_by("-made_at", "-pk")
    pages, rows = paging(total=made.count(), page=page, size=TICKETS_A_PAGE)
    found = list(made[rows])
    plans = Plan.objects.select_related("provider").in_bulk([each.plan for each in found])
    ids = [each.run_id for each in found if each.run_id]
    own = runs_by_ticket(user.pk).filter(pk__in=ids).only("slug").in_bulk()
    signed = Run.objects.filter(pk__in=ids).values_list("pk", "upload__key")
    others = {pair for pair in signed if pair[0] not in own}
    tickets = (
        OwnTicket(
            each,
            plans[each.plan].full_name if each.plan in plans else each.plan,
            own.get(each.run_id) if each.run_id else None,
            is_of_other=(each.run_id, each.key_id) in others,
        )
        for each in found
    )
    return OwnTickets(tuple(tickets), pages)

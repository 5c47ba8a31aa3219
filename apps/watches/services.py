"""Begins and ends watches, and tells watchers what changed: one mail a person and day at most.

Each look of the sweeper takes a few people whose watches were not compared today. Their rows are
locked while the mail goes out, and hold the new day afterwards, whether it went or not: a mail
server that is away is asked again tomorrow, and two sweepers never tell the same thing twice.
"""

from __future__ import annotations

import re
import smtplib
from typing import TYPE_CHECKING, Final

import structlog
from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts.people import verified_address
from apps.plans.models import Plan
from apps.watches.mail import PlanNews, send_news
from apps.watches.models import Watch
from apps.watches.states import PlanState, changes, states_of

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

WATCHES_MAX: Final = 50  # of a person: a mail that is still read
_SLUG: Final = re.compile(r"[-\w]+", re.ASCII)
PEOPLE_AT_ONCE: Final = 20  # a look of the sweeper waits for a mail server for so long

log = structlog.get_logger(__name__)


class WatchRefusedError(ValueError):
    """A watch cannot begin; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


NO_ADDRESS: Final = "no-address"  # nobody has verified where the mail would go
TOO_MANY: Final = "too-many"


def watchable(slug: str) -> Plan | None:
    """Return the plan of the catalogue that has this slug: what a stranger named is not watched."""
    if not _SLUG.fullmatch(slug):  # a NUL never reaches the database
        return None
    return Plan.objects.rentable().filter(pk=slug).select_related("provider").first()


@transaction.atomic
def begin_watch(user: User, plan: Plan, *, language: str, today: date) -> Watch:
    """Watch a plan from its state of now on; begun again, it goes on. Raises WatchRefusedError."""
    _lock(user)
    if not verified_address(user):
        raise WatchRefusedError(NO_ADDRESS)
    others = Watch.objects.filter(user=user).exclude(plan=plan)
    if others.count() >= WATCHES_MAX:
        raise WatchRefusedError(TOO_MANY)
    watch, _ = Watch.objects.get_or_create(
        user=user,
        plan=plan,
        defaults={
            "language": language,
            "told": states_of([plan.pk])[plan.pk].as_json(),
            "looked_on": today,
        },
    )
    return watch


def end_watch(user: User, slug: str) -> bool:
    """Stop a person's watch of a plan, and return whether there was one."""
    if not _SLUG.fullmatch(slug):
        return False
    ended, _ = Watch.objects.filter(user=user, plan=slug).delete()
    return bool(ended)


def end_all_watches(user_id: int) -> int:
    """Stop every watch of a person, and return how many there were."""
    ended, _ = Watch.objects.filter(user=user_id).delete()
    return ended


def tell_watchers(today: date) -> int:
    """Tell some of those who were not told today, and return how many mails went out."""
    people = _waiting(today).values_list("user", flat=True)
    people = people.order_by("user").distinct()[:PEOPLE_AT_ONCE]
    return sum(_tell(user_id, today) for user_id in people)


def _waiting(today: date) -> QuerySet[Watch]:
    """Return the watches that were not looked at today."""
    return Watch.objects.filter(looked_on__lt=today)


@transaction.atomic
def _tell(user_id: int, today: date) -> bool:
    """Compare a person's plans with what they know, and mail what changed."""
    rows = _waiting(today).filter(user=user_id).select_related("user", "plan__provider")
    due = list(rows.select_for_update(of=("self",)).order_by("pk"))
    if not due:  # another sweeper was here
        return False
    now = states_of(each.plan_id for each in due)
    Watch.objects.filter(pk__in=[each.pk for each in due]).update(looked_on=today)
    news = [
        PlanNews(each.plan, PlanState.of_json(each.told), now[each.plan_id])
        for each in due
        if changes(PlanState.of_json(each.told), now[each.plan_id])
    ]
    user = due[0].user
    address = verified_address(user)
    if not news or not address or not user.is_active:
        return False
    if not _send(user, address, news, language=due[-1].language):
        return False
    told = {each.plan.pk: each.after for each in news}
    for watch in due:
        if watch.plan_id in told:
            Watch.objects.filter(pk=watch.pk).update(told=told[watch.plan_id].as_json())
    return True


def _send(user: User, address: str, news: list[PlanNews], *, language: str) -> bool:
    try:
        send_news(user, address, news, language=language)
    except (smtplib.SMTPException, OSError) as error:
        log.warning("mail about watched plans not sent", error=type(error).__name__)
        return False
    return True


def _lock(user: User) -> None:
    """Let a person begin one watch after the other: two at once pass no limit."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)

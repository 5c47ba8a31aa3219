"""A watcher hears of what changed: once a day, in their language, until they stop it."""

from __future__ import annotations

import re
import threading
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.db import connection

from apps.intake.management.commands.drain import Rounds, sweep
from apps.rankings.models import Standing
from apps.rankings.services import advance_standings_day
from apps.watches.models import Watch
from apps.watches.services import (
    NO_ADDRESS,
    PEOPLE_AT_ONCE,
    TOO_MANY,
    WATCHES_MAX,
    WatchRefusedError,
    end_watch,
    tell_watchers,
    watchable,
)
from apps.watches.states import PlanState, changes
from tests import make
from tests.support.accounts.watchers import today, tomorrow, watch, watcher

if TYPE_CHECKING:
    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db


def measured(rate: float = 1000.0, **more: object) -> Plan:
    standing = make.standing(rate_per_s=rate, is_durable_single_writer=True, **more)
    assert standing.plan
    return standing.plan


def is_now(plan: Plan, **columns: object) -> None:
    Standing.objects.filter(plan=plan).update(**columns)


def test_nothing_changed_and_nothing_is_sent() -> None:
    watch(watcher(), measured())
    assert tell_watchers(tomorrow()) == 0
    assert not mail.outbox


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"rate_per_s": 1200.0}, "Commits/s: 1,000 → 1,200"),
        ({"tier": 2}, "Tier: 1 → 2"),
        ({"tier": None}, "Tier: 1 → not ranked"),
        ({"workload": "direct-16k-fsync", "rate_per_s": 900.0}, "1,000 → 900, of other work"),
    ],
)
def test_a_change_is_told(columns: dict[str, object], said: str) -> None:
    plan = measured()
    user = watcher()
    watch(user, plan)
    is_now(plan, **columns)
    assert tell_watchers(tomorrow()) == 1
    (sent,) = mail.outbox
    assert sent.to == [user.email]
    assert said in sent.body
    assert plan.full_name in sent.body
    assert f"/plans/{plan.slug}/" in sent.body


def test_a_new_price_is_told() -> None:
    plan = measured()
    make.price(plan=plan, amount=Decimal("4.15"))
    watch(watcher(), plan)
    make.price(plan=plan, amount=Decimal("5.10"), valid_from=today())
    assert tell_watchers(tomorrow()) == 1
    assert "List price: 4.15 EUR/month → 5.10 EUR/month" in mail.outbox[0].body


def test_a_plan_that_nobody_had_measured_and_one_that_counts_no_longer() -> None:
    bare, known = make.plan(), measured()
    user = watcher()
    watch(user, bare)
    watch(user, known)
    make.standing(plan=bare, is_durable_single_writer=True)
    Standing.objects.filter(plan=known).delete()
    assert tell_watchers(tomorrow()) == 1
    (sent,) = mail.outbox  # both in one mail
    assert "Measured for the first time: 1,000 commits/s" in sent.body
    assert "No measurement of it counts any more." in sent.body


def test_a_median_that_moves_a_little_is_no_news() -> None:
    plan = measured()
    watch(watcher(), plan)
    is_now(plan, rate_per_s=1049.0)
    assert tell_watchers(tomorrow()) == 0


def test_small_moves_add_up_to_news() -> None:
    plan = measured()
    one = watch(watcher(), plan)
    is_now(plan, rate_per_s=1030.0)
    assert tell_watchers(tomorrow()) == 0
    is_now(plan, rate_per_s=1060.0)
    Watch.objects.filter(pk=one.pk).update(looked_on=today())
    assert tell_watchers(tomorrow()) == 1


def test_the_same_day_sends_one_mail() -> None:
    plan = measured()
    watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    assert tell_watchers(tomorrow()) == 1
    is_now(plan, rate_per_s=3000.0)
    assert tell_watchers(tomorrow()) == 0
    assert len(mail.outbox) == 1


def test_what_was_told_is_not_told_again() -> None:
    plan = measured()
    watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    tell_watchers(tomorrow())
    Watch.objects.update(looked_on=today())
    assert tell_watchers(tomorrow()) == 0


def test_the_mail_is_in_the_language_of_the_watch() -> None:
    plan = measured()
    watch(watcher(), plan, language="zh-hans")
    is_now(plan, rate_per_s=2000.0)
    tell_watchers(tomorrow())
    (sent,) = mail.outbox
    assert f"/zh-hans/plans/{plan.slug}/" in sent.body
    assert re.search(r"[\u4e00-\u9fff]", str(sent.subject))
    assert re.search(r"[\u4e00-\u9fff]", str(sent.body))


def test_every_mail_can_be_ended_by_one_press() -> None:
    plan = measured()
    watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    tell_watchers(tomorrow())
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = headers["List-Unsubscribe"].strip("<>")
    assert address in mail.outbox[0].body


def test_a_mail_server_that_is_away_is_asked_again_tomorrow(settings: Any) -> None:
    plan = measured()
    one = watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # discard: nobody listens
    assert tell_watchers(tomorrow()) == 0
    assert tell_watchers(tomorrow()) == 0  # and not every five seconds
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Watch.objects.filter(pk=one.pk).update(looked_on=today())
    assert tell_watchers(tomorrow()) == 1


def test_who_has_no_verified_address_any_more_gets_none() -> None:
    plan, user = measured(), watcher()
    watch(user, plan)
    EmailAddress.objects.filter(user=user).update(verified=False)
    is_now(plan, rate_per_s=2000.0)
    assert tell_watchers(tomorrow()) == 0


def test_a_closed_account_gets_none() -> None:
    plan, user = measured(), watcher()
    watch(user, plan)
    type(user).objects.filter(pk=user.pk).update(is_active=False)
    is_now(plan, rate_per_s=2000.0)
    assert tell_watchers(tomorrow()) == 0


def test_a_watch_needs_a_verified_address() -> None:
    with pytest.raises(WatchRefusedError, match=NO_ADDRESS):
        watch(watcher(verified=False), measured())


def test_a_watch_that_was_ended_tells_nothing() -> None:
    plan, user = measured(), watcher()
    watch(user, plan)
    assert end_watch(user, plan.slug)
    assert not end_watch(user, plan.slug)
    is_now(plan, rate_per_s=2000.0)
    assert tell_watchers(tomorrow()) == 0


def test_so_many_plans_and_no_more() -> None:
    user, provider = watcher(), make.provider()
    for _ in range(WATCHES_MAX):
        watch(user, make.plan(provider=provider))
    with pytest.raises(WatchRefusedError, match=TOO_MANY):
        watch(user, make.plan(provider=provider))
    known = Watch.objects.filter(user=user).first()
    assert known
    assert watch(user, known.plan) == known  # one that goes on is none more


def test_a_look_takes_some_people_and_the_next_one_the_rest() -> None:
    plan = measured()
    for _ in range(PEOPLE_AT_ONCE + 2):
        watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    assert tell_watchers(tomorrow()) == PEOPLE_AT_ONCE
    assert tell_watchers(tomorrow()) == 2


def test_only_what_is_for_rent_is_watched() -> None:
    assert watchable(make.plan().slug)
    assert watchable(make.plan(is_listed=False).slug) is None
    assert watchable(make.plan(is_component=True).slug) is None
    assert watchable("none") is None


@pytest.mark.django_db(transaction=True)  # in a block it closes the connection
def test_the_sweeper_tells() -> None:
    plan = measured()
    one = watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    Watch.objects.filter(pk=one.pk).update(looked_on="2026-01-01")
    advance_standings_day(today())
    sweep(threading.Event(), Rounds())
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_two_sweepers_at_once_send_one_mail() -> None:
    plan = measured()
    watch(watcher(), plan)
    is_now(plan, rate_per_s=2000.0)
    told: list[int] = []

    def sweeper() -> None:
        try:
            told.append(tell_watchers(tomorrow()))
        finally:
            connection.close()

    threads = [threading.Thread(target=sweeper) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(told) == [0, 1]
    assert len(mail.outbox) == 1


def test_an_older_state_is_read() -> None:
    state = PlanState(rate_per_s=10.0, tier=1)
    assert PlanState.of_json({**state.as_json(), "gone": 1}) == state
    assert changes(state, state) == []


def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "watches", check=True, dry_run=True, verbosity=0)

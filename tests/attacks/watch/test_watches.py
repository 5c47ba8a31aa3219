"""Watches and their mails: ending another's, forging links, flooding, writing into mails."""

from __future__ import annotations

import time
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from django.core import mail, signing
from django.test import Client

from apps.accounts.mail import unlink_token
from apps.plans.models import Plan
from apps.rankings.models import Standing
from apps.watches.mail import STOP_DAYS, stop_token, user_of_token
from apps.watches.models import Watch
from apps.watches.services import end_watch, tell_watchers
from tests import make
from tests.support.accounts.watchers import browser_of, tomorrow, watch, watcher

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
ADDRESS = "/account/watches/"
MARKUP = "<script>alert(1)</script><a href=//evil.example>"


def a_plan(**changes: object) -> Plan:
    standing = make.standing(plan=make.plan(**changes), is_durable_single_writer=True)
    assert standing.plan
    return standing.plan


def news_about(plan: Plan) -> str:
    """The mail about a change of a plan, as it goes over the wire."""
    Standing.objects.filter(plan=plan).update(rate_per_s=9000.0)
    tell_watchers(tomorrow())
    (sent,) = mail.outbox
    return str(sent.message().as_string())


def stop(token: str) -> int:
    client = Client(enforce_csrf_checks=True)
    return client.post(f"{ADDRESS}stop/{token}/", {"List-Unsubscribe": "One-Click"}).status_code


def test_the_honest_link_ends_the_watches_without_a_sign_in() -> None:
    user = watcher()
    watch(user, a_plan())
    assert stop(stop_token(user.pk)) == 200
    assert not Watch.objects.filter(user=user).exists()


def test_another_persons_watch_is_not_ended_by_the_form() -> None:
    user, plan = watcher(), a_plan()
    watch(user, plan)
    browser_of(watcher()).post(ADDRESS, {"end": plan.slug})
    assert Watch.objects.filter(user=user).exists()


def test_ones_own_link_does_not_end_anothers_watch() -> None:
    user, plan = watcher(), a_plan()
    watch(user, plan)
    mine = watcher()
    stop(stop_token(mine.pk))
    assert Watch.objects.filter(user=user).exists()


def test_a_link_with_another_number_in_it_ends_nothing() -> None:
    user = watcher()
    watch(user, a_plan())
    _, moment, signature = stop_token(watcher().pk).split(":")
    number = signing.dumps(user.pk, salt="anything").split(":")[0]
    assert stop(f"{number}:{moment}:{signature}") == 404
    assert Watch.objects.filter(user=user).exists()


def test_a_link_signed_for_something_else_ends_nothing() -> None:
    user = watcher()
    watch(user, a_plan())
    assert stop(signing.dumps(user.pk)) == 404
    assert stop(signing.dumps(user.pk, salt="fsyncmark.unlink")) == 404
    assert Watch.objects.filter(user=user).exists()


def test_a_link_that_unlinks_a_key_is_none_of_a_watch() -> None:
    user = watcher()
    watch(user, a_plan())
    key = make.upload().key
    key.owner, key.claimed_at = user, make.NOON
    key.save()
    assert stop(unlink_token(key)) == 404
    assert Watch.objects.filter(user=user).exists()


def test_a_link_signed_with_another_secret_ends_nothing(settings: Any) -> None:
    user = watcher()
    watch(user, a_plan())
    ours = settings.SECRET_KEY
    settings.SECRET_KEY = "x" * 60
    forged = stop_token(user.pk)
    settings.SECRET_KEY = ours
    assert stop(forged) == 404
    assert Watch.objects.filter(user=user).exists()


@pytest.mark.parametrize("payload", [["1"], {"user": 1}, "1", None, 1.0])
def test_a_signed_link_of_another_shape_ends_nothing(payload: object) -> None:
    assert user_of_token(signing.dumps(payload, salt="fsyncmark.watches.stop")) is None


def test_an_old_link_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    user = watcher()
    watch(user, a_plan())
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - (STOP_DAYS + 1) * 86_400)
    token = stop_token(user.pk)
    monkeypatch.undo()
    assert stop(token) == 404
    assert Watch.objects.filter(user=user).exists()


def test_a_scanner_that_opens_every_link_of_a_mail_ends_nothing() -> None:
    user = watcher()
    watch(user, a_plan())
    for method in ("get", "head", "options"):
        getattr(Client(), method)(f"{ADDRESS}stop/{stop_token(user.pk)}/")
    assert Watch.objects.filter(user=user).exists()


def test_the_page_of_a_link_does_not_say_whose_it_is() -> None:
    user = watcher()
    plan = a_plan()
    watch(user, plan)
    page = Client().get(f"{ADDRESS}stop/{stop_token(user.pk)}/")
    assert user.email not in page.text
    assert plan.name not in page.text
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in page.headers["Cache-Control"]


def test_another_site_cannot_make_somebody_watch() -> None:
    user, plan = watcher(), a_plan()
    client = browser_of(user, enforce_csrf_checks=True)
    assert client.post(ADDRESS, {"add": plan.slug}).status_code == 403
    assert not Watch.objects.filter(user=user).exists()


def test_a_link_to_the_form_begins_no_watch() -> None:
    user, plan = watcher(), a_plan()
    browser_of(user).get(ADDRESS, {"add": plan.slug})
    assert not Watch.objects.filter(user=user).exists()


def test_nobody_gets_mail_at_an_address_that_they_did_not_verify() -> None:
    user, plan = watcher(verified=False), a_plan()
    browser_of(user).post(ADDRESS, {"add": plan.slug})
    Standing.objects.filter(plan=plan).update(rate_per_s=9000.0)
    tell_watchers(tomorrow())
    assert not mail.outbox


def test_many_changes_of_many_plans_are_one_mail() -> None:
    user, provider = watcher(), make.provider()
    plans = [a_plan(provider=provider) for _ in range(5)]
    for each in plans:
        watch(user, each)
    for rate in (2000.0, 4000.0, 8000.0):
        Standing.objects.update(rate_per_s=rate)
        tell_watchers(tomorrow())
    assert len(mail.outbox) == 1


def test_ending_and_beginning_a_watch_again_sends_no_second_mail() -> None:
    user, plan = watcher(), a_plan()
    watch(user, plan)
    Standing.objects.update(rate_per_s=2000.0)
    tell_watchers(tomorrow())
    for rate in (4000.0, 8000.0):
        end_watch(user, plan.slug)
        watch(user, plan)
        Watch.objects.update(looked_on=tomorrow())  # the day on which it began
        Standing.objects.update(rate_per_s=rate)
        tell_watchers(tomorrow())
    assert len(mail.outbox) == 1


def test_a_thousand_presses_are_one_watch() -> None:
    user, plan = watcher(), a_plan()
    client = browser_of(user)
    for _ in range(20):
        client.post(ADDRESS, {"add": plan.slug})
    assert Watch.objects.filter(user=user).count() == 1


@pytest.mark.parametrize(
    "name",
    ["A\r\nBcc: victim@example.org", "A\nSubject: You won", "A\r\n\r\n<h1>B", "A\u2028B\x1b[2J"],
)
def test_a_plans_name_writes_no_header(name: str) -> None:
    user = watcher()
    plan = a_plan()
    watch(user, plan)
    Plan.objects.filter(pk=plan.pk).update(name=name)
    sent = message_from_bytes(news_about(plan).encode(), policy=default)
    assert sent["To"] == user.email
    assert sent["Bcc"] is None
    assert sent.get_all("Subject") == ["Fsyncmark: plans that you watch changed"]
    assert "\x1b" not in sent.get_content()


def test_a_plans_name_turns_no_writing_around() -> None:
    plan = a_plan()
    watch(watcher(), plan)
    Plan.objects.filter(pk=plan.pk).update(name="CX\u202e01 moc.live//:sptth")
    assert (
        "\u202e" not in message_from_bytes(news_about(plan).encode(), policy=default).get_content()
    )


def test_a_plans_name_is_no_markup_in_a_mail() -> None:
    plan = a_plan()
    watch(watcher(), plan)
    Plan.objects.filter(pk=plan.pk).update(name=MARKUP)
    sent = message_from_bytes(news_about(plan).encode(), policy=default)
    assert not sent.is_multipart()
    assert sent.get_content_type() == "text/plain"


def test_a_plans_name_is_no_markup_on_the_page() -> None:
    user = watcher()
    plan = a_plan()
    watch(user, plan)
    Plan.objects.filter(pk=plan.pk).update(name=MARKUP)
    assert MARKUP not in browser_of(user).get(ADDRESS).text


@pytest.mark.parametrize("plan", [{"is_listed": False}, {"is_component": True}])
def test_what_a_stranger_named_is_not_watched(plan: dict[str, object]) -> None:
    user, named = watcher(), make.plan(**plan)
    assert browser_of(user).post(ADDRESS, {"add": named.slug}).status_code == 404
    assert not Watch.objects.filter(user=user).exists()


@pytest.mark.parametrize(
    "slug",
    ["\x00", "a" * 5000, "' OR 1=1 --", "../../staff/"],
    ids=["nul", "long", "sql", "path"],
)
def test_a_name_that_is_no_slug_is_no_plan(slug: str) -> None:
    user = watcher()
    assert browser_of(user).get(ADDRESS, {"add": slug}).status_code == 404
    assert browser_of(user).post(ADDRESS, {"add": slug}).status_code == 404
    assert browser_of(user).post(ADDRESS, {"end": slug}).status_code == 302


def test_the_plan_page_tells_nobody_who_watches_it() -> None:
    plan = a_plan()
    before = Client().get(f"/plans/{plan.slug}/").text
    watch(watcher(), plan)
    after = browser_of(watcher()).get(f"/plans/{plan.slug}/")
    assert after.text == before
    assert not after.cookies

"""Watches and their mails: ending another's, forging links, flooding, writing into mails."""

from __future__ import annotations

import time
from email import message_from_bytes
from email.policy import default
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail, signing
from django.db import DataError
from django.test import Client

from apps.accounts.mail import unlink_token
from apps.plans.models import Plan
from apps.rankings.models import Standing
from apps.watches.mail import STOP_DAYS, stop_token, user_of_token
from apps.watches.models import Watch
from apps.watches.services import end_watch, tell_watchers
from tests import make
from tests.support.accounts.watchers import browser_of, tomorrow, watch, watcher

if TYPE_CHECKING:
    from email.message import EmailMessage

    from django.contrib.auth.models import User

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
ADDRESS = "/account/watches/"
MARKUP = "<script>alert(1)</script><a href=//evil.example>"


def a_plan(**changes: object) -> Plan:
    standing = make.standing(plan=make.plan(**changes), is_durable_single_writer=True)
    assert standing.plan
    return standing.plan


def watched() -> tuple[User, Plan]:
    """Somebody, and the plan that they watch."""
    user, plan = watcher(), a_plan()
    watch(user, plan)
    return user, plan


def news_of(name: str) -> EmailMessage:
    """The mail about a change of a plan of this name, as its reader's program takes it."""
    _, plan = watched()
    Plan.objects.filter(pk=plan.pk).update(name=name)
    Standing.objects.filter(plan=plan).update(rate_per_s=9000.0)
    tell_watchers(tomorrow())
    sent = mail.outbox.pop().message().as_string()
    assert not mail.outbox
    return message_from_bytes(sent.encode(), policy=default)


def stop(token: str) -> int:
    client = Client(enforce_csrf_checks=True)
    return client.post(f"{ADDRESS}stop/{token}/", {"List-Unsubscribe": "One-Click"}).status_code


def is_watching(user: User) -> bool:
    return Watch.objects.filter(user=user).exists()


def test_another_persons_watch_is_not_ended_by_the_form(weakened: Weakened) -> None:
    user, plan = watched()
    browser_of(watcher()).post(ADDRESS, {"end": plan.slug})
    assert is_watching(user)
    with weakened.with_ends_for_everybody():
        browser_of(watcher()).post(ADDRESS, {"end": plan.slug})
    assert not is_watching(user)


def test_ones_own_link_does_not_end_anothers_watch(weakened: Weakened) -> None:
    user, _ = watched()
    stop(stop_token(watcher().pk))
    assert is_watching(user)
    with weakened.with_ends_for_everybody():
        stop(stop_token(watcher().pk))
    assert not is_watching(user)


def is_void(token: str, user: User, weakened: Weakened) -> None:
    """The token ends nothing, and would if nobody looked at signatures."""
    assert stop(token) == 404
    assert is_watching(user)
    with weakened.without_signatures_of_links():
        assert stop(token) == 200
    assert not is_watching(user)


def test_a_link_with_another_number_in_it_ends_nothing(weakened: Weakened) -> None:
    user, _ = watched()
    _, moment, signature = stop_token(watcher().pk).split(":")
    number = signing.dumps(user.pk, salt="anything").split(":")[0]
    is_void(f"{number}:{moment}:{signature}", user, weakened)


@pytest.mark.parametrize("salt", ["django.core.signing", "fsyncmark.unlink"])
def test_a_link_signed_for_something_else_ends_nothing(salt: str, weakened: Weakened) -> None:
    user, _ = watched()
    is_void(signing.dumps(user.pk, salt=salt), user, weakened)


def test_a_link_that_unlinks_a_key_is_none_of_a_watch(weakened: Weakened) -> None:
    user, _ = watched()
    key = make.upload().key
    key.owner, key.claimed_at = user, make.NOON
    key.save()
    assert stop(unlink_token(key)) == 404
    assert is_watching(user)
    with weakened.with_links_for_anything():
        assert stop(unlink_token(key)) == 200
    assert not is_watching(user)


def test_a_link_signed_with_another_secret_ends_nothing(settings: Any, weakened: Weakened) -> None:
    user, _ = watched()
    ours = settings.SECRET_KEY
    settings.SECRET_KEY = "x" * 60
    forged = stop_token(user.pk)
    settings.SECRET_KEY = ours
    is_void(forged, user, weakened)


@pytest.mark.parametrize("payload", [["1"], {"user": 1}, "1", 1.0])
def test_a_signed_link_of_another_shape_ends_nothing(payload: object, weakened: Weakened) -> None:
    token = signing.dumps(payload, salt="fsyncmark.watches.stop")
    assert user_of_token(token) is None
    with weakened.with_links_of_any_shape():
        assert user_of_token(token) == payload


def test_an_old_link_ends_nothing(monkeypatch: pytest.MonkeyPatch, weakened: Weakened) -> None:
    user, _ = watched()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - (STOP_DAYS + 1) * 86_400)
    token = stop_token(user.pk)
    monkeypatch.undo()
    assert stop(token) == 404
    assert is_watching(user)
    with weakened.with_stops_for_ever():
        assert stop(token) == 200
    assert not is_watching(user)


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_a_scanner_that_opens_every_link_of_a_mail_ends_nothing(
    method: str, weakened: Weakened
) -> None:
    user, _ = watched()
    getattr(Client(), method)(f"{ADDRESS}stop/{stop_token(user.pk)}/")
    assert is_watching(user)
    with weakened.with_links_as_forms():
        getattr(Client(), method)(f"{ADDRESS}stop/{stop_token(user.pk)}/")
    assert not is_watching(user)


def test_the_page_of_a_link_does_not_say_whose_it_is(weakened: Weakened) -> None:
    user, plan = watched()
    address = f"{ADDRESS}stop/{stop_token(user.pk)}/"
    page = Client().get(address)
    assert user.email not in page.text
    assert plan.name not in page.text
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in page.headers["Cache-Control"]
    with weakened.with_pages_of_persons_in_caches():
        page = Client().get(address)
    assert page.headers["Referrer-Policy"] != "same-origin"
    assert "no-store" not in page.headers["Cache-Control"]


def test_another_site_cannot_make_somebody_watch(weakened: Weakened) -> None:
    user, plan = watcher(), a_plan()
    client = browser_of(user, enforce_csrf_checks=True)
    assert client.post(ADDRESS, {"add": plan.slug}).status_code == 403
    assert not is_watching(user)
    with weakened.without_form_tokens():
        client.post(ADDRESS, {"add": plan.slug})
    assert is_watching(user)


def test_a_link_to_the_form_begins_no_watch(weakened: Weakened) -> None:
    user, plan = watcher(), a_plan()
    browser_of(user).get(ADDRESS, {"add": plan.slug})
    assert not is_watching(user)
    with weakened.with_links_as_forms():
        browser_of(user).get(ADDRESS, {"add": plan.slug})
    assert is_watching(user)


def mails_unverified() -> int:
    """Watch without a verified address; return how many mails a change sends."""
    user, plan = watcher(verified=False), a_plan()
    browser_of(user).post(ADDRESS, {"add": plan.slug})
    Standing.objects.filter(plan=plan).update(rate_per_s=9000.0)
    return tell_watchers(tomorrow())


def test_nobody_gets_mail_at_an_address_that_they_did_not_verify(weakened: Weakened) -> None:
    assert (mails_unverified(), mail.outbox) == (0, [])
    with weakened.with_mails_to_anywhere():
        assert mails_unverified() == 1


def mails_of(*rates: float) -> int:
    """Change all figures so often; return how many mails each look together sent."""
    sent = 0
    for rate in rates:
        Standing.objects.update(rate_per_s=rate)
        sent += tell_watchers(tomorrow())
    return sent


def test_many_changes_of_many_plans_are_one_mail(weakened: Weakened) -> None:
    user, provider = watcher(), make.provider()
    plans = [a_plan(provider=provider) for _ in range(5)]
    for each in plans:
        watch(user, each)
    assert mails_of(2000.0, 4000.0, 8000.0) == len(mail.outbox) == 1
    with weakened.with_looks_forgotten():
        assert mails_of(4000.0, 2000.0) == 2


def mails_of_watches_anew(user: User, plan: Plan, *rates: float) -> int:
    """End and begin a watch before each change; return how many mails were sent."""
    sent = 0
    for rate in rates:
        end_watch(user, plan.slug)
        watch(user, plan)
        Watch.objects.update(looked_on=tomorrow())  # the day on which it began
        sent += mails_of(rate)
    return sent


def test_ending_and_beginning_a_watch_again_sends_no_second_mail(weakened: Weakened) -> None:
    user, plan = watched()
    assert mails_of(2000.0) == 1
    assert mails_of_watches_anew(user, plan, 4000.0, 8000.0) == 0
    with weakened.with_looks_forgotten():
        assert mails_of_watches_anew(user, plan, 4000.0, 8000.0) == 2


def watches_of_presses() -> int:
    """Press the button of a plan twenty times; return how many watches began."""
    user, plan = watcher(), a_plan()
    client = browser_of(user)
    for _ in range(20):
        client.post(ADDRESS, {"add": plan.slug})
    return Watch.objects.filter(user=user).count()


def test_a_thousand_presses_are_one_watch(weakened: Weakened) -> None:
    assert watches_of_presses() == 1
    with weakened.with_a_watch_a_press():
        assert watches_of_presses() == 20


@pytest.mark.parametrize(
    "name", ["A\r\nBcc: victim@example.org", "A\nSubject: You won", "A\r\n\r\n<h1>B"]
)
def test_a_plans_name_writes_no_header(name: str, weakened: Weakened) -> None:
    sent = news_of(name)
    assert sent.get_all("Subject") == ["Fsyncmark: plans that you watch changed"]
    Plan.objects.all().delete()
    with weakened.with_plans_in_subjects():
        assert sent.keys() != news_of(name).keys()


@pytest.mark.parametrize(
    ("name", "sign"), [("CX\u202e01 moc.live//:sptth", "\u202e"), ("A\u2028B\x1b[2J", "\x1b")]
)
def test_a_plans_name_turns_no_writing_around(name: str, sign: str, weakened: Weakened) -> None:
    assert sign not in news_of(name).get_content()
    with weakened.with_plan_names_as_stored():
        assert sign in news_of(name).get_content()


def test_a_plans_name_is_no_markup_in_a_mail(weakened: Weakened) -> None:
    sent = news_of(MARKUP)
    assert not sent.is_multipart()
    assert sent.get_content_type() == "text/plain"
    with weakened.with_mails_of_markup():
        sent = news_of(MARKUP)
    assert sent.get_content_type() == "text/html"
    assert MARKUP in sent.get_content()


def test_a_plans_name_is_no_markup_on_the_page(weakened: Weakened) -> None:
    user, plan = watched()
    Plan.objects.filter(pk=plan.pk).update(name=MARKUP)
    assert MARKUP not in browser_of(user).get(ADDRESS).text
    with weakened.without_escaping():
        assert MARKUP in browser_of(user).get(ADDRESS).text


@pytest.mark.parametrize("plan", [{"is_listed": False}, {"is_component": True}])
def test_what_a_stranger_named_is_not_watched(plan: dict[str, object], weakened: Weakened) -> None:
    user, named = watcher(), make.plan(**plan)
    assert browser_of(user).post(ADDRESS, {"add": named.slug}).status_code == 404
    assert not is_watching(user)
    with weakened.with_plans_of_strangers_watched():
        browser_of(user).post(ADDRESS, {"add": named.slug})
    assert is_watching(user)


def test_a_name_that_is_sql_is_no_plan(weakened: Weakened) -> None:
    user, slug = watcher(), "' OR 1=1 --"
    a_plan()
    assert browser_of(user).get(ADDRESS, {"add": slug}).status_code == 404
    assert browser_of(user).post(ADDRESS, {"add": slug}).status_code == 404
    assert browser_of(user).post(ADDRESS, {"end": slug}).status_code == 302
    with weakened.with_slugs_in_sql():
        browser_of(user).post(ADDRESS, {"add": slug})
    assert is_watching(user)


@pytest.mark.parametrize("act", ["add", "end"])
def test_a_nul_in_a_name_breaks_nothing(act: str, weakened: Weakened) -> None:
    client = browser_of(watcher())
    assert client.post(ADDRESS, {act: "\x00"}).status_code in (302, 404)
    with weakened.with_nuls_in_slugs(), pytest.raises((DataError, ValueError), match="NUL"):
        client.post(ADDRESS, {act: "\x00"})


def test_the_plan_page_tells_nobody_who_watches_it(weakened: Weakened) -> None:
    plan = a_plan()
    before = Client().get(f"/plans/{plan.slug}/").text
    watch(watcher(), plan)
    after = browser_of(watcher()).get(f"/plans/{plan.slug}/")
    assert after.text == before
    assert not after.cookies
    with weakened.with_tokens_for_everybody():
        assert browser_of(watcher()).get(f"/plans/{plan.slug}/").cookies

"""The form for reports, the private address of one, and the public log."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from apps.drives.models import DriveName
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide, undo
from apps.moderation.services.reports import PER_HOUR
from tests import make
from tests.pages.site import main_of
from tests.support.accounts.staff import REASON, make_report, make_staff

pytestmark = pytest.mark.django_db
A = Decision.Action
ATOM: Final = "{http://www.w3.org/2005/Atom}"
SOUND = {"kind": "report", "text": "The disk is another one."}


def main(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return main_of(answer.content.decode())


@pytest.mark.parametrize("kind", ["run", "plan", "drive", "provider"])
def test_every_page_of_a_thing_leads_to_its_report(client: Client, kind: str) -> None:
    slug = {
        "run": lambda: make.measurement().run.slug,
        "plan": lambda: make.plan().slug,
        "drive": lambda: make.drive_family().slug,
        "provider": lambda: make.provider().slug,
    }[kind]()
    page = main(client, f"/{kind}s/{slug}/")
    assert f'href="/report/?{kind}={slug}"' in page
    form = main(client, f"/report/?{kind}={slug}")
    assert ("I speak for the provider" in form) == (kind in ("plan", "provider"))


def test_a_report_leads_to_its_private_address(client: Client) -> None:
    plan = make.plan()
    answer = client.post(f"/report/?plan={plan.slug}", SOUND)
    assert answer.status_code == 303
    page = client.get(answer.headers["Location"])
    assert "waits for a moderator" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert page.headers["Referrer-Policy"] == "same-origin"
    report = Report.objects.get()
    assert (report.subject, report.subject_id, report.text) == ("plan", plan.slug, SOUND["text"])
    about = (Subject.PLAN, plan.slug, REASON, make_staff())
    decide([Order(A.ANSWER, *about, {"report": str(report.pk)})])
    answered = client.get(answer.headers["Location"]).content.decode()
    assert REASON in answered
    assert f"/moderation/?plan={plan.slug}" in answered


def test_a_reported_run_has_its_name(client: Client) -> None:
    run = make.run(plan=make.plan(name="CX23"), measured_at=make.NOON)
    name = f">CX23, {make.NOON:%Y-%m-%d}</a>"
    assert name in main(client, f"/report/?run={run.slug}")
    assert name in main(client, f"/report/{make_report(subject_id=run.slug)}/")


def test_the_log_names_runs_and_tells_those_of_one_minute_apart(client: Client) -> None:
    plan = make.plan(name="CX23")
    uploads = [make.upload(state="done") for _ in range(2)]
    runs = [make.run(id=each.pk, slug=str(each.pk), upload=each, plan=plan) for each in uploads]
    by = make_staff()
    decide([Order(A.EXCLUDE, Subject.RUN, run.slug, REASON, by) for run in runs])
    page = main(client, "/moderation/")
    for run in runs:
        name = f"CX23, {run.measured_at:%Y-%m-%d}, {run.slug[:6]}·{run.slug[-6:]}"
        assert page.count(name) == 1


def test_a_provider_reads_what_was_decided_about_its_plans_and_their_runs(client: Client) -> None:
    plan = make.plan()
    make.provider(slug="other")
    upload = make.upload(state="done")
    run = make.run(
        id=upload.pk, slug=str(upload.pk), upload=upload, plan=plan, provider=plan.provider
    )
    by = make_staff()
    decide([Order(A.EXCLUDE, Subject.RUN, run.slug, REASON, by)])
    decide([Order(A.KEEP, Subject.PLAN, plan.slug, REASON, by)])
    for address, n in ((f"plan={plan.slug}", 2), (f"provider={plan.provider_id}", 2)):
        kind, _, slug = address.partition("=")
        page = main(client, f"/{kind}s/{slug}/")
        assert f'href="/moderation/?{address}">Decisions ({n})</a>' in page
        assert main(client, f"/moderation/?{address}").count("<time") == n
    assert "None so far." in main(client, "/moderation/?provider=other")


def test_a_report_in_chinese_is_answered_in_chinese(client: Client) -> None:
    plan = make.plan()
    answer = client.post(f"/zh-hans/report/?plan={plan.slug}", SOUND)
    assert answer.headers["Location"].startswith("/zh-hans/report/")
    report = Report.objects.get()
    about = (Subject.PLAN, plan.slug, REASON, make_staff())
    decide([Order(A.ANSWER, *about, {"report": str(report.pk)})])
    page = client.get(answer.headers["Location"]).content.decode()
    assert REASON not in page


@pytest.mark.parametrize("text", ["", "   ", "\u202e\u200b", "x" * 2001])
def test_a_text_that_says_nothing_or_too_much_is_asked_for_again(client: Client, text: str) -> None:
    answer = client.post(f"/report/?plan={make.plan().slug}", {"kind": "report", "text": text})
    assert answer.status_code == 422
    assert not Report.objects.exists()


def test_a_network_that_sent_enough_is_told_when_to_come_back(client: Client) -> None:
    address = f"/report/?plan={make.plan().slug}"
    for _ in range(PER_HOUR):
        assert client.post(address, SOUND).status_code == 303
    answer = client.post(address, SOUND)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert SOUND["text"] in answer.content.decode()


@pytest.mark.parametrize("query", ["", "?run=nothing", "?plan=", "?key=abc"])
def test_nothing_is_reported_that_is_not_there(client: Client, query: str) -> None:
    assert client.get(f"/report/{query}").status_code == 404
    assert client.post(f"/report/{query}", SOUND).status_code == 404


def test_the_log_says_what_was_decided_by_whom_as_a_role_and_what_became_of_it(
    client: Client,
) -> None:
    moderator, plan = make_staff(), make.plan(is_listed=False, is_seen=False)
    given = {"what": "accept-plan", "name": "A better name"}
    (made,) = decide([Order(A.CORRECT, Subject.PLAN, plan.slug, REASON, moderator, given)])
    page = main(client, "/moderation/")
    assert "a moderator" in page
    assert "accepted a name" in page
    assert "A better name" in page
    assert REASON in page
    assert moderator.email not in page
    undo([made.pk], by=moderator, reason="Our mistake.")
    page = main(client, f"/moderation/?plan={plan.slug}")
    assert "A better name" not in page
    assert "taken back on" in page
    assert "took back: accepted a name" in page
    assert "None so far." in main(client, "/moderation/?plan=other")


def test_the_log_repeats_no_name_of_a_drive_that_is_set_aside(client: Client) -> None:
    moderator = make_staff()
    name = DriveName.objects.create(key="0123456789abcdef", vendor="", model="A rude word")
    given = {"what": "set-aside"}
    (made,) = decide([Order(A.CORRECT, Subject.NAME, name.key, REASON, moderator, given)])
    assert "rude" not in main(client, "/moderation/")
    undo([made.pk], by=moderator, reason="")
    page = main(client, "/moderation/")
    assert "rude" not in page
    assert page.count(name.key) == 2


def test_the_log_names_a_drive_as_long_as_its_family_stands(client: Client) -> None:
    moderator, family = make_staff(), make.drive_family()
    name = DriveName.objects.create(key="0123456789abcdef", vendor="", model="A rude word")
    given = {"what": "map-name", "family": family.slug, "pattern": "^A RUDE"}
    (made,) = decide([Order(A.CORRECT, Subject.NAME, name.key, REASON, moderator, given)])
    assert "A rude word" in main(client, "/moderation/")
    undo([made.pk], by=moderator, reason="")
    page = main(client, "/moderation/")
    assert "A rude word" not in page
    assert f"→ {family.name}" not in page


def test_the_log_is_paged(client: Client) -> None:
    moderator = make_staff()
    for number in range(51):
        decide([Order(A.KEEP, Subject.NAME, f"k{number}", REASON, moderator)])
    first, second = main(client, "/moderation/"), main(client, "/moderation/?page=2")
    assert "Page 1 of 2" in first
    assert second.count("<li") == 1


def test_the_log_of_who_reads_it_shows_no_report(client: Client) -> None:
    plan = make.plan()
    make_report(Subject.PLAN, plan.slug, text="A secret text", email="reader@example.org")
    page = main(client, f"/moderation/?plan={plan.slug}")
    assert "secret" not in page


def test_the_feed_has_the_entries_of_the_log_and_no_more(client: Client) -> None:
    staff = make_staff()
    plans = [make.plan() for _ in range(3)]
    made = [decide([Order("keep", Subject.PLAN, each.slug, REASON, staff)])[0] for each in plans]
    undo([made[0].pk], by=staff, reason="Our mistake.")
    answer = client.get("/moderation.atom")
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert not answer.cookies
    feed = ET.fromstring(answer.content)  # noqa: S314 -- our own
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == Decision.objects.count()
    page = client.get("/moderation/").content.decode()
    assert 'href="/moderation.atom"' in page
    for entry, plan in zip(entries[1:], reversed(plans), strict=True):
        assert (entry.findtext(f"{ATOM}title") or "").endswith(plan.slug)
        assert plan.slug in page
        assert (entry.findtext(f"{ATOM}summary") or "").startswith(REASON)
    assert "Taken back on" in (entries[-1].findtext(f"{ATOM}summary") or "")
    for secret in (staff.username, staff.email):
        assert secret not in answer.content.decode()

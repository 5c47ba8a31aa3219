"""What strangers and moderators write is text wherever it is shown, and in no mail a head."""

from __future__ import annotations

from typing import Final

import pytest
from django.core import mail
from django.test import Client
from django.utils.html import escape

from apps.accounts.networks import hashed_network
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide
from apps.moderation.services.reports import PER_HOUR, send_answers
from tests import make
from tests.support.accounts.people import make_person
from tests.support.accounts.staff import REASON, at_desk, make_report, make_staff

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
A = Decision.Action

SCRIPTS: Final = {
    "script": "<script>alert(1)</script>",
    "picture": "<img src=x onerror=alert(1)>",
    "attribute": '" autofocus onfocus="alert(1)',
    "drawing": "</title><svg/onload=alert(1)>",
}
TEMPLATE: Final = "{{ 7|add:7 }}{% debug %}"
BIDI: Final = "safe\u202egnp.exe\u2066\u200b"
SHAPELESS: Final = ("\u202e", "\u2066", "\u200b")


def encoded(text: str) -> str:
    return escape(text)


def open_report(**changes: str) -> Report:
    make_report(Subject.PLAN, make.plan().slug, **changes)
    return Report.objects.latest("created_at")


def shown(client: Client, address: str, text: str) -> None:
    """The text stands on the page as it was written, and nothing of it is markup."""
    page = client.get(address).content.decode()
    assert text not in page, address
    assert encoded(text) in page, address


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_report_is_text_at_the_desk(name: str) -> None:
    report = open_report(text=SCRIPTS[name])
    client = at_desk(make_staff())
    for address in ("/desk/", f"/desk/reported/{report.pk}/"):
        shown(client, address, SCRIPTS[name])


def test_a_report_is_no_template() -> None:
    report = open_report(text=TEMPLATE, email="a@example.org")
    client = at_desk(make_staff())
    form = {"action": "answer", "reason": TEMPLATE, "item": f"reported:{report.pk}"}
    page = client.get(f"/desk/reported/{report.pk}/").content.decode()
    assert TEMPLATE in page
    client.post("/desk/act/", form)
    assert TEMPLATE in client.get("/moderation/").content.decode()
    send_answers()
    assert TEMPLATE in mail.outbox[0].body


@pytest.mark.parametrize("name", ["script", "picture", "attribute", "drawing"])
def test_a_report_is_text_at_its_private_address(client: Client, name: str) -> None:
    token = make_report(Subject.PLAN, make.plan().slug, text=SCRIPTS[name])
    shown(client, f"/report/{token}/", SCRIPTS[name])


@pytest.mark.parametrize("name", ["script", "picture", "attribute", "drawing"])
def test_a_reason_is_text_in_the_public_log(client: Client, name: str) -> None:
    decide([Order(A.KEEP, Subject.NAME, "k", SCRIPTS[name], make_staff())])
    shown(client, "/moderation/", SCRIPTS[name])
    shown(at_desk(make_staff()), "/desk/", SCRIPTS[name])


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_a_reply_is_text_on_the_page_of_its_plan(client: Client, name: str) -> None:
    report = open_report(text=SCRIPTS[name], kind="reply")
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    decide([Order(A.SHOW, *about, {"report": str(report.pk)})])
    shown(client, f"/plans/{report.subject_id}/", SCRIPTS[name])


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_an_answer_is_text_at_the_private_address(client: Client, name: str) -> None:
    token = make_report(Subject.PLAN, make.plan().slug)
    report = Report.objects.get()
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    decide([Order(A.ANSWER, *about, {"report": str(report.pk), "answer": SCRIPTS[name]})])
    shown(client, f"/report/{token}/", SCRIPTS[name])


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_the_name_of_a_plan_is_text_in_the_log(client: Client, name: str) -> None:
    plan = make.plan(is_listed=False, is_seen=False, name=SCRIPTS[name])
    given = {"what": "accept-plan", "name": SCRIPTS[name]}
    decide([Order(A.CORRECT, Subject.PLAN, plan.slug, REASON, make_staff(), given)])
    shown(client, "/moderation/", SCRIPTS[name])


def test_a_report_cannot_turn_a_line_around(client: Client) -> None:
    client.post(f"/report/?plan={make.plan().slug}", {"kind": "report", "text": BIDI})
    assert not any(sign in Report.objects.get().text for sign in SHAPELESS)


def test_a_reason_cannot_turn_a_line_around() -> None:
    report = open_report()
    form = {"action": "answer", "reason": BIDI, "answer": BIDI, "item": f"reported:{report.pk}"}
    assert at_desk(make_staff()).post("/desk/act/", form).status_code == 303
    report.refresh_from_db()
    for text in (Decision.objects.get().reason, report.answer):
        assert "safe" in text
        assert not any(sign in text for sign in SHAPELESS)


@pytest.mark.parametrize(
    "address",
    [
        "a@example.org\nBcc: b@example.org",
        "a@example.org, b@example.org",
        "a@example.org\r\nSubject: x",
    ],
)
def test_a_mail_address_adds_no_head_and_no_second_reader(client: Client, address: str) -> None:
    form = {"kind": "report", "text": "x", "email": address}
    assert client.post(f"/report/?plan={make.plan().slug}", form).status_code == 422
    assert not Report.objects.exists()


def test_a_text_writes_no_head_of_a_mail() -> None:
    report = open_report(email="a@example.org")
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    answer = "Subject: x\nBcc: b@example.org"
    decide([Order(A.ANSWER, *about, {"report": str(report.pk), "answer": answer})])
    send_answers()
    (sent,) = mail.outbox
    assert sent.recipients() == ["a@example.org"]
    assert "\n" not in sent.subject
    assert "Bcc" not in dict(sent.message().items())


def test_a_report_mails_nobody_before_a_moderator_answered(client: Client) -> None:
    form = {"kind": "report", "text": "x", "email": "victim@example.org"}
    client.post(f"/report/?plan={make.plan().slug}", form)
    assert send_answers() == 0
    assert not mail.outbox


@pytest.mark.parametrize("token", ["", "nothing", "a" * 22, "%00", "' OR 1=1 --"])
def test_a_guessed_address_shows_no_report(client: Client, token: str) -> None:
    make_report(text="Very private")
    answer = client.get(f"/report/{token}/")
    assert answer.status_code == 404
    assert "Very private" not in answer.content.decode()


def test_the_number_of_a_report_is_not_its_address(client: Client) -> None:
    report = open_report()
    for guess in (str(report.pk), report.pk.hex, report.status_sha256):
        assert client.get(f"/report/{guess}/").status_code == 404


def test_a_person_reads_no_report_at_the_desk() -> None:
    report = open_report(text="Very private")
    answer = at_desk(make_person()).get(f"/desk/reported/{report.pk}/")
    assert answer.status_code == 403
    assert "Very private" not in answer.content.decode()


def test_a_flood_of_reports_of_one_network_stops_early(client: Client) -> None:
    address = f"/report/?plan={make.plan().slug}"
    form = {"kind": "report", "text": "x"}
    statuses = [
        client.post(address, form, REMOTE_ADDR=f"192.0.2.{n}").status_code
        for n in range(PER_HOUR + 3)
    ]
    assert statuses.count(303) == PER_HOUR
    assert set(statuses[PER_HOUR:]) == {429}
    assert Report.objects.values_list("network").distinct().get() == (
        hashed_network("192.0.2.0", ipv6_prefix=64),
    )


@pytest.mark.parametrize("address", ["/desk/act/", "/desk/undo/"])
def test_a_form_of_another_site_decides_nothing(address: str) -> None:
    moderator, plan = make_staff(), make.plan(is_listed=False, is_seen=False)
    client = Client(enforce_csrf_checks=True)
    client.force_login(moderator)
    form = {"action": "accept-plan", "ready": REASON, "item": f"plan:{plan.slug}", "decision": "1"}
    assert client.post(address, form).status_code == 403
    assert not Decision.objects.exists()


def test_a_form_of_another_site_reports_nothing() -> None:
    client = Client(enforce_csrf_checks=True)
    form = {"kind": "report", "text": "x"}
    assert client.post(f"/report/?plan={make.plan().slug}", form).status_code == 403
    assert not Report.objects.exists()


@pytest.mark.parametrize("address", ["/desk/act/", "/desk/undo/"])
def test_a_link_decides_nothing(address: str) -> None:
    plan = make.plan(is_listed=False, is_seen=False)
    form = {"action": "accept-plan", "ready": REASON, "item": f"plan:{plan.slug}", "decision": "1"}
    assert at_desk(make_staff()).get(address, form).status_code == 405
    assert not Decision.objects.exists()


@pytest.mark.parametrize("field", ["ready", "reason"])
def test_no_ready_reason_is_made_up_and_no_reason_is_endless(field: str) -> None:
    plan = make.plan(is_listed=False, is_seen=False)
    form = {"action": "accept-plan", "item": f"plan:{plan.slug}", field: "x" * 5000}
    at_desk(make_staff()).post("/desk/act/", form)
    reasons = list(Decision.objects.values_list("reason", flat=True))
    assert reasons == ([] if field == "ready" else ["x" * 500])


@pytest.mark.parametrize("path", ["/moderation/", "/report/"])
def test_a_nul_in_an_address_breaks_nothing(client: Client, path: str) -> None:
    assert client.get(f"{path}?plan=a%00b").status_code in (200, 404)


def test_pages_of_reports_stay_out_of_caches(client: Client) -> None:
    token = make_report(Subject.PLAN, make.plan().slug)
    for address in (f"/report/{token}/", f"/report/?plan={make.plan().slug}"):
        answer = client.get(address)
        assert "no-store" in answer.headers["Cache-Control"]
        assert 'name="robots" content="noindex"' in answer.content.decode()


def test_the_log_names_nobody_who_decided_and_no_uploader(client: Client) -> None:
    moderator = make_staff()
    runs = [make.run(uploader=f"network:{n * 32}") for n in "ab"]
    given = {"runs": " ".join(run.slug for run in runs)}
    decide([Order(A.MERGE, Subject.UPLOADERS, "", REASON, moderator, given)])
    page = client.get("/moderation/").content.decode()
    assert "judges uploaders as one" in page
    for secret in (moderator.email, moderator.username, "network:", "a" * 32, "b" * 32):
        assert secret not in page

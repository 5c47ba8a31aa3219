"""What strangers and moderators write is text wherever it is shown, and in no mail a head."""

from __future__ import annotations

from email import message_from_string
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

import pytest
from django.core import mail
from django.db import DataError, transaction
from django.test import Client
from django.utils.html import escape
from django.utils.xmlutils import UnserializableContentError

from apps.accounts.networks import hashed_network
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.reasons import READY
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide
from apps.moderation.services.reports import PER_HOUR, send_answers
from tests import make
from tests.support.accounts.people import make_person
from tests.support.accounts.staff import REASON, at_desk, make_report, make_staff

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

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
ATOM: Final = "{http://www.w3.org/2005/Atom}"
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


def shown_escaped(client: Client, address: str, text: str, weakened: Weakened) -> None:
    """The text is markup only where nothing is escaped."""
    shown(client, address, text)
    with weakened.without_escaping():
        assert text in client.get(address).content.decode(), address


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_report_is_text_at_the_desk(name: str, weakened: Weakened) -> None:
    report = open_report(text=SCRIPTS[name])
    client = at_desk(make_staff())
    for address in ("/desk/", f"/desk/reported/{report.pk}/"):
        shown_escaped(client, address, SCRIPTS[name], weakened)


def test_a_report_is_no_template(weakened: Weakened) -> None:
    report = open_report(text=TEMPLATE, email="a@example.org")
    client = at_desk(make_staff())
    form = {"action": "answer", "reason": TEMPLATE, "item": f"reported:{report.pk}"}
    page = client.get(f"/desk/reported/{report.pk}/").content.decode()
    assert TEMPLATE in page
    client.post("/desk/act/", form)
    assert TEMPLATE in client.get("/moderation/").content.decode()
    send_answers()
    assert TEMPLATE in mail.outbox[0].body
    with weakened.with_templates_of_strangers():
        assert TEMPLATE not in client.get("/moderation/").content.decode()


@pytest.mark.parametrize("name", ["script", "picture", "attribute", "drawing"])
def test_a_report_is_text_at_its_private_address(
    client: Client, name: str, weakened: Weakened
) -> None:
    token = make_report(Subject.PLAN, make.plan().slug, text=SCRIPTS[name])
    shown_escaped(client, f"/report/{token}/", SCRIPTS[name], weakened)


@pytest.mark.parametrize("name", ["script", "picture", "attribute", "drawing"])
def test_a_reason_is_text_in_the_public_log(client: Client, name: str, weakened: Weakened) -> None:
    decide([Order(A.KEEP, Subject.NAME, "k", SCRIPTS[name], make_staff())])
    shown_escaped(client, "/moderation/", SCRIPTS[name], weakened)
    shown_escaped(at_desk(make_staff()), "/desk/", SCRIPTS[name], weakened)


def summary_in_feed(client: Client) -> str:
    """What a reader takes for HTML of the newest entry."""
    feed = ET.fromstring(client.get("/moderation.atom").content)  # noqa: S314 -- our own
    entry = feed.find(f"{ATOM}entry")
    assert entry is not None
    return entry.findtext(f"{ATOM}summary") or ""


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_reason_is_text_in_the_feed_of_decisions(
    client: Client, name: str, weakened: Weakened
) -> None:
    decide([Order(A.KEEP, Subject.NAME, "k", f"{SCRIPTS[name]} <b>", make_staff())])
    said = summary_in_feed(client)
    assert "<" not in said
    assert "&lt;b&gt;" in said
    with weakened.with_feeds_as_written():
        assert "<b>" in summary_in_feed(client)


def test_a_reason_turns_no_line_of_the_feed_around(client: Client, weakened: Weakened) -> None:
    (made,) = decide([Order(A.KEEP, Subject.NAME, "k", REASON, make_staff())])
    Decision.objects.filter(pk=made.pk).update(reason=f"{BIDI}\x1b[2J")
    said = summary_in_feed(client)
    assert "gnp.exe" in said
    assert not any(each in said for each in (*SHAPELESS, "\x1b"))
    with weakened.with_signs_of_any_shape(), pytest.raises(UnserializableContentError):
        client.get("/moderation.atom")


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_a_reply_is_text_on_the_page_of_its_plan(
    client: Client, name: str, weakened: Weakened
) -> None:
    report = open_report(text=SCRIPTS[name], kind="reply")
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    decide([Order(A.SHOW, *about, {"report": str(report.pk)})])
    shown_escaped(client, f"/plans/{report.subject_id}/", SCRIPTS[name], weakened)


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_an_answer_is_text_at_the_private_address(
    client: Client, name: str, weakened: Weakened
) -> None:
    token = make_report(Subject.PLAN, make.plan().slug)
    report = Report.objects.get()
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    decide([Order(A.ANSWER, *about, {"report": str(report.pk), "answer": SCRIPTS[name]})])
    shown_escaped(client, f"/report/{token}/", SCRIPTS[name], weakened)


@pytest.mark.parametrize("name", ["script", "picture", "drawing"])
def test_the_name_of_a_plan_is_text_in_the_log(
    client: Client, name: str, weakened: Weakened
) -> None:
    plan = make.plan(is_listed=False, is_seen=False, name=SCRIPTS[name])
    given = {"what": "accept-plan", "name": SCRIPTS[name]}
    decide([Order(A.CORRECT, Subject.PLAN, plan.slug, REASON, make_staff(), given)])
    shown_escaped(client, "/moderation/", SCRIPTS[name], weakened)


def is_shapeless(text: str) -> bool:
    assert "safe" in text
    return any(sign in text for sign in SHAPELESS)


def send_report(client: Client, **form: str) -> int:
    """Send the form about a plan that is new; return how it was answered."""
    address = f"/report/?plan={make.plan().slug}"
    return client.post(address, {"kind": "report", "text": "x", **form}).status_code


def test_a_report_cannot_turn_a_line_around(client: Client, weakened: Weakened) -> None:
    send_report(client, text=BIDI)
    assert not is_shapeless(Report.objects.get().text)
    with weakened.with_texts_as_typed():
        send_report(client, text=BIDI)
    assert is_shapeless(Report.objects.latest("created_at").text)


def answer_with(text: str) -> tuple[str, str]:
    """Answer a report with a text; return the reason and the answer that are stored."""
    report = open_report()
    form = {"action": "answer", "reason": text, "answer": text, "item": f"reported:{report.pk}"}
    assert at_desk(make_staff()).post("/desk/act/", form).status_code == 303
    report.refresh_from_db()
    return Decision.objects.latest("pk").reason, report.answer


def test_a_reason_cannot_turn_a_line_around(weakened: Weakened) -> None:
    assert [is_shapeless(each) for each in answer_with(BIDI)] == [False, False]
    with weakened.with_texts_as_typed():
        assert [is_shapeless(each) for each in answer_with(BIDI)] == [True, True]


@pytest.mark.parametrize(
    "address",
    [
        "a@example.org\nBcc: b@example.org",
        "a@example.org, b@example.org",
        "a@example.org\r\nSubject: x",
    ],
)
def test_a_mail_address_adds_no_head_and_no_second_reader(
    client: Client, address: str, weakened: Weakened
) -> None:
    assert send_report(client, email=address) == 422
    assert not Report.objects.exists()
    with weakened.with_any_mail_address():
        assert send_report(client, email=address) == 303
    assert Report.objects.get().email == address


def mail_of_answer(answer: str) -> mail.EmailMessage:
    """Answer a report; return the mail that goes out."""
    report = open_report(email="a@example.org")
    about = (Subject.PLAN, report.subject_id, REASON, make_staff())
    decide([Order(A.ANSWER, *about, {"report": str(report.pk), "answer": answer})])
    send_answers()
    return mail.outbox[-1]


def test_a_text_writes_no_head_of_a_mail(weakened: Weakened) -> None:
    answer = "Subject: x\nBcc: b@example.org"
    sent = mail_of_answer(answer)
    assert sent.recipients() == ["a@example.org"]
    assert "\n" not in sent.subject
    assert "Bcc" not in message_from_string(sent.message().as_string())
    with weakened.with_answers_in_heads():
        sent = mail_of_answer(answer)
        assert "Bcc" in message_from_string(sent.message().as_string())


def test_a_report_mails_nobody_before_a_moderator_answered(
    client: Client, weakened: Weakened
) -> None:
    send_report(client, email="victim@example.org")
    assert send_answers() == 0
    assert not mail.outbox
    with weakened.with_mails_before_an_answer():
        assert send_answers() == 1


@pytest.mark.parametrize("token", ["%20", "nothing", "a" * 22, "%00", "' OR 1=1 --"])
def test_a_guessed_address_shows_no_report(client: Client, token: str, weakened: Weakened) -> None:
    make_report(text="Very private")
    answer = client.get(f"/report/{token}/")
    assert answer.status_code == 404
    assert "Very private" not in answer.content.decode()
    with weakened.with_one_address_of_all_reports():
        assert "Very private" in client.get(f"/report/{token}/").content.decode()


def test_the_number_of_a_report_is_not_its_address(client: Client, weakened: Weakened) -> None:
    report = open_report()
    guesses = (str(report.pk), report.pk.hex, report.status_sha256)
    for guess in guesses:
        assert client.get(f"/report/{guess}/").status_code == 404
    with weakened.with_reports_by_number():
        for guess in guesses:
            assert client.get(f"/report/{guess}/").status_code == 200


def test_a_person_reads_no_report_at_the_desk(weakened: Weakened) -> None:
    address = f"/desk/reported/{open_report(text='Very private').pk}/"
    answer = at_desk(make_person()).get(address)
    assert answer.status_code == 403
    assert "Very private" not in answer.content.decode()
    with weakened.with_staff_of_everybody():
        assert "Very private" in at_desk(make_person()).get(address).content.decode()


def flood(client: Client) -> list[int]:
    """Send more reports than a network may, each from another address of it."""
    address = f"/report/?plan={make.plan().slug}"
    form = {"kind": "report", "text": "x"}
    return [
        client.post(address, form, REMOTE_ADDR=f"192.0.2.{n}").status_code
        for n in range(PER_HOUR + 3)
    ]


def test_a_flood_of_reports_of_one_network_stops_early(client: Client, weakened: Weakened) -> None:
    assert flood(client) == [303] * PER_HOUR + [429] * 3
    assert Report.objects.values_list("network").distinct().get() == (
        hashed_network("192.0.2.0", ipv6_prefix=64),
    )
    with weakened.without_quota_of_reports():
        assert set(flood(client)) == {303}


def decision_form() -> dict[str, str]:
    """What accepts a plan, and what takes the first decision back."""
    item = f"plan:{make.plan(is_listed=False, is_seen=False).slug}"
    decide([Order(A.KEEP, Subject.NAME, "k", REASON, make_staff())])
    decision = str(Decision.objects.get().pk)
    return {"action": "accept-plan", "ready": READY[-1], "item": item, "decision": decision}


@pytest.mark.parametrize("address", ["/desk/act/", "/desk/undo/"])
def test_a_form_of_another_site_decides_nothing(address: str, weakened: Weakened) -> None:
    form = decision_form()
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_staff())
    assert client.post(address, form).status_code == 403
    assert Decision.objects.count() == 1
    with weakened.without_form_tokens():
        assert client.post(address, form).status_code == 303
    assert Decision.objects.count() == 2


def test_a_form_of_another_site_reports_nothing(weakened: Weakened) -> None:
    client = Client(enforce_csrf_checks=True)
    assert send_report(client) == 403
    assert not Report.objects.exists()
    with weakened.without_form_tokens():
        assert send_report(client) == 303
    assert Report.objects.exists()


@pytest.mark.parametrize("address", ["/desk/act/", "/desk/undo/"])
def test_a_link_decides_nothing(address: str, weakened: Weakened) -> None:
    form = decision_form()
    client = at_desk(make_staff())
    assert client.get(address, form).status_code == 405
    assert Decision.objects.count() == 1
    with weakened.with_links_as_forms():
        assert client.get(address, form).status_code == 303
    assert Decision.objects.count() == 2


def accept_because(**reason: str) -> list[str]:
    """Accept a plan for a reason; return the reasons that are stored."""
    plan = make.plan(is_listed=False, is_seen=False)
    form = {"action": "accept-plan", "item": f"plan:{plan.slug}", **reason}
    at_desk(make_staff()).post("/desk/act/", form)
    return list(Decision.objects.order_by("pk").values_list("reason", flat=True))


def test_no_ready_reason_is_made_up(weakened: Weakened) -> None:
    assert accept_because(ready="made up") == []
    with weakened.with_ready_reasons_of_anybody():
        assert accept_because(ready="made up") == ["made up"]


def test_no_reason_is_endless(weakened: Weakened) -> None:
    assert accept_because(reason="x" * 5000) == ["x" * 500]
    with (
        weakened.with_endless_reasons(),
        pytest.raises(DataError, match="too long"),
        transaction.atomic(),
    ):
        accept_because(reason="x" * 5000)


@pytest.mark.parametrize("path", ["/moderation/", "/report/"])
def test_a_nul_in_an_address_breaks_nothing(client: Client, path: str, weakened: Weakened) -> None:
    assert client.get(f"{path}?plan=a%00b").status_code in (200, 404)
    with weakened.with_nuls_in_addresses(), pytest.raises((DataError, ValueError), match="NUL"):
        client.get(f"{path}?plan=a%00b")


def test_pages_of_reports_stay_out_of_caches(client: Client, weakened: Weakened) -> None:
    token = make_report(Subject.PLAN, make.plan().slug)
    addresses = (f"/report/{token}/", f"/report/?plan={make.plan().slug}")
    for address in addresses:
        answer = client.get(address)
        assert "no-store" in answer.headers["Cache-Control"]
        assert 'name="robots" content="noindex"' in answer.content.decode()
    with weakened.with_pages_of_persons_in_caches():
        for address in addresses:
            assert "no-store" not in client.get(address).headers["Cache-Control"]


def test_the_log_names_nobody_who_decided_and_no_uploader(
    client: Client, weakened: Weakened
) -> None:
    moderator = make_staff()
    runs = [make.run(uploader=f"network:{n * 32}") for n in "ab"]
    given = {"runs": " ".join(run.slug for run in runs)}
    decide([Order(A.MERGE, Subject.UPLOADERS, "", REASON, moderator, given)])
    page = client.get("/moderation/").content.decode()
    assert "judges uploaders as one" in page
    for secret in (moderator.email, moderator.username, "network:", "a" * 32, "b" * 32):
        assert secret not in page
    with weakened.with_names_in_the_log():
        page = client.get("/moderation/").content.decode()
    assert moderator.email in page
    assert "network:" in page

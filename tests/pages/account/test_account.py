"""What a person sees and does with what is theirs, in both languages."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AgentKey, EmailChange, MachineName, RunNote
from apps.accounts.people import ask_old_address, find_email_change, finish_email_change
from apps.accounts.services import rotate_key
from apps.intake.services.work import drain
from apps.runs.models import Run, RunRuling, Tombstone, Upload
from tests import make
from tests.support.accounts.people import (
    add_totp,
    claim,
    last_mail,
    make_person,
    new_address,
    own_run,
    signed_in,
    value_in_mail,
)
from tests.support.caching import forget_cache
from tests.support.routes import personal_forms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db
CHINESE = "/zh-hans"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def machine_of(user: User, rates: Iterable[float]) -> str:
    """Return a machine of somebody that ran once a day at these rates."""
    agent, machine = make.Agent(), "a" * 32
    for day, rate in enumerate(rates):
        upload = make.upload(agent=agent, state="done")
        at = make.NOON + timedelta(days=day)
        run = make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload, machine=machine,
                       measured_at=at)  # fmt: skip
        make.measurement(run=run, rate_per_s=rate)
    claim(AgentKey.objects.get(pk=agent.keyid), user)
    return machine


def test_an_account_says_how_a_machine_is_linked(person: User) -> None:
    own_run(person)
    shown = page(signed_in(person), "/account/")
    assert f"fsyncmark login --server {settings.SITE_URL}" in shown  # it has no default
    assert 'href="/account/link/"' in shown


def test_a_key_stands_beside_the_machine_that_it_measured(person: User) -> None:
    machine = machine_of(person, [1000.0])
    key = AgentKey.objects.get(owner=person)
    Run.objects.update(cpu_model="AMD EPYC 7763")
    client, address = signed_in(person), reverse("pages:account-key", args=[key.keyid])
    assert "AMD EPYC 7763" in key_lines(page(client, "/account/"))
    assert " ".join(key.groups) in page(client, address)
    MachineName.objects.create(user=person, machine=machine, name="the laptop")
    assert "the laptop" in key_lines(page(client, "/account/"))
    assert "the laptop" in page(client, address)


def key_lines(account: str) -> str:
    return account.partition("Machines</h2>")[0]


def test_a_key_is_named_and_shown_with_its_runs(person: User) -> None:
    key = own_run(person).upload.key  # type: ignore[union-attr]  # made with one
    client = signed_in(person)
    client.post(reverse("pages:account-key", args=[key.keyid]), {"name": "the cellar"})
    assert "the cellar" in page(client, "/account/")
    shown = page(client, reverse("pages:account-key", args=[key.keyid]))
    assert key.keyid in shown


def test_a_key_that_is_given_up_is_nobodys(person: User) -> None:
    key = own_run(person).upload.key  # type: ignore[union-attr]  # made with one
    signed_in(person).post(reverse("pages:account-key-release", args=[key.keyid]))
    key.refresh_from_db()
    assert (key.owner, key.state) == (None, AgentKey.State.ANONYMOUS)


def test_a_revoked_key_keeps_its_reason_and_its_day(person: User) -> None:
    key = own_run(person).upload.key  # type: ignore[union-attr]  # made with one
    client = signed_in(person)
    address = reverse("pages:account-key-revoke", args=[key.keyid])
    later = client.post(address, {"reason": "stolen", "compromised_since": "2999-01-01"})
    assert "has not come yet" in later.content.decode()
    client.post(address, {"reason": "stolen", "compromised_since": "2025-06-01"})
    key.refresh_from_db()
    assert key.state == AgentKey.State.REVOKED
    assert (key.revoked_reason, f"{key.compromised_since:%Y-%m-%d}") == ("stolen", "2025-06-01")
    assert "stolen" in page(client, reverse("pages:account-key", args=[key.keyid]))


def test_a_key_that_was_replaced_is_revoked_on_its_page(
    person: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    agent, new = make.Agent(), make.agent_key()
    upload = make.upload(agent=agent, witnessed=True)
    drain()
    old = claim(upload.key, person)
    with django_capture_on_commit_callbacks(execute=True):
        rotate_key(old, new)
    assert str(new) in last_mail(person.email)
    assert f">{new}</a>" in page(signed_in(person), reverse("pages:account-key", args=[old.keyid]))
    client, address = signed_in(person), reverse("pages:account-key-revoke", args=[old.keyid])
    assert address in page(client, reverse("pages:account-key", args=[old.keyid]))
    client.post(address, {"reason": "stolen", "compromised_since": "2025-06-01"})
    old.refresh_from_db()
    assert (old.state, old.replaced_by) == (AgentKey.State.REVOKED, new)
    assert address not in page(client, reverse("pages:account-key", args=[old.keyid]))
    drain()
    assert Run.objects.get(pk=upload.pk).outcome == "quarantine"


def test_a_machine_says_when_its_rate_changed(person: User) -> None:
    rates = [1000 + n for n in range(8)] + [500 + n for n in range(8)]
    machine = machine_of(person, rates)
    client = signed_in(person)
    address = reverse("pages:account-machine", args=[machine])
    shown = page(client, address)
    assert re.search(r"From 2025-06-23 on 50[34] commits/s instead of 1,00[34]\.", shown)
    assert shown.count("<circle") >= len(rates)
    client.post(address, {"name": "the old server"})
    assert MachineName.objects.get(user=person).name == "the old server"
    assert "the old server" in page(client, "/account/")


def test_a_steady_machine_has_no_change(person: User) -> None:
    machine = machine_of(person, [1000 + n % 3 for n in range(16)])
    shown = page(signed_in(person), reverse("pages:account-machine", args=[machine]))
    assert "did not change for good in 16 runs" in shown


def test_of_one_run_no_change_is_told(person: User) -> None:
    machine = machine_of(person, [1000.0])
    assert "1 runs" not in page(signed_in(person), reverse("pages:account-machine", args=[machine]))


def test_a_run_that_does_not_count_tells_its_owner_why(person: User) -> None:
    run = own_run(person)
    make.label(run=run, rule="other-cpu", keeps_out="run", figures={})
    shown = page(signed_in(person), reverse("pages:account-run", args=[run.pk]))
    assert "others used the processors" in shown


def test_a_run_is_withdrawn_hidden_and_both_are_undone(person: User) -> None:
    run = own_run(person)
    client = signed_in(person)

    def act(name: str, *more: str, **form: str) -> None:
        address = reverse(f"pages:account-run-{name}", args=[run.pk, *more])
        assert client.post(address, form).status_code == 302

    act("withdraw", reason="the disk was failing")
    act("hide")
    kinds = RunRuling.objects.filter(run_id=run.pk).values_list("kind", flat=True)
    assert set(kinds) == {"withdrawn", "hidden"}
    assert "the disk was failing" in page(client, reverse("pages:account-run", args=[run.pk]))
    run.refresh_from_db()
    assert not run.is_listed
    act("undo", "withdrawn")
    act("undo", "hidden")
    assert not RunRuling.objects.exists()


def test_a_note_is_kept_changed_and_emptied(person: User) -> None:
    run = own_run(person)
    client = signed_in(person)
    address = reverse("pages:account-run", args=[run.pk])
    for note in ("after the reboot", "after the second reboot"):
        client.post(address, {"note": note})
        assert RunNote.objects.get().text == note
    client.post(address, {"note": ""})
    assert not RunNote.objects.exists()


def test_the_export_holds_what_is_ones_own(person: User) -> None:
    run = own_run(person)
    RunNote.objects.create(user=person, run_id=run.pk, text="a note")
    answer = signed_in(person).post(reverse("pages:account-export"))
    assert "attachment" in answer.headers["Content-Disposition"]
    data = json.loads(answer.content)
    assert data["account"]["email"] == person.email
    assert [each["keyid"] for each in data["keys"]] == [run.upload.key_id]  # type: ignore[union-attr]  # made with one
    assert data["notes"] == [{"run_id": str(run.pk), "text": "a note"}]


def test_runs_stay_without_the_person(person: User) -> None:
    run = own_run(person)
    client = signed_in(person)
    client.post(reverse("pages:account-delete"), {"runs": "stay"})
    assert not User.objects.filter(pk=person.pk).exists()
    assert Run.objects.filter(pk=run.pk).exists()
    assert AgentKey.objects.get().owner is None
    assert "as you asked" in last_mail(person.email)
    assert client.get("/account/").status_code == 302


def test_runs_go_with_a_tombstone(person: User) -> None:
    run = own_run(person)
    signed_in(person).post(reverse("pages:account-delete"), {"runs": "go"})
    assert not Upload.objects.exists()
    stone = Tombstone.objects.get()
    assert (stone.run_id, stone.by_owner) == (run.pk, True)


def ask_for(client: Client, new: str) -> None:
    client.post("/account/email/", {"email": new, "action_add": ""})
    client.post("/account/confirm-email/", {"code": value_in_mail(new)})


def test_an_address_changes_when_both_have_agreed(person: User) -> None:
    client, old, new = signed_in(person), person.email, new_address()
    ask_for(client, new)
    assert new in page(client, "/account/email/")
    link = value_in_mail(old)
    assert old in page(Client(), link.removeprefix("http://127.0.0.1:8000"))
    Client().post(link.removeprefix("http://127.0.0.1:8000"), {"confirm": ""})
    person.refresh_from_db()
    assert person.email == new
    assert list(EmailAddress.objects.values_list("email", "verified")) == [(new, True)]
    assert f"no longer {old}" in last_mail(old)


def test_who_lost_the_old_mailbox_waits_a_week(person: User) -> None:
    client, new = signed_in(person), new_address()
    ask_for(client, new)
    week = EmailChange.objects.get().asked_at - timedelta(days=7)
    EmailChange.objects.update(asked_at=week)
    client.post("/account/email/change/finish/")
    person.refresh_from_db()
    assert person.email == new


def test_an_address_that_somebody_else_has_by_now_is_not_taken(person: User) -> None:
    new = new_address()
    token = ask_old_address(person, new)
    make_person(new)
    answer = signed_in(person).post(f"/account/email/change/{token}/", {"confirm": ""}, follow=True)
    assert "Another account has this address" in answer.content.decode()
    person.refresh_from_db()
    assert person.email != new


def test_a_stop_that_comes_too_late_says_so(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The change is finished once the answer to it has begun."""
    new = new_address()
    token = ask_old_address(person, new)

    def found(token: str) -> EmailChange | None:
        change = find_email_change(token)
        finish_email_change(EmailChange.objects.get())
        return change

    client = signed_in(person)
    monkeypatch.setattr("apps.pages.account.email_views.find_email_change", found)
    answer = client.post(f"/account/email/change/{token}/", {"stop": ""}, follow=True)
    said = answer.content.decode()
    assert "Your address is changed." in said
    assert "is stopped" not in said


def test_mails_are_in_the_language_of_the_page() -> None:
    form = {"email": new_address(), "password1": "an entirely new phrase", "terms": "on"}
    Client().post("/account/signup/", form)
    Client().post(f"{CHINESE}/account/signup/", form | {"email": new_address()})
    subjects = [each.subject for each in mail.outbox]
    assert subjects == ["Fsyncmark: Your code to sign up", "Fsyncmark: 注册验证码"]


def test_no_page_of_a_person_speaks_allauths_chinese(person: User) -> None:
    run = own_run(person)
    client = signed_in(person)
    add_totp(person)
    things = ["/account/runs/", reverse("pages:account-run", args=[run.pk])]
    addresses = [each for each in personal_forms() if "0000" not in each] + things
    seen = 0
    for address in addresses:
        answer = client.get(CHINESE + address)
        if answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        seen += 1
        main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
        assert "您" not in main, address
        assert ">Email" not in main, address
    assert seen > 12

"""What staff see of the queue."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Permission, User
from django.test import Client

from apps.intake.services.imports import ImportClaim, import_output
from apps.runs.models import ImportedFile, Run, Upload
from tests import make
from tests.support.accounts.people import add_totp

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr("apps.intake.admin.ring_doorbell", lambda: None)
    return admin_client


def test_poison_is_listed_with_the_first_line_of_its_error(staff: Client) -> None:
    make.upload(state=Upload.State.POISON, last_error="ValueError: why\nand a traceback")
    make.upload(state=Upload.State.DONE)
    page = staff.get("/staff/runs/upload/", {"state": "poison"}).content.decode()
    assert "ValueError: why" in page
    assert "traceback" not in page
    assert "1 upload" in page


def test_poison_can_be_tried_again(staff: Client) -> None:
    poison = make.upload(state=Upload.State.POISON, attempts=5)
    answer = staff.post(
        "/staff/runs/upload/",
        {"action": "try_again", "_selected_action": [str(poison.pk)]},
        follow=True,
    )
    assert "1 uploads wait to be tried again." in answer.content.decode()
    poison.refresh_from_db()
    assert (poison.state, poison.attempts) == ("retry", 0)


@pytest.mark.parametrize("model", ["runs/upload", "intake/challenge", "accounts/agentkey"])
def test_rows_are_looked_at_and_never_written(staff: Client, model: str) -> None:
    upload = make.upload()
    challenge = make.challenge()
    pk: str = {
        "runs/upload": str(upload.pk),
        "intake/challenge": challenge.pk,
        "accounts/agentkey": upload.key_id,
    }[model]
    assert staff.get(f"/staff/{model}/").status_code == 200
    page = staff.get(f"/staff/{model}/{quote(pk)}/change/")
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert staff.get(f"/staff/{model}/add/").status_code == 403
    assert staff.post(f"/staff/{model}/{quote(pk)}/delete/", {"post": "yes"}).status_code == 403
    assert bytes(challenge.seed).hex().encode() not in page.content


def test_a_false_claim_can_be_cleared_and_does_not_come_back(staff: Client) -> None:
    raw = (Path(__file__).parent / "importers/fixtures/pg_test_fsync-15.txt").read_bytes()
    claim = ImportClaim(provider="Hetzner", plan="CCX33", drive="PM9A3")
    file = import_output(raw=raw, claim=claim, network="0" * 32).file
    before = Run.objects.get().measurements.count()
    page = staff.post(
        "/staff/runs/importedfile/",
        {"action": "clear_claims", "_selected_action": [str(file.pk)]},
        follow=True,
    ).content.decode()
    assert "1 imports are of an unnamed machine now." in page
    import_output(raw=raw, claim=claim, network="1" * 32)
    run = Run.objects.get()
    assert (run.claimed_provider, run.claimed_plan, run.drive_reported) == ("", "", "")
    assert run.citation.machine_label == ""
    assert run.measurements.count() == before
    assert "CCX33" not in staff.get(f"/runs/{run.slug}/").content.decode()


def test_claims_are_cleared_by_those_who_may_delete(client: Client) -> None:
    raw = (Path(__file__).parent / "importers/fixtures/pg_test_fsync-15.txt").read_bytes()
    file = import_output(raw=raw, claim=ImportClaim(plan="CCX33"), network="0" * 32).file
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_importedfile"))
    add_totp(looker)
    client.force_login(looker)
    data = {"action": "clear_claims", "_selected_action": [str(file.pk)]}
    assert client.get("/staff/runs/importedfile/").status_code == 200
    client.post("/staff/runs/importedfile/", data)
    assert ImportedFile.objects.get().claimed_plan == "CCX33"


def test_an_imported_output_is_listed_and_can_be_deleted_with_its_run(staff: Client) -> None:
    raw = (Path(__file__).parent / "importers/fixtures/pg_test_fsync-15.txt").read_bytes()
    file = import_output(raw=raw, claim=ImportClaim(), network="0" * 32).file
    assert "pg_test_fsync" in staff.get("/staff/runs/importedfile/").content.decode()
    address = f"/staff/runs/importedfile/{quote(file.pk)}/"
    assert staff.post(f"{address}change/", {"claimed_plan": "x"}).status_code == 403
    staff.post(f"{address}delete/", {"post": "yes"})
    assert not ImportedFile.objects.exists()
    assert not Run.objects.exists()

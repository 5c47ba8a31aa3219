"""The staff's queue: a name becomes a pattern, and the runs that bear it are made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.drives.models import DriveFamily, DriveName, DrivePattern
from apps.drives.patterns import suggested_pattern
from apps.intake.services.work import drain
from apps.runs.models import Run, Upload
from tests import make

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db

PATTERNS, NAMES = "/staff/drives/drivepattern/", "/staff/drives/drivename/"
MODEL = "ACME Fast 1TB"


@pytest.fixture
def rings(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    heard: list[None] = []
    monkeypatch.setattr("apps.intake.drive_names_admin.ring_doorbell", lambda: heard.append(None))
    return heard


@pytest.fixture
def staff(admin_client: Client, rings: list[None]) -> Client:
    assert rings == []
    return admin_client


def worked(model: str = MODEL) -> Run:
    upload = make.upload(make.payload(devices=[make.device(model=model)]))
    drain()
    return Run.objects.get(pk=upload.pk)


def add_pattern(staff: Client, pattern: str, family: DriveFamily) -> str:
    name = DriveName.objects.get(model=MODEL)
    form = {"name": name.pk, "family": family.pk, "pattern": pattern, "source": "a data sheet"}
    return staff.post(f"{PATTERNS}add/", form, follow=True).content.decode()


def test_the_queue_shows_unknown_names_with_their_runs_and_a_form_for_each(staff: Client) -> None:
    make.drive_family(match="^KNOWN")
    worked()
    worked()
    worked("KNOWN 1TB")
    page = staff.get(NAMES).content.decode()
    assert MODEL in page
    assert ">2<" in page
    assert "KNOWN 1TB" not in page
    assert "pattern=%5EACME%5B+_%5D%2BFast%5B+_%5D%2B1TB%24" in page
    assert "KNOWN 1TB" in staff.get(NAMES, {"state": "known"}).content.decode()


def test_a_name_becomes_a_pattern_and_its_runs_are_made_again(
    staff: Client,
    rings: list[None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run, other = worked(), worked("Other")
    family = make.drive_family(slug="acme-fast", name="Acme Fast", is_shipped=False)
    with django_capture_on_commit_callbacks(execute=True):
        page = add_pattern(staff, "^ACME[ _]+Fast", family)
    assert "1 names mean another family now." in page
    assert len(rings) == 1
    waiting = Upload.objects.filter(state="retry")
    assert [upload.pk for upload in waiting] == [run.pk]
    assert drain() == 1
    assert Run.objects.get(pk=run.pk).drive_family == family
    assert Run.objects.get(pk=other.pk).drive_family is None


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("^ACME", "is claimed by acme-fast and by acme-slow"),
        ("^OTHER", "does not name ACME Fast 1TB"),
        ("ACME Fast", "each alternative must begin with ^"),
        ("^(ACME Fast", "pattern of acme-fast"),
        ("^", "claims every name"),
    ],
)
def test_a_pattern_that_claims_too_much_or_too_little_is_refused(
    staff: Client, pattern: str, reason: str
) -> None:
    worked()
    make.drive_family(slug="acme-slow", match="^ACME SLOW")
    family = make.drive_family(slug="acme-fast")
    page = add_pattern(staff, pattern, family)
    assert reason in page
    assert not DrivePattern.objects.exists()


@pytest.mark.parametrize("how", ["alone", "with others"])
def test_a_pattern_that_is_taken_back_gives_the_names_back(staff: Client, how: str) -> None:
    worked()
    family = make.drive_family()
    add_pattern(staff, "^ACME Fast", family)
    assert DriveName.objects.get(model=MODEL).family == family
    pk = DrivePattern.objects.get().pk
    if how == "with others":
        form = {"action": "delete_selected", "_selected_action": [pk], "post": "yes"}
        staff.post(PATTERNS, form)
    else:
        staff.post(f"{PATTERNS}{pk}/delete/", {"post": "yes"})
    assert DriveName.objects.get(model=MODEL).family is None


def test_a_joke_is_set_aside_and_can_be_taken_back(staff: Client) -> None:
    worked()
    name = DriveName.objects.get(model=MODEL)
    chosen = {"_selected_action": [name.pk]}
    staff.post(NAMES, {"action": "set_aside", **chosen})
    assert MODEL not in staff.get(NAMES).content.decode().split("results")[-1]
    assert MODEL in staff.get(NAMES, {"state": "aside"}).content.decode()
    staff.post(f"{NAMES}?state=aside", {"action": "take_back", **chosen})
    assert not DriveName.objects.get(pk=name.pk).is_set_aside


def test_staff_may_add_a_family_and_change_only_those(staff: Client) -> None:
    shipped = make.drive_family(slug="shipped", name="Shipped")
    facts = {
        "name": "Acme Fast", "vendor": "Acme", "kind": "hdd", "plp": "none", "interface": "sata",
        "source": "a data sheet",
    }  # fmt: skip
    make.ladder_class(slug="hdd")
    staff.post("/staff/drives/drivefamily/add/", facts)
    added = DriveFamily.objects.get(slug="acme-fast")
    assert (added.is_shipped, added.ladder_class_id) == (False, "hdd")
    staff.post("/staff/drives/drivefamily/acme-fast/change/", {**facts, "plp": "full"})
    added.refresh_from_db()
    assert (added.plp, added.ladder_class_id) == ("full", None)
    page = staff.get(f"/staff/drives/drivefamily/{shipped.pk}/change/")
    assert b'name="_save"' not in page.content
    assert staff.post(f"/staff/drives/drivefamily/{shipped.pk}/delete/").status_code == 403
    staff.post("/staff/drives/drivefamily/acme-fast/delete/", {"post": "yes"})
    assert not DriveFamily.objects.filter(pk="acme-fast").exists()


def test_a_suggested_pattern_names_the_drive_alone() -> None:
    assert suggested_pattern("A.B (C)_1") == r"^A\.B[ _]+\(C\)[ _]+1$"

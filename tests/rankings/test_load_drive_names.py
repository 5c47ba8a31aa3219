"""Loading the catalogue: ambiguous patterns are refused, those of staff kept, and runs follow."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from apps.drives.catalogue import read_families
from apps.drives.models import DriveFamily, DrivePattern
from apps.drives.recognition import recognise
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import CatalogueLoad
from apps.runs.models import Upload
from apps.runs.services import record_run
from tests import make

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db


def test_a_catalogue_in_which_two_families_claim_a_name_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    families = read_families()
    families.append(DriveFamily(slug="acme", name="Acme", kind="ssd", match="^SAMSUNG MZQL2"))
    monkeypatch.setattr("apps.drives.catalogue.read_families", lambda: families)
    with pytest.raises(CommandError, match=r"not loaded.*MZQL2.*claimed by acme and by samsung"):
        call_command("load_catalogue", stdout=StringIO())
    assert not DriveFamily.objects.exists()
    assert not CatalogueLoad.objects.exists()


def test_what_staff_added_is_kept() -> None:
    load_catalogue()
    own = make.drive_family(slug="acme-fast", name="Acme Fast", is_shipped=False)
    pattern = DrivePattern.objects.create(family=own, pattern="^ACME FAST", source="a sheet")
    load_catalogue(force=True)
    pattern.refresh_from_db()
    assert pattern.gave_way == ""
    assert recognise(vendor="", model="Acme Fast 1TB") == "acme-fast"


def test_a_family_of_staff_that_ships_later_becomes_the_shipped_one() -> None:
    make.drive_family(slug="samsung-990-pro", name="Samsung 990 PRO", is_shipped=False)
    load_catalogue()
    family = DriveFamily.objects.get(slug="samsung-990-pro")
    assert (family.is_shipped, family.vendor) == (True, "Samsung")


def test_runs_of_names_that_a_new_catalogue_knows_are_worked_again(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    upload = make.upload(state="done")
    run = record_run(upload=Upload.objects.get(pk=upload.pk))
    assert run.drive_family is None
    with django_capture_on_commit_callbacks(execute=True):
        load_catalogue()
    upload.refresh_from_db()
    assert upload.state == "retry"
    again = record_run(upload=Upload.objects.get(pk=upload.pk))
    assert again.drive_family_id == "samsung-pm9a3"

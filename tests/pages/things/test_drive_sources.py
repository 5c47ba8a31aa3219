"""A drive's page says which document states which fact, and what unknown protection means."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.drives.models import FamilySource
from tests import make
from tests.pages.things.test_spread import words
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db


def test_a_family_whose_protection_nobody_states_shows_both_classes(client: Client) -> None:
    store_catalogue()
    page = words(client, "/drives/corsair-mp300/")
    assert "Nobody states its protection: with it about " in page
    assert "With it the class is NVMe SSD with " in page
    assert "Protection: protection not stated" not in page


def test_a_family_with_documents_folds_them_and_names_what_none_states(client: Client) -> None:
    store_catalogue()
    page = words(client, "/drives/intel-dc-s3700/")
    assert 'id="sources"' in page
    assert "enough charge to commit all data in the write cache to NAND" in page
    assert "says otherwise" not in page
    assert "; no document read: " in page
    assert "tomshardware.com" in page


def test_a_document_that_contradicts_stands_out_and_confirms_nothing(client: Client) -> None:
    family = make.drive_family(name="Contra", source="cited: a.example", nand="tlc")
    FamilySource.objects.create(
        family=family, facts="nand", found="qlc", agrees="no", url="https://a.example/",
        locator="four bits", confidence="medium",
    )  # fmt: skip
    page = words(client, f"/drives/{family.slug}/")
    assert "<b>says otherwise</b>, medium confidence, " in page
    assert "no document read: " in page


def test_a_family_of_the_staff_has_no_fold(client: Client) -> None:
    family = make.drive_family(name="Own", plp="unknown", interface="sas")
    page = words(client, f"/drives/{family.slug}/")
    assert 'id="sources"' not in page
    assert "With it the class is" not in page  # SAS has no class to tell of

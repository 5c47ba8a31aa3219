"""What providers answer: signed and dated or not at all, shown as it came, and never lost."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.plans import catalogue
from apps.plans.models import NOTE_CHARACTERS_MAX, Provider
from apps.plans.notes import with_stored_notes
from tests import make
from tests.support.accounts.people import add_totp

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

SIGNED = {"note": "We changed the disks.", "note_by": "A. Person, Acme", "note_on": "2026-11-20"}


def answered(**changes: object) -> Provider:
    return make.provider(name="Acme", **{**SIGNED, "note_on": date(2026, 11, 20), **changes})


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(("provider,note_on,note_by,note", *lines)), encoding="utf-8")
    return path


def test_the_file_of_the_catalogue_may_be_missing_or_empty(tmp_path: Path) -> None:
    assert catalogue.read_notes(tmp_path / "none.csv") == {}
    assert catalogue.read_notes() == {}  # nobody has answered yet


def test_the_newest_note_of_a_provider_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "notes.csv", "Acme Ltd,2026-11-21,B,newer", 'Acme Ltd,2026-11-02,A,"old, er"'
    )
    notes = catalogue.read_notes(path)
    assert notes == {"acme-ltd": {"note": "newer", "note_by": "B", "note_on": date(2026, 11, 21)}}


@pytest.mark.parametrize(
    "line",
    [
        "Acme,2026-11-21,,unsigned", "Acme,2026-11-21,B,", "Acme,,B,undated",
        f"Acme,2026-11-21,B,{'x' * (NOTE_CHARACTERS_MAX + 1)}",
    ],
)  # fmt: skip
def test_a_note_that_is_not_whole_stops_the_load(tmp_path: Path, line: str) -> None:
    with pytest.raises(ValueError, match=r"needs its text|Invalid isoformat"):
        catalogue.read_notes(written(tmp_path / "notes.csv", line))


@pytest.mark.django_db
def test_what_staff_wrote_stays_until_the_catalogue_is_newer() -> None:
    stored = answered()

    def after_a_load(**changes: object) -> str:
        (row,) = with_stored_notes([Provider(slug=stored.slug, name="Acme", **changes)])
        return row.note

    assert after_a_load() == SIGNED["note"]
    shipped = {"note": "shipped", "note_by": "B"}
    assert after_a_load(**shipped, note_on=date(2026, 11, 19)) == SIGNED["note"]
    assert after_a_load(**shipped, note_on=date(2026, 11, 20)) == "shipped"


@pytest.mark.django_db
@pytest.mark.parametrize("missing", [{"note": ""}, {"note_by": ""}, {"note_on": None}])
def test_a_note_is_signed_and_dated_or_not_there(missing: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        answered(**missing)


@pytest.mark.django_db
def test_the_page_shows_it_as_it_came_and_the_api_too(client: Client) -> None:
    owner = answered(note="Fixed.\n\n<b>All</b> of it.")
    page = client.get(f"/providers/{owner.slug}/").text
    assert "Acme answers, signed by A. Person, Acme on 2026-11-20, unedited:" in page
    assert "<p>Fixed.</p>" in page
    assert "&lt;b&gt;All&lt;/b&gt; of it." in page
    assert "No answer of" not in page
    told = client.get(f"/api/v1/providers/{owner.slug}").json()
    assert (told["note_by"], told["note_on"]) == ("A. Person, Acme", "2026-11-20")


@pytest.mark.django_db
def test_without_a_note_the_page_says_how_to_reply(client: Client, settings: Settings) -> None:
    settings.SITE_CONTACT = "mailto:people@fsyncmark.example"
    owner = make.provider(name="Acme")
    page = client.get(f"/providers/{owner.slug}/").text
    assert "No answer is on file." in page
    assert 'href="/about/#contact"' in page
    told = client.get(f"/api/v1/providers/{owner.slug}").json()
    assert (told["note"], told["note_by"], told["note_on"]) == ("", "", None)


@pytest.mark.django_db
def test_staff_writes_a_note_down_and_nothing_else(client: Client) -> None:
    staff = User.objects.create_superuser("staff")
    add_totp(staff)
    client.force_login(staff)
    owner = make.provider(name="Acme")
    address = f"/staff/plans/provider/{owner.slug}/change/"
    refused = client.post(address, {**SIGNED, "note_by": ""})
    assert "A note needs its text, who signed it and the day" in refused.text
    client.post(address, {**SIGNED, "name": "Renamed"})
    owner.refresh_from_db()
    assert (owner.name, owner.note, owner.note_on) == ("Acme", SIGNED["note"], date(2026, 11, 20))
    assert client.get("/staff/plans/provider/add/").status_code == 403

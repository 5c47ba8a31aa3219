"""Where people write: on the page that promises it, and in security.txt (RFC 9116)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

if TYPE_CHECKING:
    from django.test import Client


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("contact", "words"),
    [
        ("mailto:people@fsyncmark.example", "people@fsyncmark.example"),
        ("https://fsyncmark.example/contact", "fsyncmark.example/contact"),
    ],
)
def test_who_runs_the_site_says_where_to_write(
    client: Client, settings: Any, contact: str, words: str
) -> None:
    settings.SITE_CONTACT, settings.SOURCE_URL = contact, "https://source.example/fsyncmark"
    page = client.get("/about/").content.decode()
    assert f'<a href="{contact}">{words}</a>' in page
    assert '<a href="https://source.example/fsyncmark">' in page
    text = client.get("/.well-known/security.txt").content.decode()
    fields = dict(line.split(": ", 1) for line in text.splitlines())
    assert fields["Contact"] == contact
    until = dt.datetime.fromisoformat(fields["Expires"]) - timezone.now()
    assert dt.timedelta(days=89) < until < dt.timedelta(days=365)


def test_a_site_without_a_contact_says_so(client: Client, settings: Any) -> None:
    settings.SITE_CONTACT = settings.SOURCE_URL = ""
    assert "has not said where to write" in client.get("/about/").content.decode()
    assert client.get("/.well-known/security.txt").status_code == 404

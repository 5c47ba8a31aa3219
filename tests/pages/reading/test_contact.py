"""Where people write: on the page that promises it, and in security.txt (RFC 9116)."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import make

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


def test_a_site_without_contact_and_source_promises_nothing_that_rests_on_them(
    client: Client, settings: Any
) -> None:
    provider = make.plan().provider
    addresses = ("/about/", "/method/", f"/providers/{provider.slug}/")
    rest_on_contact = ('/about/#contact">Contact', "Where to send it")
    rest_on_source = (">Source code", "><code>CHANGELOG.md")
    settings.SITE_CONTACT = settings.SOURCE_URL = ""
    silent = "".join(client.get(address).content.decode() for address in addresses)
    for promise in (*rest_on_contact, *rest_on_source):
        assert promise not in silent
    assert silent.count("has not said where to write") == 1  # about, and no longer a provider
    assert "has not named where its source is" in silent
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SITE_CONTACT, settings.SOURCE_URL = "mailto:a@b.example", "https://source.example/f"
    open_ = "".join(client.get(address).content.decode() for address in addresses)
    for promise in rest_on_contact:
        assert promise in open_
    for promise in rest_on_source:
        assert f'href="https://source.example/f">{promise.removeprefix(">")}' in open_
    assert "has not" not in open_[open_.index("<main") : open_.index("</main>")]

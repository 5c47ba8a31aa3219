"""The form for a published result: checked as the files are, answered with the record, not kept."""

from __future__ import annotations

import json
from html import unescape
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from apps.runs.models import Run
from apps.runs.published.check.shape import RecordShape
from tests.pages.site import text
from tests.runs.published.made import some

pytestmark = pytest.mark.django_db

SOUND = {
    "address": "https://example.org/disks.html",
    "title": "What our disks do",
    "published": "2026-05",
    "find": "fdatasync 1234.5 ops/sec",
    "workload": "pg-8k-fdatasync",
    "rate": "1,234.5",
    "provider": "Hetzner",
    "plan": "CCX33",
    "drive": "Micron 7500 PRO",
}


def answered(client: Client, **changes: str) -> str:
    page = client.get("/published/propose/", {**SOUND, **changes})
    assert page.status_code == 200
    return page.content.decode()


def record_in(page: str) -> list[dict[str, object]]:
    text = unescape(page.split('<pre id="record">')[1].split("</pre>", maxsplit=1)[0])
    record, end = json.JSONDecoder().raw_decode(text)
    return [record, json.loads(text[end:])]


def test_the_form_alone_says_nothing_of_faults(client: Client) -> None:
    page = text(client, "/published/propose/")
    assert "Overwrite, fdatasync (pg_test_fsync)" in page
    assert "checked-title" not in page


def test_a_sound_proposal_is_a_record_of_the_file(client: Client) -> None:
    page = answered(client)
    assert "It passes the check" in page
    record, sources = record_in(page)
    shape = msgspec.convert(record, type=RecordShape)
    assert shape.id == "example-org-ccx33-pg-8k-fdatasync"
    assert (shape.plan, shape.drive_family, shape.metrics.rate_per_s) == (
        "CCX33",
        "Micron 7500 PRO",
        1234.5,
    )
    assert (shape.workload.sync, shape.workload.block_size_bytes) == ("fdatasync", 8192)
    assert sources == {
        "example-org": {
            "title": "What our disks do",
            "url": "https://example.org/disks.html",
            "author": "example.org",
            "published": "2026-05",
        }
    }
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"address": "example.org"}, "<li>Address: write it like https://"),
        ({"title": ""}, "<li>Title: not stated"),
        ({"published": "May"}, "<li>Published: write it like 2026-11"),
        ({"find": ""}, "<li>Words beside the figure: not stated"),
        ({"find": "x" * 60}, "<li>Words beside the figure: write it like fdatasync"),
        ({"workload": "no-such-work"}, "<li>Workload: not stated"),
        ({"rate": ""}, "<li>Durable writes a second: not stated"),
        ({"rate": "many"}, "<li>Durable writes a second: write it like 10318"),
        ({"rate": "nan"}, "<li>Durable writes a second: write it like 10318"),
        ({"rate": "-4"}, "<li>Durable writes a second: write it like 10318"),
        ({"provider": "Nobody"}, "<li>Provider: write it as its page here does"),
        ({"plan": "CCX34"}, "<li>Plan: write it as its page here does"),
        ({"provider": ""}, "a plan needs its provider"),
        ({"provider": "", "plan": "", "drive": ""}, "nothing names the storage"),
    ],
)
def test_each_fault_is_said_and_nothing_is_sent(
    client: Client, changes: dict[str, str], fault: str
) -> None:
    page = answered(client, **changes)
    assert "What has to be mended?" in page
    assert fault in unescape(page)
    assert "$." not in page
    assert "mailto:" not in page.split("checked-title")[1].split("</section>")[0]


def test_what_the_check_alone_says_is_marked_as_english(client: Client) -> None:
    address = "/zh-hans/published/propose/"
    page = client.get(address, {**SOUND, "provider": ""}).content.decode()
    assert '<li lang="en">a plan needs its provider</li>' in page
    page = client.get(address, {**SOUND, "provider": "Nobody"}).content.decode()
    faults = page.split("checked-title")[2].partition("</ul>")[0]
    assert "<li>" in faults
    assert "<li lang" not in faults


def test_a_figure_that_is_there_already_is_named(client: Client) -> None:
    page = answered(
        client,
        address="https://gist.github.com/pklaus/2606aae92a8a248d9f2171c7e1c76e45",
        rate="1",
    )
    assert "has this figure" not in page
    shipped = "pklaus-970evo-1tb-8k-fdatasync"
    page = answered(
        client,
        address="https://gist.github.com/pklaus/2606aae92a8a248d9f2171c7e1c76e45",
        rate=str(some(shipped)["metrics"]["iops"]),
    )
    assert f"{shipped} has this figure of this page already" in page


def test_a_mail_holds_the_record_where_mail_is_taken(client: Client, settings: Settings) -> None:
    settings.SITE_CONTACT = "mailto:desk@example.org"
    page = answered(client)
    (link,) = [each.split('"')[0] for each in page.split('href="')[1:] if "subject=" in each[:200]]
    address = urlsplit(unescape(link))
    body = parse_qs(address.query)["body"][0]
    assert address.path == "desk@example.org"
    assert [json.loads(line) for line in body.splitlines()] == record_in(page)
    settings.SITE_CONTACT = "https://example.org/contact"
    assert "Send it by mail" not in answered(client)
    settings.SOURCE_URL = ""
    page = answered(client)  # a pull request to nowhere is no advice
    assert "has not said where to write" in page
    assert "./run manage load_catalogue" in page


def test_what_a_stranger_writes_is_no_markup(client: Client) -> None:
    page = answered(client, title="<b>x</b>", drive="</pre><script>")
    assert "<b>x</b>" not in page
    assert "</pre><script>" not in page

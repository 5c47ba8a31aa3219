"""Names that senders of outputs give: look-alikes, words for everybody, other people's outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from apps.runs.imported.services import record_imported
from apps.runs.models import ImportedFile, Run
from tests import make
from tests.intake.test_imports import FIO

if TYPE_CHECKING:
    from django.test import Client

    from tests.attacks.conftest import Weakened
    from tests.intake.conftest import Answer

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def known() -> None:
    make.provider(slug="hetzner", name="Hetzner")


def give(client: Client, raw: bytes = FIO, *, address: str = "127.0.0.1", **claim: str) -> Answer:
    return client.post(
        f"/api/v1/imports?{urlencode(claim)}", raw, content_type="text/plain", REMOTE_ADDR=address
    )


LOOK_ALIKES = ["\u041d\u0435tzner", "H\u0435tzner", "Hetzn\u0435r", "\u0397etzner", "H\u00e9tzner",
               "Hetz\u0274er", "\u13bbetzner"]  # fmt: skip


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_name_in_look_alike_letters_is_refused(
    weakened: Weakened, client: Client, name: str
) -> None:
    assert give(client, provider=name).status_code == 422
    assert not ImportedFile.objects.exists()
    with weakened.without_look_alike_checks():
        assert give(client, provider=name).status_code == 201


@pytest.mark.parametrize("field", ["plan", "drive"])
def test_a_plan_or_drive_in_look_alike_letters_is_refused(
    weakened: Weakened, client: Client, field: str
) -> None:
    assert give(client, FIO, **{field: "\u0421\u042522"}).status_code == 422
    with weakened.without_look_alike_checks():
        assert give(client, FIO, **{field: "\u0421\u042522"}).status_code == 201


@pytest.mark.parametrize("field", ["provider", "plan", "drive"])
def test_words_for_everybody_wait_for_a_person(
    weakened: Weakened, client: Client, field: str
) -> None:
    words = "buy at cheap-disks example"
    give(client, FIO, **{field: words})
    run = Run.objects.get()
    for path in (f"/runs/{run.slug}/", "/runs/", f"/api/v1/runs/{run.slug}"):
        assert words not in client.get(path).content.decode()
    with weakened.without_held_names():
        give(client, FIO + b"\n# another", **{field: words})
        record_imported()
    assert words in client.get(f"/runs/{run.slug}/").content.decode()


def test_the_first_word_about_an_output_does_not_stick(weakened: Weakened, client: Client) -> None:
    give(client, provider="Hetzner", plan="stolen")
    give(client, provider="Hetzner", plan="true", address="203.0.113.9")
    file = ImportedFile.objects.get()
    assert (file.claimed_provider, file.claimed_plan, file.claim_in_dispute) == ("", "", True)
    with weakened.with_first_words_that_stick():
        give(client, FIO + b"\n# another", provider="Hetzner", plan="stolen")
        give(client, FIO + b"\n# another", provider="Hetzner", address="203.0.113.9", plan="true")
    assert ImportedFile.objects.filter(claimed_plan="stolen").exists()


def test_a_third_word_about_an_output_names_nothing_either(
    weakened: Weakened, client: Client
) -> None:
    give(client, provider="Hetzner", plan="one")
    give(client, provider="Hetzner", plan="two", address="203.0.113.9")
    give(client, provider="Hetzner", plan="three", address="192.0.2.9")
    assert ImportedFile.objects.get().claimed_plan == ""
    with weakened.with_first_words_that_stick():
        give(client, FIO + b"\n# another", provider="Hetzner", plan="one")
        give(client, FIO + b"\n# another", provider="Hetzner", plan="two", address="203.0.113.9")
    assert ImportedFile.objects.filter(claimed_plan="one").exists()


@pytest.mark.parametrize("added", [b"\n", b"  \n", b"\t", b"\r\n\r\n", b" \n \n "])
def test_blanks_make_no_second_output(weakened: Weakened, client: Client, added: bytes) -> None:
    assert give(client).status_code == 201
    assert give(client, FIO + added).status_code == 200
    assert give(client, FIO.replace(b"\n", b"  \r\n")).status_code == 200
    assert Run.objects.count() == 1
    with weakened.with_digests_of_bytes():
        assert give(client, FIO + added).status_code == 201

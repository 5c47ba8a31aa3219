"""Strangers who want to read what the site is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]
TOKEN: Final = "t" * 32


@pytest.mark.parametrize(
    "sent",
    [
        {"REMOTE_ADDR": "8.8.8.8"},
        {"REMOTE_ADDR": "2001:4860:4860::8888"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "8.8.8.8"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.0.0.1"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": ""},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=10.0.0.1"},
        {"REMOTE_ADDR": "8.8.8.8", "HTTP_AUTHORIZATION": "Bearer "},
    ],
)
def test_without_a_token_nobody_outside_reads_metrics(
    weakened: Weakened, client: Client, sent: dict[str, Any]
) -> None:
    assert client.get("/metrics", **sent).status_code == 404
    with weakened.with_metrics_for_everybody():
        assert client.get("/metrics", **sent).status_code == 200


@pytest.mark.parametrize("header", ["", f"Bearer {TOKEN[1:]}", TOKEN, "Bearer ", "Bearer \xe9"])
def test_where_there_is_a_token_another_does_not_do_even_inside(
    weakened: Weakened, client: Client, settings: Settings, header: str
) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", HTTP_AUTHORIZATION=header).status_code == 404
    with weakened.with_metrics_for_everybody():
        assert client.get("/metrics", HTTP_AUTHORIZATION=header).status_code == 200

"""Numbers are read as people write them, and none is read in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pages.advisor.test_advisor import answer, plan_with

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_numbers_are_read_as_people_write_them(client: Client) -> None:
    plan_with("Quick", 9_000)
    whole = ("5000", "5,000", "5 000", "5'000", "5k", "5 K", "5e3", " 5000 ")
    for typed in (*whole, "%D9%A5%D9%A0%D9%A0%D9%A0"):
        assert "5,000 are needed." in answer(client, f"?rate={typed}"), typed
    for typed in ("2,5", "2.5", "0,0025k"):
        assert "p99 at most 2.5" in answer(client, f"?p99={typed}"), typed

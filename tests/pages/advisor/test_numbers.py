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


def test_a_comma_before_three_digits_parts_thousands_and_a_point_there_is_refused(
    client: Client,
) -> None:
    plan_with("Quick", 9_000)
    assert "within \u20ac1,500" in answer(client, "?budget=1,500")
    for typed, whole, part in (("1.500", "1500", "1.5"), ("12.500", "12500", "12.5")):
        said = f"“{typed}” can be read in two ways. Write {whole} or {part}."
        assert said in answer(client, f"?budget={typed}")
    assert "p99 at most 500" in answer(client, "?p99=0,500").replace("\u202f", " ")  # µs
    for typed in ("0,500", "5,00", "5,0000", "1,5"):
        assert "Write a number, such as 5000." in answer(client, f"?rate={typed}"), typed
    assert "More than 0, 1,000,000,000 at most." in answer(client, f"?budget={'9' * 19}")
    assert "More than 0, a minute at most." in answer(client, f"?p99={'9' * 19}")

"""The address of a board holds its state, and nothing in it can break the board."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from apps.pages.boards.query import BoardQuery
from apps.pages.boards.runs_query import RunListQuery
from apps.pages.show.address.query_string import PAGE_MAX, has_empty_values
from apps.pages.show.table.columns import PLANS, Sort


def read(query: str) -> BoardQuery:
    return BoardQuery.read(QueryDict(query), PLANS)


def test_an_empty_address_is_the_default_board() -> None:
    assert read("") == BoardQuery()
    assert read("").address == ""


def test_the_address_says_only_what_differs_from_the_default() -> None:
    query = read("sort=p99&provider=hetzner&page=1&plp=full&region=europe")
    assert query.address == "?provider=hetzner&region=europe&plp=full&sort=p99"
    assert read(query.address[1:]) == query


@pytest.mark.parametrize(
    "address",
    [
        "sort=colour",
        "plp=maybe",
        "storage=tape",
        "evidence=rumour",
        "region=atlantis",
        "page=-1",
        "page=²",
        f"page={'9' * 5000}",
    ],
)
def test_unknown_values_count_as_not_asked(address: str) -> None:
    assert read(address) == BoardQuery()


def test_another_order_starts_at_the_first_page() -> None:
    assert read("page=3&plp=full").sorted_by(Sort.COST) == "?plp=full&sort=cost"


def test_another_filter_starts_at_the_first_page_of_both_lists() -> None:
    query = read("page=3&needs=2&row=acme-x1&plp=full")
    assert query.but(kind="vps") == "?kind=vps&plp=full"
    assert query.without("plp") == "?"
    assert query.on_page(4) == "?plp=full&page=4&needs=2"
    assert query.on_needs_page(3) == "?plp=full&page=3&needs=3&row=acme-x1"


def test_the_way_back_to_the_default_is_an_address_too() -> None:
    assert read("sort=cost").sorted_by(Sort.RATE) == "?"


def test_pages_have_an_end() -> None:
    assert read("page=99999999999999999999").page == PAGE_MAX


def test_a_form_with_open_fields_is_recognised() -> None:
    assert has_empty_values(QueryDict("provider=&plp=full"))
    assert not has_empty_values(QueryDict("plp=full"))


@given(st.dictionaries(st.sampled_from(["q", "workload", "provider", "page", "sort"]), st.text()))
def test_no_text_breaks_the_reading_and_reading_again_changes_nothing(
    asked: dict[str, str],
) -> None:
    fields = QueryDict(mutable=True)
    fields.update(asked)
    query = BoardQuery.read(fields, PLANS)
    assert read(query.address[1:]) == query
    assert "\x00" not in query.q


def test_runs_are_of_commits_unless_all_are_asked_for() -> None:
    assert RunListQuery.read(QueryDict("")).shape == "commits"
    begin = "20261006T120000.000001.01a21875368d78fa856c1ceb22596e6f"
    asked = RunListQuery.read(QueryDict(f"shape=all&level=signed&before={begin}"))
    assert asked.address == f"?shape=all&level=signed&before={begin}"


@pytest.mark.parametrize("text", ["2", "x.y", "20261006T120000.000001.", "\x00", "9" * 50])
def test_a_place_in_the_list_that_is_none_is_the_first_page(text: str) -> None:
    asked = RunListQuery.read(QueryDict(urlencode({"before": text})))
    assert asked.before == ""
    assert RunListQuery.read(QueryDict("shape=some&level=platinum")) == RunListQuery()

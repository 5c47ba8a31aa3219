"""The columns that boards and API narrow standings by exist, and both read them alike."""

from __future__ import annotations

import pytest

from apps.api.queries import StandingsQuery
from apps.pages.boards.filters import FILTERS, Choice
from apps.rankings import standing_columns
from apps.rankings.models import Standing
from apps.rankings.standing_columns import StandingColumn

DECLARED = {
    name: each for name, each in vars(standing_columns).items() if isinstance(each, StandingColumn)
}
OF_FILTERS = {f"{each.name} {each.label}": each.column for each in FILTERS if each.column}


@pytest.mark.django_db
@pytest.mark.parametrize("column", [*DECLARED.values(), *OF_FILTERS.values()])
def test_a_column_leads_from_a_standing(column: StandingColumn) -> None:
    assert not Standing.objects.filter(**{f"{column.path}__isnull": False}).exists()


def test_whoever_asks_for_an_empty_column_gets_the_rows_that_hold_its_name_too() -> None:
    column = StandingColumn(path="plp", values=("full", "unknown"), blank="unknown")
    assert column.values_by_name == {"full": ("full",), "unknown": ("", "unknown")}


def test_a_column_is_seen_from_the_table_that_holds_it() -> None:
    assert StandingColumn(path="plan__storage_kind").below("plan__").lookup == "storage_kind__in"


def test_each_choice_of_a_board_has_the_values_of_its_column() -> None:
    for each in FILTERS:
        if isinstance(each, Choice) and each.column.values:
            assert {*each.words, each.column.blank} - {""} == {*each.column.values_by_name} - {""}


def test_the_api_narrows_standings_by_the_columns_of_the_boards() -> None:
    lookups = {field.source for field in StandingsQuery().fields.values()}
    shared = {each.lookup for each in DECLARED.values()} & lookups
    assert shared == {"evidence__in", "plan__storage_kind__in", "plp__in", "region_group__in"}

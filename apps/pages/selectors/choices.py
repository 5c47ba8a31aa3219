"""What a reader can choose on a board: values that have rows, in the order of the board."""

from typing import NamedTuple

from apps.pages import words
from apps.pages.filters import NOT_STATED, REGION_CHOICES
from apps.pages.workload_words import workload_title


class Choice(NamedTuple):
    """One value of a filter."""

    value: str
    label: str


def workload_choices(known: set[tuple[str, str]]) -> tuple[Choice, ...]:
    """The workloads that have rows, in the order of the board."""
    order = {name: place for place, name in enumerate(words.BOARD_ORDER)}
    return tuple(
        Choice(name, workload_title(name, title))
        for name, title in sorted(known, key=lambda each: (order.get(each[0], len(order)), each))
    )


def region_choices(known: set[str]) -> tuple[Choice, ...]:
    """The groups of regions that have rows; nothing to choose where no region is known."""
    choices = tuple(Choice(*each) for each in REGION_CHOICES if each[0] in known)
    return () if known == {NOT_STATED} else choices

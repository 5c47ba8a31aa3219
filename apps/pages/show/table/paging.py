"""Pages of a list: which one, of how many."""

from collections.abc import Callable
from dataclasses import dataclass

NEEDS_A_PAGE = 20  # the list of what needs runs is a by-product of its page
AT_LEAST, AT_MOST = "\u2265", "\u2264"


@dataclass(frozen=True, slots=True)
class Bounded:
    """How many there are, or a bound of it where nobody counted to the end."""

    n: int
    bound: str = ""  # AT_LEAST or AT_MOST

    def __bool__(self) -> bool:
        return self.n > 0


@dataclass(frozen=True, slots=True)
class Pages:
    """Where a page stands among its pages."""

    number: int
    last: int
    total: int

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.last else None


@dataclass(frozen=True, slots=True)
class Pager:
    """The way to the pages before and after one; empty where there are none."""

    pages: Pages
    previous_url: str
    next_url: str


def pager_of(pages: Pages, address_of: Callable[[int], str]) -> Pager:
    """The way from a page of a list to its neighbours, by the address of each page."""
    return Pager(
        pages=pages,
        previous_url=address_of(pages.previous) if pages.previous else "",
        next_url=address_of(pages.next) if pages.next else "",
    )


def paging(*, total: int, page: int, size: int) -> tuple[Pages, slice]:
    """The page that was asked for, or the last one where there are fewer."""
    last = max(1, -(-total // size))
    number = min(page, last)
    return Pages(number, last, total), slice((number - 1) * size, number * size)

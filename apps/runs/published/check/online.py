"""Asks whether the addresses of cited results still answer: slowly, briefly, one after another."""

from __future__ import annotations

import time
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

USER_AGENT: Final = "fsyncmark-published-check/1 (asks once whether a cited page is still there)"
TIMEOUT_SECONDS: Final = 15  # a page that needs longer is as good as gone for a reader
BYTES_MAX: Final = 65_536  # of a page that answers no HEAD: its head is enough
PAUSE_SECONDS: Final = 1.0  # between two questions to one host
NO_HEAD: Final = frozenset({403, 404, 405, 501})  # what servers say that answer GET alone
ERRORS: Final = 400  # HTTP status from which a page is not there


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What one address said: an HTTP status, or why there was none."""

    address: str
    status: int | None
    reason: str = ""

    @property
    def is_there(self) -> bool:
        """Whether a reader would see the page."""
        return self.status is not None and self.status < ERRORS

    def __str__(self) -> str:
        """Return one line for a terminal."""
        return f"{self.address}: {self.reason if self.status is None else f'HTTP {self.status}'}"


def ask_all(
    addresses: Iterable[str],
    *,
    pause_s: float = PAUSE_SECONDS,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[PageAnswer]:
    """Yield the answer of each address once, in their order; one host is asked with pauses."""
    asked_at: dict[str, float] = {}
    for address in dict.fromkeys(addresses):
        host = urlsplit(address).netloc
        wait_s = asked_at.get(host, float("-inf")) + pause_s - time.monotonic()
        if wait_s > 0:
            wait(wait_s)
        yield _ask(address)
        asked_at[host] = time.monotonic()


def _ask(address: str) -> PageAnswer:
    answer = _request(address, method="HEAD")
    return _request(address, method="GET") if answer.status in NO_HEAD else answer


def _request(address: str, *, method: str) -> PageAnswer:
    request = urllib.request.Request(  # noqa: S310  the shape of the file allows http(s) alone
        address, method=method, headers={"User-Agent": USER_AGENT}
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310  as above
            response.read(BYTES_MAX)
            return PageAnswer(address, response.status)
    except HTTPError as error:
        return PageAnswer(address, error.code)
    except (OSError, HTTPException) as error:  # no name, no route, no time, no HTTP
        return PageAnswer(address, None, str(error) or type(error).__name__)

"""Keeps shared answers in memory, so that a page which nothing has changed is rendered once.

Each web process keeps what its own application answered and what shared caches may keep
(RFC 9111), for the version of the data that was current before it was rendered. Nothing here
outlives the process, and nothing is kept that names a person, a quota or a cookie.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import structlog
from django.conf import settings

from apps.badges.cards.options import card_options_of, compared_in
from apps.badges.options import options_of
from apps.config.databases.replica import Stand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Headers = list[tuple[str, str]]
    Key = tuple[str, ...]

ANSWER_BYTES_MAX: Final = 512 * 1024  # the largest page has a tenth of that, compressed
# How old an answer of an older version may be. Without it each change would have every page
# rendered for each reader, and uploads change boards all day.
YOUNG_SECONDS: Final = 1.0
# The same of what says that it may be old while another is rendered: badges, of which there are
# thousands, in pages that are read all day.
YOUNG_WHILE_REVALIDATING_SECONDS: Final = 30.0
# Over its `s-maxage` an answer of the same version is still given while another is rendered: what
# has no version yet, as a date that became yesterday, is right a request later.
WHILE_RENDERING_SECONDS: Final = 600.0
FOREVER_SECONDS: Final = 86_400.0  # while the application fails: an old page beats none
# Of a request: what an answer may differ by without saying so, since htmx asks for parts of pages.
ALWAYS_IN_KEY: Final = (
    "host", "x-forwarded-proto", "accept-encoding", "hx-request", "hx-history-restore-request",
)  # fmt: skip
# Who is signed in, or wrote a moment ago, sees what is, without a second's delay.
OWN_COOKIES: Final = (f"{settings.SESSION_COOKIE_NAME}=", f"{settings.WROTE_COOKIE_NAME}=")
VERSION_SECONDS: Final = 0.5  # between two looks at the version: one query each
# Below these a query has one spelling, whatever was asked.
BADGES: Final = "/badge/"
CARDS: Final = "/embed/"  # which itself is a page like others
COMPARED: Final = "/embed/compare"
OEMBED: Final = "/oembed"  # of any address with any query: a cache of them would have no end
PERSONAL: Final = frozenset({"set-cookie", "ratelimit", "ratelimit-policy"})  # of an answer
_OF_BODY: Final = frozenset({"content-length", "content-type", "content-encoding"})
_CONDITIONS: Final = frozenset({"HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE"})
_AGE: Final = re.compile(r"(?:^|[ ,])(s-maxage|max-age)=(\d+)")
_WHILE_REVALIDATING: Final = "stale-while-revalidate="

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the application answered."""

    status: int
    headers: Headers
    body: bytes

    def header(self, name: str) -> str:
        """Return the value of a header, or nothing."""
        return next((value for each, value in self.headers if each.lower() == name), "")


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer with the version it is of, and when it was rendered (monotonic seconds)."""

    answer: Reply
    version: str
    at: float
    shared_s: float  # that a cache may keep it

    def age(self) -> float:
        """Return the seconds since it was rendered."""
        return time.monotonic() - self.at

    def aged(self) -> Reply:
        """Return the answer with its age, so that the next cache keeps it no longer than this."""
        headers = [*self.answer.headers, ("age", str(int(self.age())))]
        return replace(self.answer, headers=headers)


def key_of(method: str, path: str, query: str, headers: Mapping[str, str]) -> Key | None:
    """Return under what name an answer to this request may be kept, or None."""
    cookie = headers.get("cookie", "")
    is_own = (
        "authorization" in headers
        or "range" in headers
        or any(name in cookie for name in OWN_COOKIES)
    )
    if method not in ("GET", "HEAD") or is_own or path.startswith("/static/") or path == OEMBED:
        return None
    encoding = "gzip" if "gzip" in headers.get("accept-encoding", "") else ""
    known = {**headers, "accept-encoding": encoding}
    if path.startswith(BADGES):
        options = options_of(query)
        if options.label:
            return None  # anybody's words: a cache of them would have no end
        query = options.query
    elif path.startswith(COMPARED):
        compared = urlencode([("on", name) for name in compared_in(query)])
        query = f"{compared}&{card_options_of(query).query}"
    elif path.startswith(CARDS) and path != CARDS:
        query = card_options_of(query).query
    return (path, query, *(known.get(name, "") for name in ALWAYS_IN_KEY))


def shared_seconds(answer: Reply) -> float:
    """Return how long a shared cache may keep an answer; 0: not at all."""
    names = {name.lower() for name, _ in answer.headers}
    vary = {each.strip().lower() for each in answer.header("vary").split(",")} - {""}
    control = answer.header("cache-control")
    if (
        answer.status != HTTPStatus.OK
        or names & PERSONAL
        or not vary <= set(ALWAYS_IN_KEY)
        or "public" not in control
        or len(answer.body) > ANSWER_BYTES_MAX
    ):
        return 0.0
    ages = {name: float(seconds) for name, seconds in _AGE.findall(control)}
    return ages.get("s-maxage", ages.get("max-age", 0.0))


class PageCache:
    """The answers that one process keeps, those that were asked for last."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.stand = Stand()  # its version is blank until it was read, and then nothing is kept
        self.bytes = 0
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._rendering: dict[Key, asyncio.Event] = {}

    def fresh(self, key: Key) -> Kept | None:
        """Return the answer that may be given as it is."""
        kept = self._found(key)
        if kept is None:
            return None
        young_s = YOUNG_WHILE_REVALIDATING_SECONDS if _may_be_old(kept) else YOUNG_SECONDS
        limit = min(kept.shared_s, young_s) if self._is_changed(kept) else kept.shared_s
        return kept if kept.age() <= limit else None

    def usable(self, key: Key) -> Kept | None:
        """Return the answer that may be given while another is rendered.

        Of an older version only what says so of itself, for as long as others may keep it: a badge
        is asked for by many, and seldom waits for a busy database.
        """
        kept = self._found(key)
        if kept is None:
            return None
        if self._is_changed(kept):
            return kept if _may_be_old(kept) and kept.age() <= kept.shared_s else None
        return kept if kept.age() <= kept.shared_s + WHILE_RENDERING_SECONDS else None

    def last(self, key: Key) -> Kept | None:
        """Return the answer that may be given while the application fails."""
        kept = self._found(key)
        return kept if kept is not None and kept.age() <= FOREVER_SECONDS else None

    def is_due(self, key: Key) -> bool:
        """Whether this page is to be rendered anew, and nobody does; who asks then does it."""
        if self.fresh(key) is not None or key in self._rendering:
            return False
        self._rendering[key] = asyncio.Event()
        return True

    def keep(self, key: Key, answer: Reply, *, version: str) -> None:
        """Keep an answer, if that is allowed, which began to be rendered at this version."""
        shared_s = shared_seconds(answer)
        self._drop(key)
        if not shared_s or not version or not self.bytes_max:
            return
        self._kept[key] = Kept(answer, version, time.monotonic(), shared_s)
        self.bytes += len(answer.body)
        while self.bytes > self.bytes_max:
            self._drop(next(iter(self._kept)))

    async def wait(self, key: Key) -> bool:
        """Wait for whoever renders this page now; False if nobody does, who asks then does it."""
        event = self._rendering.get(key)
        if event is None:
            self._rendering[key] = asyncio.Event()
            return False
        await event.wait()
        return True

    def done(self, key: Key) -> None:
        """Let those go on who wait for this page."""
        event = self._rendering.pop(key, None)
        if event is not None:
            event.set()

    def _is_changed(self, kept: Kept) -> bool:
        return kept.version != self.stand.version

    def _found(self, key: Key) -> Kept | None:
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
        return kept

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self.bytes -= len(kept.answer.body)


def _may_be_old(kept: Kept) -> bool:
    """Whether an answer says that it may be given while another is rendered (RFC 5861)."""
    return _WHILE_REVALIDATING in kept.answer.header("cache-control")


def for_request(answer: Reply, headers: Mapping[str, str], *, method: str) -> Reply:
    """Return a whole answer as this request wants it: without its body for HEAD, or 304."""
    asked = headers.get("if-none-match", "")
    known = {each.strip().removeprefix("W/") for each in asked.split(",")} - {""}
    etag = answer.header("etag").removeprefix("W/")
    if answer.status == HTTPStatus.OK and etag and known & {etag, "*"}:
        left = [each for each in answer.headers if each[0].lower() not in _OF_BODY]
        return Reply(HTTPStatus.NOT_MODIFIED, left, b"")
    return answer if method == "GET" else replace(answer, body=b"")


def unconditional(environ: dict[str, object]) -> dict[str, object]:
    """Return an environ for which the application answers whole, to keep that."""
    left = {name: value for name, value in environ.items() if name not in _CONDITIONS}
    return {**left, "REQUEST_METHOD": "GET"}


class VersionWatch:
    """Reads the version of the data again and again, in a thread of its own."""

    def __init__(self, read: Callable[[], Stand]) -> None:
        self._read = read
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="version")

    async def follow(self, pages: PageCache) -> None:
        """Tell the cache the version for ever. While the database is away, it keeps the last."""
        loop = asyncio.get_running_loop()
        is_away = False
        while True:
            try:
                pages.stand = await loop.run_in_executor(self._thread, self._read)
                is_away = False
            except Exception as error:  # noqa: BLE001  whatever it is, pages are served
                if not is_away:
                    log.warning("version of the data not read", error=str(error).strip())
                is_away = True
            await asyncio.sleep(VERSION_SECONDS)

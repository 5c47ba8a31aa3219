"""What the web server keeps in memory: for which requests, how long, and what it never keeps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from apps.config.databases.replica import Stand
from apps.config.edge import pages
from apps.config.edge.pages import ALWAYS_IN_KEY, PageCache, Reply, key_of, shared_seconds
from tests.config.served import SHARED, Scope, Site, in_a_loop_of_its_own

Conversation = Callable[[Site], Coroutine[Any, Any, None]]


def asking(
    conversation: Callable[[Site], Coroutine[Any, Any, None]], site: Site | None = None
) -> Site:
    site = site or Site()
    in_a_loop_of_its_own(conversation(site))
    return site


async def renewed(site: Site) -> None:
    """Wait for what is rendered beside the connections."""
    await asyncio.gather(*site.server.renewing)


def test_a_page_is_rendered_once() -> None:
    async def talk(site: Site) -> None:
        first, second = await site.ask(), await site.ask()
        assert first[2] == second[2] == b"answer 1 to GET"
        assert second[1]["age"] == "0"

    assert asking(talk).calls == 1


def test_many_readers_at_once_wait_for_one_rendering() -> None:
    async def talk(site: Site) -> None:
        site.gate.clear()
        asked = [asyncio.create_task(site.ask()) for _ in range(20)]
        await asyncio.sleep(0)  # each of them has begun
        site.gate.set()
        answers = await asyncio.gather(*asked)
        assert {body for _, _, body in answers} == {b"answer 1 to GET"}

    assert asking(talk).calls == 1


def test_head_and_304_come_from_the_same_answer() -> None:
    async def talk(site: Site) -> None:
        assert (await site.ask(Scope(method="HEAD")))[2] == b""
        status, headers, body = await site.ask(Scope(sent_headers={"if-none-match": '"0", "1"'}))
        assert (status, body, headers["etag"]) == (304, b"", 'W/"1"')
        assert (await site.ask())[2] == b"answer 1 to GET"

    assert asking(talk).calls == 1


def test_another_version_is_rendered_anew_but_not_for_each_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def talk(site: Site) -> None:
        await site.ask()
        site.server.pages.stand = Stand("2")
        assert (await site.ask())[2] == b"answer 1 to GET"  # it is not a second old
        monkeypatch.setattr(pages, "YOUNG_SECONDS", -1.0)
        assert (await site.ask())[2] == b"answer 2 to GET"

    assert asking(talk).calls == 2


def test_a_change_while_it_is_rendered_makes_it_an_older_version() -> None:
    class Changing(Site):
        def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
            self.server.pages.stand = Stand("2")
            return super().__call__(environ, start_response)

    async def talk(site: Site) -> None:
        await site.ask()
        (kept,) = site.server.pages._kept.values()
        assert kept.version == "1"

    asking(talk, Changing())


def test_an_old_answer_of_the_same_version_is_given_while_another_is_rendered() -> None:
    async def talk(site: Site) -> None:
        site.headers = [("Cache-Control", "public, s-maxage=1")]
        await site.ask()
        (key,) = site.server.pages._kept
        kept = site.server.pages._kept[key]
        site.server.pages._kept[key] = replace(kept, at=kept.at - 5)
        assert (await site.ask())[2] == b"answer 1 to GET"
        await renewed(site)
        assert (await site.ask())[2] == b"answer 2 to GET"

    assert asking(talk).calls == 2


def test_what_may_be_old_while_another_is_rendered_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def talk(site: Site) -> None:
        site.headers = [("Cache-Control", "public, s-maxage=300, stale-while-revalidate=86400")]
        monkeypatch.setattr(pages, "YOUNG_SECONDS", -1.0)
        await site.ask()
        site.server.pages.stand = Stand("2")
        assert (await site.ask())[2] == b"answer 1 to GET"  # so young that nobody renders it
        assert not site.server.renewing
        monkeypatch.setattr(pages, "YOUNG_WHILE_REVALIDATING_SECONDS", -1.0)
        assert (await site.ask())[2] == b"answer 1 to GET"
        await renewed(site)
        assert (await site.ask())[2] == b"answer 2 to GET"
        (key,) = site.server.pages._kept
        kept = site.server.pages._kept[key]
        site.server.pages._kept[key] = replace(kept, at=kept.at - 301, version="1")
        assert (await site.ask())[2] == b"answer 3 to GET"  # too old: it is waited for

    assert asking(talk).calls == 3


def test_while_the_application_fails_what_it_answered_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def talk(site: Site) -> None:
        await site.ask()
        site.server.pages.stand, site.status = Stand("2"), "503 Service Unavailable"
        monkeypatch.setattr(pages, "YOUNG_SECONDS", -1.0)
        status, _, body = await site.ask()
        assert (status, body) == (200, b"answer 1 to GET")
        assert (await site.ask(Scope("/drives/")))[0] == 503

    asking(talk)


@pytest.mark.parametrize(
    "headers",
    [
        [("Cache-Control", "private, no-store")],
        [("Cache-Control", "no-store")],
        [],
        [SHARED, ("Set-Cookie", "a=b")],
        [SHARED, ("RateLimit", '"reads";r=9;t=60')],
        [SHARED, ("Vary", "Accept-Encoding, Cookie")],
        [SHARED, ("Vary", "*")],
        [("Cache-Control", "public, s-maxage=0")],
    ],
)
def test_what_is_for_one_reader_is_not_kept(headers: list[tuple[str, str]]) -> None:
    async def talk(site: Site) -> None:
        await site.ask()
        await site.ask()

    assert asking(talk, Site(headers=headers)).calls == 2


@pytest.mark.parametrize("status", ["404 Not Found", "302 Found", "500 Oops", "503 Away"])
def test_only_what_is_right_is_kept(status: str) -> None:
    async def talk(site: Site) -> None:
        assert (await site.ask())[0] == (await site.ask())[0] == int(status[:3])

    assert asking(talk, Site(status=status)).calls == 2


@pytest.mark.parametrize(
    "scope",
    [
        Scope(method="POST"),
        Scope(sent_headers={"cookie": f"a=b; {settings.SESSION_COOKIE_NAME}=1"}),
        Scope(sent_headers={"cookie": f"{settings.WROTE_COOKIE_NAME}=1"}),
        Scope(sent_headers={"authorization": "Bearer x"}),
        Scope(sent_headers={"range": "bytes=0-1"}),
        Scope("/static/app.css"),
    ],
)
def test_some_requests_are_answered_each_by_itself(scope: Scope) -> None:
    assert key_of(scope.method, scope.path, scope.query_string, scope.headers) is None


@pytest.mark.parametrize(
    "other",
    [Scope(query_string="q=1"), Scope("/drives/"), *(
        Scope(sent_headers={name: "gzip" if name == "accept-encoding" else "other"})
        for name in ALWAYS_IN_KEY
    )],
)  # fmt: skip
def test_another_request_gets_an_answer_of_its_own(other: Scope) -> None:
    async def talk(site: Site) -> None:
        await site.ask()
        assert (await site.ask(other))[2] == b"answer 2 to GET"

    asking(talk)


def test_without_a_version_nothing_is_kept() -> None:
    async def talk(site: Site) -> None:
        await site.ask()
        await site.ask()

    assert asking(talk, Site(version="")).calls == 2


def test_what_was_asked_for_longest_ago_leaves_first() -> None:
    cache = PageCache(bytes_max=250)
    answers = Reply(200, [SHARED], bytes(100))
    for name in ("a", "b"):
        cache.keep((name,), answers, version="1")
    cache.stand = Stand("1")
    assert cache.fresh(("a",))
    cache.keep(("c",), answers, version="1")
    assert [name for (name,) in cache._kept] == ["a", "c"]
    assert cache.bytes == 200


def test_an_answer_that_is_too_large_is_not_kept() -> None:
    assert not shared_seconds(Reply(200, [SHARED], bytes(pages.ANSWER_BYTES_MAX + 1)))
    assert shared_seconds(Reply(200, [SHARED], b"")) == 60


def test_the_version_is_followed_and_kept_while_it_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = iter(["1", "2"])
    monkeypatch.setattr(pages, "VERSION_SECONDS", 0.001)

    async def talk(site: Site) -> None:
        seen: list[str] = []
        site.server.watch = pages.VersionWatch(lambda: Stand(next(told)))
        follow = asyncio.get_running_loop().create_task(site.server.watch.follow(site.server.pages))
        while not seen or seen[-1] != "2":
            seen.append(site.server.pages.stand.version)
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        assert site.server.pages.stand.version == "2"  # StopIteration came after it
        follow.cancel()

    asking(talk)

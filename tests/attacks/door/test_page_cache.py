"""Answers that the web server keeps: nobody gets what was made for somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from tests.config.served import SHARED, Scope, Site, in_a_loop_of_its_own

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened

pytestmark = pytest.mark.attack


class Echo(Site):
    """A site whose pages hold what they were asked with, as a careless template would."""

    def body_of(self, environ: dict[str, Any]) -> bytes:
        names = ("HTTP_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_HX_REQUEST", "HTTP_COOKIE")
        return " ".join(str(environ.get(name, "-")) for name in names).encode()


def asked_after(site: Site, first: Scope) -> bytes:
    """What an ordinary reader gets after somebody else asked for the same page."""

    async def talk() -> bytes:
        await site.ask(first)
        return (await site.ask())[2]

    return in_a_loop_of_its_own(talk())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("host", "evil.example"),
        ("x-forwarded-proto", "javascript"),
        ("hx-request", "<script>"),
    ],
)
def test_a_page_asked_for_with_a_foreign_header_is_nobody_elses(
    weakened: Weakened, name: str, value: str
) -> None:
    evil = Scope(sent_headers={name: value})
    assert value.encode() not in asked_after(Echo(), evil)
    with weakened.with_pages_by_address_alone():
        assert value.encode() in asked_after(Echo(headers=[SHARED]), evil)


@pytest.mark.parametrize("header", ["Set-Cookie", "RateLimit"])
def test_a_cookie_or_quota_of_one_reader_is_nobody_elses(weakened: Weakened, header: str) -> None:
    def second(site: Site) -> str:
        async def talk() -> str:
            await site.ask()
            site.headers = [SHARED]
            return (await site.ask())[1].get(header.lower(), "")

        return in_a_loop_of_its_own(talk())

    mine = [SHARED, (header, "mine")]
    assert second(Site(headers=mine)) == ""
    with weakened.with_personal_answers_kept():
        assert second(Site(headers=mine)) == "mine"


def test_a_page_of_who_is_signed_in_is_nobody_elses(weakened: Weakened) -> None:
    """Even one that forgets to say that it depends on the cookie."""
    owner = Scope(sent_headers={"cookie": f"{settings.SESSION_COOKIE_NAME}=secret"})
    assert b"secret" not in asked_after(Echo(headers=[SHARED]), owner)
    with weakened.with_signed_in_readers_among_all():
        assert b"secret" in asked_after(Echo(headers=[SHARED]), owner)

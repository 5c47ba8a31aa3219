"""Each role on each address of the site: who may see it is written down here, or the test fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from apps.moderation.roles import CATALOGUE_EDITOR, MODERATOR, OWNER, VIEWER
from tests.support.accounts.people import make_person
from tests.support.accounts.staff import at_desk, make_staff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

    from tests.attacks.conftest import Weakened

pytestmark = [pytest.mark.attack, pytest.mark.django_db]

ALL: Final = "all"  # everybody, without an account
OWN: Final = "own"  # who is signed in, and only what is theirs
SECRET: Final = "secret"  # who has the address, which nobody can guess
DESK: Final = "desk"  # staff with a second factor
DECIDE: Final = "decide"  # a moderator with a second factor
ADMIN: Final = "admin"  # Django's admin: staff with a second factor and a permission

# By the beginning of a route, without its language; the longest that fits decides.
AUDIENCES: Final = {
    "": None,  # a route of no other line is refused
    "plans": ALL, "providers": ALL, "drives": ALL, "runs": ALL, "r/": ALL, "keys": ALL,
    "compare": ALL, "uploads": ALL, "rules": ALL, "advisor": ALL, "search": ALL, "coverage": ALL,
    "measure": ALL, "method": ALL, "guides": ALL, "lies": ALL, "about": ALL, "embed": ALL,
    "published": ALL, "problems": ALL, "styleguide": ALL, "import": ALL, "schemas": ALL,
    "og/": ALL, "robots.txt": ALL, ".well-known": ALL, "sitemap": ALL, "wanted": ALL, "oembed": ALL,
    "favicon.ico": ALL, "badge": ALL, "api/": ALL, "moderation": ALL, "terms": ALL, "privacy": ALL,
    "data/": ALL,
    "install.sh": ALL, "imprint": ALL, "changes": ALL, "watch": ALL, "report/": ALL, "status": ALL,
    "kits/": ALL, "report/<str:token>": SECRET, "claim/": SECRET,
    "ranks.atom": ALL, "shifts.atom": ALL, "prices.atom": ALL,
    "account/": OWN,
    "account/login": ALL, "account/signup": ALL, "account/password/reset": ALL,
    "account/confirm-email": ALL, "account/reauthenticate": OWN, "account/2fa": OWN,
    "account/inactive": ALL, "account/email-change": SECRET, "account/unlink": SECRET,
    "account/watches/stop": SECRET,
    "account/github": ALL, "account/gitlab": ALL, "account/google": ALL,
    "account/factors/authenticate": ALL, "account/factors/webauthn/login": ALL,
    "account/factors/webauthn/signup": ALL, "account/connected/login": ALL,
    "account/connected/signup": ALL, "account/logout": ALL,
    "desk/": DESK, "desk/undo": DECIDE,
    "staff/": ADMIN,
}  # fmt: skip
# What stands in a route for a part of the address: nothing that is there.
SAMPLES: Final = {
    "slug": "nothing", "key": "nothing", "kind": "quarantined", "token": "nothing",
    "workload": "commit-8k", "rule_id": "nothing", "name": "nothing", "run_id": "nothing",
    "id": "1", "keyid": "nothing", "pk": "1", "object_id": "1", "app_label": "runs",
    "content_type_id": "1", "version": "1", "uidb36": "1", "url": "x",
    "provider": "github", "machine": "nothing", "region": "nothing", "file": "nothing",
}  # fmt: skip
MOVED: Final = (301, 302)
NO_GET: Final = 405
# Where somebody is sent who may not see a page: nothing is told there.
ELSEWHERE: Final = ("/account/login/", "/account/factors/", "/account/logout/", "/staff/")


def routes() -> dict[str, URLPattern]:
    """Return every route of the site once, without its language."""
    return dict(_routes(get_resolver().url_patterns, ""))


def _routes(
    patterns: list[URLPattern | URLResolver], before: str
) -> Iterator[tuple[str, URLPattern]]:
    for each in patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, route)
        else:
            yield route, each


def audience_of(route: str) -> str | None:
    fitting = (begin for begin in AUDIENCES if route.startswith(begin))
    return ALL if route == "" else AUDIENCES[max(fitting, key=len)]


def address_of(route: str) -> str | None:
    """Return an address of a route; None where nobody knows what its parts may be."""
    address = route
    for part in route.split("<")[1:]:
        name = part.split(">")[0].split(":")[-1]
        if name not in SAMPLES:
            return None
        begin, _, rest = address.partition("<")
        address = begin + SAMPLES[name] + rest.partition(">")[2]
    is_pattern = any(sign in address for sign in "()?[\\")
    return None if is_pattern else f"/{address}"


def undeclared() -> list[str]:
    return [route for route in routes() if audience_of(route) is None]


def test_every_route_has_a_declared_audience(weakened: Weakened) -> None:
    assert not undeclared(), "say in AUDIENCES who may see it"
    with weakened.with_a_route_of_nobody():
        assert undeclared() == ["^unheard-of/$"]


def answers(client: Client, audience: str) -> dict[str, tuple[int, str]]:
    """Return status and destination of every address of an audience; of forms, when sent."""
    found = {}
    for route in routes():
        address = address_of(route)
        if audience_of(route) == audience and address:
            answer = client.get(address)
            if answer.status_code == NO_GET:
                answer = client.post(address)
            found[address] = (answer.status_code, answer.headers.get("Location", ""))
    assert found
    return found


def shut(found: dict[str, tuple[int, str]]) -> list[str]:
    """Return the addresses that answered although they were to be shut."""
    allowed = (401, 403, 404, 410)
    return [
        f"{address}: {status} {to}"
        for address, (status, to) in found.items()
        if status not in allowed and not (status in MOVED and to.startswith(ELSEWHERE))
    ]


def make_admin(role: str = OWNER, *, second_factor: bool = True) -> User:
    """Return somebody of a role who may also use Django's admin."""
    user = make_staff(role, second_factor=second_factor)
    user.is_staff = True
    user.save()
    return user


@pytest.mark.parametrize("audience", [OWN, DESK, DECIDE, ADMIN])
def test_a_stranger_sees_nothing_of(client: Client, audience: str, weakened: Weakened) -> None:
    assert not shut(answers(client, audience))
    with weakened.with_everybody_taken_for(make_admin()):
        assert shut(answers(Client(), audience))


@pytest.mark.parametrize("audience", [DESK, DECIDE, ADMIN])
def test_a_person_without_a_role_sees_nothing_of(audience: str, weakened: Weakened) -> None:
    assert not shut(answers(at_desk(make_person()), audience))
    with weakened.with_staff_of_everybody():
        assert shut(answers(at_desk(make_person()), audience))


@pytest.mark.parametrize(
    "role",
    [
        VIEWER,
        OWNER,
        *(pytest.param(each, marks=pytest.mark.daily) for each in (MODERATOR, CATALOGUE_EDITOR)),
    ],
)
@pytest.mark.parametrize("audience", [DESK, DECIDE, ADMIN])
def test_a_role_without_a_second_factor_sees_nothing_of(
    role: str, audience: str, weakened: Weakened
) -> None:
    assert not shut(answers(at_desk(make_admin(role, second_factor=False)), audience))
    with weakened.without_second_factors():
        seen = shut(answers(at_desk(make_admin(role, second_factor=False)), audience))
    assert bool(seen) == (audience != DECIDE or role in (MODERATOR, OWNER))


@pytest.mark.parametrize("role", [VIEWER, CATALOGUE_EDITOR])
def test_who_may_not_decide_takes_nothing_back(role: str, weakened: Weakened) -> None:
    client = at_desk(make_staff(role))
    assert client.post("/desk/undo/", {"decision": "1"}).status_code == 403
    with weakened.without_roles():
        assert client.post("/desk/undo/", {"decision": "1"}).status_code == 303

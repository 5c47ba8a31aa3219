"""Staff: who they are, and that neither a password alone nor a role too small opens anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.test import Client

from apps.moderation.roles import CATALOGUE_EDITOR, MODERATOR, OWNER, VIEWER
from tests.support.accounts.people import add_totp, signed_in
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    forget_cache()


@pytest.fixture
def staff(person: User) -> Callable[[str], Client]:
    def in_role(role: str) -> Client:
        person.is_staff = True
        person.save()
        person.groups.set([Group.objects.get(name=role)])
        add_totp(person)
        client = Client()
        client.force_login(person)
        return client

    return in_role


CATALOGUE = "/staff/plans/provider/"
UPLOADS = "/staff/runs/upload/"
PEOPLE = "/staff/auth/user/"


@pytest.mark.parametrize("role", [VIEWER, MODERATOR, CATALOGUE_EDITOR, OWNER])
def test_every_role_sees_the_desk(staff: Callable[[str], Client], role: str) -> None:
    assert staff(role).get("/desk/").status_code == 200


@pytest.mark.parametrize(
    ("role", "may", "may_not"),
    [
        (VIEWER, [CATALOGUE, UPLOADS], [PEOPLE, "/staff/plans/price/add/"]),
        (MODERATOR, [CATALOGUE, UPLOADS], [PEOPLE, "/staff/plans/price/add/"]),
        (CATALOGUE_EDITOR, [CATALOGUE, UPLOADS, "/staff/plans/price/add/"], [PEOPLE]),
        (OWNER, [CATALOGUE, UPLOADS, "/staff/plans/price/add/", PEOPLE], []),
    ],
)
def test_a_role_opens_what_it_is_for(
    staff: Callable[[str], Client], role: str, may: list[str], may_not: list[str]
) -> None:
    client = staff(role)
    assert {path: client.get(path).status_code for path in may} == dict.fromkeys(may, 200)
    refused = {path: client.get(path).status_code for path in may_not}
    assert refused == dict.fromkeys(may_not, 403)


def test_roles_differ_in_what_they_decide(person: User) -> None:
    decides = {
        role: Group.objects.get(name=role).permissions.filter(codename="moderate").exists()
        for role in (VIEWER, MODERATOR, CATALOGUE_EDITOR, OWNER)
    }
    assert [role for role, may in decides.items() if may] == [MODERATOR, OWNER]


@pytest.mark.attack
def test_staff_with_a_password_alone_see_nothing(person: User) -> None:
    person.is_staff = person.is_superuser = True
    person.save()
    client = signed_in(person)
    answer = client.get("/staff/", follow=True)
    assert answer.redirect_chain[-1][0] == "/account/factors/"
    assert "Staff need a second factor" in answer.content.decode()
    for path in (CATALOGUE, UPLOADS, PEOPLE):
        assert client.get(path).status_code == 302


@pytest.mark.attack
def test_somebody_who_is_no_staff_is_refused(person: User) -> None:
    add_totp(person)
    client = Client()
    client.force_login(person)
    assert client.get("/staff/", follow=True).status_code == 403


@pytest.mark.attack
def test_the_admins_own_form_takes_no_password(person: User) -> None:
    answer = Client().post("/staff/login/", {"username": person.email, "password": "x"})
    assert answer.headers["Location"].startswith("/account/login/?next=")


def test_a_first_owner_is_made_by_command(person: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_owner", person.email)
    person.refresh_from_db()
    assert person.is_staff
    assert not person.is_superuser
    assert person.groups.get().name == OWNER
    assert "/account/factors/" in capsys.readouterr().out


def test_nobody_becomes_an_owner_by_an_unknown_address() -> None:
    with pytest.raises(CommandError, match="sign up"):
        call_command("make_owner", "nobody@example.org")

"""Public names: which there are, and that none passes from one person to another."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from apps.accounts.credit.names import (
    NameRefusedError,
    choose_name,
    forget_names,
    name_of,
    sounds_like,
)
from apps.accounts.models import PUBLIC_NAME_HELD, PublicName
from apps.moderation.leaving import delete_person
from tests.support.accounts.people import make_person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    ["ab", "a" * 21, "Ada", "ad\u0430", "-ada", "ada-", "a--b", "a_b", "ada\n", "staff", "the-root",
     "fsync-mark"],
)  # fmt: skip
def test_a_name_is_plain_letters_and_speaks_for_nobody_else(name: str) -> None:
    person = make_person()
    choose_name(person, "ada")
    with pytest.raises(NameRefusedError):
        choose_name(person, name)
    assert name_of(person) == "ada"


def test_a_company_stands_in_no_name() -> None:
    taken = {"hetzner", "google-cloud"}
    assert all(
        sounds_like(each, taken)
        for each in ("hetzner", "hetzner-ops", "het-zner", "my-google-cloud", "googlecloud")
    )
    assert not sounds_like("hetznerfan", taken)


def test_a_name_is_one_persons_and_comes_back_to_nobody_else() -> None:
    ada, bob = make_person(), make_person()
    choose_name(ada, "ada")
    with pytest.raises(NameRefusedError):
        choose_name(bob, "ada")
    choose_name(ada, "countess")
    with pytest.raises(NameRefusedError):
        choose_name(bob, "ada")
    choose_name(ada, "ada")
    assert (name_of(ada), name_of(bob)) == ("ada", "")


def test_who_changes_names_holds_three_at_most() -> None:
    ada = make_person()
    for name in ("one", "two", "three"):
        choose_name(ada, name)
    with pytest.raises(NameRefusedError):
        choose_name(ada, "four")
    assert name_of(ada) == "three"


def test_a_name_outlives_its_account_by_a_year() -> None:
    ada, bob = make_person(), make_person()
    choose_name(ada, "ada")
    delete_person(ada, with_runs=False)
    forget_names()
    with pytest.raises(NameRefusedError):
        choose_name(bob, "ada")
    later = PUBLIC_NAME_HELD + timedelta(seconds=1)
    PublicName.objects.update(held_until=F("held_until") - later)
    choose_name(bob, "ada")
    assert name_of(bob) == "ada"

"""Public names: what people who want to be named are called on badges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction

from apps.accounts.clock import database_now
from apps.accounts.models import PUBLIC_NAME_CHARACTERS_MAX, PUBLIC_NAME_HELD, PublicName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User

PUBLIC_NAME_CHARACTERS_MIN: Final = 3  # shorter ones are too few for as many people
NAMES_OF_A_PERSON_MAX: Final = 3  # the one in use and two that are held, so that nobody holds many
# Who has one of these would speak for the site.
RESERVED: Final = frozenset(
    {"admin", "anonymous", "desk", "fsyncmark", "moderator", "official", "root", "staff", "team"}
)
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class NameRefusedError(ValueError):
    """Nobody can have this public name, or somebody else has it."""


def is_public_name(name: str) -> bool:
    """Whether a public name can be spelt so."""
    is_long_enough = PUBLIC_NAME_CHARACTERS_MIN <= len(name) <= PUBLIC_NAME_CHARACTERS_MAX
    return is_long_enough and _NAME.fullmatch(name) is not None


def sounds_like(name: str, slugs: Iterable[str]) -> bool:
    """Whether a public name has one of these in it, which a reader would take for its sender."""
    words, run_on = f"-{name}-", name.replace("-", "")
    return any(f"-{slug}-" in words or slug.replace("-", "") == run_on for slug in slugs)


def name_of(user: User) -> str:
    """Return what a person is called in public; empty: nothing."""
    used = PublicName.objects.filter(user=user, held_until=None)
    return used.values_list("name", flat=True).first() or ""


@transaction.atomic
def choose_name(user: User, name: str) -> None:
    """Let a person be called so on badges; empty: not at all. Raises NameRefusedError."""
    if name == name_of(user):
        return
    give_name_up(user)
    if not name:
        return
    forget_names()
    own = PublicName.objects.filter(user=user)
    if own.filter(name=name).update(held_until=None):
        return
    is_refused = not is_public_name(name) or sounds_like(name, RESERVED)
    if is_refused or own.count() >= NAMES_OF_A_PERSON_MAX:
        raise NameRefusedError(name)
    try:
        with transaction.atomic():
            PublicName.objects.create(name=name, user=user)
    except IntegrityError as error:  # somebody has it, or gave it up not long ago
        raise NameRefusedError(name) from error


def give_name_up(user: User) -> None:
    """Take a person's name from badges; nobody else gets it for a while."""
    used = PublicName.objects.filter(user=user, held_until=None)
    used.update(held_until=database_now() + PUBLIC_NAME_HELD)


def forget_names() -> None:
    """Delete names that were given up long enough ago."""
    PublicName.objects.filter(held_until__lte=database_now()).delete()

"""Names that strangers sent are held until a moderator has read them.

A mark stands in the database where the name would stand. Readers of the site see it in words of
their own language; everything else, such as the API, reads the mark, which is its English.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from django.db import models
from django.utils.translation import gettext

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    AnyCharField = models.CharField[str, str]
else:
    AnyCharField = models.CharField  # generic to the type checker alone

UNSEEN_NAME: Final = "(unlisted)"  # of a provider, plan or drive that a run is said to be of
UNSEEN_PLAN: Final = "an unlisted plan"
_DIGITS: Final = 12  # of the SHA-256: enough that no two of a million plans share them


class ShownName(AnyCharField):
    """A name in public, which may be a mark."""

    def from_db_value(
        self, value: str | None, _expression: object, _connection: BaseDatabaseWrapper
    ) -> str | None:
        """Return the name with its marks in the language in force."""
        if value and "unlisted" in value:
            value = value.replace(UNSEEN_PLAN, gettext("an unlisted plan"))
            value = value.replace(UNSEEN_NAME, gettext("(unlisted)"))
        return value


def held_slug(slug: str) -> str:
    """Return what stands in an address for the words of a slug."""
    return hashlib.sha256(slug.encode()).hexdigest()[:_DIGITS]


def held_plan_name(_sent: str, digits: str, *, provider: str = "") -> str:
    """Return what an unlisted plan is called until then; `provider` is a name of the catalogue."""
    of_whom = f"{provider}: " if provider else ""
    return f"{of_whom}{UNSEEN_PLAN} {digits}"

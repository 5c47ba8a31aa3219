"""The role of who decides, for the public log: what they may do here, not who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_noop

if TYPE_CHECKING:
    from django.contrib.auth.models import User

OWNER: Final = "owner"
MODERATOR: Final = "moderator"
EDITOR: Final = "editor"
# The most powerful first; each by the permission that only it and those before it have.
WORDS: Final = {
    OWNER: gettext_noop("the site's owner"),
    EDITOR: gettext_noop("an editor of the catalogue"),
    MODERATOR: gettext_noop("a moderator"),
}


def role_of(user: User) -> str:
    """Return the role in which somebody decides."""
    if user.is_superuser:
        return OWNER
    return MODERATOR if user.has_perm("moderation.moderate") else EDITOR

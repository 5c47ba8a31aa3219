"""Ready reasons of decisions. They are public, and each is one text to translators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, gettext_noop

from apps.accounts.models import REASON_CHARACTERS_MAX
from apps.moderation.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator

READY: Final = (
    gettext_noop("The figures fit the machine."),
    gettext_noop("The figures cannot be of this machine."),
    gettext_noop("It is not the plan that it names."),
    gettext_noop("The disk acknowledges what it has not written."),
    gettext_noop("Made on purpose to move a standing."),
    gettext_noop("Its owner asked for it."),
    gettext_noop("It has personal data."),
    gettext_noop("The maker's document says so."),
    gettext_noop("The provider's price list says so."),
    gettext_noop("Our mistake."),
)


def reason_of(ready: str, text: str) -> str:
    """Return the reason that is stored: a ready one, an own one, or both, a line each.

    Cut to what the table takes; a ready reason that nobody knows is left out.
    """
    known = ready if ready in READY else ""
    return "\n".join(filter(None, (known, plain_line(text))))[:REASON_CHARACTERS_MAX].rstrip()


def lines_in_words(reason: str) -> Iterator[str]:
    """Yield the lines of a stored reason, the ready one in the language of the page."""
    for line in reason.split("\n"):
        yield gettext(line) if line in READY else line

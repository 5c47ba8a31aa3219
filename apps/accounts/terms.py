"""Which version of the terms is in force, and whether a person agreed to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.accounts.models import TermsAcceptance

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# Raise it with the text of docs/terms.md: who agreed before is asked again. The text before it
# stays as docs/terms.NUMBER.md, in every language.
TERMS_VERSION: Final = 1


def agreed_to_terms(user: User) -> bool:
    """Whether a person agreed to the version in force: one query."""
    return TermsAcceptance.objects.filter(user=user, version=TERMS_VERSION).exists()

"""What a person is asked for when they make an account, beside allauth's own fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.services import accept_terms

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpRequest

TERMS_VERSION: Final = 1  # raise it with the text of the terms: who agreed before is asked again


class TermsForm(forms.Form):
    """Agreement to the terms; allauth shows it below the address and the password."""

    terms = forms.BooleanField(label=_("I agree to the terms and have read the privacy page."))

    def signup(self, _request: HttpRequest, user: User) -> None:
        """Keep which version was agreed to."""
        accept_terms(user, version=TERMS_VERSION)

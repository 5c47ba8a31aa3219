"""What a person is asked for when they make an account, beside allauth's own fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from apps.accounts.services import accept_terms
from apps.accounts.terms import TERMS_VERSION

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from django.utils.safestring import SafeString


class TermsForm(forms.Form):
    """Agreement to the terms; allauth shows it below the address and the password."""

    terms = forms.BooleanField()

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["terms"].label = terms_label()

    def signup(self, _request: HttpRequest, user: User) -> None:
        """Keep which version was agreed to."""
        accept_terms(user, version=TERMS_VERSION)


def terms_label() -> SafeString:
    """What is agreed to, with its texts, in the language in force."""
    return format_html(
        gettext(
            'I agree to the <a href="{terms}">terms</a> and have read the '
            '<a href="{privacy}">privacy page</a>.'
        ),
        terms=reverse("pages:terms"),
        privacy=reverse("pages:privacy"),
    )

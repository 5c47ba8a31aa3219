"""What a person fills in: the terms of a new account, names, notes and reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import NOTE_CHARACTERS_MAX, REASON_CHARACTERS_MAX
from apps.accounts.services import accept_terms
from apps.accounts.terms import TERMS_VERSION

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

NAME_CHARACTERS_MAX: Final = 64


class PlainText(forms.CharField):
    """One line that people read: nothing in it moves the cursor or turns the writing around."""

    def clean(self, value: Any) -> str:
        """Return the text without breaks; refuse signs that are not printed."""
        text = " ".join(super().clean(value).split())
        if not text.isprintable():
            raise ValidationError(gettext("There is a sign in it that cannot be printed."))
        return text


class TermsForm(forms.Form):
    """Agreement to the terms, below the address and the password of allauth."""

    field_order = ("email", "password1", "terms")

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


class NameForm(forms.Form):
    """What a person calls a key or a machine."""

    name = PlainText(label=_("Name"), max_length=NAME_CHARACTERS_MAX, required=False)


class RevokeForm(forms.Form):
    """Why a key is no longer believed, and since when its runs are in doubt."""

    reason = PlainText(
        label=_("Reason, public"),
        max_length=REASON_CHARACTERS_MAX,
    )
    compromised_since = forms.DateField(
        label=_("In other hands since"),
        help_text=_("Runs that arrived since then count no longer. Empty: all of its runs stay."),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def clean_compromised_since(self) -> Any:
        """Return the day; one that has not come is an error of typing."""
        day = self.cleaned_data["compromised_since"]
        if day is not None and day > timezone.now().date():
            raise ValidationError(gettext("That day has not come yet."))
        return day


class WithdrawForm(forms.Form):
    """Why a run is taken back."""

    reason = PlainText(label=_("Reason, public"), max_length=REASON_CHARACTERS_MAX)


class NoteForm(forms.Form):
    """What its owner wants to remember of a run."""

    note = PlainText(label=_("Your note"), max_length=NOTE_CHARACTERS_MAX, required=False)


class LeaveForm(forms.Form):
    """What becomes of the runs of somebody who leaves."""

    runs = forms.ChoiceField(
        label=_("Your runs"),
        choices=(
            ("stay", _("stay, and nobody can tell whose they were")),
            ("go", _("are deleted; their numbers stay, so that nobody sends them again")),
        ),
        initial="stay",
        widget=forms.RadioSelect,
    )

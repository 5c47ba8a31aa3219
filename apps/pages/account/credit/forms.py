"""The public name that a person chooses."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.credit.names import sounds_like
from apps.accounts.models import PUBLIC_NAME_CHARACTERS_MAX
from apps.pages.account.credit.selectors import names_of_others


class PublicNameForm(forms.Form):
    """What somebody is called on their badge; empty: they have none."""

    name = forms.CharField(
        label=_("Public name"),
        help_text=_("3 to 20 letters, digits and dashes; empty: no badge. Given up, held a year."),
        max_length=PUBLIC_NAME_CHARACTERS_MAX,
        required=False,
    )

    def clean_name(self) -> str:
        """Return the name; what a reader takes for a provider or a maker is nobody's."""
        name: str = self.cleaned_data["name"].lower()
        if sounds_like(name, names_of_others()):
            raise ValidationError(refusal())
        return name


def refusal() -> str:
    """What is said of a name that a person does not get."""
    return gettext("This name is not to be had: choose another one.")

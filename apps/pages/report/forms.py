"""The form by which anybody reports something, or a provider replies."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.moderation.models import TEXT_CHARACTERS_MAX, Report
from apps.moderation.text import plain_text

KINDS: Final = (
    (Report.Kind.REPORT, _("Something is wrong here")),
    (Report.Kind.REPLY, _("I speak for the provider")),
)


class ReportForm(forms.Form):
    """A text, and an address for the answer where one is wanted."""

    kind = forms.ChoiceField(choices=KINDS, initial=Report.Kind.REPORT)
    text = forms.CharField(
        label=_("What is it?"),
        max_length=TEXT_CHARACTERS_MAX,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    email = forms.EmailField(
        label=_("Mail address for the answer"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_text(self) -> str:
        """Refuse a text of nothing but signs without a shape."""
        text = plain_text(self.cleaned_data["text"])
        if not text:
            raise forms.ValidationError(self.fields["text"].error_messages["required"])
        return text

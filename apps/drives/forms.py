"""The form for patterns of staff, which refuses patterns that claim too many names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from apps.drives.models import DrivePattern
from apps.drives.services import AmbiguousPatternError, PatternError, refuse_pattern

if TYPE_CHECKING:
    PatternModelForm = forms.ModelForm[DrivePattern]
else:
    PatternModelForm = forms.ModelForm  # generic to the type checker alone


class DrivePatternForm(PatternModelForm):
    """A pattern, the family that it means, and the source of that."""

    class Meta:
        model = DrivePattern
        fields = ("name", "family", "pattern", "source")
        widgets = {"pattern": forms.TextInput(attrs={"size": 80})}
        help_texts = {
            "pattern": "Begins with ^ and is searched in “vendor model”, upper and lower case "
            "alike; write [ _]+ for a blank and [0-9] for a digit. It may use | ? * + {m,n} . $, "
            "groups and classes.",
            "source": "Where one can read that drives of this name are of this family.",
        }

    def clean(self) -> dict[str, Any]:
        """Refuse patterns that cannot be read, and names that two families would claim."""
        cleaned: dict[str, Any] = super().clean() or {}
        family, pattern = cleaned.get("family"), cleaned.get("pattern")
        if family is not None and pattern:
            try:
                refuse_pattern(pattern, family=family, name=cleaned.get("name"))
            except (AmbiguousPatternError, PatternError) as error:
                self.add_error("pattern", str(error))
        return cleaned

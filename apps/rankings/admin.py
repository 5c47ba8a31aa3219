"""Lets staff add a list price with its source. None is changed or removed: history is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.utils import timezone

from apps.accounts.admin import ReadOnlyAdmin
from apps.plans.catalogue import price_key
from apps.plans.models import ExchangeRate, Price, PriceKind, PriceUnit
from apps.rankings.prices import add_prices

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest

    PriceModelForm = forms.ModelForm[Price]
else:
    PriceModelForm = forms.ModelForm  # generic to the type checker alone


class PriceForm(PriceModelForm):
    """A price as a source states it today."""

    class Meta:
        model = Price
        fields = (
            "plan", "region", "currency", "amount", "period", "setup_fee", "valid_from",
            "unit", "term_months", "kind", "includes", "source",
        )  # fmt: skip
        help_texts: ClassVar = {
            "currency": "Three letters of ISO 4217, as the source has it: nothing is converted.",
            "valid_from": "The day from which it holds, else the day on which you read it.",
            "term_months": "For how long one has to commit oneself; empty: a month at most.",
            "includes": "Tax, IPv4, how the figure was derived.",
            "source": "Where others can see this price.",
        }

    period = forms.ChoiceField(choices=Price.Period.choices)
    unit = forms.ChoiceField(
        choices=(("", "the whole plan"), *PriceUnit.choices),
        required=False,
        help_text="What the amount is for one of.",
    )
    kind = forms.ChoiceField(
        choices=(("", "the list price"), *PriceKind.choices),
        required=False,
        help_text="Where it is not simply the list price of its day.",
    )
    currency = forms.RegexField("^[A-Z]{3}$", error_messages={"invalid": "Like EUR or USD."})

    def clean(self) -> dict[str, Any]:
        """Refuse prices that are stored already, and prices of the future."""
        cells = super().clean() or {}
        valid_from = cells.get("valid_from")
        if valid_from and valid_from > timezone.now().date():
            self.add_error("valid_from", "Add the price when it holds.")
        same = Price.objects.filter(plan=cells.get("plan"))
        if not self.errors and price_key(self.instance_of(cells)) in map(price_key, same):
            self.add_error(None, "This price is known already.")
        return cells

    @staticmethod
    def instance_of(cells: dict[str, Any]) -> Price:
        """Return the price of the cleaned cells, unsaved."""
        return Price(**cells, is_shipped=False)


@admin.register(Price)
class PriceAdmin(ReadOnlyAdmin):
    """All prices, newest first, and a form for another one."""

    form = cast("type[forms.ModelForm[Model]]", PriceForm)
    list_display = ("plan", "amount", "currency", "period", "region", "valid_from", "is_shipped")
    list_filter = ("currency", "period", "unit", "is_shipped")
    search_fields = ("plan__name", "plan__provider__name", "source")
    ordering = ("-valid_from", "plan")
    raw_id_fields = ("plan",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Allow it to staff with the permission to add prices."""
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def save_model(self, _request: HttpRequest, obj: Model, form: Any, _change: Any) -> None:
        """Store the price and compute the costs of its plan again."""
        (added,) = add_prices([PriceForm.instance_of(form.cleaned_data)])
        obj.pk = added.pk


@admin.register(ExchangeRate)
class ExchangeRateAdmin(ReadOnlyAdmin):
    """Exchange rates of the European Central Bank; `manage.py load_rates` adds newer ones."""

    list_display = ("day", "currency", "per_euro")
    list_filter = ("currency",)
    date_hierarchy = "day"

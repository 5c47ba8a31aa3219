"""The page of the advisor, whose answer is updated while the reader types."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.pages.advisor.answer import advice_of
from apps.pages.advisor.contexts import AdvisorContext, SoftwareOption
from apps.pages.advisor.forms import AdviceForm, presets, short_query
from apps.pages.advisor.title import question_of, title_of
from apps.pages.frame.htmx import page_or_part, wants_part
from apps.plans.models import Provider
from apps.plans.prices.rates import current_rates
from apps.rankings.advice.engine import advise
from apps.rankings.advice.selectors import candidates_for
from apps.rankings.advice.software import SOFTWARE
from apps.words.catalogue import REGION_GROUPS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from django.forms import ChoiceField


def software_options(form: AdviceForm) -> list[SoftwareOption]:
    """Every kind of software in the form; its rate is empty where it has no usual one."""
    rates = {each.id: each.rate_per_s for each in SOFTWARE}
    current = form["software"].value()
    field = cast("ChoiceField", form.fields["software"])
    return [
        SoftwareOption(
            value=value, text=text, rate_per_s=rates.get(value, ""),
            write=str(SOFTWARE_WORDS[value].waits_for), is_chosen=value == current,
        )
        for value, text in cast("list[tuple[str, str]]", field.choices)
    ]  # fmt: skip


@require_safe
def advisor(request: HttpRequest) -> HttpResponse:
    """The form and its answer: 6 queries."""
    address = reverse("pages:advisor")
    short = short_query(request.GET)
    if not wants_part(request) and any("" in values for _name, values in request.GET.lists()):
        asked_again = f"{address}?{short}" if short else address
        if asked_again != request.get_full_path():
            return HttpResponseRedirect(asked_again)
    rates = current_rates()
    providers = list(
        Provider.objects.filter(plans__is_listed=True).distinct().values_list("slug", "name")
    )
    form = AdviceForm(request.GET, currencies=rates.currencies, providers=providers)
    form.is_valid()
    need = form.need
    advice = None
    if need is not None:
        advice = advice_of(need, advise(need, candidates_for(need, rates=rates)))
    context: AdvisorContext = {
        "address": address,
        "title": title_of(form) if need and short else _("Which server carries your database?"),
        "question": question_of(form),
        "form": form,
        "need": need,
        "advice": advice,
        "software_words": SOFTWARE_WORDS[need.software.id] if need else None,
        "rates_day": rates.day,
        "presets": presets(),
        "software": software_options(form),
        "regions": list(REGION_GROUPS.values()),
        "short": short,
        "link": f"{settings.SITE_URL}{address}{'?' if short else ''}{short}",
        "is_part": wants_part(request),
    }
    return page_or_part(request, "pages/advisor/advisor.html", "answer", context)

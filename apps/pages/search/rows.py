"""Rows of an answer: a plan or a drive with its figure, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.pages.search.results import Result
from apps.pages.search.selectors.things import DRIVE, PLAN, PROVIDER
from apps.pages.show import units, words
from apps.pages.show.dates import figure_day
from apps.pages.show.known_figure import KnownFigure, known_figure
from apps.pages.show.list_prices import KINDS, price_standing, volume_month, volume_size
from apps.pages.show.phrases import in_brackets, join_facts
from apps.pages.show.table.rows import source_name, spot_of_advice, subject_of
from apps.plans.models import PriceKind
from apps.rankings.cost import monthly
from apps.words import confidence
from apps.words.advice import basis_of_answer, load_words
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from apps.pages.frame.search_entries import GuideFit
    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.evidence import WorkloadFigure
    from apps.rankings.models import Standing


def row_of_standing(
    standing: Standing, *, is_by_cost: bool = False, fit: GuideFit | None = None
) -> Result:
    """What a standing is of, with its rate, its cost or what a guide judged."""
    subject = subject_of(standing)
    plan = standing.plan
    value, unit = (fit.figure, fit.unit) if fit else ("", "")
    if is_by_cost and standing.cost_per_billion is not None:
        value = units.money(standing.cost_per_billion, standing.currency)
        unit = _("a billion commits")
    return Result(
        kind=PLAN if plan else DRIVE,
        title=subject.name,
        url=subject.url,
        under=_under(standing),
        sure=fit.sure if fit else confidence.basis_of(standing),
        figure=known_figure(standing),
        value=value,
        unit=unit,
        key=standing.plan_id or standing.drive_family_id or "",
    )


def row_of_fit(fit: GuideFit) -> Result:
    """A plan or a drive as a guide judges it."""
    return row_of_standing(fit.standing, fit=fit)


def row_of_advice(answer: PlanAnswer) -> Result:
    """A measured plan that the advisor names, with its price and the margin over the need."""
    plan, figure, offer = answer.candidate, answer.figure, answer.candidate.offer
    month = offer.listed_month
    sure = confidence.line(answer.sure, basis_of_answer(answer), answer.margin)
    is_past = offer.price_kind is PriceKind.SUPERSEDED
    facts = [
        plan.provider_name,
        _("data lost on stop") if plan.is_ephemeral else "",
        _("%(amount)s a month") % {"amount": units.money(month, offer.listed_currency)}
        if month
        else _("no price"),
        str(KINDS[PriceKind.SUPERSEDED]) if month and is_past else "",
        _("without a server") if offer.is_part else "",
    ]
    return Result(
        kind=PLAN,
        title=plan.name,
        url=reverse("pages:plan", args=[plan.slug]),
        under=join_facts(facts),
        sure=join_facts((sure, load_words(answer))),
        figure=_known(figure) if figure else None,
        key=plan.slug,
    )


def row_of_nothing(provider: str, name: str) -> Result:
    """A provider of which nothing is known that answers."""
    return Result(PROVIDER, name, reverse("pages:provider", args=[provider]), "", key=provider)


def _under(standing: Standing) -> str:
    """Whose plan it is, with what a month costs; the protection of a drive."""
    plan = standing.plan
    if plan is None:
        family = standing.drive_family
        return str(words.plp_words(family.plp if family else PowerLossProtection.UNKNOWN.value))
    lost = _("data lost on stop") if plan.is_ephemeral else ""
    return join_facts((plan.provider.name, lost, _month(standing)))


def _month(standing: Standing) -> str:
    """What a month costs, of a volume that of its size; and that one cannot have it any more."""
    if volume := standing.volume:
        return join_facts((volume_month(volume), volume_size(volume.order.gib)))
    price = standing.price
    if price is None:
        return _("no price")
    month = _("%(amount)s a month") % {"amount": units.money(monthly(price), price.currency)}
    is_past = price.kind == PriceKind.SUPERSEDED
    return month + in_brackets(price_standing(price)) if is_past else month


def _known(figure: WorkloadFigure) -> KnownFigure:
    """The figure that the advisor judged, as a standing's is shown."""
    return KnownFigure(
        rate_per_s=figure.rate_per_s,
        low=figure.rate_low_per_s,
        high=figure.rate_high_per_s,
        interval=str(words.INTERVALS.get(figure.interval_is, "")),
        workload=workload_short(figure.workload),
        when=figure_day(figure.measured_on, figure.run_slug),
        run_url=reverse("pages:run", args=[figure.run_slug]),
        source=source_name(figure.source.title if figure.source else None),
        level=words.level_of(figure.evidence),
        spot=spot_of_advice(figure),
    )

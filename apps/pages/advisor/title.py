"""What was asked for in a line: the title, so that each address has its own, and the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import phrases, units
from apps.stats.figures import NARROW_SPACE
from apps.words.advice import SIZES
from apps.words.catalogue import CHOSEN_KINDS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.pages.advisor.forms import AdviceForm
    from apps.rankings.advice.needs import Need


def title_of(form: AdviceForm) -> str:
    """Everything that the need of a valid form says, in a line."""
    if form.need is None:
        raise AssertionError("only a need that can be read has a title")
    return phrases.join_facts(
        (*_facts(form.need, form.need.currency), *_providers(form, form.need))
    )


def question_of(form: AdviceForm) -> str:
    """What is asked for in a line, as a phone shows it in place of the form; empty if unreadable.

    "Durable commits, 1,000/s, any price"
    """
    if form.need is None:
        return ""
    return phrases.join_facts((*_facts(form.need, _("any price")), *_providers(form, form.need)))


def _providers(form: AdviceForm, need: Need) -> list[str]:
    names = dict(form.providers)
    chosen = need.providers or ({need.provider} if need.provider else set())
    return sorted(names[each] for each in chosen)


def _facts(need: Need, without_budget: str) -> Iterator[str]:
    """What a need says; `without_budget` stands where it has none."""
    yield str(SOFTWARE_WORDS[need.software.id].title)
    yield f"{need.rate_per_s:,}/s"
    if need.p99_ns_max:
        figure, unit = units.stated_duration(need.p99_ns_max)
        yield _("p99 at most %(time)s") % {"time": f"{figure}{NARROW_SPACE}{unit}"}
    if need.budget_month:
        yield units.money(need.budget_month, need.currency)
    else:
        yield without_budget
    if need.sessions > 1:
        yield phrases.with_name(_("Sessions that commit at once"), f"{need.sessions:,}")
    yield need.region
    yield str(CHOSEN_KINDS.get(need.kind, ""))
    sizes = {"capacity": need.capacity_gb, "ram": need.ram_gb, "vcpus": need.vcpus}
    for name, size in sizes.items():
        if size:
            yield phrases.with_name(SIZES[name], f"{size:,}")
    if need.plp:
        yield _("Power-loss protection")

"""The sentences of a plan's or a drive's page: what it comes to, who got what, what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.pages.draw.axis import NS_PER_S
from apps.pages.show import units
from apps.pages.show.answer import WORDS_MAX, Answer
from apps.pages.show.phrases import join_facts
from apps.pages.show.standings import figures_of
from apps.pages.show.words import count
from apps.pages.things.selectors.months import are_apart, changes_of
from apps.pages.things.selectors.runs import IN, OUT, RunEntriesQuery
from apps.rankings.models import Evidence
from apps.stats.figures import significant
from apps.words import confidence
from apps.words.standings import kinds_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from apps.drives.models import DriveFamily
    from apps.pages.things.fitness import Fitness
    from apps.pages.things.selectors.months import DriveChange, Month
    from apps.pages.things.selectors.spread import MachineSpread, OutcomeSummary
    from apps.plans.models import Plan, Provider
    from apps.rankings.models import Standing


# Whose p50 and p99 a row shows where several stand behind it.
_WHOSE: Final = {
    "uploader": gettext_lazy("For the middle uploader"),
    "machine": gettext_lazy("On the middle machine"),
    "run": gettext_lazy("In the middle run"),
}
# By side, whether it is of the middle one of several, and whether p99 is known. Other sides are of
# no commit: what fio calls completion leaves the sync out.
_FINISHED: Final = {
    ("commit", False, True): gettext_lazy(
        "Half of all commits finished in %(half)s, and 99 of 100 within %(most)s."
    ),
    ("commit", False, False): gettext_lazy("Half of all commits finished in %(half)s."),
    ("commit", True, True): gettext_lazy(
        "%(whose)s, half of all commits finished in %(half)s, and 99 of 100 within %(most)s."
    ),
    ("commit", True, False): gettext_lazy("%(whose)s, half of all commits finished in %(half)s."),
    ("sync", False, True): gettext_lazy(
        "Half of all syncs finished in %(half)s, and 99 of 100 within %(most)s."
    ),
    ("sync", False, False): gettext_lazy("Half of all syncs finished in %(half)s."),
    ("sync", True, True): gettext_lazy(
        "%(whose)s, half of all syncs finished in %(half)s, and 99 of 100 within %(most)s."
    ),
    ("sync", True, False): gettext_lazy("%(whose)s, half of all syncs finished in %(half)s."),
}


def lead_answer(lead: Standing) -> Answer:
    """What one writer gets, with how long its commits take, or what people got of several kinds."""
    sentence = _kinds_in_short(lead) if lead.kinds else finished_words(lead) or _mean_words(lead)
    return Answer(
        sentence=sentence,
        sure=confidence.line_of(lead),
        figure=significant(lead.rate_per_s),
        unit=_("durable commits/s"),
    )


def provider_answer(plans: Sequence[Standing]) -> Answer | None:
    """The fastest plan of a provider, of what represents each; None without any."""
    first = next(iter(plans), None)
    if first is None or first.plan is None:
        return None
    sentence = ngettext(
        "Its only plan with a figure: %(name)s.",
        "Fastest of its %(n)s plans with figures: %(name)s.",
        len(plans),
    )
    return Answer(
        sentence=sentence % {"n": len(plans), "name": first.plan.name},
        sure=confidence.line_of(first),
        figure=significant(first.rate_per_s),
        unit=_("durable commits/s"),
    )


def _kinds_in_short(lead: Standing) -> str:
    """What people got of several kinds, without the names of the drives where they are many."""
    sentence = kinds_words(lead.kinds)
    if len(sentence.split()) <= WORDS_MAX:
        return sentence
    return kinds_words([(n, rate, "") for n, rate, _drive in lead.kinds])


def _mean_words(lead: Standing) -> str:
    mean = units.latency(NS_PER_S / lead.rate_per_s)
    return _("One commit takes %(mean)s on average; its percentiles are not known.") % {
        "mean": mean
    }


def middle_of(lead: Standing) -> str:
    """Whose p50 and p99 are shown: the middle uploader's, machine's or run's; empty of one run."""
    is_published = lead.evidence == Evidence.PUBLISHED
    if lead.n_uploaders > 1 and not is_published:
        return "uploader"
    if lead.n_machines > 1 and not is_published:
        return "machine"
    return "run" if lead.n_runs > 1 else ""


def finished_words(lead: Standing) -> str:
    """How long commits took, or syncs alone, as a sentence; nothing where neither was timed."""
    middle = middle_of(lead)
    key = (lead.latency_side, bool(middle), lead.p99_ns is not None)
    if lead.p50_ns is None or key not in _FINISHED:
        return ""
    return str(_FINISHED[key]) % {
        "whose": str(_WHOSE[middle]) if middle else "",
        "half": units.latency(lead.p50_ns),
        "most": "" if lead.p99_ns is None else units.latency(lead.p99_ns),
    }


@dataclass(frozen=True, slots=True)
class PageHead:
    """What search engines and previews show of a page."""

    title: str
    name: str
    description: str


def plan_head(
    plan: Plan, lead: Standing | None, newest: datetime | None, *, shown: str = ""
) -> PageHead:
    """The head of the page of a plan; `shown` says which of its runs are listed, if not all."""
    name = plan.full_name
    if lead is None:
        description = _("%(name)s: no durable commits of one writer yet.") % {"name": name}
    elif lead.kinds:
        description = f"{name}: {kinds_words(lead.kinds)}"
    else:
        description = _(
            "%(name)s: %(rate)s durable commits a second (%(n)s, %(interval)s, %(when)s)."
        ) % {"name": name, **figures_of(lead, newest)}
    return PageHead(_title(name, shown), name, description)


def drive_head(drive: DriveFamily, fitness: Fitness | None, *, shown: str = "") -> PageHead:
    """The head of the page of a drive family; `shown` as for a plan."""
    if fitness is None:
        description = _("%(name)s: a virtual disk. Its runs, and no standing as a drive.")
    else:
        description = _("Is the %(name)s fit for Postgres? %(verdict)s")
    words = {"name": drive.name, "verdict": fitness.short if fitness else ""}
    return PageHead(_title(drive.name, shown), drive.name, description % words)


def shown_words(query: RunEntriesQuery) -> str:
    """Which runs an address lists, so that no two addresses have one title."""
    which = {IN: _("runs that count"), OUT: _("runs that do not count")}.get(query.which, "")
    return join_facts((which, _page_words(query.page)))


def _page_words(page: int) -> str:
    return _("page %(page)s") % {"page": page} if page > 1 else ""


def provider_head(provider: Provider, *, needs_page: int = 1) -> PageHead:
    """The head of the page of a provider, and of a page of its plans that nobody measured."""
    name = {"name": provider.name}
    return PageHead(
        _title(provider.name, _page_words(needs_page)),
        _("%(name)s: durable commits by plan") % name,
        _("The plans of %(name)s by durable commits a second, price and cost per commit.") % name,
    )


def _title(name: str, shown: str) -> str:
    return _("%(name)s: durable commits a second \u2013 Fsyncmark") % {
        "name": join_facts((name, shown))
    }


def lottery_words(spread: MachineSpread, lead: Standing) -> str:
    """Who got what, in a sentence."""
    families = [outcome for outcome in spread.lottery if outcome.item.slug]
    if not families:
        return (
            _("No run behind this standing names a drive that we know.")
            if lead.plan_id
            else _("No run behind this standing names a plan.")
        )
    if lead.kinds:
        return kinds_words(lead.kinds)
    total, first = len(spread.uploaders), families[0]
    kinds = len(spread.lottery) + spread.n_unlisted
    if kinds > 1:
        return _("%(kinds)s kinds. The most frequent: %(name)s, %(share)s.") % {
            "kinds": kinds,
            "name": first.item.name,
            "share": share_words(first, total, lead),
        }
    if lead.evidence == Evidence.PUBLISHED:
        sentence = ngettext(
            "%(n)s published result, of %(name)s.",
            "%(n)s published results, all of %(name)s.",
            total,
        )
    else:
        sentence = ngettext(
            "%(n)s uploader, who got %(name)s.",
            "All %(n)s uploaders got the same: %(name)s.",
            total,
        )
    return sentence % {"n": total, "name": first.item.name}


def share_words(outcome: OutcomeSummary, total: int, lead: Standing) -> str:
    """How many of all uploaders got something; of what was published, how many results."""
    words = (
        ngettext("%(n)s of %(total)s result", "%(n)s of %(total)s results", total)
        if lead.evidence == Evidence.PUBLISHED
        else ngettext("%(n)s of %(total)s uploader", "%(n)s of %(total)s uploaders", total)
    )
    return words % {"n": outcome.n_uploaders, "total": total}


def strip_words(lead: Standing, spread: MachineSpread) -> str:
    """The picture of all machines for those who do not see it."""
    rates = [rate for each in spread.uploaders for rate in each.machines]
    return _(
        "%(machines)s of %(uploaders)s, from %(low)s to %(high)s a second; the standing is %(rate)s"
    ) % {
        "machines": count(len(rates), "machine"),
        "uploaders": count(len(spread.uploaders), "uploader"),
        "low": significant(min(rates)),
        "high": significant(max(rates)),
        "rate": significant(lead.rate_per_s),
    }


def months_words(months: Sequence[Month]) -> str:
    """The rate over the months in a sentence: extremes only where they can be told apart."""
    low = min(months, key=lambda month: month.rate_per_s)
    high = max(months, key=lambda month: month.rate_per_s)
    if not are_apart(low, high):
        return _("Not known: months differ no more than the uploaders of one month.")
    return _(
        "Lowest in %(low_month)s with %(low)s a second (%(low_n)s), highest in %(high_month)s with "
        "%(high)s (%(high_n)s)."
    ) % {
        "low_month": month_name(low),
        "low": significant(low.rate_per_s),
        "low_n": count(low.n_uploaders, "uploader"),
        "high_month": month_name(high),
        "high": significant(high.rate_per_s),
        "high_n": count(high.n_uploaders, "uploader"),
    }


def changes_words(months: Sequence[Month]) -> str:
    """Whether most people got another drive from some month on."""
    changes = changes_of(months)
    if changes:
        return " ".join(map(change_words, changes))
    drives = {month.drive for month in months if month.drive}
    if not drives:
        return _("No run names its drive, so a change of drives would not be seen.")
    return _("In every month most uploaders had the same drive: %(name)s.") % {
        "name": next(iter(drives))
    }


def change_words(change: DriveChange) -> str:
    """One change of drives."""
    return _("From %(month)s on most uploaders had %(after)s, before that %(before)s.") % {
        "month": f"{change.first_day:%Y-%m}",
        "after": change.after,
        "before": change.before,
    }


def month_name(month: Month) -> str:
    """A month, ISO 8601."""
    return f"{month.first_day:%Y-%m}"

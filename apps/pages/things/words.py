"""The sentences of a plan's or a drive's page: what it comes to, who got what, what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.draw.axis import NS_PER_S
from apps.pages.show import units
from apps.pages.show.answer import WORDS_MAX, Answer, latency_sentence
from apps.pages.show.list_prices import list_price, price_standing, volume_month
from apps.pages.show.phrases import in_brackets, join_facts, join_sentences, with_name
from apps.pages.show.standings import figures_of, real_else_examples
from apps.pages.show.words import INTERVALS, count, covered, page_words
from apps.pages.things.selectors.months import are_apart, changes_of
from apps.pages.things.selectors.runs import IN, OUT, RunEntriesQuery
from apps.rankings.cost import DEFAULT_CAPACITY_GB
from apps.rankings.models import Evidence
from apps.stats.figures import significant
from apps.words import confidence
from apps.words.standings import kinds_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from apps.drives.models import DriveFamily
    from apps.pages.things.fitness import Fitness
    from apps.pages.things.selectors.months import DriveChange, Month
    from apps.pages.things.selectors.spread import MachineSpread, OutcomeSummary
    from apps.plans.models import Plan, Price, Provider
    from apps.rankings.models import Standing


DASH: Final = "\u2013"
# By side. Other sides are of no commit: what fio calls completion leaves the sync out.
_TIMED: Final = {"commit": gettext_lazy("commits"), "sync": gettext_lazy("syncs")}


def lead_answer(lead: Standing) -> Answer:
    """What one writer gets, with how long its commits take, or what people got of several kinds."""
    sentence = _kinds_in_short(lead) if lead.kinds else finished_words(lead) or _mean_words(lead)
    return Answer(
        sentence=sentence,
        sure=confidence.line_of(lead),
        figure=significant(lead.rate_per_s),
        unit=_("durable commits/s"),
    )


def fastest_of(plans: Iterable[Standing]) -> Standing | None:
    """The fastest plan that keeps its data, as on the board; one that loses it where none does.

    Heavier work that is faster beats lighter work. Examples stand only where there is nothing else.
    """
    rows = real_else_examples(plans)
    kept = [each for each in rows if not _loses_data(each)]
    return max(kept or rows, key=lambda each: each.rate_per_s, default=None)


def _loses_data(standing: Standing) -> bool:
    return standing.plan is not None and standing.plan.is_ephemeral


def provider_answer(fastest: Standing | None, plans: Iterable[Standing]) -> Answer | None:
    """The fastest plan of a provider with its price, and what is wrong with either; None: none."""
    if fastest is None or fastest.plan is None:
        return None
    is_first = fastest.rate_per_s == max(each.rate_per_s for each in real_else_examples(plans))
    facts = (
        fastest.plan.name,
        *_month_now(fastest),
        _("data lost on stop") if fastest.plan.is_ephemeral else "",
    )
    name = _("Fastest") if is_first else _("Fastest that keeps its data")
    return Answer(
        sentence=with_name(name, join_facts(facts)),
        sure=confidence.line_of(fastest),
        figure=significant(fastest.rate_per_s),
        unit=_("durable commits/s"),
    )


def _month_now(standing: Standing) -> tuple[str, ...]:
    """What a plan costs a month, and how much of a volume of any size; nothing without a price."""
    if standing.volume is not None:
        return volume_month(standing.volume), f"{DEFAULT_CAPACITY_GB} GB"
    return (as_listed_now(standing.price),) if standing.price else ()


def as_listed_now(price: Price) -> str:
    """The price of a month, and in brackets that it is superseded, old or of another kind."""
    standing = price_standing(price)
    month = list_price(price).month
    return f"{month}{in_brackets(standing)}" if standing else month


def _kinds_in_short(lead: Standing) -> str:
    """What people got of several kinds, without the names of the drives where they are many."""
    sentence = kinds_words(lead.kinds)
    if len(sentence.split()) <= WORDS_MAX:
        return sentence
    return kinds_words([(n, rate, "") for n, rate, _drive in lead.kinds])


def _mean_words(lead: Standing) -> str:
    mean = units.latency(NS_PER_S / lead.rate_per_s)
    return _("One commit takes %(mean)s on average.") % {"mean": mean}


def covers_words(lead: Standing) -> str:
    """What the interval of a standing covers; nothing where it has none."""
    if lead.coverage is not None:
        return join_facts((INTERVALS["uploaders"], covered(lead.coverage)))
    counted = {
        "uploaders": count(lead.n_uploaders, _who(lead)),
        "machines": count(lead.n_machines, "machine"),
        "repeats": count(lead.n_runs, "run"),
        "filesystems": count(lead.n_runs, "run"),
    }
    if lead.interval_is not in counted:
        return str(INTERVALS.get(lead.interval_is, ""))
    return _("lowest to highest of %(counted)s") % {"counted": counted[lead.interval_is]}


def finished_words(lead: Standing) -> str:
    """How long commits took, or syncs alone, as a sentence; nothing where neither was timed."""
    what = _TIMED.get(lead.latency_side)
    if what is None or lead.p50_ns is None:
        return ""
    return latency_sentence(str(what), lead.p50_ns, lead.p99_ns)


@dataclass(frozen=True, slots=True)
class PageHead:
    """What search engines and previews show of a page."""

    title: str
    name: str
    description: str


def plan_head(
    plan: Plan,
    lead: Standing | None,
    newest: datetime | None,
    *,
    near: Answer | None = None,
    shown: str = "",
) -> PageHead:
    """The head of the page of a plan; `near` is the answer by its kin where it has no figure.

    `shown` says which of its runs are listed, if not all.
    """
    name = plan.full_name
    if lead is None:
        said = near.sentence if near else _("No durable commits of one writer yet.")
    elif lead.kinds:
        said = kinds_words(lead.kinds)
    else:
        of = figures_of(lead, newest)
        said = join_facts(
            (f"{of['rate']} {_('durable commits/s')}", of["interval"], of["n"], of["when"])
        )
    return PageHead(_title(name, shown), name, with_name(name, said))


def drive_head(drive: DriveFamily, fitness: Fitness | None, *, shown: str = "") -> PageHead:
    """The head of the page of a drive family; `shown` as for a plan."""
    if fitness is None:
        said = _("A virtual disk is no drive model: it has no standing.")
    else:
        said = join_sentences((_("Is it fit for Postgres?"), fitness.short))
    return PageHead(_title(drive.name, shown), drive.name, with_name(drive.name, said))


def shown_words(query: RunEntriesQuery) -> str:
    """Which runs an address lists, so that no two addresses have one title."""
    which = {IN: _("in"), OUT: _("out")}.get(query.which, "")
    return join_facts((which and with_name(_("Runs"), which), page_words(query.page)))


def provider_head(provider: Provider, *, needs_page: int = 1) -> PageHead:
    """The head of the page of a provider, and of a page of its plans that nobody measured."""
    return PageHead(
        _title(provider.name, page_words(needs_page)),
        provider.name,
        with_name(
            provider.name,
            _(
                "Durable commits a second of one writer, their p99, and what a billion of them "
                "cost."
            ),
        ),
    )


def _title(name: str, shown: str) -> str:
    return " \u2013 ".join(
        filter(None, (with_name(name, _("durable commits/s")), shown, "Fsyncmark"))
    )


def lottery_words(spread: MachineSpread, lead: Standing) -> str:
    """Who got what, in a sentence; empty where no run names it."""
    first = next((outcome for outcome in spread.lottery if outcome.item.slug), None)
    if first is None:
        return ""
    if lead.kinds:
        return kinds_words(lead.kinds)
    return with_name(first.item.name, share_words(first, spread.n_uploaders, lead))


def share_words(outcome: OutcomeSummary, total: int, lead: Standing) -> str:
    """How many of all uploaders got something; of what was published, how many sources."""
    return f"{outcome.n_uploaders} / {count(total, _who(lead))}"


def _who(lead: Standing) -> str:
    """What stands for one uploader: of what was published it is a source."""
    return "source" if lead.evidence == Evidence.PUBLISHED else "uploader"


def strip_words(spread: MachineSpread, lead: Standing) -> str:
    """The picture of all machines for those who do not see it.

    Each range says of what it is: the interval above is one of uploaders, the dots are machines.
    """
    machines = [rate for each in spread.uploaders for rate in each.machines]
    uploaders = [each.rate_per_s for each in spread.uploaders]
    return join_facts(
        (
            _range_of(uploaders, count(spread.n_uploaders, _who(lead))),
            _range_of(machines, count(spread.n_machines, "machine")),
        )
    )


def cut_words(spread: MachineSpread, lead: Standing) -> str:
    """How many of all uploaders and machines are shown; empty where all are."""
    if not spread.is_cut:
        return ""
    shown = join_facts(
        f"{n_shown:,} / {count(n, noun)}"
        for n_shown, n, noun in (
            (len(spread.uploaders), spread.n_uploaders, _who(lead)),
            (spread.n_shown_machines, spread.n_machines, "machine"),
        )
    )
    return with_name(capfirst(_("shown")), shown)


def _range_of(rates: Sequence[float], counted: str) -> str:
    """How many there are, and between which rates; of one alone its rate."""
    ends = dict.fromkeys(significant(end) for end in (min(rates), max(rates)))
    return with_name(counted, f"{DASH.join(ends)} /s")


def months_words(months: Sequence[Month]) -> str:
    """The rate over the months in a sentence: extremes only where they can be told apart."""
    low = min(months, key=lambda month: month.rate_per_s)
    high = max(months, key=lambda month: month.rate_per_s)
    if not are_apart(low, high):
        return _("No more than uploaders of one month differ.")
    return join_facts(
        with_name(
            month_name(month),
            f"{significant(month.rate_per_s)} /s"
            + in_brackets(count(month.n_uploaders, "uploader")),
        )
        for month in (low, high)
    )


def changes_words(months: Sequence[Month]) -> str:
    """From which months on most people got another drive."""
    return join_sentences(map(change_words, changes_of(months)))


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

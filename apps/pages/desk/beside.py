"""The evidence of one thing as the desk lays it side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.drives.patterns import suggested_pattern
from apps.moderation.models import Report
from apps.moderation.selectors.queue import QueueKind
from apps.pages.draw.axis import place_of_rate
from apps.pages.frame import decisions
from apps.pages.show import units
from apps.pages.show.list_prices import as_listed, price_day
from apps.pages.show.phrases import join_facts, join_sentences, with_name
from apps.pages.show.table.rows import run_name, run_under
from apps.words.labels import sentences_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.pages.desk.selectors import ItemEvidence, KeyHistory, RunEvidence, Spread
    from apps.plans.models import Price
    from apps.runs.models import Label, Run

EDGE_PERCENT: Final = 2.0  # room beside the slowest and the fastest of a strip


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A label of a run: its rule, its words, what it found."""

    rule: str
    text: str
    found: str


@dataclass(frozen=True, slots=True)
class RunBeside:
    """A run beside the one that waits."""

    name: str
    under: str
    day: str
    rate: float | None
    url: str
    is_out: bool


@dataclass(frozen=True, slots=True)
class ItemForm:
    """What the forms about one thing offer."""

    token: str
    kind: str
    shown_kind: str  # of the queue that led here; empty: all
    name: str
    ready: Sequence[tuple[str, str]]  # reasons: as they are stored, and their words
    has_run: bool
    is_reply: bool
    labels: Sequence[LabelLine] = ()
    families: Sequence[tuple[str, str]] = ()
    pattern: str = ""
    prices: Sequence[tuple[int, str, bool]] = ()


@dataclass(frozen=True, slots=True)
class SpreadStrip:
    """Where a run stands among those of its plan; places are percentages from slow to fast."""

    own: float
    others: Sequence[float]
    sentence: str


def evidence_context(evidence: ItemEvidence) -> dict[str, Any]:
    """What the page of one thing is given; parts that do not concern it are empty."""
    row, kind = evidence.item.row, evidence.item.kind
    beside = evidence.run
    return {
        "report": row if kind is QueueKind.REPORTED else None,
        "is_reply": kind is QueueKind.REPORTED and row.kind == Report.Kind.REPLY,
        "run_name": run_name(beside.run) if beside else "",
        "run_url": reverse("pages:run", args=[beside.run.slug]) if beside else "",
        "facts": _run_facts(beside) if beside else (),
        "labels": [_label_line(each) for each in beside.labels] if beside else (),
        "strip": _strip(beside.spread) if beside and beside.spread else None,
        "key_facts": _key_facts(beside.history) if beside and beside.history else (),
        "others": [_run_line(each) for each in beside.others] if beside else (),
        "others_words": _others_words(beside) if beside and beside.n_others else "",
        "runs": [_run_line(each) for each in evidence.runs],
        "prices": [_price_line(each) for each in evidence.prices],
        "decided": decisions.lines_of(evidence.decisions),
    }


def form_of(
    evidence: ItemEvidence, name: str, ready: Sequence[tuple[str, str]], shown_kind: str
) -> ItemForm:
    """What can be chosen about one thing; `name` is what the desk calls it."""
    item, beside = evidence.item, evidence.run
    is_reported = item.kind is QueueKind.REPORTED
    return ItemForm(
        token=item.token,
        kind=item.kind.value,
        shown_kind=shown_kind,
        name=name,
        ready=ready,
        has_run=beside is not None,
        is_reply=is_reported and item.row.kind == Report.Kind.REPLY,
        labels=[_label_line(each) for each in beside.labels] if beside else (),
        families=[(each.slug, each.name) for each in evidence.families],
        pattern=suggested_pattern(str(item.row)) if item.kind is QueueKind.NAME else "",
        prices=[_price_line(each) for each in evidence.prices],
    )


def _run_facts(beside: RunEvidence) -> list[tuple[str, str]]:
    run, spread = beside.run, beside.spread
    facts = [
        (_("Machine"), join_facts((run_under(run), run.cpu_model, run.filesystem))),
        (_("Claimed"), join_facts((run.claimed_provider, run.claimed_plan, run.claimed_region))),
        (_("Plan as sent"), run.plan.sent_name if run.plan else ""),
        (_("Seen"), join_facts((run.seen_provider, run.seen_instance_type))),
        (_("Received"), units.moment(run.measured_at) if run.measured_at else ""),
    ]
    if spread:
        facts.append((_("Commits"), f"{units.as_stated(round(spread.rate))} /s"))
    return [(name, value) for name, value in facts if value]


def _key_facts(history: KeyHistory) -> list[tuple[str, str]]:
    facts = [
        (_("Key"), str(history.key)),
        (_("First seen"), units.day(history.key.first_seen)),
        (_("Owner"), _("has an account") if history.key.owner_id else _("without an account")),
        (_("Runs"), str(history.n_runs)),
        (_("In quarantine"), str(history.n_quarantined)),
        (_("Machines"), str(history.n_machines)),
    ]
    if history.n_challenges:
        unreported = f"{history.n_abandoned} / {history.n_challenges}"
        facts.append((_("Never reported"), unreported))
    if history.key.revoked_at:
        facts.append((_("Revoked"), units.day(history.key.revoked_at)))
    return facts


def _others_words(beside: RunEvidence) -> str:
    runs = ngettext("%(n)s other run", "%(n)s other runs", beside.n_others) % {"n": beside.n_others}
    if not beside.n_merged:
        return runs
    merged = _("judged as one with %(n)s more") % {"n": beside.n_merged}
    return join_facts((runs, merged))


def _label_line(label: Label) -> LabelLine:
    return LabelLine(label.rule, text_of(label), join_sentences(sentences_of(label)))


def _run_line(run: Run) -> RunBeside:
    return RunBeside(
        name=run_name(run),
        under=run_under(run),
        day=units.day(run.measured_at) if run.measured_at else "",
        rate=getattr(run, "rate_per_s", None),
        url=reverse("pages:run", args=[run.slug]),
        is_out=run.is_kept_out,
    )


def _strip(spread: Spread) -> SpreadStrip:
    """The runs of a plan on a line of their own, the slowest left: the site's axis, stretched."""
    places = [100.0 - place_of_rate(rate).percent for rate in (spread.rate, *spread.rates)]
    low, high = min(places), max(places)
    width = high - low
    scale = (100.0 - 2 * EDGE_PERCENT) / width if width else 0.0
    across = [EDGE_PERCENT + (place - low) * scale if width else 50.0 for place in places]
    return SpreadStrip(own=across[0], others=across[1:], sentence=_spread_words(spread))


def _spread_words(spread: Spread) -> str:
    n = len(spread.rates)
    said = ngettext(
        "%(below)s of %(n)s other run of the plan is slower",
        "%(below)s of %(n)s other runs of the plan are slower",
        n,
    ) % {"below": spread.n_below, "n": n}
    if not spread.quartiles:
        return said
    low, _middle, high = (units.as_stated(round(each)) for each in spread.quartiles)
    return join_facts((said, with_name(_("the middle half"), f"{low}\u2013{high} /s")))


def _price_line(price: Price) -> tuple[int, str, bool]:
    words = join_facts((as_listed(price), price.region, price_day(price)))
    return price.pk, words, price.is_disputed

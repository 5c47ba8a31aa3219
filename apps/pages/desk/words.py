"""What the desk calls what waits: its kind, its name, and why it waits, in one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.moderation.models import Decision, Report, Subject
from apps.moderation.selectors.queue import DISPUTING_RULES, Item, QueueKind
from apps.pages.frame.decisions import DONE, SUBJECTS, url_of
from apps.pages.show import units
from apps.pages.show.dates import plain
from apps.pages.show.phrases import join_facts, translate, with_name
from apps.pages.show.table.rows import run_name
from apps.runs.models import Outcome, UploaderCluster
from apps.words.labels import english_text, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import datetime

    from django.utils.functional import Promise

    from apps.runs.models import Label

TEXT_SHOWN: Final = 120  # characters of a report in the queue
KINDS: Final[dict[QueueKind, Promise]] = {
    QueueKind.QUARANTINED: gettext_lazy("Quarantined"),
    QueueKind.DISPUTED: gettext_lazy("Disputed"),
    QueueKind.REPORTED: gettext_lazy("Reported"),
    QueueKind.NAME: gettext_lazy("Unknown drives"),
    QueueKind.PLAN: gettext_lazy("Unknown plans"),
    QueueKind.OUTPUT: gettext_lazy("Names of outputs"),
    QueueKind.PRICE: gettext_lazy("Prices in dispute"),
    QueueKind.CLUSTER: gettext_lazy("Clusters"),
}

# Rules about runs that say of one what a cluster says of several; by hand: what was done says it.
CLUSTERS: Final = {
    UploaderCluster.Rule.ALIKE: "near-copy",
    UploaderCluster.Rule.MACHINE: "many-keys",
    UploaderCluster.Rule.BORN: "new-keys-on-plan",
    UploaderCluster.Rule.HOSTER: "network-elsewhere",
}


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One line of the queue."""

    token: str
    kind: str
    name: str
    why: str
    since: datetime | None
    day: str
    url: str  # of its evidence
    page_url: str  # of what it is about, where readers see it
    is_ticked: bool = False  # it was chosen when something stood against the decision


def lines_of(items: Iterable[Item], ticked: Collection[str] = ()) -> list[QueueLine]:
    """Each item as a line; `ticked` are the tokens of those that are chosen."""
    return [line_of(each, is_ticked=each.token in ticked) for each in items]


def line_of(item: Item, *, is_ticked: bool = False) -> QueueLine:
    """One item as a line."""
    name, why, page_url = _WORDS[item.kind](item.row)
    return QueueLine(
        token=item.token,
        kind=str(KINDS[item.kind]),
        name=name,
        why=why,
        since=item.since,
        day=units.day(item.since) if item.since else "",
        url=reverse("pages:desk-item", args=[item.kind.value, item.key]),
        page_url=page_url,
        is_ticked=is_ticked,
    )


Words = tuple[str, str, str]  # name, why, address


def _quarantined(run: Any) -> Words:
    labels = [each for each in run.labels.all() if each.outcome == Outcome.QUARANTINE]
    return _run_words(run, labels)


def _disputed(run: Any) -> Words:
    return _run_words(run, [each for each in run.labels.all() if each.rule in DISPUTING_RULES])


def _run_words(run: Any, labels: Iterable[Label]) -> Words:
    """Say what a run is of, and beside why it waits what tells it from its like."""
    rate = f"{units.as_stated(round(run.rate_per_s))}\N{NO-BREAK SPACE}/s" if run.rate_per_s else ""
    key = str(run.upload.key) if run.upload else ""
    why = join_facts((*map(text_of, labels), rate, key))
    return run_name(run), why, reverse("pages:run", args=[run.slug])


def _reported(report: Any) -> Words:
    run = report.run
    about = join_facts((run_name(run), plain(run.measured_at, run.slug))) if run else ""
    name = with_name(SUBJECTS[report.subject], about or report.subject_id)
    text = " ".join(report.text.split())
    short = text if len(text) <= TEXT_SHOWN else text[:TEXT_SHOWN].rstrip() + "…"
    kind = _("Reply of the provider") if report.kind == Report.Kind.REPLY else ""
    return name, join_facts((kind, short)), url_of(report.subject, report.subject_id)


def _name(name: Any) -> Words:
    return str(name), _("no family knows it"), reverse("pages:unknown-drive", args=[name.key])


def _plan(plan: Any) -> Words:
    return (
        plan.sent_name or plan.name,
        _("not in the catalogue"),
        reverse("pages:plan", args=[plan.slug]),
    )


def _output(run: Any) -> Words:
    file = run.imported_file
    sent = join_facts((file.claimed_provider, file.claimed_plan, file.claimed_drive))
    return sent, _("not in the catalogue"), reverse("pages:run", args=[run.slug])


def _price(price: Any) -> Words:
    amount = units.list_price(price.amount, price.currency, price.period)
    return price.plan.full_name, amount, reverse("pages:plan", args=[price.plan_id])


def _cluster(cluster: Any) -> Words:
    name = f"{SUBJECTS[Subject.UPLOADERS]} ({len(cluster.uploaders)})"
    merged = DONE[Decision.Action.MERGE] if cluster.is_merged else ""
    rule = CLUSTERS.get(cluster.rule)
    return name, join_facts((translate(english_text(rule)) if rule else "", merged)), ""


_WORDS: Final[dict[QueueKind, Callable[[Any], Words]]] = {
    QueueKind.QUARANTINED: _quarantined,
    QueueKind.DISPUTED: _disputed,
    QueueKind.REPORTED: _reported,
    QueueKind.NAME: _name,
    QueueKind.PLAN: _plan,
    QueueKind.OUTPUT: _output,
    QueueKind.PRICE: _price,
    QueueKind.CLUSTER: _cluster,
}

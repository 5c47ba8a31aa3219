"""Reads the evidence of what waits at the desk, each kind with what a decision needs beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from apps.accounts.models import AgentKey
from apps.drives.models import DriveFamily, DriveName
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.selectors.queue import Item, QueueKind, find_item, kind_named
from apps.plans.models import Plan, Price
from apps.runs.models import (
    Label,
    Measurement,
    Outcome,
    Run,
    RunRuling,
    Upload,
    UploaderCluster,
    UploaderMerge,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import User

RATES_MAX: Final = 500  # of a plan, newest first: a distribution needs no more
RUNS_BESIDE_MAX: Final = 10
QUANTILES_MIN: Final = 2  # of one rate there is no spread
HINTS_MAX: Final = 12  # families that a name may mean
PRICES_MAX: Final = 40  # of a plan, newest first
_RATE: Final = Subquery(
    Measurement.objects.filter(run=OuterRef("pk"), is_durable_single_writer=True)
    .order_by("pk")
    .values("rate_per_s")[:1]
)


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a run stands among the runs of its plan with the same work, in operations a second."""

    rate: float
    rates: tuple[float, ...]  # of the others that count, the lowest first
    quartiles: tuple[float, ...]  # three; empty of fewer than two rates

    @property
    def n_below(self) -> int:
        """How many of the others are slower."""
        return sum(each < self.rate for each in self.rates)


@dataclass(frozen=True, slots=True)
class KeyHistory:
    """What a key did so far."""

    key: AgentKey
    n_runs: int
    n_quarantined: int
    n_abandoned: int | None  # of the challenges of the month before its last upload
    n_challenges: int | None
    n_machines: int


@dataclass(frozen=True, slots=True)
class RunEvidence:
    """A run, and what one looks at beside it."""

    run: Run
    labels: tuple[Label, ...]
    rulings: tuple[RunRuling, ...]
    spread: Spread | None
    history: KeyHistory | None
    others: tuple[Run, ...]  # of its uploader
    n_others: int
    n_merged: int  # uploaders that are judged as one with its own


@dataclass(frozen=True, slots=True)
class ItemEvidence:
    """What waits, with what a decision about it needs."""

    item: Item
    run: RunEvidence | None = None
    runs: tuple[Run, ...] = ()  # with the name, or of the plan
    families: tuple[DriveFamily, ...] = ()  # that a name may mean
    prices: tuple[Price, ...] = ()
    decisions: tuple[Decision, ...] = field(default=())


def evidence_of(kind: QueueKind, key: str) -> ItemEvidence | None:
    """Return something that waits, or waited, with its evidence: 12 queries at most."""
    item = find_item(kind, key)
    if item is None:
        return None
    return _EVIDENCE.get(kind, _run_evidence)(item)


def may_correct(user: User) -> bool:
    """Whether somebody may correct the catalogue, without being a moderator."""
    return user.has_perm("plans.change_plan")


def _run_evidence(item: Item) -> ItemEvidence:
    run: Run = item.row
    return ItemEvidence(item, run=beside_run(run), decisions=_decisions(Subject.RUN, run.slug))


def _report_evidence(item: Item) -> ItemEvidence:
    report: Report = item.row
    subject, slug = Subject(report.subject), report.subject_id
    decisions = _decisions(subject, slug)
    if subject is Subject.RUN:
        found = find_item(QueueKind.QUARANTINED, slug)
        return ItemEvidence(item, run=beside_run(found.row) if found else None, decisions=decisions)
    prices = _prices_of(slug) if subject is Subject.PLAN else ()
    runs = Run.objects.filter(plan=slug) if subject is Subject.PLAN else Run.objects.none()
    return ItemEvidence(item, runs=_newest(runs), prices=prices, decisions=decisions)


def _name_evidence(item: Item) -> ItemEvidence:
    name: DriveName = item.row
    words = [each for each in f"{name.vendor} {name.model}".split() if len(each) > 2]  # noqa: PLR2004 -- shorter ones are in every name
    like = Q(vendor__iexact=name.vendor) if name.vendor else Q(pk=None)
    for word in words:
        like |= Q(name__icontains=word)
    families = DriveFamily.objects.filter(like).order_by("name")[:HINTS_MAX]
    return ItemEvidence(
        item,
        runs=_newest(Run.objects.filter(drives__name=name).distinct()),
        families=tuple(families),
        decisions=_decisions(Subject.NAME, name.key),
    )


def _plan_evidence(item: Item) -> ItemEvidence:
    plan: Plan = item.row
    runs = Run.objects.filter(plan=plan)
    return ItemEvidence(item, runs=_newest(runs), decisions=_decisions(Subject.PLAN, plan.slug))


def _price_evidence(item: Item) -> ItemEvidence:
    price: Price = item.row
    return ItemEvidence(
        item,
        prices=_prices_of(price.plan_id),
        decisions=_decisions(Subject.PLAN, price.plan_id),
    )


def _cluster_evidence(item: Item) -> ItemEvidence:
    cluster: UploaderCluster = item.row
    into = UploaderMerge.objects.filter(uploader__in=cluster.uploaders).values("into")
    runs = Run.objects.filter(Q(uploader__in=cluster.uploaders) | Q(uploader__in=into))
    return ItemEvidence(item, runs=_newest(runs))


_EVIDENCE: Final = {
    QueueKind.REPORTED: _report_evidence,
    QueueKind.NAME: _name_evidence,
    QueueKind.PLAN: _plan_evidence,
    QueueKind.PRICE: _price_evidence,
    QueueKind.CLUSTER: _cluster_evidence,
}


def beside_run(run: Run) -> RunEvidence:
    """Return what one looks at beside a run."""
    upload = Upload.objects.select_related("key__owner").defer("packed_payload")
    own = upload.filter(pk=run.upload_id).first() if run.upload_id else None
    others = Run.objects.filter(uploader=run.uploader).exclude(pk=run.pk)
    others = others if run.uploader else Run.objects.none()
    return RunEvidence(
        run=run,
        labels=tuple(run.labels.all()),
        rulings=tuple(RunRuling.objects.filter(run_id=run.pk).order_by("at")),
        spread=_spread(run),
        history=_history(own) if own else None,
        others=_newest(others),
        n_others=others.count(),
        n_merged=UploaderMerge.objects.filter(into=run.uploader).count() if run.uploader else 0,
    )


def _spread(run: Run) -> Spread | None:
    headline = run.measurements.filter(is_durable_single_writer=True, rate_per_s__gt=0)
    measured = headline.order_by("pk").first()
    if measured is None or run.plan_id is None or not measured.rate_per_s:
        return None
    rates = (
        Measurement.objects.filter(
            run__plan=run.plan_id,
            run__in_standings=True,
            workload=measured.workload,
            version=measured.version,
            rate_per_s__gt=0,
        )
        .exclude(run=run)
        .order_by("-pk")
        .values_list("rate_per_s", flat=True)[:RATES_MAX]
    )
    found = sorted(rate for rate in rates if rate)
    parts = tuple(quantiles(found, n=4)) if len(found) >= QUANTILES_MIN else ()
    return Spread(measured.rate_per_s, tuple(found), parts)


def _history(upload: Upload) -> KeyHistory:
    runs = Run.objects.filter(upload__key=upload.key).aggregate(
        n=Count("pk"),
        bad=Count("pk", filter=Q(outcome=Outcome.QUARANTINE)),
        machines=Count("machine", distinct=True),
    )
    return KeyHistory(
        key=upload.key,
        n_runs=runs["n"],
        n_quarantined=runs["bad"],
        n_abandoned=upload.challenges_abandoned,
        n_challenges=upload.challenges_issued,
        n_machines=runs["machines"],
    )


def _newest(runs: QuerySet[Run]) -> tuple[Run, ...]:
    rows = runs.select_related("plan", "provider", "drive_family", "citation")
    return tuple(rows.annotate(rate_per_s=_RATE).order_by("-measured_at", "-pk")[:RUNS_BESIDE_MAX])


def _prices_of(plan: str) -> tuple[Price, ...]:
    return tuple(Price.objects.filter(plan=plan).order_by("-valid_from", "pk")[:PRICES_MAX])


def _decisions(subject: Subject, subject_id: str) -> tuple[Decision, ...]:
    found = Decision.objects.filter(subject=subject, subject_id=subject_id)
    return tuple(found.select_related("undone_by", "undoes")[:RUNS_BESIDE_MAX])


def key_of_run(slug: str) -> str:
    """Return the id of the key that signed a run; empty where nobody did."""
    keyid = Run.objects.filter(slug=slug).values_list("upload__key", flat=True).first()
    return keyid or ""


def items_by_token(tokens: Sequence[str]) -> list[Item]:
    """Return the things that a form names, in its order, each once; what is gone is left out."""
    found = []
    for token in dict.fromkeys(tokens):
        name, _, key = token.partition(":")
        kind = kind_named(name)
        item = find_item(kind, key) if kind and key else None
        if item is not None:
            found.append(item)
    return found

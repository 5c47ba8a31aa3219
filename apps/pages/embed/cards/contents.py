"""What stands on the picture of a plan, a drive, a provider or a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.models import DriveFamily
from apps.pages.draw.axis import NS_PER_S
from apps.pages.embed.cards import selectors
from apps.pages.embed.cards.card import Card
from apps.pages.show import phrases, words
from apps.pages.show.table.rows import is_out, run_name
from apps.rankings.choice import headline_latency, headline_measurement
from apps.runs.published.services import published_month
from apps.runs.sides import COMMIT_SIDES
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping

    from apps.pages.frame.shared_link import SharedText
    from apps.rankings.models import Standing
    from apps.runs.models import Measurement, Run

NOT_MEASURED: Final = "Nobody has measured its durable commits yet"


def card_of(kind: str, slug: str) -> Card | None:
    """The card of one thing; None where nothing of that kind has this name."""
    return CARDS[kind](slug)


def said_card(said: SharedText) -> Card:
    """The card of a page by what it said of itself."""
    return Card(
        title=said.title,
        kind="",
        sentence=said.sentence,
        said=said.figure,
        unit=said.unit,
        sure=said.sure,
        marks=tuple((each.name, each.rate_per_s) for each in said.marks),
    )


def plan_card(slug: str) -> Card | None:
    return _plan_or_drive_card("plan", selectors.find_plan(slug))


def drive_card(slug: str) -> Card | None:
    return _plan_or_drive_card("drive", selectors.find_drive(slug))


def provider_card(slug: str) -> Card | None:
    rows = selectors.find_provider(slug)
    if rows is None:
        return None
    if rows.best is not None:
        plan = rows.best.plan
        title = phrases.join_facts((rows.provider.name, plan.name if plan else ""))
        return _standing_card(title, "provider", rows.best)
    sentence = f"{words.count(rows.n_plans, 'plan')} by durable commits/s"
    return Card(title=rows.provider.name, kind="provider", sentence=sentence)


def run_card(slug: str) -> Card | None:
    run = selectors.find_run(slug)
    if run is None:
        return None
    measurement = headline_measurement(run)
    is_sample = hasattr(run, "citation") and run.citation.is_illustrative
    is_commit = measurement is not None and measurement.is_durable_single_writer
    has_figure = is_commit and not (is_sample or is_out(run))
    if measurement is None or not (has_figure and measurement.rate_per_s):
        level = words.level_words(run.shown_level).word
        out = " that does not count" if is_out(run) else ""
        return Card(
            title=run_name(run),
            kind="run",
            sentence=f"{level} run{out}" + (", illustrative" if is_sample else ""),
            day=run.measured_at.date() if run.measured_at else None,
            is_made_up=run.is_example,
        )
    return _rated_run_card(run, measurement, measurement.rate_per_s)


def _rated_run_card(run: Run, measurement: Measurement, rate_per_s: float) -> Card:
    """The card of a run with a rate of durable commits."""
    latency = headline_latency(measurement)
    is_timed = latency is not None and latency.side in COMMIT_SIDES
    level = words.level_words(run.shown_level).word
    return Card(
        title=run_name(run),
        kind="run",
        workload=workload_title(measurement.workload, measurement.title),
        rate_per_s=rate_per_s,
        low_per_s=measurement.rate_per_s_low,
        high_per_s=measurement.rate_per_s_high,
        at_ns=(is_timed and latency and latency.p50_ns) or NS_PER_S / rate_per_s,
        p99_ns=latency.p99_ns if latency and is_timed else None,
        plp=run.drive_family.plp if run.drive_family else "",
        counts=f"{words.count(1, 'run')}, {level.lower()}",
        day=run.measured_at.date() if run.measured_at else None,
        published=published_month(run.slug),
        is_made_up=run.is_example,
    )


def _plan_or_drive_card(kind: str, rows: selectors.PlanOrDriveRows | None) -> Card | None:
    """The card of the row that stands for a plan or a drive."""
    if rows is None:
        return None
    subject, best = rows.subject, rows.standing
    title = subject.name if isinstance(subject, DriveFamily) else subject.full_name
    if best is None:
        return Card(title=title, kind=kind, sentence=NOT_MEASURED)
    return _standing_card(title, kind, best)


def _standing_card(title: str, kind: str, best: Standing) -> Card:
    is_commit = best.latency_side in COMMIT_SIDES
    when: dt.datetime | None = getattr(best, "measured_at", None)
    counts = words.evidence_note(
        evidence=best.evidence,
        n_runs=best.n_runs,
        n_machines=best.n_machines,
        n_uploaders=best.n_uploaders,
    )
    return Card(
        title=title,
        kind=kind,
        workload=workload_title(best.workload, best.workload_title),
        rate_per_s=best.rate_per_s,
        low_per_s=best.rate_per_s_low,
        high_per_s=best.rate_per_s_high,
        at_ns=(best.p50_ns if is_commit else None) or NS_PER_S / best.rate_per_s,
        p99_ns=best.p99_ns if is_commit else None,
        plp=best.plp,
        counts=f"{counts}, {best.evidence}",
        day=when.date() if when else None,
        published=published_month(best.newest_run_slug),
        is_made_up=words.is_made_up(best.evidence),
    )


CARDS: Final[Mapping[str, Callable[[str], Card | None]]] = {
    "plan": plan_card,
    "drive": drive_card,
    "provider": provider_card,
    "run": run_card,
}

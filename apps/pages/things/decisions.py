"""Why a run counts in the standings of a plan or a drive, or why not: the rule that decided."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.draw.trace import TraceFigures
from apps.pages.show import units, words
from apps.pages.show.charts import timed_words
from apps.pages.show.dates import plain
from apps.pages.show.phrases import join_sentences
from apps.pages.show.table.cells import cells_of, when_cell
from apps.pages.show.table.columns import COLUMNS, Sort
from apps.pages.show.table.row import DOT, Row, RowEvidence, RowFigures
from apps.pages.show.table.rows import band_of, run_name, trace_of
from apps.pages.things.selectors.runs import RunEntry
from apps.runs.models import KeepsOut, Level
from apps.runs.rules import RULES, RuleKind
from apps.stats.standings.window import WINDOW, days_before
from apps.words.labels import sentences_of, text_of
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from datetime import date

    from apps.pages.things.selectors.runs import RunLabel
    from apps.runs.models import Run


@dataclass(frozen=True, slots=True)
class Counting:
    """Whether a run counts, and the words and the rule that say why."""

    is_in: bool
    reason: str
    rule: str = ""  # id of the rule that decided
    detail: str = ""  # the figures that made it speak


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run as a line of a board, with its decision; published and imported ones have none."""

    row: Row
    decision: Counting | None
    output: str = ""  # of an import: of which tool; of a published run: its article
    day: str = ""
    timed: str = ""  # what its latency is of
    is_out: bool = False  # published or imported, and counts nowhere

    @property
    def latency_ns(self) -> int | None:
        """Its p99; its p50 where the source states no other."""
        return self.row.figures.p99_ns or self.row.figures.p50_ns

    @property
    def latency_name(self) -> str:
        """Which of the two that is; nothing without either."""
        if self.row.figures.p99_ns:
            return "p99"
        return "p50" if self.row.figures.p50_ns else ""


def line_of(entry: RunEntry, *, changed_since: date | None, of_a_plan: bool) -> RunLine:
    """The line of a run on the page of a plan or of a drive."""
    run = entry.run
    citation = getattr(run, "citation", None)
    came_in = getattr(run, "came_in", None)
    is_measured = run.level not in (Level.IMPORTED, Level.PUBLISHED)
    return RunLine(
        row=with_cells(_row(entry, of_a_plan=of_a_plan)),
        decision=decide(entry, changed_since=changed_since, of_a_plan=of_a_plan)
        if is_measured
        else None,
        output=citation.title if citation else "",
        day=plain(came_in or run.measured_at, run.slug),
        timed=timed_words(entry.latency.get("side", "")),
        is_out=run.is_kept_out,
    )


def with_cells(row: Row) -> Row:
    """A row with its figures as cells; nothing is said of those that are missing."""
    has_interval = row.figures.low and row.figures.high
    cells = (
        cell if cell.key == Sort.RATE and has_interval else replace(cell, lines=())
        for cell in (*cells_of(row, (COLUMNS[Sort.RATE], COLUMNS[Sort.P99])), when_cell(row))
    )
    return replace(row, cells=tuple(cells))


def decide(entry: RunEntry, *, changed_since: date | None, of_a_plan: bool) -> Counting:
    """Why a measured run counts in a standing of the page, or why in none."""
    if entry.is_in:
        return Counting(True, _("far from the others") if entry.is_far else "")
    if (label := _label_that_keeps_out(entry, of_a_plan=of_a_plan)) is not None:
        return Counting(False, text_of(label), label.rule, join_sentences(sentences_of(label)))
    return Counting(
        False, _out_without_rule(entry, changed_since=changed_since, of_a_plan=of_a_plan)
    )


def _label_that_keeps_out(entry: RunEntry, *, of_a_plan: bool) -> RunLabel | None:
    """The label that decided: one that keeps the run out, else one that makes it Signed."""
    keeping_out = (KeepsOut.RUN, KeepsOut.PLAN) if of_a_plan else (KeepsOut.RUN,)
    for label in entry.labels:
        if label.keeps_out in keeping_out:
            return label
    if entry.run.level == Level.SIGNED:
        for label in entry.labels:
            rule = RULES.get(label.rule)
            if rule is not None and rule.kind is RuleKind.FRESHNESS:
                return label
    return None


def _out_without_rule(entry: RunEntry, *, changed_since: date | None, of_a_plan: bool) -> str:
    """The words where no rule spoke."""
    run = entry.run
    if run.level == Level.SIGNED:
        return _("does not count")
    if not entry.measurement:
        return _("no rate")
    if not of_a_plan and (no_model := _no_model(run)):
        return no_model
    if too_old := _why_too_old(entry, changed_since):
        return too_old
    if not run.in_standings:
        return _("kept out when it came in")
    return _("not computed yet")


def _why_too_old(entry: RunEntry, changed_since: date | None) -> str:
    """Why a run counts no longer, or an empty text."""
    at = entry.run.measured_at
    if at is None:
        return ""
    if entry.standings_day and at < days_before(entry.standings_day, WINDOW):
        return _("older than %(days)s days") % {"days": WINDOW.days}
    if changed_since is not None and at.date() < changed_since:
        return _("older than a change of the rate")
    return ""


def _no_model(run: Run) -> str:
    """Why a run is no figure of one model of drive; nothing where it is one."""
    if run.drive_family is not None and run.drive_family.is_virtual:
        return _("A virtual disk is no drive model: it has no standing.")
    if not run.is_single_drive:
        return _("Measured only together with other drives.")
    return ""


def _figures(entry: RunEntry) -> TraceFigures | None:
    measured, timed, run = entry.measurement, entry.latency, entry.run
    if not measured:
        return None
    return TraceFigures(
        rate_per_s=measured["rate_per_s"],
        low=measured["rate_per_s_low"],
        high=measured["rate_per_s_high"],
        p50_ns=timed.get("p50_ns"),
        p99_ns=timed.get("p99_ns"),
        p9999_ns=timed.get("p9999_ns"),
        curve=timed.get("curve") or (),
        plp=run.drive_family.plp if run.drive_family else "unknown",
        band_ns=band_of(run.expected_class) if measured["is_commit"] else None,
        rate_is=words.rate_is(is_one_writer=measured["is_commit"]),
    )


def _under(run: Any, *, of_a_plan: bool) -> str:  # a run of any level
    """What stands below the workload: the drive of a plan's run, the plan of a drive's run."""
    if of_a_plan:
        drive = run.drive_family.name if run.drive_family else run.drive_reported
        return str(drive or _("drive not stated"))
    provider = run.plan.provider.name if run.plan else ""
    return DOT.join(part for part in (provider, run_name(run)) if part)


def _row(entry: RunEntry, *, of_a_plan: bool) -> Row:
    run, measured, timed = entry.run, entry.measurement, entry.latency
    figures = _figures(entry)
    workload = workload_title(measured["workload"], measured["title"]) if measured else ""
    return Row(
        key=f"run-{run.slug}",
        name=workload or run_name(run),
        url=reverse("pages:run", args=[run.slug]),
        under=_under(run, of_a_plan=of_a_plan),
        figures=RowFigures(
            rate_per_s=measured.get("rate_per_s"),
            is_commit=bool(measured.get("is_commit")),
            low=measured.get("rate_per_s_low"),
            high=measured.get("rate_per_s_high"),
            interval=str(words.INTERVALS["samples"]) if measured.get("rate_per_s_low") else "",
            p50_ns=timed.get("p50_ns"),
            p99_ns=timed.get("p99_ns"),
            side=str(words.SIDES.get(timed.get("side", ""), "")),
        ),
        evidence=RowEvidence(
            level=run.shown_level,
            when=units.day(run.measured_at) if run.measured_at else "",
        ),
        trace=trace_of(figures) if figures else None,
        workload=workload,
    )

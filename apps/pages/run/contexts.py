"""What the pages of a run and of one of its workloads are given: every name that templates use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from apps.pages.frame.structured import DateRange
    from apps.pages.run.charts import Panel
    from apps.pages.run.graphs import Graph
    from apps.pages.run.ladder import RunMark, RunOnLadder
    from apps.pages.run.next_steps import NextStep
    from apps.pages.run.selectors import RunDetails
    from apps.pages.run.verdict import RunVerdict
    from apps.pages.run.workloads import WorkloadRows
    from apps.pages.show.answer import Answer
    from apps.pages.show.facts.fact import Fact
    from apps.pages.show.words import LevelWords
    from apps.runs.models import Run
    from apps.runs.whereabouts import Whereabouts


@dataclass(frozen=True, slots=True)
class RunSubject:
    """What a run is of, when it was made, and what its headline figures are beside."""

    name: str
    drive_name: str  # empty where the name says it
    day: str
    level: LevelWords
    chips: Sequence[str]
    currency: str  # of what a billion commits cost
    warnings: Sequence[str]  # why it does not count, and what to do
    notes: Sequence[str]  # what its figure bounds, and why it is as it is


@dataclass(frozen=True, slots=True)
class RunTrust:
    """What stands behind the figures of a run: its machine, its level, its signature."""

    facts: Sequence[Fact]
    level: LevelWords
    why: str  # an article is believed as far as it is; empty of what was measured
    flush: tuple[StrOrPromise, StrOrPromise] | None  # the verdict and what it means
    others: str  # what other programs had meanwhile; unknown where nobody counted
    proves: StrOrPromise  # and what it does not
    envelope_url: str  # empty where nobody agreed that it is public
    envelope_name: str


@dataclass(frozen=True, slots=True)
class RunLinks:
    """The addresses of a run, and the words by which others show it."""

    page_path: str
    badge_path: str
    badge_alt: str
    api_path: str
    quotation: str


class RunContext(TypedDict):
    """The page of a run."""

    details: RunDetails
    dataset_days: DateRange
    run: Run
    is_made_up: bool
    title: str
    summary: str
    subject: RunSubject
    answer: Answer
    verdict: RunVerdict | None
    headline: Panel | None
    n_others: int  # workloads beside the headline
    groups: Sequence[WorkloadRows]
    device_evidence: Sequence[Fact]
    graphs: Sequence[Graph]
    placed: RunOnLadder | None
    marks: Sequence[RunMark]  # its commits, for where it has no curve
    rates: Sequence[Fact]  # of work that has no place on the axis of commits
    steps: Sequence[NextStep]
    trust: RunTrust
    links: RunLinks


class WaitingContext(TypedDict):
    """The page of an upload that is no run yet."""

    where: Whereabouts
    refresh_seconds: int
    page_path: str


class WorkloadContext(TypedDict):
    """The page of one workload of a run."""

    run: Run
    is_made_up: bool
    name: str
    title: str
    day: str
    answer: Answer
    panel: Panel
    search: Fact | None
    graph: Graph | None
    chips: Sequence[str]
    facts: Sequence[Fact]
    page_path: str
    api_path: str

"""Finds uploaders who may be one person, by what their stored runs have in common.

Each rule says what an honest reason would be, and takes more of a coincidence than that gives. A
hoster's plan is measured from the hoster's networks, so those are never a sign against it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from apps.runs.models import NOT_EXAMPLE, Label, Measurement, Run, UploaderCluster
from apps.runs.rules.behaviour.near_copy import RULE as NEAR_COPY
from apps.stats.analysis.likeness import correlation_of_rates
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

Rule: Final = UploaderCluster.Rule
PERIOD: Final = timedelta(
    days=30
)  # runs that are compared: a flood that lasts longer is seen daily
# A link on a much-read page brings many people to one plan within a day. Of people who know nothing
# of each other no ten minutes bring more than the rest of the day around them.
BORN_WITHIN: Final = timedelta(minutes=10)
BORN_DAY: Final = timedelta(hours=12)  # before and after
BORN_MIN: Final = 3  # networks, whether or not some of them are judged as one already
HOSTER_MIN: Final = 3  # networks of one hoster that measured a plan of somebody else
HOSTER_WITHIN: Final = timedelta(days=7)
COMPARED_MAX: Final = 100  # runs of a plan, the newest
NEW_WITHIN: Final = timedelta(days=2)  # only newer ones are compared with all others
# Two million pairs a night at most: of changes of the rate, 117 in a usual run, chance reaches 0.5
# in none of them, and of the fewest that count (50) in one night of five.
CORRELATION_MIN: Final = 0.9
EVIDENCE_MAX: Final = 50  # runs that a cluster names


@dataclass(frozen=True, slots=True)
class FoundCluster:
    """Uploaders with something in common, and the runs and figures that show it."""

    rule: str
    uploaders: tuple[str, ...]  # sorted, two at least
    evidence: dict[str, Any]
    first_seen: dict[str, datetime]  # by uploader: the oldest of the keys that show it


@dataclass(frozen=True, slots=True)
class SeenRun:
    """What the rules look at of one run."""

    slug: str
    uploader: str
    machine: str
    plan: str | None
    provider: str  # slug of the plan's
    network: str  # keyed hash of the sender's
    network_provider: str  # in whose network the sender was; "": none is known
    key: str
    key_first_seen: datetime
    received_at: datetime


def find_all(*, at: datetime) -> list[FoundCluster]:
    """Return what was found among the runs of the PERIOD before a moment: 4 queries at most."""
    runs = _seen(at=at)
    found = [
        *_one_machine(runs),
        *_alike(runs, at=at),
        *_born_together(runs),
        *_one_hoster(runs),
    ]
    return [each for each in found if len(each.uploaders) > 1]


def _recent(*, at: datetime) -> QuerySet[Run]:
    period = (at - PERIOD, at)
    return Run.objects.filter(NOT_EXAMPLE, upload__received_at__range=period).order_by()


def _seen(*, at: datetime) -> list[SeenRun]:
    rows = _recent(at=at).order_by("upload__received_at", "pk")
    return [
        SeenRun(*row)
        for row in rows.values_list(
            "slug", "uploader", "machine", "plan", "plan__provider", "upload__network",
            "upload__network_provider", "upload__key", "upload__key__first_seen",
            "upload__received_at",
        )
    ]  # fmt: skip


def _one_machine(runs: Iterable[SeenRun]) -> Iterator[FoundCluster]:
    """Several keys sent runs of one machine, for several uploaders.

    The name of a machine is a stranger's word, but nobody reads it anywhere: who knows it has the
    machine, or had it.
    """
    of_machine: dict[str, list[SeenRun]] = defaultdict(list)
    for run in runs:
        of_machine[run.machine].append(run)
    for machine, same in of_machine.items():
        if machine and len({run.key for run in same}) > 1:
            yield _finding(Rule.MACHINE, same)


def _alike(runs: Sequence[SeenRun], *, at: datetime) -> Iterator[FoundCluster]:
    """Runs of two uploaders are more alike than chance lets two measurements be.

    Either a run was said to be a near copy of another one, or their rates rose and fell together:
    scaling all latencies does not change that.
    """
    by_slug = {run.slug: run for run in runs}
    labels = Label.objects.filter(rule=NEAR_COPY.id, is_released=False, run__slug__in=by_slug)
    for slug, figures in labels.values_list("run__slug", "figures"):
        other = by_slug.get((figures or {}).get("run", ""))
        if other is not None:
            yield _finding(Rule.ALIKE, [by_slug[slug], other])
    of_plan: dict[str, list[SeenRun]] = defaultdict(list)
    for run in runs:
        if run.plan:
            of_plan[run.plan].append(run)
    compared = [same[-COMPARED_MAX:] for same in of_plan.values() if len(same) > 1]
    rates = _rates({run.slug for same in compared for run in same})
    for same in compared:
        for one, other in _pairs(same, since=at - NEW_WITHIN):
            correlation = correlation_of_rates(rates.get(one.slug, []), rates.get(other.slug, []))
            if correlation is not None and correlation >= CORRELATION_MIN:
                yield _finding(Rule.ALIKE, [one, other], correlation=round(correlation, 3))


def _pairs(runs: Sequence[SeenRun], *, since: datetime) -> Iterator[tuple[SeenRun, SeenRun]]:
    """Yield pairs of two uploaders, of which the later run is new."""
    for place, later in enumerate(runs):
        if later.received_at >= since:
            yield from (
                (other, later) for other in runs[:place] if other.uploader != later.uploader
            )


def _rates(slugs: set[str]) -> Mapping[str, list[list[int]]]:
    rows = Measurement.objects.filter(run__slug__in=slugs, workload=HEADLINE_WORKLOAD)
    return {
        slug: [one["rate_samples"] for one in passes]
        for slug, passes in rows.values_list("run__slug", "passes").iterator()
        if passes
    }


def _born_together(runs: Iterable[SeenRun]) -> Iterator[FoundCluster]:
    """Keys of several uploaders began within minutes of each other and went to one plan."""
    firsts: dict[tuple[str, str], SeenRun] = {}
    for run in runs:
        if run.plan:
            firsts.setdefault((run.plan, run.key), run)
    of_plan: dict[str, list[SeenRun]] = defaultdict(list)
    for (plan, _key), run in firsts.items():
        of_plan[plan].append(run)
    for same in of_plan.values():
        by_birth = sorted(same, key=lambda run: run.key_first_seen)
        for group in _within(by_birth):
            born = group[0].key_first_seen
            day = sum(abs(run.key_first_seen - born) <= BORN_DAY for run in by_birth)
            networks = {run.network for run in group}
            if len(networks) >= BORN_MIN and 2 * len(group) > day:
                yield _finding(Rule.BORN, group)


def _within(by_birth: Sequence[SeenRun]) -> Iterator[list[SeenRun]]:
    """Yield runs whose keys began within BORN_WITHIN of the first of them."""
    group: list[SeenRun] = []
    for run in by_birth:
        if group and run.key_first_seen - group[0].key_first_seen > BORN_WITHIN:
            yield group
            group = []
        group.append(run)
    if group:
        yield group


def _one_hoster(runs: Iterable[SeenRun]) -> Iterator[FoundCluster]:
    """Networks of one hoster measured a plan of another provider within days of each other.

    People upload through VPNs, which are hosters too; but seldom three through one to one plan. A
    plan that a reseller rents out in a hoster's network is always measured from there: then nobody
    measures it from its provider's own.
    """
    groups: dict[tuple[str, str], list[SeenRun]] = defaultdict(list)
    own_networks: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        if run.plan and run.network_provider == run.provider:
            own_networks[run.plan].add(run.network)
        elif run.plan and run.network_provider:
            groups[run.plan, run.network_provider].append(run)
    for (plan, hoster), same in groups.items():
        last = same[-1].received_at
        near = [run for run in same if last - run.received_at <= HOSTER_WITHIN]
        if len({run.network for run in near}) >= HOSTER_MIN:
            usual = len(own_networks[plan])
            yield _finding(Rule.HOSTER, near, hoster=hoster, own_networks=usual)


def _finding(rule: str, runs: Sequence[SeenRun], **figures: object) -> FoundCluster:
    names = tuple(sorted({run.uploader for run in runs}))
    shown = sorted({run.slug for run in runs})[:EVIDENCE_MAX]
    births = {
        name: min(run.key_first_seen for run in runs if run.uploader == name) for name in names
    }
    return FoundCluster(rule, names, {"runs": shown, **figures}, births)

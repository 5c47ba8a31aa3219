"""A guide with its live standings: each judged by the guide's rule, none by another workload."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes, draw_row
from apps.pages.guides.recordings import recordings
from apps.pages.guides.words import beside_of, figure_of, interval_of, sentence_of
from apps.pages.show import units, words
from apps.pages.show.dates import figure_day
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import row_of_standing
from apps.rankings.advice.verdicts import Judgement, Verdict
from apps.rankings.advice.work import StandIn
from apps.rankings.choice import choice_key, evidence_place
from apps.rankings.models import Evidence
from apps.stats.figures import significant
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.pages.guides.guide import Guide
    from apps.pages.guides.selectors import GuideRows, GuidesRows, Lottery
    from apps.rankings.models import Standing

ROWS_A_GROUP = 12  # the board has the rest


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A standing, its verdict, and the picture of what was judged."""

    row: Row
    judgement: Judgement
    picture: Lanes
    figure: str  # what was judged, in the unit of the rule
    beside: str  # the same as bytes a second, where an operation moves many
    interval: str
    behind: str  # how many stand behind it
    when: str
    source: str  # title of the article that it is from; empty: it was measured

    @property
    def verdict(self) -> str:
        """The verdict as a name that templates and styles know."""
        return name_of(self.judgement.verdict)


class VerdictCount(NamedTuple):
    """A verdict, and how many plans and drives came to it."""

    verdict: str
    n: int


class HiddenRows(NamedTuple):
    """Rows of a group that its page does not show, and the board that has them."""

    of: str  # plans or drives
    n: int
    board_url: str


@dataclass(frozen=True, slots=True)
class VerdictGroup:
    """Rows of one workload and one kind of evidence; they are never mixed."""

    stand_in: StandIn
    title: str
    evidence: str
    rows: tuple[VerdictRow, ...]
    counts: tuple[VerdictCount, ...]
    more: tuple[HiddenRows, ...]  # of plans, and of drives


class IllustrativeFigure(NamedTuple):
    """A figure that its own article calls illustrative: shown, and not judged."""

    name: str
    run_url: str
    figure: str
    workload: str


@dataclass(frozen=True, slots=True)
class GuideAnswer:
    """What is said of the one plan or drive that was asked for."""

    name: str
    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A guide as its page shows it."""

    guide: Guide
    steps: Lanes
    answer: GuideAnswer | None  # where the words that were asked for name one plan or drive
    groups: tuple[VerdictGroup, ...]
    made_up: tuple[VerdictGroup, ...]  # of example runs, which are counted nowhere
    samples: tuple[IllustrativeFigure, ...]
    unmeasured_plans: int
    unmeasured_drives: int


def page_of(guide: Guide, rows: GuideRows, *, is_search: bool) -> GuidePage:
    """A guide with its verdicts; a search for one thing is answered in a sentence too."""
    drives = rows.drives
    made_up = [each for each in rows.standings if each.evidence == Evidence.EXAMPLE]
    not_made_up = [each for each in rows.standings if each.evidence != Evidence.EXAMPLE]
    real = [each for each in not_made_up if not each.is_illustrative]
    return GuidePage(
        guide=guide,
        steps=steps_of(guide),
        answer=answer_of(guide, real, drives) if is_search else None,
        groups=tuple(groups_of(guide, real, drives)),
        made_up=tuple(groups_of(guide, made_up, drives)),
        samples=samples_of(guide, [each for each in not_made_up if each.is_illustrative]),
        unmeasured_plans=rows.unmeasured_plans,
        unmeasured_drives=rows.unmeasured_drives,
    )


def judgement_of(guide: Guide, standing: Standing, drives: Lottery) -> Judgement:
    """The verdict on a standing, with the drives of its plan."""
    return guide.judge(standing, drives.get(standing.plan_id or "", ()))


def answer_of(guide: Guide, standings: Sequence[Standing], drives: Lottery) -> GuideAnswer | None:
    """The verdict on the one thing that was asked for, as a sentence; None where several are meant.

    A drive goes before the machines that have it. Of its standings the one speaks whose workload is
    nearest to what the software does, and a measured one before a published one.
    """
    of_drives = [each for each in standings if each.drive_family_id]
    judged = of_drives or standings
    if len({(each.plan_id, each.drive_family_id) for each in judged}) != 1:
        return None
    places = list(guide.by_workload)
    nearest = min(
        judged,
        key=lambda each: (evidence_place(each), places.index(each.workload), choice_key(each)),
    )
    row = row_of_standing(nearest, is_drawn=False)
    judgement = judgement_of(guide, nearest, drives)
    newest = getattr(nearest, "measured_at", None)
    return GuideAnswer(row.name, row.url, sentence_of(guide, nearest, judgement, newest))


def samples_of(guide: Guide, standings: Iterable[Standing]) -> tuple[IllustrativeFigure, ...]:
    """Illustrative figures, each run once: under the name of its drive where that is known."""
    by_run: dict[str, IllustrativeFigure] = {}
    for standing in sorted(standings, key=lambda each: each.drive_family_id is None):
        row = row_of_standing(standing, is_drawn=False)
        sample = IllustrativeFigure(
            row.name, row.evidence.run_url, figure_of(guide, standing), row.workload
        )
        by_run.setdefault(standing.newest_run_slug, sample)
    return tuple(by_run.values())


def groups_of(
    guide: Guide, standings: Sequence[Standing], drives: Lottery
) -> Iterable[VerdictGroup]:
    """Standings in order, judged, as groups."""
    for (workload, evidence), members in groupby(
        standings, key=lambda each: (each.workload, each.evidence)
    ):
        block = list(members)
        judged = [(judgement_of(guide, each, drives), each) for each in block]
        judged.sort(key=lambda each: each[0].verdict)  # stable: the better verdicts first
        counts = Counter(judgement.verdict for judgement, _standing in judged)
        yield VerdictGroup(
            stand_in=guide.by_workload[workload],
            title=workload_title(workload, block[0].workload_title),
            evidence=evidence,
            rows=tuple(
                verdict_row(guide, each, judgement) for judgement, each in judged[:ROWS_A_GROUP]
            ),
            counts=counts_of(counts),
            more=hidden_rows([each for _judgement, each in judged[ROWS_A_GROUP:]]),
        )


def hidden_rows(standings: Iterable[Standing]) -> tuple[HiddenRows, ...]:
    """The board for each kind of thing among standings of one workload and one evidence."""
    kinds: dict[str, list[Standing]] = {}
    for each in standings:
        kinds.setdefault("drives" if each.drive_family_id else "plans", []).append(each)
    return tuple(
        HiddenRows(of, len(kinds[of]), board_url(of, kinds[of][0])) for of in sorted(kinds)
    )


def board_url(board: str, standing: Standing) -> str:
    """The board of the workload and evidence of a standing."""
    filters = {"workload": standing.workload, "evidence": standing.evidence}
    return f"{reverse(f'pages:{board}')}?{urlencode(filters)}"


def verdict_row(guide: Guide, standing: Standing, judgement: Judgement) -> VerdictRow:
    """One line: the figure that was judged, its interval, and its date."""
    row = row_of_standing(standing)
    when = getattr(standing, "measured_at", None)
    return VerdictRow(
        row=row,
        judgement=judgement,
        picture=picture_of(guide, standing),
        figure=figure_of(guide, standing),
        beside=beside_of(guide, standing),
        interval=interval_of(guide, standing),
        behind=words.evidence_note(
            evidence=standing.evidence,
            n_runs=standing.n_runs,
            n_machines=standing.n_machines,
            n_uploaders=standing.n_uploaders,
        ),
        when=figure_day(when, standing.newest_run_slug),
        source=getattr(standing, "source_title", None) or "",
    )


def picture_of(guide: Guide, standing: Standing) -> Lanes:
    """The row's lane: its rate with the interval, or its median with the p99."""
    rule, name = guide.rule, ""
    if guide.is_of_rate and rule.least_per_s and guide.is_one_at_a_time:
        low, high = standing.rate_per_s_low, standing.rate_per_s_high
        point = LanePoint(
            name,
            NS_PER_S / standing.rate_per_s,
            to_ns=NS_PER_S / low if low else None,
            from_ns=NS_PER_S / high if high else None,
            plp=standing.plp or "unknown",
        )
        return draw_row(point, limit_ns=NS_PER_S / rule.least_per_s)
    if standing.p50_ns is None:
        return draw_row(None, limit_ns=rule.p99_ns_max)
    point = LanePoint(name, standing.p50_ns, to_ns=standing.p99_ns, plp=standing.plp or "unknown")
    return draw_row(point, limit_ns=rule.p99_ns_max)


def steps_of(guide: Guide) -> Lanes:
    """What the software waits for, as it was measured once on one machine."""
    figures = recordings()
    points = []
    for step in guide.steps:
        times = figures.times(step.figure, step.side)
        middle = times.mean_ns if times.p50_ns is None else times.p50_ns
        points.append(
            LanePoint(step.name, middle, to_ns=times.p99_ns, is_hot=step.is_awaited, quantity="p50")
        )
    rule = guide.rule
    limit = rule.p99_ns_max
    sentence = _("p99 at most %(time)s") % {"time": units.latency(limit)} if limit else ""
    if guide.is_of_rate and rule.least_per_s and guide.is_one_at_a_time:
        limit = round(NS_PER_S / rule.least_per_s)
        sentence = _("%(rate)s a second of one writer") % {"rate": significant(rule.least_per_s)}
    return draw_lanes(points, limit_ns=limit, limit_says=sentence)


class GuideLine(NamedTuple):
    """A guide in the list, with how many came to each verdict where it is measured at all."""

    guide: Guide
    counts: tuple[VerdictCount, ...]
    n: int


def are_all_open(lines: Iterable[GuideLine]) -> bool:
    """Whether nothing passes anywhere, and something may."""
    verdicts = {count.verdict for line in lines for count in line.counts}
    return "may" in verdicts and "passes" not in verdicts


def lines_of(guides: Iterable[Guide], rows: GuidesRows) -> tuple[GuideLine, ...]:
    """Every guide with the verdicts of its plans and drives."""
    lines = []
    for guide in guides:
        counts = Counter(
            judgement_of(guide, each, rows.drives).verdict
            for each in rows.standings
            if each.workload in guide.by_workload
        )
        lines.append(GuideLine(guide, counts_of(counts), sum(counts.values())))
    return tuple(lines)


def counts_of(counts: Counter[Verdict]) -> tuple[VerdictCount, ...]:
    """How many came to each verdict, the best first; verdicts that nothing came to are left out."""
    return tuple(VerdictCount(name_of(each), counts[each]) for each in Verdict if counts[each])


def name_of(verdict: Verdict) -> str:
    """A verdict as a name that templates and styles know."""
    return verdict.name.lower().replace("_", "-")

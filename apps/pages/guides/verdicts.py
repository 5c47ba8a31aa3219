"""A guide's page: its answer, the picture, and each plan and drive once, the surest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _

from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes
from apps.pages.guides.judged import Judged, JudgedRow, each_once, judged_of, point_of, row_of
from apps.pages.guides.recordings import recordings
from apps.pages.show import phrases
from apps.pages.show.answer import Answer
from apps.pages.show.charts import side_name
from apps.pages.show.figures import number
from apps.pages.show.fit_words import fit_sentence
from apps.pages.show.table.rows import row_of_standing, subject_of
from apps.rankings.models import Evidence
from apps.stats.standings.confidence import UNKNOWN
from apps.words import confidence
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apps.pages.guides.guide import Guide
    from apps.pages.guides.selectors import GuideRows, GuidesRows, Lottery
    from apps.rankings.models import Standing

ROWS_OPEN: Final = 8  # without unfolding
ROWS_MAX: Final = 60  # of one list; a name or a rate finds the others
LANES_MAX: Final = 9  # of the picture beside the answer


@dataclass(frozen=True, slots=True)
class JudgedList:
    """The rows of a guide: some at once, the others folded."""

    first: tuple[JudgedRow, ...]
    folded: tuple[JudgedRow, ...]
    n: int

    @property
    def n_left(self) -> int:
        """How many are not even folded."""
        return self.n - len(self.first) - len(self.folded)


class IllustrativeFigure(NamedTuple):
    """A figure that its own article calls illustrative: shown, and not judged."""

    name: str
    run_url: str
    figure: str
    workload: str


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A guide as its page shows it."""

    guide: Guide
    name: str  # of the one plan or drive that was asked for; empty: none, or several
    answer: Answer
    lead: JudgedRow | None  # what the answer is about
    picture: Lanes
    steps: Lanes
    rows: JudgedList
    made_up: JudgedList  # of example runs, which are counted nowhere
    samples: tuple[IllustrativeFigure, ...]
    unmeasured_plans: int
    unmeasured_drives: int


def page_of(guide: Guide, rows: GuideRows, *, text: str = "") -> GuidePage:
    """A guide with its verdicts; of a search, `text`, those that have its words.

    One thing that was asked for is judged by itself, in the picture beside the best of all; else
    the answer is the best. Where nothing has the words everything is listed.
    """
    real, made_up, samples = _sorted_out(rows.standings)
    judged = judged_once(guide, real, rows.drives)
    found = [each for each in judged if each.standing.pk in rows.called]
    asked = _the_one(found)
    listed = found or judged
    is_missing = bool(text) and not found
    lead = row_of(asked or listed[0]) if listed and not is_missing else None
    return GuidePage(
        guide=guide,
        name=lead.row.name if lead and asked else "",
        answer=_nobody(text)
        if lead is None
        else _answer(lead, n=len(listed), is_asked=bool(asked)),
        lead=lead,
        picture=_picture(guide, [*_work_of(guide, asked, real), *listed, *judged], lead),
        steps=steps_of(guide),
        rows=_list_of(listed),
        made_up=_list_of(judged_once(guide, made_up, rows.drives)),
        samples=_samples_of(guide, _not_of(judged, samples)),
        unmeasured_plans=rows.unmeasured_plans,
        unmeasured_drives=rows.unmeasured_drives,
    )


def _sorted_out(standings: Iterable[Standing]) -> tuple[list[Standing], ...]:
    """What is judged, what is made up, and what its own article calls a sample."""
    real: list[Standing] = []
    made_up: list[Standing] = []
    samples: list[Standing] = []
    for each in standings:
        if each.evidence == Evidence.EXAMPLE:
            made_up.append(each)
        else:
            (samples if each.is_illustrative else real).append(each)
    return real, made_up, samples


def judged_once(guide: Guide, standings: Iterable[Standing], drives: Lottery) -> list[Judged]:
    """Each plan and drive once with its verdict, the surest first."""
    judged = [judged_of(guide, each, drives) for each in each_once(guide, standings)]
    return sorted(judged, key=lambda each: each.place)


def _the_one(judged: Sequence[Judged]) -> Judged | None:
    """The one thing that all of these are about: a drive goes before the machines that have it."""
    found = [each for each in judged if each.standing.drive_family_id] or judged
    return found[0] if len(found) == 1 else None


def _nobody(text: str) -> Answer:
    sentence = _("Nobody has measured what it waits for.")
    if text:
        sentence = _("Nobody has measured “%(name)s” for it.") % {"name": text}
    return Answer(sentence=sentence, sure=confidence.line(UNKNOWN, confidence.basis_of(None)))


def _answer(lead: JudgedRow, *, n: int, is_asked: bool) -> Answer:
    judged = lead.judged
    best = _("Best of %(n)s known: %(name)s.") % {"n": number(n), "name": lead.row.name}
    return Answer(
        sentence=fit_sentence(judged.sureness, judged.guide.need) if is_asked else best,
        sure=judged.line,
        figure=judged.figure,
        unit=judged.unit,
    )


def _work_of(guide: Guide, asked: Judged | None, standings: Iterable[Standing]) -> list[Judged]:
    """The one thing that was asked for by all of its work, that which it is judged by first."""
    if asked is None:
        return []
    thing = asked.standing.plan_id, asked.standing.drive_family_id
    kin = [each for each in standings if (each.plan_id, each.drive_family_id) == thing]
    return [asked, *(judged_of(guide, each, {}) for each in kin if each is not asked.standing)]


def _picture(guide: Guide, judged: Iterable[Judged], lead: JudgedRow | None) -> Lanes:
    """The first of these on the ruler, each once, with what is needed."""
    points: list[LanePoint] = []
    seen: set[int] = set()
    for each in judged:
        subject = subject_of(each.standing)
        is_lead = lead is not None and lead.row.url == subject.url
        work = workload_short(each.standing.workload, each.standing.workload_title)
        name = phrases.join_facts((subject.name, work)) if is_lead else subject.name
        is_hot = lead is not None and each.standing is lead.judged.standing
        point = point_of(each, name, is_hot=is_hot)
        if point and each.standing.pk not in seen and len(points) < LANES_MAX:
            points.append(point)
        seen.add(each.standing.pk)
    says = guide.need if points else ""
    return draw_lanes(points, limit_ns=guide.limit_ns, limit_says=says)


def _list_of(judged: Sequence[Judged]) -> JudgedList:
    rows = tuple(row_of(each) for each in judged[:ROWS_MAX])
    # One row by itself is no longer than the line that would unfold it.
    n_first = len(rows) if len(rows) == ROWS_OPEN + 1 else ROWS_OPEN
    return JudgedList(rows[:n_first], rows[n_first:], len(judged))


def _not_of(judged: Sequence[Judged], standings: Iterable[Standing]) -> Iterator[Standing]:
    """Those of plans and drives that no other figure judges."""
    known = {(each.standing.plan_id, each.standing.drive_family_id) for each in judged}
    return (each for each in standings if (each.plan_id, each.drive_family_id) not in known)


def _samples_of(guide: Guide, standings: Iterable[Standing]) -> tuple[IllustrativeFigure, ...]:
    """Illustrative figures, each run once: under the name of its drive where that is known."""
    by_run: dict[str, IllustrativeFigure] = {}
    for standing in sorted(standings, key=lambda each: each.drive_family_id is None):
        row = row_of_standing(standing, is_drawn=False)
        judged = judged_of(guide, standing, {})
        sample = IllustrativeFigure(
            row.name, row.evidence.run_url, f"{judged.figure} {judged.unit}", row.workload
        )
        by_run.setdefault(standing.newest_run_slug, sample)
    return tuple(by_run.values())


def steps_of(guide: Guide) -> Lanes:
    """What the software waits for, as it was measured once on one machine."""
    figures = recordings()
    points = []
    for step in guide.steps:
        times = figures.times(step.figure, step.side)
        middle = times.mean_ns if times.p50_ns is None else times.p50_ns
        name = phrases.join_facts((workload_short(step.figure), side_name(step.side)))
        points.append(LanePoint(name, middle, to_ns=times.p99_ns, is_hot=step.is_awaited))
    return draw_lanes(points)


class GuideLine(NamedTuple):
    """A guide in the list, with the best that is known for it."""

    guide: Guide
    best: Judged | None
    name: str
    url: str


def lines_of(guides: Iterable[Guide], rows: GuidesRows) -> tuple[GuideLine, ...]:
    """Every guide with the best plan or drive that is known for it."""
    lines = []
    for guide in guides:
        standings = [each for each in rows.standings if each.workload in guide.by_workload]
        best = next(iter(judged_once(guide, standings, rows.drives)), None)
        name, url, _under = subject_of(best.standing) if best else ("", "", "")
        lines.append(GuideLine(guide, best, name, url))
    return tuple(lines)

"""A guide's page: its answer, the picture, then plans and drives, each once, the surest first."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes
from apps.pages.guides.judged import Judged, JudgedRow, each_once, judged_of, point_of, row_of
from apps.pages.guides.recordings import recordings
from apps.pages.guides.selectors import is_of_ones_own, is_real
from apps.pages.show import phrases
from apps.pages.show.answer import Answer
from apps.pages.show.charts import side_name
from apps.pages.show.figures import number
from apps.pages.show.fit_words import fit_sentence
from apps.pages.show.standings import others_words
from apps.pages.show.table.rows import row_of_standing, subject_of
from apps.rankings.models import Evidence
from apps.stats.figures import significant
from apps.stats.standings.confidence import UNKNOWN
from apps.words import confidence
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apps.pages.guides.guide import Guide
    from apps.pages.guides.selectors import GuideRows, GuidesRows, KnownName, Lottery
    from apps.rankings.models import Standing

ROWS_OPEN: Final = 5  # of one list, without unfolding
ROWS_MAX: Final = 60  # of one list; a name or a rate finds the others
LANES_MAX: Final = 9  # of the picture beside the answer
NEAR_MAX: Final = 3  # names that are offered for one that is not known
PLANS_MAX: Final = 4  # of those lanes, where drives are drawn too


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


class JudgedGroup(NamedTuple):
    """The plans of a guide, machines of people's own, or drives: what one rents and buys."""

    name: str  # plans, own or drives; a word in addresses of the page
    list: JudgedList
    n_unmeasured: int


class NearName(NamedTuple):
    """A name like one that was not found, with its figure where it has one."""

    name: str
    figure: str


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
    others: str  # how far other figures of it lie apart
    near: tuple[NearName, ...]  # names like the one that was asked for and not found
    second: Answer | None  # the first drive, where the answer is about a plan
    picture: Lanes
    steps: Lanes
    groups: tuple[JudgedGroup, ...]
    made_up: JudgedList  # of example runs, which are counted nowhere
    samples: tuple[IllustrativeFigure, ...]

    @property
    def rows(self) -> tuple[JudgedRow, ...]:
        """What is listed without unfolding, plans before drives."""
        return tuple(row for group in self.groups for row in group.list.first)


def page_of(guide: Guide, rows: GuideRows, *, text: str = "") -> GuidePage:
    """A guide with its verdicts; of a search, `text`, those that have its words.

    One thing that was asked for is judged by itself, in the picture beside the surest of all; else
    the answer is the surest plan, then the surest drive. Where nothing has the words everything is
    listed.
    """
    real, made_up, samples = _sorted_out(rows.standings)
    judged = judged_once(guide, real, rows.drives)
    found = _called_so(_found(judged, rows.called), text)
    asked = _the_one(found)
    rented = [each for each in judged if not is_of_ones_own(each.standing)]
    plans, drives = parted(found or rented)
    own = [each for each in plans if is_of_ones_own(each.standing)]
    plans = [each for each in plans if not is_of_ones_own(each.standing)]
    is_missing = bool(text) and not found
    first = None if is_missing else asked or next(iter((*plans, *drives)), None)
    kin = _work_of(guide, asked, real)
    lead = row_of(first) if first else None
    shown = (*plans[:PLANS_MAX], *own, *drives, *plans[PLANS_MAX:], *rented)
    return GuidePage(
        guide=guide,
        name=lead.row.name if lead and asked else "",
        answer=_answer(first, of=plans or drives, is_asked=bool(asked))
        if first
        else _nobody(text, rows.names),
        lead=lead,
        second=_answer(drives[0], of=drives) if first and not asked and plans and drives else None,
        others=others_words(
            kin[0].standing, [each.standing for each in kin[1:]], is_of_p99=not guide.is_of_rate
        )
        if kin
        else "",
        near=_near(text, rented, rows.names) if is_missing else (),
        picture=_picture(guide, [*kin, *shown], lead, is_asked=bool(asked)),
        steps=steps_of(guide),
        groups=(
            JudgedGroup("plans", _list_of(plans), rows.unmeasured_plans),
            JudgedGroup("own", _list_of(own), 0),
            JudgedGroup("drives", _list_of(drives), rows.unmeasured_drives),
        ),
        made_up=_list_of(judged_once(guide, made_up, rows.drives)),
        samples=_samples_of(guide, _not_of(judged, samples)),
    )


def parted(judged: Iterable[Judged]) -> tuple[list[Judged], list[Judged]]:
    """The plans, which one rents, and the drives, which one buys, in the order that they have."""
    plans: list[Judged] = []
    drives: list[Judged] = []
    for each in judged:
        (drives if each.standing.drive_family_id else plans).append(each)
    return plans, drives


def _sorted_out(standings: Iterable[Standing]) -> tuple[list[Standing], ...]:
    """What is judged, what is made up, and what its own article calls a sample."""
    real: list[Standing] = []
    made_up: list[Standing] = []
    samples: list[Standing] = []
    for each in standings:
        if is_real(each):
            real.append(each)
        else:
            (made_up if each.evidence == Evidence.EXAMPLE else samples).append(each)
    return real, made_up, samples


def judged_once(guide: Guide, standings: Iterable[Standing], drives: Lottery) -> list[Judged]:
    """Each plan and drive once with its verdict, the surest first."""
    judged = [judged_of(guide, each, drives) for each in each_once(guide, standings)]
    return sorted(judged, key=lambda each: each.place)


def _found(judged: Sequence[Judged], called: frozenset[int]) -> list[Judged]:
    """What has the words that were searched for; of a drive not somebody's machine that holds it.

    That was measured in the same runs.
    """
    found = [each for each in judged if each.standing.pk in called]
    if not any(each.standing.drive_family_id for each in found):
        return found
    return [each for each in found if not is_of_ones_own(each.standing)]


def _called_so(judged: list[Judged], text: str) -> list[Judged]:
    """Those whose whole name was asked for, with or without whose it is; without any all.

    A machine of somebody's own is called whatever they like.
    """
    asked = _letters(text)
    exact = [
        each
        for each in judged
        if not is_of_ones_own(each.standing) and asked in map(_letters, _names_of(each.standing))
    ]
    return exact or judged


def _names_of(standing: Standing) -> Iterator[str]:
    """What a plan or a drive is called, by its own name and with its provider or maker."""
    if (family := standing.drive_family) is not None:
        yield from (family.name, f"{family.vendor} {family.name}")
    elif standing.plan is not None:
        yield from (standing.plan.name, f"{standing.plan.provider.name} {standing.plan.name}")


def _letters(text: str) -> str:
    """Letters and digits alone: how a name is spaced says nothing."""
    return "".join(each for each in text.casefold() if each.isalnum())


def _the_one(judged: Sequence[Judged]) -> Judged | None:
    """The one thing that all of these are about: a drive goes before the plans that have it.

    Of machines of people's own, which are the best of nothing, the surest.
    """
    found = [each for each in judged if each.standing.drive_family_id] or judged
    is_one = len(found) == 1 or all(is_of_ones_own(each.standing) for each in found)
    return found[0] if found and is_one else None


def _near(text: str, judged: Iterable[Judged], known: Iterable[KnownName]) -> tuple[NearName, ...]:
    """The names most like a text, those that have a verdict first; nothing where none is like."""
    measured = [NearName(_name_of(each), _figure_of(each)) for each in judged]
    for names in (measured, [NearName(each.name, "") for each in known]):
        by_letters = {each.name.lower(): each for each in reversed(names)}
        if close := get_close_matches(text.lower(), by_letters, n=NEAR_MAX):
            return tuple(by_letters[each] for each in close)
    return ()


def _figure_of(judged: Judged) -> str:
    """What was judged, with its unit; its rate where no p99 of it is known."""
    if judged.figure:
        return f"{judged.figure} {judged.unit}"
    return f"{significant(judged.standing.rate_per_s)} /s"


def _name_of(judged: Judged) -> str:
    return subject_of(judged.standing).name


def _nobody(text: str, names: Iterable[KnownName]) -> Answer:
    """That nothing was measured, or that there is no such thing; `names` are of the catalogue."""
    sentence = _("Nobody has measured what it waits for.")
    if text:
        is_listed = any(all(map(each.has, text.split())) for each in names)
        sentence = _("No plan and no drive is called “%(name)s”.")
        if is_listed:
            sentence = _("Nobody has measured “%(name)s” for it.")
        sentence = sentence % {"name": text}
    return Answer(sentence=sentence, sure=confidence.line(UNKNOWN, confidence.basis_of(None)))


def _answer(judged: Judged, *, of: Sequence[Judged], is_asked: bool = False) -> Answer:
    """The sentence on one plan or drive: whether it is fit, or that it is the surest `of` these."""
    sentence = _surest(judged, len(of))
    if is_asked:
        sentence = fit_sentence(judged.sureness, judged.guide.need)
    return Answer(sentence=sentence, sure=judged.line, figure=judged.figure, unit=judged.unit)


def _surest(judged: Judged, n: int) -> str:
    name = _name_of(judged)
    if judged.standing.drive_family_id:
        return _("Drive surest to be fit, of %(n)s: %(name)s.") % {"n": number(n), "name": name}
    return _("Plan surest to be fit, of %(n)s: %(name)s.") % {"n": number(n), "name": name}


def _work_of(guide: Guide, asked: Judged | None, standings: Iterable[Standing]) -> list[Judged]:
    """The one thing that was asked for by all of its work, that which it is judged by first."""
    if asked is None:
        return []
    thing = asked.standing.plan_id, asked.standing.drive_family_id
    kin = [each for each in standings if (each.plan_id, each.drive_family_id) == thing]
    return [asked, *(judged_of(guide, each, {}) for each in kin if each is not asked.standing)]


def _picture(
    guide: Guide, judged: Iterable[Judged], lead: JudgedRow | None, *, is_asked: bool
) -> Lanes:
    """The first of these on the ruler, each once, with what is needed.

    The quickest first, below all the work of the one thing that was asked for.
    """
    own: list[LanePoint] = []
    points: list[LanePoint] = []
    seen: set[int] = set()
    for each in judged:
        subject = subject_of(each.standing)
        is_lead = lead is not None and lead.row.url == subject.url
        work = workload_short(each.standing.workload, each.standing.workload_title)
        # The heading names the one that was asked for: its lanes are told apart by their work.
        name = work if is_asked and is_lead else subject.name
        is_hot = lead is not None and each.standing is lead.judged.standing
        point = point_of(each, name, is_hot=is_hot)
        if point and each.standing.pk not in seen and len(seen) < LANES_MAX:
            (own if is_asked and is_lead else points).append(point)
            seen.add(each.standing.pk)
    drawn = [*own, *sorted(points, key=lambda point: point.at_ns)]
    says = guide.need if drawn else ""
    return draw_lanes(drawn, limit_ns=guide.limit_ns, limit_says=says)


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
        if not judged.figure:
            continue
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
        name = step.name or workload_short(step.figure)
        if not guide.is_one_at_a_time:  # of what share a sync or are in flight the rate counts
            per_s = figures.figures[step.figure].per_s
            rate = f"{significant(per_s)} /s"
            points.append(
                LanePoint(
                    name, NS_PER_S / per_s, is_hot=step.is_awaited, value=rate,
                    quantity=_("our machine"),
                )
            )  # fmt: skip
            continue
        times = figures.times(step.figure, step.side)
        middle = times.mean_ns if times.p50_ns is None else times.p50_ns
        called = phrases.join_facts((name, side_name(step.side)))
        points.append(
            LanePoint(
                called, middle, to_ns=times.p99_ns, is_hot=step.is_awaited,
                quantity=_("our machine"),
            )
        )  # fmt: skip
    return draw_lanes(points)


class GuideBest(NamedTuple):
    """The surest plan or drive of a guide in the list."""

    judged: Judged
    name: str
    url: str


class GuideLine(NamedTuple):
    """A guide in the list, with the surest plan and the surest drive that are known for it."""

    guide: Guide
    best: tuple[GuideBest, ...]


def lines_of(guides: Iterable[Guide], rows: GuidesRows) -> tuple[GuideLine, ...]:
    """Every guide with the surest plan and the surest drive, as its own page names them."""
    lines = []
    for guide in guides:
        standings = [each for each in rows.standings if each.workload in guide.by_workload]
        plans, drives = parted(judged_once(guide, standings, rows.drives))
        best = (*plans[:1], *drives[:1])
        lines.append(GuideLine(guide, tuple(map(_best_of, best))))
    return tuple(lines)


def _best_of(judged: Judged) -> GuideBest:
    subject = subject_of(judged.standing)
    return GuideBest(judged, subject.name, subject.url)

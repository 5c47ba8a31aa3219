"""A plan or a drive as a guide judges it: its figure, its margin, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes, draw_row
from apps.pages.show import phrases, units
from apps.pages.show.dates import figure_day
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import row_of_standing
from apps.rankings.advice.rules import margin_of, p99_margin, sureness_of_judgement
from apps.rankings.advice.selectors import figure_of
from apps.rankings.advice.verdicts import Judgement, Verdict, VerdictDoubt
from apps.rankings.advice.work import Work
from apps.rankings.choice import choice_key, evidence_place
from apps.rankings.standings.confidence import support_of_standing
from apps.stats.figures import duration_text, significant
from apps.stats.standings.confidence import Confidence
from apps.words import confidence
from apps.words.advice import doubt_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.pages.guides.guide import Guide
    from apps.pages.guides.selectors import Lottery
    from apps.rankings.models import Standing
    from apps.stats.standings.confidence import Margin, Sureness

MEGA: Final = 1e6  # bytes
# What decides whatever the figure is: then the reason stands in place of the margin.
_PLAIN: Final = frozenset(
    {
        VerdictDoubt.WITHOUT_PLP,
        VerdictDoubt.EMPTIED,
        VerdictDoubt.NEEDS_REPLICA,
        VerdictDoubt.PLP_NOT_STATED,
    }
)
_PLACES: Final = tuple(Confidence)
_WORKS: Final = {Work.SAME: 0, Work.MORE: 1}  # which show a pass; the nearer first


@dataclass(frozen=True, slots=True)
class Judged:
    """A standing with its verdict, before anything of it is drawn."""

    guide: Guide
    standing: Standing
    judgement: Judgement
    margin: Margin | None
    sureness: Sureness
    is_by_p99: bool = False  # the limit of p99 decides, so that the margin is one of times

    @property
    def place(self) -> tuple[bool, int, bool, int, int, float]:
        """The key that sorts the surest first.

        By the word of confidence; within a word what keeps its data before what a stop empties,
        the guide's own work before what does more, and that before other work, then what more
        stands behind, then what has the most to spare.
        """
        middle = self.margin.middle if self.margin else 0.0
        fails = self.judgement.verdict is Verdict.FAILS
        work = self.guide.by_workload[self.standing.workload].work
        stands_in = _WORKS.get(work, len(_WORKS))
        support = support_of_standing(self.standing)
        plan = self.standing.plan
        is_emptied = plan is not None and plan.is_ephemeral
        word = _PLACES.index(self.sureness.confidence)
        return fails, word, is_emptied, stands_in, support, -middle

    @property
    def verdict(self) -> str:
        """The verdict as a name that templates and styles know."""
        return self.judgement.verdict.name.lower().replace("_", "-")

    @property
    def state(self) -> str:
        """The word as its shape is called."""
        return self.sureness.shape

    @property
    def word(self) -> str:
        """How sure it is, in one of the five words."""
        return confidence.word(self.sureness)

    @property
    def doubt(self) -> str:
        """What keeps the verdict from being a better one; empty where nothing does."""
        if self.margin is None and self.judgement.verdict is Verdict.MAY:
            return _("its p99 is not known")
        return doubt_words(self.judgement.doubt)

    @property
    def line(self) -> str:
        """The word, the margin, and what stands behind the figure."""
        if self.judgement.doubt in _PLAIN or self.sureness.confidence is Confidence.UNKNOWN:
            return confidence.line(self.sureness, self.doubt)
        basis = confidence.basis_of(self.standing)
        if self.is_by_p99:
            facts = phrases.join_facts((self.share, basis))
            return confidence.line(self.sureness, facts)
        return confidence.line(self.sureness, basis, self.margin)

    @property
    def margin_words(self) -> str:
        """The margin over what is needed; where a fact decides whatever it is, that fact."""
        if self.margin is None or self.judgement.doubt in _PLAIN:
            return self.doubt
        if self.is_by_p99:
            return self.share
        margin = self.margin.best if self.sureness.fails else self.margin.worst
        return _("%(times)s\u00d7 of %(need)s") % {
            "times": confidence.times_words(margin),
            "need": f"{significant(self.guide.rule.least_per_s or 0)}/s",
        }

    @property
    def why(self) -> str:
        """What keeps the verdict from being a better one, where the margin does not say it."""
        return "" if self.margin_words == self.doubt else self.doubt

    @property
    def share(self) -> str:
        """The p99 as a share of its limit; else the p50 beyond it, or the bound within it."""
        limit_ns = self.guide.rule.p99_ns_max or 1
        if self.p99_bound_ns is not None:
            return _("p99 at most %(time)s") % {"time": units.latency(self.p99_bound_ns)}
        p99_ns = figure_of(self.standing).judged_p99_ns
        return _("%(quantity)s at %(share)s of %(limit)s") % {
            "quantity": "p50" if p99_ns is None else "p99",
            "share": f"{(p99_ns or self.standing.p50_ns or 0) / limit_ns:.0%}",
            "limit": duration_text(limit_ns),
        }

    @property
    def p99_bound_ns(self) -> int | None:
        """What bounds the p99 of a commit, where that keeps the limit and no p99 is known."""
        figure = figure_of(self.standing)
        is_shown = figure.judged_p99_ns is None
        shown_ns = figure.p99_shown(self.guide.rule.p99_ns_max or 0) if is_shown else None
        return shown_ns if shown_ns == figure.p99_bound_ns else None

    @property
    def figure(self) -> str:
        """What was judged: the rate or the p99, without its unit."""
        if self.guide.is_of_rate:
            return significant(self.standing.rate_per_s)
        if self.p99_bound_ns is not None:
            return f"\u2264 {units.latency(self.p99_bound_ns)}"
        return units.latency(self.standing.p99_ns) if self.standing.p99_ns else ""

    @property
    def unit(self) -> str:
        """What the figure counts."""
        if not self.guide.is_of_rate:
            return "p99"
        return _("durable commits/s") if self.guide.is_of_commits else _("a second")


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One line of a guide's list."""

    judged: Judged
    row: Row
    picture: Lanes
    beside: str  # the figure as bytes a second, where an operation moves many
    interval: str
    when: str
    source: str  # title of the article that it is from; empty: it was measured


def judged_of(guide: Guide, standing: Standing, drives: Lottery) -> Judged:
    """The verdict on a standing, with the drives of its plan."""
    judgement = guide.judge(standing, drives.get(standing.plan_id or "", ()))
    decides = margin_of(guide.rule, standing)
    margin = decides.margin if decides else None
    return Judged(
        guide, standing, judgement, margin, sureness_of_judgement(judgement, standing, margin),
        is_by_p99=decides is not None and decides.is_of_p99,
    )  # fmt: skip


def each_once(guide: Guide, standings: Iterable[Standing]) -> list[Standing]:
    """One standing of each plan and drive: measured before published, then the nearest work.

    Under a limit of p99 those come first that have what decides.
    """
    places = list(guide.by_workload)
    limit_ns = guide.rule.p99_ns_max
    chosen: dict[tuple[str | None, str | None], Standing] = {}
    for each in sorted(
        standings,
        key=lambda each: (
            limit_ns is not None and p99_margin(each, limit_ns) is None,
            evidence_place(each),
            places.index(each.workload),
            choice_key(each),
        ),
    ):
        chosen.setdefault((each.plan_id, each.drive_family_id), each)
    return list(chosen.values())


def row_of(judged: Judged) -> JudgedRow:
    """One line: the figure that was judged, its interval, and where it comes from."""
    standing = judged.standing
    return JudgedRow(
        judged=judged,
        row=row_of_standing(standing, is_drawn=False),
        picture=_picture_of(judged),
        beside=_beside(judged),
        interval=_interval(judged),
        when=figure_day(getattr(standing, "measured_at", None), standing.newest_run_slug),
        source=getattr(standing, "source_title", None) or "",
    )


def point_of(judged: Judged, name: str = "", *, is_hot: bool = False) -> LanePoint | None:
    """The rate with its interval, or the p99 with its median; None where neither is a wait.

    The mark is the figure that is printed: the p99, what bounds it, or a median beyond the limit.
    """
    guide, standing = judged.guide, judged.standing
    plp = standing.plp or "unknown"
    if not guide.is_one_at_a_time:
        return None
    if guide.is_of_rate:
        low, high = standing.rate_per_s_low, standing.rate_per_s_high
        return LanePoint(
            name, NS_PER_S / standing.rate_per_s,
            to_ns=NS_PER_S / low if low else None, from_ns=NS_PER_S / high if high else None,
            plp=plp, is_hot=is_hot, value=f"{significant(standing.rate_per_s)} /s",
        )  # fmt: skip
    p99_ns = standing.p99_ns or judged.p99_bound_ns
    at_ns = p99_ns or standing.p50_ns
    if at_ns is None:
        return None
    is_bound = not standing.p99_ns and p99_ns is not None
    return LanePoint(
        name, at_ns, from_ns=standing.p50_ns if p99_ns else None, plp=plp, is_hot=is_hot,
        value=f"\u2264 {units.latency(at_ns)}" if is_bound else units.latency(at_ns),
        quantity="p99" if p99_ns else "p50",
    )  # fmt: skip


def _picture_of(judged: Judged) -> Lanes:
    return draw_row(point_of(judged), limit_ns=judged.guide.limit_ns)


def _beside(judged: Judged) -> str:
    unit_bytes = judged.guide.unit_bytes
    return (
        f"{significant(judged.standing.rate_per_s * unit_bytes / MEGA)} MB/s" if unit_bytes else ""
    )


def _interval(judged: Judged) -> str:
    """The interval of a rate; of a p99 the p99.9 of everybody's commits together."""
    standing = judged.standing
    low, high = standing.rate_per_s_low, standing.rate_per_s_high
    if not judged.guide.is_of_rate:
        pooled = standing.pooled_p999_ns
        return _("p99.9 of all %(time)s") % {"time": units.latency(pooled)} if pooled else ""
    if low is None or high is None:
        return ""
    span = f"{significant(low)}\u2013{significant(high)}"
    return span if standing.coverage is None else f"{span} ({standing.coverage:.0%})"

"""Where the output of a benchmark stands among what is known, before anything of it is stored."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.ladder import LadderMark, MarkQuantity, draw_alone, draw_ratio
from apps.pages.home.contrast import find_contrast
from apps.pages.home.ladder import Apart, Ladder, name_of, rungs_of, terms_of
from apps.pages.home.selectors import contrast_candidates, ladder_classes, ladder_standings
from apps.pages.home.work import class_of_output
from apps.pages.show import units
from apps.pages.show.answer import Answer
from apps.pages.show.figures import rate
from apps.pages.show.fit_words import fit_sentence
from apps.pages.show.phrases import join_facts, with_name
from apps.pages.show.table.rows import subject_of
from apps.rankings.advice.software import BY_ID, ETCD_P99_NS, ETCD_RATE, RATE
from apps.rankings.standings.points import WHOLE_SHARE_MIN
from apps.runs.imported.measures import Side
from apps.runs.published.comparable import APART, comparable_class
from apps.stats.figures import duration_text
from apps.stats.standings.confidence import UNKNOWN, Confidence, Margin, Support, sureness
from apps.words import confidence
from apps.words.software import SOFTWARE_WORDS
from apps.words.workloads import class_mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from apps.drives.models import DriveFamily
    from apps.rankings.models import Standing
    from apps.runs.imported.judgement import JudgedOutput
    from apps.runs.models import Latency, Measurement

NEAREST_MAX: Final = 3
# The check of a disk that etcd's documentation names: fio with the size of its log's records.
ETCD: Final = BY_ID["etcd"]
ETCD_BLOCK_BYTES: Final = 2_300
ETCD_SYNC: Final = "fdatasync"
AHEAD_MIN: Final = 1.1  # times: below it nobody would say that one is faster


@dataclass(frozen=True, slots=True)
class Near:
    """Something known, by name, with its page and its rate."""

    name: str
    url: str
    rate: str


@dataclass(frozen=True, slots=True)
class OutputStand:
    """The answer to "where do I stand", and the ladder with one's own mark on it."""

    answer: Answer
    ladder: Ladder
    nearest_says: str = ""  # before what is nearest, or that nothing did such work
    nearest: tuple[Near, ...] = ()
    guide: str = ""  # the slug of the guide whose own check it is


def stand_of_output(judged: JudgedOutput, family: DriveFamily | None) -> OutputStand:
    """Where an output stands beside known figures of the same class of work: three queries.

    `family` is the drive that its sender named. What holds no durable commits of one writer, or
    what a rule speaks against, has no mark.
    """
    classes, standings = ladder_classes(), ladder_standings()
    contrast = find_contrast(contrast_candidates())
    headline = judged.headline
    rungs = rungs_of(classes, standings, set(contrast.subjects) if contrast else ())
    if headline is None or not headline.rate_per_s or not headline.is_durable_single_writer:
        return OutputStand(_no_commits(judged), Ladder(rungs))
    work = class_of_output(headline)
    known = [each for each in standings if comparable_class(each.workload) == work != APART]
    story = contrast.fast if contrast else None
    is_ahead = (
        story is not None
        and comparable_class(story.workload) == work
        and story.rate_per_s > AHEAD_MIN * headline.rate_per_s
    )
    nearest = _nearest(headline.rate_per_s, known)
    syncs = next((each for each in judged.latencies if each.side == Side.SYNC), None)
    is_of_etcd = headline.block_bytes == ETCD_BLOCK_BYTES and headline.sync == ETCD_SYNC
    return OutputStand(
        _etcd_answer(headline, syncs) if is_of_etcd else _answer_of(headline, syncs),
        Ladder(
            rungs,
            yours=draw_alone(_own_mark(headline.rate_per_s, syncs, work, family)),
            apart=_apart(story, headline.rate_per_s) if story and is_ahead else None,
        ),
        _("Nearest") if nearest else _("We know nothing that did the same work."),
        nearest,
        guide=ETCD.id if is_of_etcd else "",
    )


def _nearest(rate_per_s: float, known: Sequence[Standing]) -> tuple[Near, ...]:
    """What is known whose rates are the fewest times away; nothing where nothing did such work."""
    by_name: dict[str, Standing] = {}
    for each in sorted(known, key=lambda each: abs(math.log(each.rate_per_s / rate_per_s))):
        by_name.setdefault(name_of(each), each)
    return tuple(
        Near(name, subject_of(each).url, f"{rate(each.rate_per_s)}/s")
        for name, each in islice(by_name.items(), NEAREST_MAX)
    )


def _answer_of(headline: Measurement, syncs: Latency | None) -> Answer:
    """Whether it is enough for the database that the advisor starts with, by the same rule."""
    rate_per_s = headline.rate_per_s or 0
    margin = Margin(rate_per_s / RATE)
    sure = sureness(Support.WEAK, margin)
    if sure.confidence is Confidence.LIKELY:
        sentence = _("Enough for PostgreSQL at %(rate)s commits/s.")
    elif sure.confidence is Confidence.UNLIKELY:
        sentence = _("Not enough for PostgreSQL at %(rate)s commits/s.")
    else:
        sentence = _("Borderline for PostgreSQL at %(rate)s commits/s.")
    a_commit = units.latency(NS_PER_S / rate_per_s)
    return Answer(
        sentence=sentence % {"rate": f"{RATE:,}"},
        sure=confidence.line(sure, _("nobody signed it"), margin),
        figure=rate(rate_per_s),
        unit=join_facts((_("durable commits/s"), f"1 / {a_commit}", *_percentiles(syncs))),
    )


def _etcd_answer(headline: Measurement, syncs: Latency | None) -> Answer:
    """Whether etcd's own check is passed: by the p99 of its syncs, and by its rate."""
    rate_per_s = headline.rate_per_s or 0
    p99_ns = syncs.p99_ns if syncs else None
    by_rate = Margin(rate_per_s / ETCD_RATE)
    margin = min(by_rate, Margin(ETCD_P99_NS / p99_ns), key=_worst) if p99_ns else by_rate
    is_known = p99_ns is not None or margin.worst < 1
    sure = sureness(Support.WEAK, margin) if is_known else UNKNOWN
    need = _("a p99 of at most %(time)s") % {"time": duration_text(ETCD_P99_NS)}
    return Answer(
        sentence=with_name(SOFTWARE_WORDS[ETCD.id].title, fit_sentence(sure, need)),
        sure=confidence.line(sure, _("nobody signed it"), margin),
        figure=rate(rate_per_s),
        unit=join_facts((_("durable commits/s"), *_percentiles(syncs))),
    )


def _worst(margin: Margin) -> float:
    return margin.worst


def _percentiles(syncs: Latency | None) -> Iterator[str]:
    """The percentiles of its syncs, where its tool printed them."""
    of_syncs = (("p50", syncs.p50_ns), ("p99", syncs.p99_ns)) if syncs else ()
    yield from (f"{name} {units.latency(ns)}" for name, ns in of_syncs if ns is not None)


def _plan_or_drive(standing: Standing) -> str:
    return standing.plan.name if standing.plan is not None else name_of(standing)


def _no_commits(judged: JudgedOutput) -> Answer:
    """The answer where nothing is called a commit: what a rule found is said beside it."""
    headline = judged.headline
    has_rate = headline is not None and headline.rate_per_s
    return Answer(
        sentence=_("No durable commits of one writer."),
        sure=confidence.line(UNKNOWN, _("does not count")),
        figure=rate(headline.rate_per_s) if headline is not None and has_rate else "",
        unit=with_name(_("operations/s"), headline.title) if headline else "",
        is_out=True,
    )


def _own_mark(
    rate_per_s: float, syncs: Latency | None, work: int, family: DriveFamily | None
) -> LadderMark:
    """The median of its syncs where they take nearly all of a commit, else 1 / rate."""
    a_commit_ns = NS_PER_S / rate_per_s
    is_whole = syncs is not None and (syncs.mean_ns or 0) >= WHOLE_SHARE_MIN * a_commit_ns
    p50_ns = syncs.p50_ns if syncs is not None and is_whole else None
    drawn_as = MarkQuantity.SYNC if p50_ns else MarkQuantity.MEAN
    return LadderMark(
        name=_("your run"),
        url="",
        latency_ns=p50_ns or round(a_commit_ns),
        drawn_as=drawn_as,
        terms=terms_of(drawn_as, work),
        whisker_ns=syncs.p99_ns if syncs is not None and p50_ns else None,
        plp=family.plp if family else "unknown",
        work=class_mark(work),
        is_subject=True,
    )


def _apart(ahead: Standing, rate_per_s: float) -> Apart:
    line = draw_ratio(fast_per_s=ahead.rate_per_s, slow_per_s=rate_per_s)
    return Apart(line, _plan_or_drive(ahead), _("your run"))

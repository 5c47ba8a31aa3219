"""The answer of a comparison: which is faster, how many times, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.pages.compare.comparison import rung_of
from apps.pages.compare.differences import Comparative, Quality, difference, overlap
from apps.pages.compare.figures import apart, figures_of_standing, words_of_standing
from apps.pages.compare.readings import rate_operand, rate_title
from apps.pages.compare.things import LETTERS
from apps.pages.compare.words import name_list
from apps.pages.show import phrases
from apps.pages.show.answer import WORDS_MAX, Answer
from apps.rankings.comparable.data import work_factor
from apps.runs.models import Level
from apps.stats.figures import significant
from apps.stats.standings.confidence import (
    UNKNOWN,
    Confidence,
    Margin,
    Support,
    Sureness,
    is_beyond_work,
    sureness,
)
from apps.words import confidence
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from apps.drives.models import LadderClass
    from apps.pages.compare.things import Shape, Thing, ThingFigures
    from apps.pages.show.address.references import Ref
    from apps.rankings.models import Standing

NAME_WORDS_MAX: Final = 5  # of a name in the sentence, which has 20 words
NAME_WORDS_OF_THREE: Final = 3  # where it names three
WIDE: Final = 3.0  # from this many times on, of a range the low end alone is said
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Contender:
    """What is set against others: a thing, or what stands for one that nobody measured."""

    name: str
    letter: str
    figures: ThingFigures | None
    rung: LadderClass | None = None
    stands_for: str = ""

    @property
    def label(self) -> str:
        """Its name, and for which thing it stands."""
        if not self.stands_for:
            return self.name
        return phrases.stands_for(self.name, self.stands_for)


def contenders_of(things: Sequence[Thing], kin: Mapping[Ref, Standing]) -> tuple[Contender, ...]:
    """The things, and for those that nobody measured what stands for them."""
    return tuple(
        Contender(
            name=row.plan.name,
            letter=thing.letter,
            figures=figures_of_standing(row, [], None),
            rung=row.ladder_class,
            stands_for=thing.name,
        )
        if (row := kin.get(thing.ref)) and row.plan
        else Contender(thing.name, thing.letter, thing.figures, thing.rung)
        for thing in things
    )


def contenders_of_rows(rows: Sequence[Standing]) -> tuple[Contender, ...]:
    """The plans or drives of these rows; of different work none is called the better."""
    judged = apart([figures_of_standing(row, [], None) for row in rows])
    return tuple(
        Contender(words_of_standing(row)[0], letter, figures, rung_of(row, row.drive_family))
        for letter, row, figures in zip(LETTERS, rows, judged, strict=False)
    )


def short_name(name: str, *, by_end: bool = False, words_max: int = NAME_WORDS_MAX) -> str:
    """A name in at most so many words, by its beginning or by its end."""
    words = name.split()
    if len(words) <= words_max:
        return name
    cut = words[-words_max:] if by_end else words[:words_max]
    return f"\u2026{' '.join(cut)}" if by_end else f"{' '.join(cut)}\u2026"


def answer_of(contenders: Sequence[Contender]) -> Answer:
    """The sentence on the fastest and the next, how far they are apart, and how sure it is.

    Where those cannot be told apart, it is on what both are faster than.
    """
    ranking = _fastest_first(contenders)
    if len(ranking) < PAIR:
        return _unknown(contenders)
    if not is_apart(ranking[0][1], ranking[1][1]) and (answer := _of_level(ranking)):
        return answer
    (fast, first), (slow, second) = ranking[:PAIR]
    ratio = ratio_of(first, second)
    times = times_words(first, second)
    is_kin = bool(fast.stands_for or slow.stands_for)
    sure = sureness_of(first, second, ratio, is_kin=is_kin)
    is_alike = short_name(fast.name) == short_name(slow.name)
    names = {
        "fast": short_name(fast.name, by_end=is_alike),
        "slow": short_name(slow.name, by_end=is_alike),
        "times": times,
    }
    if not is_apart(first, second):
        sentence = _("%(fast)s and %(slow)s cannot be told apart.")
    elif is_kin:
        sentence = _("Nearest measured: %(fast)s is %(times)s times as fast as %(slow)s.")
    elif len(contenders) > PAIR:
        sentence = _("%(fast)s is the fastest: %(times)s times as fast as %(slow)s.")
    else:
        sentence = _("%(fast)s is %(times)s times as fast as %(slow)s.")
    has_figure = is_apart(first, second)
    return Answer(
        sentence=_ended_once(sentence % names),
        sure=confidence.line_of_ratio(sure, _basis(first, second), _range_of(first, second)),
        figure=times_figure(first, second) if has_figure else "",
        unit=rate_title(first) if has_figure else "",
    )


def _of_level(ranking: Sequence[tuple[Contender, ThingFigures]]) -> Answer | None:
    """The sentence on the fastest two, which are level, and the next that is slower than both."""
    level, rest = ranking[:PAIR], ranking[PAIR:]
    slower = (each for each in rest if all(is_apart(one, each[1]) for _contender, one in level))
    slow, last = next(slower, (None, None))
    if slow is None or last is None:
        return None
    first = min((one for _contender, one in level), key=lambda one: _range_of(one, last).worst)
    ratio = ratio_of(first, last)
    is_kin = any(each.stands_for for each in (level[0][0], level[1][0], slow))
    names = [level[0][0].name, level[1][0].name, slow.name]
    times = times_words(first, last)
    sentence = _level_sentence(names, times, words_max=NAME_WORDS_MAX)
    if len(sentence.split()) > WORDS_MAX:
        sentence = _level_sentence(names, times, words_max=NAME_WORDS_OF_THREE)
    return Answer(
        sentence=sentence,
        sure=confidence.line_of_ratio(
            sureness_of(first, last, ratio, is_kin=is_kin),
            _basis(first, last),
            _range_of(first, last),
        ),
        figure=times_figure(first, last),
        unit=rate_title(first),
    )


def _level_sentence(names: Sequence[str], times: str, *, words_max: int) -> str:
    *level, slow = (short_name(each, words_max=words_max) for each in names)
    sentence = _("%(level)s are level: %(times)s times as fast as %(slow)s.")
    return _ended_once(sentence % {"level": name_list(level), "times": times, "slow": slow})


def is_told_apart(contenders: Sequence[Contender]) -> bool:
    """Whether the fastest of them and the next can be told apart."""
    ranking = _fastest_first(contenders)[:PAIR]
    return len(ranking) == PAIR and is_apart(ranking[0][1], ranking[1][1])


def _ended_once(sentence: str) -> str:
    """A sentence that ends in a name which was cut: the dots of the cut end it too."""
    return re.sub("\u2026[.\u3002]$", "\u2026", sentence)


def _fastest_first(contenders: Sequence[Contender]) -> list[tuple[Contender, ThingFigures]]:
    """Those that have a figure that counts, with it."""
    counting = [
        (each, each.figures) for each in contenders if each.figures and not each.figures.is_out
    ]
    return sorted(counting, key=lambda each: -each[1].rate_per_s)


def _unknown(contenders: Sequence[Contender]) -> Answer:
    """What is said where fewer than two have a figure that counts: it is that of the one."""
    ranking = _fastest_first(contenders)
    sentence, why = _why_unknown(contenders)
    sure = confidence.line(UNKNOWN, why)
    if not ranking:
        return Answer(sentence=sentence, sure=sure)
    known, figures = ranking[0]
    return Answer(
        sentence=sentence,
        sure=sure,
        figure=significant(figures.rate_per_s),
        unit=phrases.join_facts((rate_title(figures), short_name(known.name))),
    )


def _why_unknown(contenders: Sequence[Contender]) -> tuple[str, str]:
    """What keeps things from being compared: nobody measured one, else that its run is out."""
    names = [short_name(each.name) for each in contenders if each.figures is None][:PAIR]
    if names:
        sentence = _("Nobody has measured %(names)s.")
        return _ended_once(sentence % {"names": name_list(names)}), confidence.basis_of(None)
    out = [short_name(each.name) for each in contenders if each.figures and each.figures.is_out]
    out = out[:PAIR]
    sentence = ngettext("%(names)s does not count.", "%(names)s do not count.", len(out))
    return _ended_once(sentence % {"names": name_list(out)}), _("does not count")


def ratio_of(first: ThingFigures, second: ThingFigures) -> Margin:
    """How many times the first is the second, with both ends where both have an interval."""
    middle = first.rate_per_s / second.rate_per_s
    if not (first.low and first.high and second.low and second.high):
        return Margin(middle)
    return Margin(middle, first.low / second.high, first.high / second.low)


def left_by_work(first: ThingFigures, second: ThingFigures) -> Margin | None:
    """Between which ends their ratio would lie with the same work.

    None of the same work, and of work that is compared with no other.
    """
    ratio, factor = ratio_of(first, second), _factor(first, second)
    if factor is None or factor <= 1:
        return None
    return Margin(ratio.middle, ratio.worst / factor, ratio.best * factor)


def times_words(first: ThingFigures, second: ThingFigures) -> str:
    """How many times the first is the second; of other work the range that the work leaves.

    Of a wide range nobody should remember the high end: the low one is said.
    """
    if (least := _least_of_wide(first, second)) is not None:
        return _("at least %(times)s") % {"times": significant(least, 2)}
    return _times(first, second)


def times_figure(first: ThingFigures, second: ThingFigures) -> str:
    """How many times the first is the second, as a figure."""
    if (least := _least_of_wide(first, second)) is not None:
        return f"\u2265{significant(least, 2)}\u00d7"
    return f"{_times(first, second)}\u00d7"


def _times(first: ThingFigures, second: ThingFigures) -> str:
    left = left_by_work(first, second)
    if left is None:
        return significant(ratio_of(first, second).middle, 2)
    return f"{significant(left.worst, 2)}\u2013{significant(left.best, 2)}"


def _least_of_wide(first: ThingFigures, second: ThingFigures) -> float | None:
    """The low end of a ratio whose ends are far apart; None where they are not."""
    ends = _range_of(first, second)
    return ends.worst if ends.best > WIDE * ends.worst > WIDE else None


def _range_of(first: ThingFigures, second: ThingFigures) -> Margin:
    """The ratio as the work leaves it, else as it was measured."""
    return left_by_work(first, second) or ratio_of(first, second)


def _factor(first: ThingFigures, second: ThingFigures) -> float | None:
    return work_factor(first.shape.workload, second.shape.workload)


def is_apart(first: ThingFigures, second: ThingFigures) -> bool:
    """Whether two rates can be told apart: by the rule of the table, of few by their intervals.

    What the work alone may explain is none of the things.
    """
    left = left_by_work(first, second)
    if left is not None and left.worst <= 1:
        return False
    one, other = rate_operand(first), rate_operand(second)
    outcome = difference(one, other, Quality.RATE).outcome
    if outcome is Comparative.RATIO and one.has_interval and other.has_interval:
        return not overlap(one, other)
    return outcome not in (Comparative.UNSURE, Comparative.SAME)


def sureness_of(
    first: ThingFigures, second: ThingFigures, ratio: Margin, *, is_kin: bool
) -> Sureness:
    """The word for the first being the faster one, by the weaker of the two.

    Of other work and of other kinds of evidence the word is that of weak figures. What only stands
    for a thing is borderline at best, and so is a ratio that the work alone may explain.
    """
    support = max(first.support, second.support)
    if support is Support.NONE:
        return UNKNOWN
    if not is_apart(first, second):
        return Sureness(Confidence.BORDERLINE)
    if first.shape != second.shape:
        support = Support.WEAK
    by_work = _factor(first, second)
    if is_kin or by_work is None or not is_beyond_work(ratio, by_work):
        return Sureness(Confidence.BORDERLINE)
    return Sureness(Confidence.FIRM) if support is Support.STRONG else sureness(support, ratio)


def _basis(first: ThingFigures, second: ThingFigures) -> str:
    """What stands behind both."""
    if first.basis == second.basis:
        return _("%(basis)s each") % {"basis": first.basis}
    if first.level == second.level == Level.PUBLISHED:
        n = first.n_runs + second.n_runs
        return ngettext("%(n)s published run", "%(n)s published runs", n) % {"n": n}
    return phrases.join_names((first.basis, second.basis))


def work_line(contenders: Sequence[Contender]) -> str:
    """In one line what keeps the figures from being compared; else nothing."""
    shapes = [figures.shape for _contender, figures in _fastest_first(contenders)]
    if len(shapes) > PAIR:
        return _of_many_works({shape.workload for shape in shapes})
    if len(shapes) < PAIR or shapes[0] == shapes[1]:
        return ""
    one, other = shapes
    if one.workload == other.workload:
        return _of_one_work(one, other)
    factor = work_factor(one.workload, other.workload)
    if factor is None:
        return ""
    return _(
        "One did “%(one)s”, the other “%(other)s”: up to %(times)s times apart by the work alone."
    ) % {
        "one": workload_short(one.workload),
        "other": workload_short(other.workload),
        "times": significant(factor, 2),
    }


def _of_many_works(works: Collection[str]) -> str:
    """How far several figures are apart by their works alone."""
    factors = [work_factor(one, other) for one, other in combinations(works, PAIR)]
    if not factors or None in factors:
        return ""
    furthest = max(factor for factor in factors if factor)
    sentence = _("The work differs, as each row says: up to %(times)s times apart by it alone.")
    return sentence % {"times": significant(furthest, 2)}


def _of_one_work(one: Shape, other: Shape) -> str:
    """What differs between two figures of the same work: their evidence, else the version."""
    if one.evidence != other.evidence:
        return _("The same work, but one was measured and the other published.")
    sentence = _("The same work, but one in version %(one)s and the other in version %(other)s.")
    return sentence % {"one": one.version, "other": other.version}


def kin_line(contenders: Sequence[Contender]) -> str:
    """Which things stand for those that nobody measured; else nothing."""
    return phrases.join_clauses(each.label for each in contenders if each.stands_for)

"""One word for how sure a statement about a figure is, from what stands behind it and its margin.

The five words are those of every page: firm, likely, borderline, unlikely, unknown. The rule is
ours and stands in docs/methodology.md, with the reason of each limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum, StrEnum
from typing import Final

# A figure that few stand behind may be off by so much: twice covers nine of ten pairs of work that
# is compared on one drive, and of machines of one plan that people sent.
MARGIN_OF_SOME: Final = 2.0
# What is weaker is believed only where it need not be right: off by four either way.
MARGIN_OF_WEAK: Final = 4.0
# Flash, firmware and hosts of a plan change in that time; warranties of drives last five years.
PUBLISHED_AGE_MAX: Final = timedelta(days=5 * 365)


class Confidence(StrEnum):
    """How sure a statement is; the surest first."""

    FIRM = "firm"
    LIKELY = "likely"
    BORDERLINE = "borderline"
    UNLIKELY = "unlikely"
    UNKNOWN = "unknown"


class Support(IntEnum):
    """How much stands behind a figure; the most first."""

    STRONG = 0  # enough uploaders to be ranked
    SOME = 1  # fewer, or an article
    WEAK = 2  # an old article, one that calls its figure a sample, or work that is only alike
    NONE = 3


@dataclass(frozen=True, slots=True)
class Margin:
    """A figure over what is needed: 1 is just enough. Both ends where they are known."""

    middle: float
    low: float | None = None
    high: float | None = None

    @property
    def worst(self) -> float:
        """The end that can be counted on, else the estimate."""
        return self.middle if self.low is None else min(self.low, self.middle)

    @property
    def best(self) -> float:
        """The end that cannot be beaten, else the estimate."""
        return self.middle if self.high is None else max(self.high, self.middle)


@dataclass(frozen=True, slots=True)
class Sureness:
    """A word, and which way it points: a need is met, or it is not."""

    confidence: Confidence
    fails: bool = False  # with FIRM: surely not enough

    @property
    def shape(self) -> str:
        """The word as its shape is called."""
        return "fails" if self.fails else self.confidence.value


UNKNOWN: Final = Sureness(Confidence.UNKNOWN)


def support_of(
    *, is_ranked: bool, is_published: bool, is_doubtful: bool = False, age: timedelta | None = None
) -> Support:
    """Return how much stands behind a figure.

    `is_doubtful`: its source calls it a sample, or it could have been prepared. `age` is that of
    its article; None where nobody states a day.
    """
    if is_ranked and not is_published:
        return Support.STRONG
    is_old = is_published and (age is None or age > PUBLISHED_AGE_MAX)
    return Support.WEAK if is_doubtful or is_old else Support.SOME


def sureness(support: Support, margin: Margin | None = None) -> Sureness:
    """Return the word for a figure, and with a margin for the statement that it is enough.

    Strong figures are judged by their interval: beyond either end the answer is firm. Others are
    judged by their estimate, which has to clear the need by a factor, either way.
    """
    if support is Support.NONE:
        return UNKNOWN
    if margin is None:
        return Sureness(_OF_FIGURES[support])
    if support is Support.STRONG:
        if margin.worst >= 1:
            return Sureness(Confidence.FIRM)
        fails = margin.best < 1
        return Sureness(Confidence.FIRM if fails else Confidence.BORDERLINE, fails=fails)
    factor = MARGIN_OF_SOME if support is Support.SOME else MARGIN_OF_WEAK
    if margin.worst >= factor:
        return Sureness(Confidence.LIKELY)
    is_far_below = margin.best * factor <= 1
    return Sureness(Confidence.UNLIKELY if is_far_below else Confidence.BORDERLINE)


def is_beyond_work(ratio: Margin, by_work: float) -> bool:
    """Whether a ratio of two figures says something of the things, whatever work each did.

    `by_work` is how many times the work alone sets them apart, 1 of the same work. What is left of
    the ratio without it has to clear the margin of figures that few stand behind.
    """
    return by_work <= 1 or ratio.worst / by_work >= MARGIN_OF_SOME


_OF_FIGURES: Final = {
    Support.STRONG: Confidence.FIRM,
    Support.SOME: Confidence.LIKELY,
    Support.WEAK: Confidence.BORDERLINE,
}

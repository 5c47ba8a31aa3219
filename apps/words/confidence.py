"""The five words of confidence, and the line in which each answer says how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from apps.rankings.models import Evidence
from apps.rankings.standings.confidence import (
    support_of_run,
    support_of_standing,
    sureness_of,
)
from apps.runs.models import Level
from apps.stats.figures import significant
from apps.stats.standings.confidence import UNKNOWN, Confidence, Support, sureness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.rankings.models import Standing
    from apps.runs.models import Run
    from apps.stats.standings.confidence import Margin, Sureness

TIMES_MIN: Final = 0.01  # how far below a need something is matters no more

WORDS: Final[Mapping[Confidence, str]] = {
    Confidence.FIRM: gettext_noop("Firm"),
    Confidence.LIKELY: gettext_noop("Likely"),
    Confidence.BORDERLINE: gettext_noop("Borderline"),
    Confidence.UNLIKELY: gettext_noop("Unlikely"),
    Confidence.UNKNOWN: gettext_noop("Unknown"),
}


WHY: Final[Mapping[Support, str]] = {
    Support.STRONG: gettext_noop("Enough uploaders for a rank."),
    Support.SOME: gettext_noop("Too few uploaders for a rank."),
}


def word(sure: Sureness) -> str:
    """Return the word; a firm no says that it is one."""
    if sure.fails and sure.confidence is Confidence.FIRM:
        return _("Firm: fails")
    return _(WORDS[sure.confidence])


class Counted(Protocol):
    """What stands behind a figure, by the fields of a standing."""

    @property
    def evidence(self) -> str: ...
    @property
    def n_runs(self) -> int: ...
    @property
    def n_uploaders(self) -> int: ...


def basis_of(standing: Counted | None) -> str:
    """Return what stands behind a standing in at most four words."""
    if standing is None:
        return _("nobody measured it")
    if standing.evidence == Evidence.PUBLISHED:
        text = ngettext("%(n)s published run", "%(n)s published runs", standing.n_runs)
        return text % {"n": standing.n_runs}
    if standing.evidence == Evidence.EXAMPLE:
        return _("made-up example")
    text = ngettext("%(n)s uploader", "%(n)s uploaders", standing.n_uploaders)
    return text % {"n": standing.n_uploaders}


def basis_of_run(run: Run) -> str:
    """Return what one run is in at most four words: its level, or that it does not count."""
    if run.is_example:
        return _("made-up example")
    if run.is_kept_out:
        return _("does not count")
    return _("1 %(level)s run") % {"level": _(Level(run.level).label).lower()}


def why_of(standing: Standing) -> str:
    """Return why the word for a figure is the one that it is; nothing of an example."""
    support = support_of_standing(standing)
    if standing.evidence == Evidence.PUBLISHED:
        return why_of_article(support)
    return _(WHY[support]) if support in WHY else ""


def why_of_run(run: Run) -> str:
    """Return the same of a published run; levels of others say it themselves."""
    is_article = run.level == Level.PUBLISHED and not run.is_kept_out
    return why_of_article(support_of_run(run)) if is_article else ""


def why_of_article(support: Support) -> str:
    """Return why an article is believed as far as it is."""
    if support is Support.SOME:
        return _("A source of the last five years.")
    return _("Undated, over five years old, or a sample by its own word.")


def line_of(standing: Standing | None) -> str:
    """Return how sure the figure of a standing is, and what stands behind it."""
    return line(sureness_of(standing), basis_of(standing))


def line_of_run(run: Run, *, has_figure: bool = True) -> str:
    """Return how sure the figure of a run is; of an import also what its sender alone says."""
    sure = line(sureness(support_of_run(run)) if has_figure else UNKNOWN, basis_of_run(run))
    is_named = run.claimed_provider or run.claimed_plan or run.drive_reported
    if run.level != Level.IMPORTED or not is_named:
        return sure
    return _("%(sure)s; machine and drive are the sender's word") % {"sure": sure}


def times_words(times: float) -> str:
    """Return how many times a need something does, as "1.2"; a trace of it as "under 0.01"."""
    return _("under 0.01") if times < TIMES_MIN else significant(times, 2)


def line(sure: Sureness, basis: str, margin: Margin | None = None) -> str:
    """Return the word, the margin where something is needed, and what stands behind it.

    "Likely: 27 times what you need, 1 published run"; "at least 27 times" by the low end of an
    interval, and by its high end where that is not enough.
    """
    values = {"word": word(sure), "basis": basis}
    if margin is None or sure.confidence is Confidence.UNKNOWN:
        return _("%(word)s: %(basis)s") % values
    falls_short = sure.fails or sure.confidence is Confidence.UNLIKELY
    times = margin.best if falls_short else margin.worst
    is_plain = times_words(times) == times_words(margin.middle) or times < TIMES_MIN
    if is_plain or times > margin.middle:
        sentence = _("%(word)s: %(times)s times what you need, %(basis)s")
    else:
        sentence = _("%(word)s: at least %(times)s times what you need, %(basis)s")
    return sentence % {**values, "times": times_words(times)}


def line_of_ratio(sureness: Sureness, basis: str, ratio: Margin) -> str:
    """Return the word for one thing being faster than another, and by how much at either end.

    "Likely: 43-74 times, 1 published run each"
    """
    if sureness.confidence is Confidence.UNKNOWN:
        return _("%(word)s: %(basis)s") % {"word": word(sureness), "basis": basis}
    times = significant(ratio.middle, 2)
    if ratio.low is not None and ratio.high is not None:
        times = f"{significant(ratio.low, 2)}\u2013{significant(ratio.high, 2)}"
    sentence = _("%(word)s: %(times)s times, %(basis)s")
    return sentence % {"word": word(sureness), "times": times, "basis": basis}

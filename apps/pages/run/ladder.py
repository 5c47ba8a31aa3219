"""Where a run stands on the fsync ladder: every class with its range, and the run's own commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.draw.axis import AxisPlace, place_of_ns
from apps.pages.draw.ladder import claim_words
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.pages.run.verdict import RunVerdict
from apps.pages.show import units
from apps.pages.show.phrases import translate
from apps.runs.models import Run


@dataclass(frozen=True, slots=True)
class RunRung:
    """One class of storage; its typical range in nanoseconds."""

    name: str
    low_ns: int
    high_ns: int
    bar: Span
    is_expected: bool  # what the device leads one to expect
    is_measured: bool  # the class nearest to the run's commits
    holds: bool  # whether its range holds the run's median
    claim: str  # in words behind the range; empty where all was measured

    @property
    def note(self) -> str:
        """What this class is to the run."""
        if self.is_expected and self.is_measured and self.holds:
            return _("its device is of this class, and commits like it")
        if self.is_expected:
            return _("its device is of this class")
        if not self.is_measured:
            return ""
        return _("it commits like this class") if self.holds else _("the nearest class")


@dataclass(frozen=True, slots=True)
class RunOnLadder:
    """The ladder with a run on it. Latencies in nanoseconds."""

    rungs: tuple[RunRung, ...]
    p50_ns: int
    at: AxisPlace
    whisker: Span | None  # from p50 to p99
    words_left: bool
    is_sync: bool  # the latencies are of the sync alone, not of the whole commit
    sentence: str


def place_run(
    run: Run, classes: Iterable[Mapping[str, object]], verdict: RunVerdict | None
) -> RunOnLadder | None:
    """Place a run by the median of its commits; None where it has none, or there is no ladder."""
    if verdict is None or verdict.p50_ns is None:
        return None
    p50_ns, p99_ns = verdict.p50_ns, verdict.p99_ns
    rungs = tuple(rung_of(run, each, p50_ns=p50_ns) for each in classes)
    if not rungs:
        return None
    at = place_of_ns(p50_ns)
    return RunOnLadder(
        rungs=rungs,
        p50_ns=p50_ns,
        at=at,
        whisker=Span(at, place_of_ns(p99_ns)) if p99_ns else None,
        words_left=at.percent > FLIP_AT_PERCENT,
        is_sync=verdict.is_sync,
        sentence=sentence_of(rungs, p50_ns, SYNCS if verdict.is_sync else COMMITS),
    )


@dataclass(frozen=True, slots=True)
class LadderSentences:
    """The sentence for each place at which a run can stand."""

    alone: Promise  # no class is near
    slower: Promise
    quicker: Promise
    as_its_class: Promise
    like: Promise  # a class holds it, and that of its device is not known
    nearest: Promise  # likewise, and no class holds it


COMMITS: Final = LadderSentences(
    alone=gettext_lazy("This run commits in %(time)s."),
    slower=gettext_lazy(
        "This run commits in %(time)s: slower than its class, %(name)s, which is said to take "
        "%(low)s to %(high)s."
    ),
    quicker=gettext_lazy(
        "This run commits in %(time)s: quicker than its class, %(name)s, which is said to take "
        "%(low)s to %(high)s. That wants an explanation."
    ),
    as_its_class=gettext_lazy("This run commits in %(time)s, as its class does: %(name)s."),
    like=gettext_lazy("This run commits in %(time)s, which is usual for this class: %(name)s."),
    nearest=gettext_lazy(
        "This run commits in %(time)s. The nearest class is %(name)s, which is said to take "
        "%(low)s to %(high)s."
    ),
)
SYNCS: Final = LadderSentences(
    alone=gettext_lazy("A sync of this run takes %(time)s."),
    slower=gettext_lazy(
        "A sync of this run takes %(time)s: slower than its class, %(name)s, which is said to take "
        "%(low)s to %(high)s."
    ),
    quicker=gettext_lazy(
        "A sync of this run takes %(time)s: quicker than its class, %(name)s, which is said to "
        "take %(low)s to %(high)s. That wants an explanation."
    ),
    as_its_class=gettext_lazy("A sync of this run takes %(time)s, as in its class: %(name)s."),
    like=gettext_lazy(
        "A sync of this run takes %(time)s, which is usual for this class: %(name)s."
    ),
    nearest=gettext_lazy(
        "A sync of this run takes %(time)s. The nearest class is %(name)s, which is said to take "
        "%(low)s to %(high)s."
    ),
)


def sentence_of(rungs: Sequence[RunRung], p50_ns: int, sentences: LadderSentences) -> str:
    """Where the run stands, in words: beside the class of its device if that is known."""
    own = next((rung for rung in rungs if rung.is_expected), None)
    rung = own or next((rung for rung in rungs if rung.is_measured), None)
    time = units.latency(p50_ns)
    if rung is None:
        return str(sentences.alone) % {"time": time}
    if rung.holds:
        sentence = sentences.as_its_class if own else sentences.like
    elif own is None:
        sentence = sentences.nearest
    else:
        sentence = sentences.slower if p50_ns > own.high_ns else sentences.quicker
    return str(sentence) % {
        "time": time,
        "name": translate(rung.name),
        "low": units.latency(rung.low_ns),
        "high": units.latency(rung.high_ns),
    }


def rung_of(run: Run, row: Mapping[str, object], *, p50_ns: int) -> RunRung:
    """One class as the database aggregated it."""
    low_ns, high_ns, slug = int(str(row["low_ns"])), int(str(row["high_ns"])), str(row["slug"])
    low, high = row["claimed_low_ns"], row["claimed_high_ns"]
    claimed = "" if low is None else units.latency_range(int(str(low)), int(str(high)))
    return RunRung(
        name=translate(str(row["name"])),
        low_ns=low_ns,
        high_ns=high_ns,
        bar=Span(place_of_ns(low_ns), place_of_ns(high_ns)),
        is_expected=slug == run.expected_class_id,
        is_measured=slug == run.measured_class_id,
        holds=low_ns <= p50_ns <= high_ns,
        claim=claim_words(is_claim=bool(row["is_claim"]), claimed=claimed),
    )

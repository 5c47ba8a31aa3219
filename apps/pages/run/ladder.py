"""Where a run stands on the fsync ladder: every class with its range, and the run's own commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.draw.axis import NS_PER_S, AxisPlace, place_of_ns
from apps.pages.draw.ladder import MarkQuantity, claim_words
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.pages.run.selectors import is_sync_a_part
from apps.pages.show import units
from apps.pages.show.phrases import translate
from apps.rankings.choice import headline_latency
from apps.runs.published.comparable import APART, comparable_class
from apps.runs.sides import COMMIT_SIDES
from apps.wire.suites import SMALL_BLOCK_BYTES_MAX
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import Promise

    from apps.pages.run.selectors import RunDetails
    from apps.pages.run.verdict import RunVerdict
    from apps.runs.models import Measurement, Run


MARKS_MAX: Final = 6  # with the classes below them as many as the words beside are high


QUANTITIES: Final[dict[MarkQuantity, Promise]] = {
    MarkQuantity.COMMIT: gettext_lazy("commit p50"),
    MarkQuantity.SYNC: gettext_lazy("sync p50"),
    MarkQuantity.MEAN: gettext_lazy("1 / rate"),
}


@dataclass(frozen=True, slots=True)
class RunRung:
    """One class of storage; its typical range in nanoseconds."""

    name: str
    low_ns: int
    high_ns: int
    bar: Span
    is_expected: bool  # what the device leads one to expect
    is_measured: bool  # the class nearest to the run's commits
    holds: bool  # whether its range holds the run's mark
    claim: str  # in words behind the range; empty where all was measured

    @property
    def note(self) -> str:
        """What this class is to the run."""
        if self.is_expected:
            return _("its class")
        return _("nearest class") if self.is_measured else ""


@dataclass(frozen=True, slots=True)
class RunOnLadder:
    """The ladder with a run on it. Latencies in nanoseconds."""

    rungs: tuple[RunRung, ...]
    at_ns: int
    at: AxisPlace
    whisker: Span | None  # from p50 to p99
    words_left: bool
    drawn_as: MarkQuantity
    plp: str
    sentence: str

    @property
    def what(self) -> str:
        """What its mark is, in words."""
        return str(QUANTITIES[self.drawn_as])


@dataclass(frozen=True, slots=True)
class RunMark:
    """One workload of a run on the axis; its place in nanoseconds."""

    name: str
    at_ns: int
    at: AxisPlace
    drawn_as: MarkQuantity
    plp: str

    @property
    def words_left(self) -> bool:
        """Whether its words stand left of it, because there is no room right of it."""
        return self.at.is_right


def place_run(details: RunDetails, verdict: RunVerdict | None) -> RunOnLadder | None:
    """Place a run by the median of its commits, else by 1 / rate.

    None where it does not count, where its work is comparable with no commit, where neither is
    known, or where there is no ladder.
    """
    run, headline = details.run, details.headline
    if verdict is None or headline is None or run.is_kept_out or not is_comparable(run, headline):
        return None
    quantity, at_ns = mark_of(headline)
    if at_ns is None:
        return None
    rungs = tuple(rung_of(run, each, at_ns=at_ns) for each in details.classes)
    if not rungs:
        return None
    at = place_of_ns(at_ns)
    slow_ns = None if verdict.is_part else verdict.p99_ns
    return RunOnLadder(
        rungs=rungs,
        at_ns=at_ns,
        at=at,
        whisker=Span(at, place_of_ns(slow_ns)) if slow_ns else None,
        words_left=at.percent > FLIP_AT_PERCENT,
        drawn_as=quantity,
        plp=plp_of(run),
        sentence=sentence_of(rungs, at_ns, quantity),
    )


def marks_of(details: RunDetails) -> tuple[RunMark, ...]:
    """The commits of a run that has no curve, the quickest first; nothing where it is kept out."""
    run = details.run
    placed = [
        (at_ns, quantity, workload_title(each.workload, each.title))
        for each in details.measurements
        if not run.is_kept_out and is_comparable(run, each)
        for quantity, at_ns in [mark_of(each)]
        if at_ns is not None
    ]
    return tuple(
        RunMark(name, at_ns, place_of_ns(at_ns), quantity, plp_of(run))
        for at_ns, quantity, name in sorted(placed)[:MARKS_MAX]
    )


def plp_of(run: Run) -> str:
    """The protection of the drive of a run, which is the shape of its marks."""
    return run.drive_family.plp if run.drive_family else "unknown"


def is_comparable(run: Run, measurement: Measurement) -> bool:
    """Whether its latency is that of a commit, and may stand on the axis of commits.

    A job of an output that was given in is of no suite: what its tool says of it decides.
    """
    if run.imported_file_id is None:
        return comparable_class(measurement.workload) != APART
    size = measurement.block_bytes
    is_small = size is not None and size <= SMALL_BLOCK_BYTES_MAX
    return measurement.is_durable_single_writer and is_small


def mark_of(measurement: Measurement) -> tuple[MarkQuantity, int | None]:
    """What the mark of a workload is, and its place in nanoseconds; None where nothing is known.

    A sync that is but a part of the commit is no place of it: then 1 / rate is.
    """
    latency, rate = headline_latency(measurement), measurement.rate_per_s
    if is_sync_a_part(latency, rate):
        latency = None
    if latency is not None and latency.side in COMMIT_SIDES and latency.p50_ns is not None:
        return (
            MarkQuantity.SYNC if latency.side == "sync" else MarkQuantity.COMMIT
        ), latency.p50_ns
    return MarkQuantity.MEAN, round(NS_PER_S / rate) if rate else None


USUAL: Final = gettext_lazy("%(what)s %(time)s: usual for %(name)s.")
SLOWER: Final = gettext_lazy("%(what)s %(time)s: slower than %(name)s, %(range)s.")
QUICKER: Final = gettext_lazy("%(what)s %(time)s: faster than %(name)s, %(range)s.")


def sentence_of(rungs: Sequence[RunRung], at_ns: int, quantity: MarkQuantity) -> str:
    """Where the run stands, in words: beside the class of its device, else the nearest class."""
    known = [rung for rung in rungs if rung.is_expected or rung.is_measured]
    rung = max(known, key=lambda each: each.is_expected, default=None)
    what = {"what": QUANTITIES[quantity], "time": units.latency(at_ns)}
    if rung is None:
        return f"{what['what']} {what['time']}"
    apart = SLOWER if at_ns > rung.high_ns else QUICKER
    sentence = USUAL if rung.holds else apart
    range_words = units.latency_range(rung.low_ns, rung.high_ns)
    return str(sentence) % {**what, "name": translate(rung.name), "range": range_words}


def rung_of(run: Run, row: Mapping[str, object], *, at_ns: int) -> RunRung:
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
        holds=low_ns <= at_ns <= high_ns,
        claim=claim_words(is_claim=bool(row["is_claim"]), claimed=claimed),
    )

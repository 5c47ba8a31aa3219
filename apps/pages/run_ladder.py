"""Where a run stands on the fsync ladder: every class with its range, and the run's own commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages import units
from apps.pages.said import told
from apps.pages.svg.axis import Place, place_of_ns
from apps.pages.svg.trace import FLIP_AT_PERCENT, Span
from apps.runs.models import Run


@dataclass(frozen=True, slots=True)
class Rung:
    """One class of storage; its typical range in nanoseconds."""

    name: str
    low_ns: int
    high_ns: int
    bar: Span
    is_expected: bool  # what the device leads one to expect
    is_measured: bool  # where the run's commits stand
    is_claim: bool

    @property
    def note(self) -> str:
        """What this class is to the run."""
        if self.is_expected and self.is_measured:
            return _("its device is of this class, and commits like it")
        if self.is_expected:
            return _("its device is of this class")
        return _("it commits like this class") if self.is_measured else ""


@dataclass(frozen=True, slots=True)
class Placed:
    """The ladder with a run on it. Latencies in nanoseconds."""

    rungs: tuple[Rung, ...]
    half_ns: int
    at: Place
    whisker: Span | None  # from p50 to p99
    words_left: bool
    says: str


def place_run(
    run: Run, classes: Iterable[Mapping[str, object]], *, half_ns: int | None, most_ns: int | None
) -> Placed | None:
    """Place a run by the median of its commits; None where it has none, or there is no ladder."""
    rungs = tuple(rung_of(run, each) for each in classes)
    if half_ns is None or not rungs:
        return None
    at = place_of_ns(half_ns)
    return Placed(
        rungs=rungs,
        half_ns=half_ns,
        at=at,
        whisker=Span(at, place_of_ns(most_ns)) if most_ns else None,
        words_left=at.percent > FLIP_AT_PERCENT,
        says=said_of(rungs, half_ns),
    )


SLOWER: Final = gettext_lazy(
    "This run commits in %(time)s: slower than its class, %(name)s, which is said to take %(low)s "
    "to %(high)s."
)
QUICKER: Final = gettext_lazy(
    "This run commits in %(time)s: quicker than its class, %(name)s, which is said to take %(low)s "
    "to %(high)s. That wants an explanation."
)
AS_ITS_CLASS: Final = gettext_lazy("This run commits in %(time)s, as its class does: %(name)s.")
LIKE: Final = gettext_lazy("This run commits in %(time)s, which is usual for this class: %(name)s.")


def said_of(rungs: Sequence[Rung], half_ns: int) -> str:
    """Where the run stands, in words: beside the class of its device if that is known."""
    own = next((rung for rung in rungs if rung.is_expected), None)
    rung = own or next((rung for rung in rungs if rung.is_measured), None)
    time = units.latency(half_ns)
    if rung is None:
        return _("This run commits in %(time)s.") % {"time": time}
    if own is None:
        said = LIKE
    elif half_ns > own.high_ns:
        said = SLOWER
    else:
        said = QUICKER if half_ns < own.low_ns else AS_ITS_CLASS
    return said % {
        "time": time,
        "name": told(rung.name),
        "low": units.latency(rung.low_ns),
        "high": units.latency(rung.high_ns),
    }


def rung_of(run: Run, row: Mapping[str, object]) -> Rung:
    """One class as the database aggregated it."""
    low_ns, high_ns, slug = int(str(row["low_ns"])), int(str(row["high_ns"])), str(row["slug"])
    return Rung(
        name=told(str(row["name"])),
        low_ns=low_ns,
        high_ns=high_ns,
        bar=Span(place_of_ns(low_ns), place_of_ns(high_ns)),
        is_expected=slug == run.expected_class_id,
        is_measured=slug == run.measured_class_id,
        is_claim=bool(row["is_claim"]),
    )

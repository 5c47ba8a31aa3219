"""The answer that a page opens with: one sentence, one figure, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.pages.show import units

WORDS_MAX: Final = 20  # of the sentence: one breath; more is evidence and stands in a fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader came for. The sentence has at most WORDS_MAX words."""

    sentence: str
    sure: str  # word of confidence, margin and what stands behind it, by `words.confidence`
    figure: str = ""  # with its unit in `unit`
    unit: str = ""
    is_out: bool = False  # the figure does not count


def latency_sentence(what: str, p50_ns: int | None, p99_ns: int | None) -> str:
    """How long operations take, in two figures. Latencies in nanoseconds."""
    if p50_ns is None and p99_ns is not None:
        most = {"what": what, "most": units.latency(p99_ns)}
        return _("99 of 100 %(what)s finish within %(most)s.") % most
    if p50_ns is None:
        return _("Only the rate is known: no percentile was recorded.")
    if p99_ns is None:
        half = {"what": what, "half": units.latency(p50_ns)}
        return _("Half of all %(what)s finish within %(half)s.") % half
    figures = {"what": what, "half": units.latency(p50_ns), "most": units.latency(p99_ns)}
    return _("Half of all %(what)s finish within %(half)s, 99 of 100 within %(most)s.") % figures

"""The reasons of a flush verdict in words, from its own figures and from those of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.flush_verdict import RULE
from apps.runs.rules import RULES
from apps.words.labels import findings
from apps.words.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.figures import Figures, Words

REASONS: Final[dict[str, Words]] = {
    "data-sheet": "The data sheet says that the cache survives a power cut.",
    "own-word": "The drive itself says that no cache of it is volatile.",
    "emptied": "A flush takes the longer the more was written: the volatile cache is emptied.",
    "slow-as-medium": "The cache is volatile, and commits take as long as its medium needs.",
    "flushes-unclear": "Not every commit had a flush of its own: whether all reached the medium is "
    "unclear.",
    "only-a-power-cut": "Protected, ignored, or answered by a host: only a power cut tells.",
    "kernel": "The kernel sees the write cache as {caches:and}, {fua:word}.",
    "says-volatile": "The drive itself says that it keeps a volatile cache.",
    "unprotected": "The data sheet names no protection of cached writes.",
    "protection-unknown": "Protection of cached writes is not known of this drive.",
    "uncounted": "Flushes were not counted.",
    "counted": "The drive finished {flushes_hundredths:hundredths} flushes a commit.",
    "drain": "A flush after 64 MiB took {times_tenths:tenths} times an empty one: {drain:word}.",
    "floor": "Half of the commits took {p50_ns:us1} µs or less, not below the floor, "
    "{floor_ns:us0} µs ({class:class}).",
    # words inside of these
    "write back": "write back",
    "write through": "write through",
    "unknown": "unknown",
    "fua-all": "with FUA",
    "fua-none": "without FUA",
    "fua-some": "with FUA on some drives",
    "fua-unknown": "FUA not known of all",
    "flat": "it does no work that grows with what was written",
    "volatile": "it empties a cache that a power cut would empty otherwise",
    "unclear": "too uneven to tell",
}


def reason_sentences(reasons: Iterable[Figures]) -> list[str]:
    """Return what a verdict rests on in words of the language in force."""
    return [sentence for reason in reasons for sentence in _sentences_of(reason)]


def _sentences_of(reason: Figures) -> list[str]:
    if RULE in reason:
        return findings(RULES[str(reason[RULE])], reason)
    return sentences(reason, cases=REASONS)

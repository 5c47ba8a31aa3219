"""What stands on the picture of a shared link: names and figures of stored rows, as plain data.

The words on it are English in every language: the fonts of the site hold Latin letters alone, a
Chinese one has megabytes, and what carries the picture is a name, figures and units.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import astuple, dataclass

DRAWING_VERSION = 3  # a new number makes every cached picture stale
ETAG_CHARACTERS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One picture. Latencies in nanoseconds, rates a second; None where nobody knows."""

    title: str
    kind: str  # what the title names: plan, drive, provider, run
    workload: str = ""
    rate_per_s: float | None = None
    low_per_s: float | None = None
    high_per_s: float | None = None
    at_ns: float | None = None  # where the mark stands: p50 of a commit, else 1 / rate
    p99_ns: float | None = None
    plp: str = ""
    counts: str = ""  # how many runs, of what evidence
    day: dt.date | None = None
    published: str = ""  # month of the article, where no day is stated
    sentence: str = ""  # where there is no figure, or beside an answer's
    said: str = ""  # the figure of an answer as its page says it
    unit: str = ""
    sure: str = ""  # how sure the answer is
    marks: tuple[tuple[str, float], ...] = ()  # of several things: names, and rates a second
    is_made_up: bool = False  # then the picture says so in large letters

    @property
    def etag(self) -> str:
        """The ETag of the picture, made of its contents without drawing it."""
        facts = repr((DRAWING_VERSION, astuple(self))).encode()
        return f'"{hashlib.sha256(facts).hexdigest()[:ETAG_CHARACTERS]}"'


SITE = Card(
    title="What a durable write really costs",
    kind="",
    sentence="Durable commits per second of rented servers and their drives",
)

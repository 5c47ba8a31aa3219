"""What the picture of a shared page says, in its address: signed, so that nobody else writes on it.

A page hands on what it has just said of itself, and the picture is drawn of that without a query.
Another figure is another address: nobody who keeps pictures shows an old one beside a new page.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

TEXT_CHARACTERS_MAX: Final = 240  # three lines of the picture
NAME_CHARACTERS_MAX: Final = 60
MARKS_MAX: Final = 6  # things of a comparison
_SIGNER: Final = Signer(salt="og")


@dataclass(frozen=True, slots=True)
class SharedMark:
    """One thing on the picture: its name and its rate a second."""

    name: str
    rate_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedText:
    """What a page says of itself: its title, and the answer with its figure or what it is about."""

    title: str
    sentence: str
    figure: str = ""
    unit: str = ""
    sure: str = ""  # how sure the answer is
    marks: tuple[SharedMark, ...] = ()

    @classmethod
    def of(cls, *, marks: Sequence[SharedMark] = (), **texts: str) -> Self:
        """Return these texts as far as a picture has room for them."""
        named = (
            SharedMark(each.name[:NAME_CHARACTERS_MAX], float(f"{each.rate_per_s:.6g}"))
            for each in marks[:MARKS_MAX]
        )
        return cls(
            marks=tuple(named),
            **{name: " ".join(text.split())[:TEXT_CHARACTERS_MAX] for name, text in texts.items()},
        )

    @classmethod
    def read(cls, query: QueryDict, signature: str) -> Self | None:
        """Return what an address says, where we signed it; else None."""
        try:
            marks = tuple(
                SharedMark(name, float(rate))
                for name, rate in zip(query.getlist("mark"), query.getlist("rate"), strict=True)
            )
            texts = {name: query.get(name, "") for name in TEXTS}
            said = cls(marks=marks, **texts)
            _SIGNER.unsign(f"{said._signed}:{signature}")
        except (ValueError, BadSignature):
            return None
        return said

    @property
    def signature(self) -> str:
        """Ours, of all that it says."""
        return _SIGNER.signature(self._signed)

    @property
    def query(self) -> str:
        """What it says, as a query without its question mark."""
        texts = [(name, value) for name in TEXTS if (value := getattr(self, name))]
        marks = [
            pair
            for each in self.marks
            for pair in (("mark", each.name), ("rate", str(each.rate_per_s)))
        ]
        return urlencode([*texts, *marks])

    @property
    def _signed(self) -> str:
        return json.dumps(astuple(self))


TEXTS: Final = ("title", "sentence", "figure", "unit", "sure")

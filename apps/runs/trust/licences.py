"""On what terms figures may be used: measurements are given away, published ones are cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CC0: Final = "CC0-1.0"  # by its SPDX id
CITED: Final = "cited-facts"


@dataclass(frozen=True, slots=True)
class Licence:
    """The terms of one kind of figures, in English as all of the API is."""

    id: str
    url: str
    text: str


LICENCES: Final = (
    Licence(
        CC0,
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "Measurements that people uploaded, and what is computed of them. Please cite Fsyncmark.",
    ),
    Licence(
        CITED,
        "",
        "Figures of articles and price lists: facts without a licence of ours. Each names its "
        "source; cite that one. Texts and drawings of a source keep its own terms.",
    ),
)


def licence_of(evidence: str) -> str:
    """Return the id of the terms for a kind of evidence."""
    return CITED if evidence == "published" else CC0

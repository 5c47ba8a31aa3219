"""What the pages of comparisons are given: every name that templates use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from apps.pages.compare.comparison import Comparison
    from apps.pages.compare.pictures import Bar, VersusLadder
    from apps.pages.compare.query import CompareQuery
    from apps.pages.compare.selectors.names import NamedThing
    from apps.pages.compare.surroundings import SharedAspects
    from apps.pages.compare.table import Tables
    from apps.pages.compare.things import Thing
    from apps.pages.frame.shared_link import SharedMark
    from apps.pages.show.answer import Answer
    from apps.pages.show.charts import JsonValue


@dataclass(frozen=True, slots=True)
class ThingColumn:
    """A thing with its look, and the addresses that change its place in the comparison."""

    thing: Thing
    role: str
    basis: str
    price_note: str
    run_url: str  # of the newest run behind it; empty without one
    is_base: bool
    base_url: str
    remove_url: str
    left_url: str


@dataclass(frozen=True, slots=True)
class SourceLink:
    """The newest run behind a figure, named by whose figure it is."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class ReadyComparison:
    """A question with the answer that its comparison gives."""

    text: str
    url: str
    answer: Answer
    ladder: VersusLadder


@dataclass(frozen=True, slots=True)
class AddLink:
    """A thing that can be added, and the address with it."""

    thing: NamedThing
    url: str


class OffersContext(TypedDict):
    """What the words of the field can mean, while somebody types."""

    query: CompareQuery
    offers: Sequence[AddLink]
    address: str


class MeasuresContext(TypedDict, total=False):
    """What is said and drawn of two things and more; nothing of it with fewer."""

    base: Thing
    tables: Tables
    is_pair: bool
    summary: str
    csv_url: str
    json_url: str
    answer: Answer
    shared_marks: Sequence[SharedMark]
    work_line: str
    kin_line: str
    sources: Sequence[SourceLink]
    near_url: str  # of the comparison of what stands for things that nobody measured
    ladder: VersusLadder
    reason: str
    price_sentence: str
    price_caution: str
    surroundings: SharedAspects
    currencies: Sequence[str]
    bars: Sequence[Bar]
    curves: dict[str, JsonValue]
    curves_say: str
    has_all_curves: bool
    curves_are_pooled: bool


class ComparisonContext(MeasuresContext, total=False):
    """What the page shows of things that are there."""

    comparison: Comparison
    title: str
    page_path: str
    link: str
    card_path: str
    columns: Sequence[ThingColumn]
    is_comparison: bool
    canonical_keys: Sequence[str]
    known: str  # with one thing: what was measured of it
    suggestions: Sequence[AddLink]  # with one thing
    are_of_its_work: bool  # else they are near to it
    ready: Sequence[ReadyComparison]  # with none
    first: Sequence[tuple[str, Sequence[NamedThing]]]  # with none: plans and drives to tick


class CompareContext(OffersContext, ComparisonContext):
    """The page of a comparison, and of what is chosen for one."""

    refs: Sequence[str]  # what a form without script sends along
    things_max: int
    missing: Sequence[str]

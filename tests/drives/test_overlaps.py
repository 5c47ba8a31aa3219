"""Patterns that two families share are found, with a name that both would claim."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.drives.catalogue import read_families
from apps.drives.overlaps import Patterns
from apps.drives.patterns import PatternError, parse
from apps.drives.recognition import AmbiguousPatternError, patterns_of, refuse_ambiguous

SHIPPED = patterns_of(read_families())


def overlaps(*patterns: str, of: str | None = None) -> list[str]:
    return [each.name for each in Patterns(enumerated(patterns)).overlaps(family=of)]


def enumerated(patterns: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(str(place), pattern) for place, pattern in enumerate(patterns)]


def test_no_name_that_could_exist_is_claimed_by_two_shipped_families() -> None:
    refuse_ambiguous(SHIPPED)
    assert len(SHIPPED) > 440


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("^FOO", "^FOO[0-9]", "FOO0"),
        ("^foo", "^FOO", "FOO"),
        ("^A[0-9]+B", "^A1[0-9A-Z]", "A1B"),
        ("^A.*Z$", "^AB", "ABZ"),
        ("^A[ _]+B", "^A B$", "A B"),
        ("^X|^FOO", "^(BAR|FO{2})", "FOO"),
        ("^A{2,3}B", "^A{3}", "AAAB"),
        ("^A?B?C", "^C", "C"),
        ("^A(BC)*D", "^ABCBC", "ABCBCD"),
        ("^[^A-Y]", "^Z", "Z"),
        (r"^2\.5", "^2.5", "2.5"),
        ("^A$|^B", "^[AB]$", "A"),
    ],
)
def test_a_name_that_both_claim_is_found(one: str, other: str, name: str) -> None:
    found = overlaps(one, other)
    assert len(found) == 1
    assert re.search(one, found[0], re.IGNORECASE)
    assert re.search(other, found[0], re.IGNORECASE)
    assert len(found[0]) == len(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("^FOO[0-9]", "^FOO[A-Z]"),
        ("^A$", "^A[ _]"),
        ("^Virtual (?-i:D)isk", "^Virtual (?-i:d)isk"),
        ("^CT[0-9]+P3SSD", "^CT[0-9]+P3PSSD"),
        ("^A{2}B", "^A{3}"),
    ],
)
def test_patterns_that_differ_somewhere_do_not_overlap(one: str, other: str) -> None:
    assert overlaps(one, other) == []


def test_several_patterns_of_one_family_may_overlap() -> None:
    assert Patterns([("one", "^FOO"), ("one", "^FO")]).overlaps() == []


def test_the_overlaps_of_one_family_leave_out_those_of_others() -> None:
    patterns = ("^FOO", "^FOO1", "^BAR", "^BARB")
    assert overlaps(*patterns) == ["FOO1", "BARB"]
    assert overlaps(*patterns, of="3") == ["BARB"]


def test_a_catalogue_with_an_overlap_is_refused_with_the_name_and_both_families() -> None:
    added = ("acme-990", "ssd", "^Samsung SSD 990 PRO")
    with pytest.raises(
        AmbiguousPatternError, match=r"'SAMSUNG SSD 990 PRO'.*acme-990.*samsung-990-"
    ):
        refuse_ambiguous([*SHIPPED, added])


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("FOO", "each alternative must begin with"),
        ("^FOO|BAR", "each alternative must begin with"),
        ("^(FOO", "not closed"),
        ("^FOO)", "closes what was never opened"),
        ("^(?=FOO)", "of the groups with"),
        ("^(?i:FOO)", "of the groups with"),
        (r"^\d", "a class in brackets"),
        ("^[]", "an empty class"),
        ("^[9-0]", "an empty class"),
        ("^[A", "ends too early"),
        ("^A{3,2}", "m <= n"),
        ("^A{99}", "m <= n"),
        ("^A{,2}", "a number is missing"),
        ("^*", "nothing to work on"),
        ("^A^B", "nothing to work on"),
        ("^é", "printable ASCII"),
    ],
)
def test_what_a_pattern_may_not_use_is_named_with_its_place(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=f"at character .* of .*{re.escape(reason)}"):
        parse(pattern)


ATOMS = st.sampled_from(["A", "B", "[AB]", "[^A]", ".", "A?", "B*", "(A|B)", "(AB)+", "A{1,2}"])
PATTERNS = st.lists(ATOMS, min_size=1, max_size=4).flatmap(
    lambda atoms: st.sampled_from(["^" + "".join(atoms), "^" + "".join(atoms) + "$"])
)
NAMES = ["".join(each) for length in range(6) for each in product("AB_", repeat=length)]


@given(one=PATTERNS, other=PATTERNS)
def test_the_search_agrees_with_trying_every_short_name(one: str, other: str) -> None:
    """RE2 and Python read these patterns alike; names of three letters stand for all kinds."""
    first, second = re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE)
    shared = [name for name in NAMES if first.search(name) and second.search(name)]
    found = overlaps(one, other)
    if shared:
        assert found
        assert len(found[0]) <= max(len(shared[0]), 1)
    for name in found:
        assert first.search(name)
        assert second.search(name)

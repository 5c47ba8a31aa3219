"""cargo-mutants is asked for files and tests that are there, and its report is understood."""

from __future__ import annotations

from collections import defaultdict

from agent import static_build
from tests.bench.mutants.outcomes import Fate
from tests.bench.mutants.rust import (
    FILES,
    LEFT_OUT,
    QUICK_TESTS,
    RustMutant,
    outcomes_of,
    places_of,
    run_arguments,
)

NAME = "src/plan/pass_limits.rs:1:5: replace >= with < in PassLimits::is_warm"


def test_what_is_changed_and_what_should_notice_is_there() -> None:
    for pattern in (*FILES, *LEFT_OUT):
        assert list(static_build.CRATE.glob(pattern)), pattern
    for name in QUICK_TESTS:
        assert (static_build.CRATE / "tests" / name / "main.rs").is_file(), name


def test_a_mutant_is_named_whole_and_only_its_files_are_read() -> None:
    words = run_arguments([RustMutant(NAME), RustMutant(NAME.replace("<", "=="))])
    assert words[words.index("--re") + 1].startswith(r"^src/plan/pass_limits\.rs:1:5:\ replace\ >=")
    assert words.count("--file") == len(FILES)
    assert words[words.index("--") :].count("--test") == len(QUICK_TESTS)


def test_a_report_gives_each_mutant_that_compiles_its_line_and_its_fate() -> None:
    def row(summary: str, name: str) -> dict[str, object]:
        return {
            "summary": summary, "scenario": {"Mutant": {"name": name}},
            "phase_results": [{"duration": 1.25}, {"duration": 0.5}],
        }  # fmt: skip

    report = {"outcomes": [
        {"summary": "Success", "scenario": "Baseline", "phase_results": []},
        row("CaughtMutant", NAME), row("MissedMutant", NAME.replace(":1:", ":2:")),
        row("Timeout", NAME.replace(":1:", ":3:")), row("Unviable", NAME),
    ]}  # fmt: skip
    outcomes = outcomes_of(report, defaultdict(lambda: 2))
    assert [each.fate for each in outcomes] == [Fate.KILLED, Fate.SURVIVED, Fate.KILLED]
    first = (static_build.CRATE / "src/plan/pass_limits.rs").read_text("utf-8").splitlines()[0]
    assert (outcomes[0].path, outcomes[0].line, outcomes[0].code) == (
        "agent/src/plan/pass_limits.rs", 1, first,
    )  # fmt: skip
    assert outcomes[0].change == "replace >= with < in PassLimits::is_warm"
    assert (outcomes[0].seconds, outcomes[0].place) == (1.8, 2)


def test_equal_changes_of_a_line_have_a_place_each() -> None:
    other, again = NAME.replace("<", "=="), NAME.replace(":5:", ":9:")
    places = places_of([RustMutant(NAME), RustMutant(other), RustMutant(again)])
    assert places == {NAME: 1, other: 1, again: 2}

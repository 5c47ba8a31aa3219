"""The table is made of the entries alone, and docs/performance.md has the shapes of the harness."""

from __future__ import annotations

import pytest

from tests.bench.engine import table
from tests.bench.engine.command import DOCUMENT
from tests.bench.engine.entries import as_typed, failed, measured
from tests.bench.engine.profile import symbols
from tests.bench.engine.ratios import BARE, DEFAULT, OURS, TUNED, Round
from tests.bench.engine.readings import Cost, Latency, Reading
from tests.bench.engine.shapes import SHAPES, named

REPORT = """
# Samples: 200  of event 'cpu-clock'
    29.41%  [k] _copy_to_iter
    16.18%  [.] fio_gettime
     0.44%  [k] xas_load
"""


def reading(rate: float, cpu: float) -> Reading:
    latencies = {"sync": Latency(90.0, 80.0, 300.0)}
    return Reading(round(rate), 1.0, latencies, 1.0, cost=Cost(0, cpu * rate, 2))


ROUND: Round = {
    OURS: reading(10_234, 40), DEFAULT: reading(10_000, 50), TUNED: reading(20_468, 41),
}  # fmt: skip
COMMANDS = {DEFAULT: "fio-3.33: fio --a", TUNED: "fio-3.33: fio --b"}


def test_an_entry_has_the_promised_keys_and_the_harder_opponent_on_top() -> None:
    entry = measured(named("commit-8k"), [ROUND, ROUND], COMMANDS)
    promised = {"rate_ratio", "p50_ratio", "p99_ratio", "cpu_ratio", "rounds", "fio", "note"}
    assert promised <= set(entry)
    assert promised <= set(failed("no such device"))
    assert (entry["rate_ratio"], entry["default"]["rate_ratio"]) == (0.5, 1.0234)
    assert (entry["p50_ratio"], entry["cpu_ratio"], entry["rounds"]) == (1.0, 0.9756, 2)
    assert entry["fio"] == COMMANDS[TUNED]
    assert entry["met"] is False
    assert entry["figures"]["ours"]["system_ns_per_io"] == 40
    assert "effective_depth" not in entry["figures"]["ours"]


def test_a_row_against_each_fio_and_a_reason_for_each_miss() -> None:
    entry = measured(named("commit-8k"), [ROUND], COMMANDS)
    entry["profile"] = {"ours": ["29 % _copy_to_iter (kernel)"], "default": []}
    made = table.render({"commit-8k": entry, "mix-4k": failed("no such device")}, "Here.")
    lines = made.splitlines()
    assert lines[0] == "Here."
    assert lines[4] == (
        "| `commit-8k` | default | 10,234/s | 1.02 | 1.00 | 1.00 | 0.80 | — | missed 2 of 8 |"
    )
    assert lines[5] == "|  | tuned |  | 0.50 | 1.00 | 1.00 | 0.98 |  |  |"
    assert lines[6] == "| `mix-4k` | — | — | — | — | — | — | — | failed |"
    assert "rate against fio tuned >= 0.98: 0.50 (0.50 to 0.50 by round)" in made
    assert "Per I/O: ours 0 ns user, 40 ns system, 0.00 context switches; default 0 ns" in made
    assert "  - ours: 29 % _copy_to_iter (kernel)" in lines
    assert "- `mix-4k`: failed: no such device." in lines
    assert "#### Notes" not in lines
    assert lines[-3:] == [COMMANDS[DEFAULT], COMMANDS[TUNED], "```"]


def test_a_shape_that_fio_has_not_is_a_row_of_ours_alone() -> None:
    entry = measured(named("commit-8k-rwf-dsync"), [{OURS: reading(300, 1)}], {})
    assert entry["met"] is None
    assert "- `commit-8k-rwf-dsync`: fio 3.33 has no RWF_DSYNC" in table.notes(
        {"commit-8k-rwf-dsync": entry}
    )
    (row,) = table.rows_of("commit-8k-rwf-dsync", entry)
    assert (row[2], row[-1]) == ("300/s", "none")


def test_the_control_is_ours_beside_ours() -> None:
    entry = measured(named("control"), [{OURS: reading(300, 1), BARE: reading(200, 2)}], {})
    (row,) = table.rows_of("control", entry)
    assert row == ("`control`", "itself", "300/s", "1.50", "1.00", "1.00", "0.50", "—", "none")


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    document = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
    once = table.put_into(document, "| `a` |")
    assert once == f"before\n{table.BEGIN}\n\n| `a` |\n\n{table.END}\nafter\n"
    assert table.put_into(once, "| `a` |") == once
    assert table.shapes_in(once) == ["a"]
    with pytest.raises(ValueError, match="marks"):
        table.put_into("no marks here", "new")


def test_the_document_has_every_shape_of_the_harness_in_its_order() -> None:
    document = DOCUMENT.read_text("utf-8")
    assert table.shapes_in(document) == [shape.name for shape in SHAPES]
    for heading in table.HEADINGS:
        assert f" {heading} |" in document


def test_a_command_line_names_no_folder_of_the_machine() -> None:
    argv = ["/usr/bin/fio", "--filename=/build/files-x/log", "--name=a b"]
    assert as_typed(argv, "fio-3.33", ["/build/files-x"]) == (
        "fio-3.33: fio --filename=log '--name=a b'"
    )


def test_perfs_report_becomes_words() -> None:
    assert symbols(REPORT) == ["29 % _copy_to_iter (kernel)", "16 % fio_gettime",
                               "0 % xas_load (kernel)"]  # fmt: skip

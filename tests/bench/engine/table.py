"""The table of docs/performance.md, made of the JSON of `./run bench engine` alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

BEGIN: Final = "<!-- ./run bench engine writes what stands between these two lines: begin -->"
END: Final = "<!-- ./run bench engine: end -->"
HEADINGS: Final = ("Shape", "fio", "Ours", "Rate", "p50", "p99", "CPU per I/O", "Depth", "Goals")
NOTHING: Final = "—"
WHOLE_MIN: Final = 100  # from there on hundredths say nothing
RATIOS: Final = ("rate_ratio", "p50_ratio", "p99_ratio", "cpu_ratio")


def render(entries: Mapping[str, Mapping[str, Any]], caption: str) -> str:
    """Markdown: the caption, the table, notes, what was missed and why, the command lines."""
    return "\n\n".join(
        part
        for part in (
            caption,
            table(entries),
            notes(entries),
            reasons(entries),
            command_lines(entries),
        )
        if part
    )


def table(entries: Mapping[str, Mapping[str, Any]]) -> str:
    rows: list[Sequence[str]] = [HEADINGS, tuple("---" for _ in HEADINGS)]
    for name, entry in entries.items():
        rows += rows_of(name, entry)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def rows_of(name: str, entry: Mapping[str, Any]) -> list[Sequence[str]]:
    """One line against each fio; the first carries the name, our rate and depth, the verdict."""
    ours = entry["figures"].get("ours", {})
    rate, depth = ours.get("per_second"), ours.get("effective_depth")
    head = [f"`{name}`", f"{rate:,.0f}/s" if rate is not None else NOTHING]
    tail = [f"{depth:.2f}" if depth is not None else NOTHING, verdict(entry)]
    lines = []
    if "default" in entry:
        lines.append(("default", entry["default"]))
    if "tuned" in entry["figures"]:
        lines.append(("tuned", entry))
    rows: list[Sequence[str]] = []
    alone = "itself" if "bare" in entry["figures"] else NOTHING
    for opponent, ratios in lines or [(alone, entry)]:
        cells = [number(ratios.get(key)) for key in RATIOS]
        rows.append((head[0], opponent, head[1], *cells, *tail))
        head, tail = ["", ""], ["", ""]
    return rows


def number(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.2f}" if value < WHOLE_MIN else f"{value:,.0f}"


def verdict(entry: Mapping[str, Any]) -> str:
    if entry["rounds"] == 0:
        return "failed"
    if entry["met"] is None:
        return "none"
    missed = sum(not goal["met"] for goal in entry["goals"])
    return "met" if missed == 0 else f"missed {missed} of {len(entry['goals'])}"


def notes(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """What is special about a shape; failures are told with what was missed."""
    lines = [
        f"- `{name}`: {entry['note']}."
        for name, entry in entries.items()
        if entry["note"] and entry["rounds"]
    ]
    return "\n".join(["#### Notes", "", *lines]) if lines else ""


def reasons(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """Every goal that was missed, its figure and spread, and the profile of both programs."""
    lines = []
    for name, entry in entries.items():
        if entry["rounds"] == 0:
            lines.append(f"- `{name}`: {entry['note']}.")
        elif entry["met"] is False:
            missed = "; ".join(words(goal) for goal in entry["goals"] if not goal["met"])
            lines.append(f"- `{name}`: {missed}. {costs(entry)}")
            lines += [
                f"  - {who}: {', '.join(symbols)}"
                for who, symbols in entry.get("profile", {}).items()
                if symbols
            ]
    heading = "#### Goals that were missed\n\n" if lines else ""
    return heading + "\n".join(lines)


def words(goal: Mapping[str, Any]) -> str:
    value = number(goal["value"]) if goal["value"] is not None else "not measured"
    if goal["low"] is None:
        return f"{goal['goal']}: {value}"
    return f"{goal['goal']}: {value} ({number(goal['low'])} to {number(goal['high'])} by round)"


def costs(entry: Mapping[str, Any]) -> str:
    """Time in the program and in the kernel for each I/O, and how often the CPU was given away."""
    parts = [
        f"{who} {figures['user_ns_per_io']:,.0f} ns user, "
        f"{figures['system_ns_per_io']:,.0f} ns system, "
        f"{figures['switches_per_io']:.2f} context switches"
        for who, figures in entry["figures"].items()
        if "user_ns_per_io" in figures
    ]
    return f"Per I/O: {'; '.join(parts)}." if parts else ""


def command_lines(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """What fio was asked, so that anybody can repeat it. The file is laid out beforehand."""
    lines = []
    for entry in entries.values():
        for one in (entry.get("default", {}).get("fio"), entry["fio"]):
            if one is not None and one not in lines:
                lines.append(one)
    return "\n".join(["#### fio's command lines", "", "```text", *lines, "```"]) if lines else ""


def put_into(document: str, made: str) -> str:
    """The document with what stood between the marks replaced."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the document has lost the marks of the benchmark")
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def shapes_in(document: str) -> list[str]:
    """The names in the first column of the table between the marks."""
    between = document.partition(BEGIN)[2].partition(END)[0]
    return [line.split("`")[1] for line in between.splitlines() if line.startswith("| `")]

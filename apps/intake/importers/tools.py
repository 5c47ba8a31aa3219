"""The tools whose outputs are read, and how each output is recognised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.intake.importers.fio.json_output import read_fio_json
from apps.intake.importers.fio.text_output import HEADER, JOB, read_fio_text
from apps.intake.importers.patterns import Pattern
from apps.intake.importers.pg_test_fsync import read_pg_test_fsync
from apps.intake.importers.pgbench import read_pgbench
from apps.intake.importers.yabs import read_yabs_json, read_yabs_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from apps.intake.importers.numbered_json import Document
    from apps.intake.importers.reading import ImportReading
    from apps.intake.importers.text import TextLine


@dataclass(frozen=True, slots=True)
class TextOutput:
    """How lines of a tool are recognised, by a line that matches one of the marks, and read."""

    marks: tuple[Pattern, ...]
    read: Callable[[Sequence[TextLine]], ImportReading]


@dataclass(frozen=True, slots=True)
class JsonOutput:
    """How JSON of a tool is recognised, by its outermost object, and read."""

    is_of: Callable[[Mapping[str, object]], bool]
    read: Callable[[Sequence[Document]], ImportReading]


@dataclass(frozen=True, slots=True)
class Tool:
    """A benchmark whose output is read."""

    name: str
    text: TextOutput
    json: JsonOutput | None = None
    formats: str = ""  # which are read, where there are several


def _is_of_yabs(root: Mapping[str, object]) -> bool:
    return str(root.get("version", "")).startswith("v20") and bool({"os", "cpu"} & root.keys())


TOOLS: Final = (
    Tool(
        "fio",
        text=TextOutput((JOB,), read_fio_text),
        json=JsonOutput(lambda root: "fio version" in root, read_fio_json),
        formats="--output-format=json, json+ or its text",
    ),
    Tool(
        "YABS",
        text=TextOutput(
            (
                Pattern(r".*(?:fio|dd Sequential) Disk Speed Tests.*", having="Disk Speed Tests"),
                Pattern(r".*", having="Yet-Another-Bench-Script"),
            ),
            read_yabs_text,
        ),
        json=JsonOutput(_is_of_yabs, read_yabs_json),
        formats="JSON or text",
    ),
    Tool(
        "pgbench",
        text=TextOutput(
            (Pattern(r" *transaction type: .*", having="transaction type: "),), read_pgbench
        ),
    ),
    Tool(
        "pg_test_fsync",
        text=TextOutput(
            (
                Pattern(r" *Compare file sync methods using .*", having="Compare file sync"),
                Pattern(r".*", having=" ops/sec"),
            ),
            read_pg_test_fsync,
        ),
    ),
)
# Lines of these tools in outputs that hold no result, and what is said of them.
INCOMPLETE: Final = (
    (
        Pattern(r"\d;fio-\d.*", having=";fio-"),
        "fio's terse output: run fio with --output-format=json",
    ),
    (
        Pattern(r"pgbench \(.*|progress: \d.*", having=" "),
        "pgbench without its summary: it was cut short",
    ),
    (HEADER, "fio without a result: it was cut short"),
)


def tools_and_formats() -> str:
    """Return the tools with their formats, as a refusal lists them."""
    return ", ".join(
        f"{tool.name} ({tool.formats})" if tool.formats else tool.name for tool in TOOLS
    )

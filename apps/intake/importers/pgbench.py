"""Reads what pgbench prints at its end, of PostgreSQL 9.4 and newer.

Progress lines are not read: they stand before the summary and time a part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.intake.importers.limits import RUNS_MAX
from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import ImportReading, Job, UnreadableError, name_of, own_name_of
from apps.intake.importers.text import TextLine, figure_of, number_of
from apps.runs.imported import measures

if TYPE_CHECKING:
    from collections.abc import Sequence

_BANNER: Final = Pattern(
    r"pgbench \((?:PostgreSQL\) )?(?P<version>\d{1,3}[\w.]{0,20})\b.*", having="pgbench ("
)
_START: Final = Pattern(r"transaction type: (?P<value>.+)", having="transaction type: ")
_SETTING: Final = Pattern(
    r"(?P<name>scaling factor|query mode|number of clients|maximum number of tries): (?P<value>.+)",
    having=": ",
)
_DONE: Final = Pattern(
    r"number of transactions actually processed: (?P<done>[\d.,]{1,40})(?:/(?P<all>[\d.,]{1,40}))?",
    having="actually processed: ",
)
_FAILED: Final = Pattern(
    r"number of failed transactions: (?P<count>[\d.,]{1,40}) \(.*\)", having="failed transactions: "
)
_MS: Final = Pattern(
    r"(?P<name>latency average|latency stddev|initial connection time|average connection time)"
    r"(?: =|:) (?P<value>[\d.,]{1,40}) ms(?P<failures> \(including failures\))?",
    having=" ms",
)
_TPS: Final = Pattern(r"tps = (?P<value>[\d.,]{1,40}) \((?P<what>[a-z ]+)\)", having="tps = ")
_STATEMENT: Final = Pattern(
    r"\s+(?P<value>[\d.,]{1,40})(?:\s+\d+)*\s+(?i:END|COMMIT);?", having="  "
)
# Which of the lines that begin with tps holds what was done without connecting to the server.
_WITHOUT_CONNECTING: Final = frozenset(
    {"without initial connection time", "excluding connections establishing"}
)
_RECONNECTING: Final = "including reconnection times"
_TIMES: Final = {
    "latency average": measures.TRANSACTION_MEAN,
    "latency stddev": measures.TRANSACTION_STDDEV,
    "initial connection time": measures.INITIAL_CONNECTION,
    "average connection time": measures.AVERAGE_CONNECTION,
}
UNKNOWN_SERVER: Final = (
    "Not in the output of pgbench: fsync, synchronous_commit, wal_sync_method, full_page_writes "
    "and the filesystem. Without them a rate says nothing about durability."
)

NOTHING_DONE: Final = (
    "pgbench did no transaction: look for its error above the summary (pgbench -i makes the "
    "tables), and send a run that did some."
)


@dataclass(slots=True)
class Summary:
    """The lines of one summary, on their way to figures."""

    job: Job
    scale: int | None = None
    is_multiple: bool = False


def read_pgbench(lines: Sequence[TextLine]) -> ImportReading:
    """Return what one or more summaries say. Raises UnreadableError."""
    reading = ImportReading(kind="pgbench", tool="pgbench", tool_version=None)
    reading.note(UNKNOWN_SERVER)
    summary: Summary | None = None
    for line in lines:
        text = line.text.lstrip()
        if banner := _BANNER.match(text):
            reading.tool_version = name_of(banner["version"])
        elif start := _START.match(text):
            summary = _begin(reading, start["value"])
        elif summary is not None:
            _read_line(summary, line)
    for job in reading.jobs:
        if job.has(measures.TRANSACTIONS) and not job.figures[measures.TRANSACTIONS.name].value:
            job.leave_out_figures()
            job.note(NOTHING_DONE)
        elif not job.has(measures.TPS):
            job.note("No rate: the output ends before it, or holds only tps with connecting.")
    if len(reading.jobs) > 1:
        reading.note(
            f"{len(reading.jobs)} summaries in one file; each is shown, in their order. Nothing "
            "says which of them was a warm-up."
        )
    return reading


def _begin(reading: ImportReading, transaction_type: str) -> Summary:
    if len(reading.jobs) >= RUNS_MAX:
        raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
    word = transaction_type.strip().removeprefix("<builtin: ").removesuffix(">")
    name = own_name_of(word)
    job = Job(name=name, run=len(reading.jobs) + 1, workload=name)
    reading.jobs.append(job)
    return Summary(job, is_multiple=transaction_type.strip() == "multiple scripts")


def _read_line(summary: Summary, line: TextLine) -> None:
    job, text = summary.job, line.text.lstrip()
    if match := _SETTING.match(text):
        _keep_setting(summary, match, line)
    elif match := _DONE.match(text):
        job.keep(measures.TRANSACTIONS, figure_of(line, match["done"]))
        done = job.figures[measures.TRANSACTIONS.name].value
        if match["all"] and number_of(match["all"], line=line.number) > done:
            job.note("Not every transaction was done: some clients were aborted.")
    elif match := _FAILED.match(text):
        job.keep(measures.FAILED_TRANSACTIONS, figure_of(line, match["count"]))
    elif match := _MS.match(text):
        job.keep(_TIMES[match["name"]], figure_of(line, match["value"]))
        if match["failures"]:
            job.note("The average latency is that of failed transactions as well.")
    elif match := _TPS.match(text):
        _keep_rate(job, line, match)
    elif (match := _STATEMENT.match(line.text)) and not summary.is_multiple:
        _keep_commit(summary, line, match)
    else:
        _read_remark(summary, text)


def _read_remark(summary: Summary, text: str) -> None:
    """Say what a line without a figure means for the others."""
    if text.startswith("rate limit schedule lag"):
        summary.job.note("pgbench held its clients back (--rate): tps is what was asked for.")
    elif text.startswith("SQL script "):
        summary.is_multiple = True
        summary.job.note("Figures of single scripts are left out; those here are of all together.")


def _keep_commit(summary: Summary, line: TextLine, match: PatternMatch) -> None:
    """Keep what the statement took that ends a transaction, in a script that has one."""
    if summary.job.has(measures.COMMIT_STATEMENT_MEAN):
        summary.job.leave_out(measures.COMMIT_STATEMENT_MEAN)
        summary.is_multiple = True
        summary.job.note("The script commits several times: what one took is left out.")
    else:
        summary.job.keep(measures.COMMIT_STATEMENT_MEAN, figure_of(line, match["value"]))


def _keep_setting(summary: Summary, match: PatternMatch, line: TextLine) -> None:
    job, name, value = summary.job, match["name"], match["value"].strip()
    if name == "number of clients":
        job.writers = _whole(value, line)
        job.queue_depth = 1  # a client waits for the answer to each transaction
    elif name == "scaling factor":
        _keep_scale(summary, _whole(value, line))
    elif name == "query mode":
        job.engine = name_of(value)
    elif name == "maximum number of tries" and value != "1":
        job.note(f"Transactions were tried again, at most {name_of(value)} times.")


def _keep_scale(summary: Summary, scale: int) -> None:
    if summary.scale is None:
        summary.scale = scale
        summary.job.name = f"{summary.job.name}, scale {scale}"


def _keep_rate(job: Job, line: TextLine, match: PatternMatch) -> None:
    wording = match["what"]
    if wording in _WITHOUT_CONNECTING:
        job.keep(measures.TPS, figure_of(line, match["value"]))
    elif wording == _RECONNECTING:
        job.keep(measures.TPS, figure_of(line, match["value"]))
        job.note("Every transaction made its own connection (-C): tps includes connecting.")
    elif wording != "including connections establishing":
        job.note(f"Line {line.number} is a rate of a kind that is not known: left out.")


def _whole(text: str, line: TextLine) -> int:
    value = number_of(text, line=line.number)
    if value != int(value):
        raise UnreadableError(f"line {line.number}: not a whole number")
    return int(value)

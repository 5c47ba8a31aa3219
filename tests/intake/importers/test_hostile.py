"""Whatever is sent gets a clear answer within a second and in bounded memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable

import pytest

from apps.intake.importers import UnreadableError, as_document, read_output
from apps.intake.importers.limits import (
    DISKS_MAX,
    EXCERPT_CHARACTERS_MAX,
    FIGURES_MAX,
    JOBS_MAX,
    JSON_VALUES_MAX,
    LINE_CHARACTERS_MAX,
    LINES_MAX,
    NAME_CHARACTERS_MAX,
    NOTES_MAX,
    OUTPUT_BYTES_MAX,
    PERCENTILES_MAX,
    RUNS_MAX,
)
from tests.intake.importers.outputs import (
    FIXTURES,
    FSYNC,
    MADE,
    as_many_figures_as_may_be,
    ranks_of_json,
    ranks_of_text,
    says,
)

SECONDS_MAX = 1.0
MEMORY_BYTES_MAX = 100 * 1024 * 1024  # fifty times the largest output
FIO = FSYNC.read_bytes()
FIO_TEXT = (MADE / "fio-3.33-fdatasync.txt").read_bytes()
PG = (FIXTURES / "pg_test_fsync-15.txt").read_bytes()
PGBENCH = (MADE / "pgbench-15.txt").read_bytes()
YABS = (FIXTURES / "yabs.json").read_bytes()
FULL = OUTPUT_BYTES_MAX
JOB = FIO[FIO.index(b'    {\n      "jobname"') : FIO.index(b'  ],\n  "disk_util"')]


def fio(before: bytes, after: bytes) -> bytes:
    assert before in FIO
    return FIO.replace(before, after)


def repeated(text: bytes, *, most: int = FULL) -> bytes:
    return text * (most // len(text))


# What is sent, made only when it is its turn, and what the answer says.
REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "10 MB of nested arrays": (lambda: b"[" * 10_000_000, "larger than 2 MiB"),
    "2 MB of nested arrays": (lambda: b"[" * FULL, "a JSON array"),
    "nested objects": (lambda: repeated(b'{"a":', most=500_000), "nested more than 8 levels"),
    "2 MB of nested objects": (lambda: repeated(b'{"a":'), f"more than {JSON_VALUES_MAX:,} values"),
    "a million numbers": (lambda: b'{"a":[' + repeated(b"1,", most=FULL - 20) + b"1]}", "values"),
    "one long string": (lambda: b'{"a":"' + b"x" * (FULL - 20) + b'"}', "no tool that is read"),
    "a number of a million digits": (
        lambda: fio(b": 28728109", b": " + b"1" * 1_000_000),
        "line 68: a number of 1,000,000 characters",
    ),
    "a number beyond all counters": (
        lambda: fio(b": 28728109", b": 99999999999999999999"),
        "line 68",
    ),
    "NaN": (lambda: fio(b"7013.698630", b"NaN"), "NaN is not a figure"),
    "nan of printf": (lambda: fio(b"7013.698630", b"-nan"), "line 70: NaN is not a figure"),
    "Infinity": (lambda: fio(b"7013.698630", b"Infinity"), "Infinity is not a figure"),
    "an overflow": (lambda: fio(b"7013.698630", b"1e999"), "line 70: 1e999 is no figure"),
    "a rate that is almost none": (
        lambda: fio(b"7013.698630", b"1e-300"),
        "line 70: 1e-300 is no figure",
    ),
    "a number that is too small": (
        lambda: PGBENCH.replace(b"324.734458", b"0.0000001"),
        "too small to be a figure",
    ),
    "a negative rate": (lambda: fio(b"7013.698630", b"-5"), "line 70: -5 is no figure"),
    "a decimal comma": (lambda: fio(b"7013.698630", b"7013,698630"), "line 70: .*decimal comma"),
    "a decimal comma of pgbench": (
        lambda: PGBENCH.replace(b"324.734458", b"324,734458"),
        "line 13: .*decimal comma",
    ),
    "a decimal comma of pg_test_fsync": (
        lambda: PG.replace(b"12295.324", b"12295,324"),
        "line 6: .*decimal comma",
    ),
    "a decimal comma of fio's text": (
        lambda: FIO_TEXT.replace(b"avg=229.85", b"avg=229,85"),
        "decimal comma",
    ),
    "a number that is too long": (
        lambda: PGBENCH.replace(b"324.734458", b"1" * 30),
        "a number of 30 characters",
    ),
    "a number that is too large": (
        lambda: PGBENCH.replace(b"324.734458", b"9" * 22),
        "too large to be a figure",
    ),
    "two points in a number": (lambda: PGBENCH.replace(b"324.734", b"3.24.734"), "is not a number"),
    "a member named twice": (
        lambda: fio(b'"iops" : 7013.698630,', b'"iops" : 7013.698630, "iops" : 9,'),
        "'iops' twice in one object",
    ),
    "cut in the middle": (lambda: FIO[:3000], "cut short: .* at line 122"),
    "cut in a string": (lambda: FIO[:30], "cut short"),
    "cut at the end": (lambda: FIO[:-3], "cut short"),
    "a quote in a word of YABS": (
        lambda: YABS.replace(b"AMD EPYC", b'AMD "EPYC"'),
        "broken JSON at line 1",
    ),
    "fio that never began": (lambda: FIO_TEXT[:120], "fio without a result"),
    "pgbench that never ended": (lambda: b"pgbench (15.20)\nprogress: 1.0 s, 5 tps\n", "cut short"),
    "another tool": (
        lambda: b"sysbench 1.0.20\nevents per second: 12\n",
        "no output that is read here",
    ),
    "another JSON": (lambda: b'{"a": 1}', "no tool that is read here"),
    "a translated pg_test_fsync": (
        lambda: PG.replace(b"ops/sec", b"Op./s").replace(b"Compare", b"V"),
        "LC_ALL=C",
    ),
    "fio's terse output": (lambda: b"3;fio-3.33;m;0;0;0;0", "--output-format=json"),
    "client and server mode": (
        lambda: b'{"fio version": "fio-3.33", "client_stats": []}',
        "several machines",
    ),
    "no job": (lambda: b'{"fio version": "fio-3.33", "jobs": []}', "no job"),
    "jobs that are none": (lambda: b'{"fio version": "fio-3.33", "jobs": [1]}', "is no object"),
    "no version": (lambda: fio(b"fio-3.33", b"fiddle"), "no version of fio"),
    "a binary": (lambda: b"\x7fELF\x00\x00" + b"\x01\x02\x00" * 999, "binary"),
    "not UTF-8": (lambda: b"abc \xff\xfe\xfd" * 99, "not UTF-8 text at byte 4"),
    "half a character of UTF-16": (lambda: FIO.decode().encode("utf-16")[:-1], "not UTF-16"),
    "gzip": (lambda: b"\x1f\x8b\x08" + b"\x01" * 99, "compressed with gzip"),
    "nothing": (lambda: b"", "empty"),
    "blanks": (lambda: b" \n" * 9, "empty"),
    "a million lines": (lambda: b"a" + b"\n" * (FULL - 1), f"more than {LINES_MAX:,} lines"),
    "a megabyte in a line": (lambda: PG + b"x" * 1_000_000, "line 37 has 1,000,000 characters"),
    "nothing but escapes": (lambda: repeated(b"\x1b]"), f"more than {LINE_CHARACTERS_MAX:,}"),
    "an escape without an end": (
        lambda: b"x\x1b[" + b"0" * (FULL - 9),
        f"more than {LINE_CHARACTERS_MAX:,}",
    ),
    "two tools": (lambda: PG + PGBENCH, "pgbench and pg_test_fsync in one file"),
    "JSON of two tools": (lambda: FIO + YABS, "JSON of several tools"),
    "too many outputs of fio": (
        lambda: (FIO + b"\n") * (RUNS_MAX + 1),
        f"more than {RUNS_MAX} outputs",
    ),
    "too many outputs of fio's text": (
        lambda: FIO_TEXT * (RUNS_MAX + 1),
        f"more than {RUNS_MAX} outputs",
    ),
    "too many outputs of pgbench": (
        lambda: PGBENCH * (RUNS_MAX + 1),
        f"more than {RUNS_MAX} outputs",
    ),
    "too many outputs of pg_test_fsync": (lambda: PG * (RUNS_MAX + 1), "more than"),
    "too many heads of pg_test_fsync": (
        lambda: PG + b"1 second per test\n" * RUNS_MAX,
        f"more than {RUNS_MAX} outputs",
    ),
    "too many outputs of YABS": (
        lambda: (FIXTURES / "yabs.txt").read_bytes() * (RUNS_MAX + 1),
        f"more than {RUNS_MAX} outputs",
    ),
    "too many rows of YABS": (
        lambda: YABS.replace(b'"fio":[', b'"fio":[' + b'{"bs":"4k"},' * JOBS_MAX),
        f"more than {JOBS_MAX} rows",
    ),
    "too many jobs": (
        lambda: FIO.replace(JOB, b",".join([JOB] * (JOBS_MAX + 1))),
        f"more than {JOBS_MAX} jobs",
    ),
    "too many figures": (
        lambda: FIO.replace(JOB, b",".join([JOB] * JOBS_MAX)),
        f"more than {FIGURES_MAX:,} figures",
    ),
    "too many figures of fio's text": (
        lambda: (
            FIO_TEXT
            + b"".join(
                FIO_TEXT[FIO_TEXT.index(b"log: (groupid") :].replace(b"pid=", b"pid=%d" % i)
                for i in range(JOBS_MAX - 1)
            )
        ),
        f"more than {FIGURES_MAX:,} figures",
    ),
    "too many jobs of fio's text": (
        lambda: (
            FIO_TEXT
            + b"".join(b"a: (groupid=0, jobs=1): err= 0: pid=%d\n" % i for i in range(JOBS_MAX))
        ),
        f"more than {JOBS_MAX} jobs",
    ),
    "lines that nearly fit": (
        lambda: (b" " + b"1" * 3000 + b" " * 1000 + b" ops/sec x\n") * 500,
        "pg_test_fsync",
    ),
    "figures again and again": (
        lambda: FIO_TEXT.replace(b"  cpu ", b"     | 99.00th=[ 1],\n" * 19_000 + b"  cpu "),
        "both give sync_p99_us",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_in_words_and_in_time(what: str) -> None:
    make, words = REFUSED[what]
    raw = make()
    began = time.process_time()  # of this process: others may keep the machine busy
    with pytest.raises(UnreadableError, match=words):
        read_output(raw)
    assert time.process_time() - began < SECONDS_MAX


@pytest.mark.parametrize("what", REFUSED)
def test_it_takes_bounded_memory(what: str) -> None:
    raw = REFUSED[what][0]()
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableError):
            read_output(raw)
        assert tracemalloc.get_traced_memory()[1] < MEMORY_BYTES_MAX
    finally:
        tracemalloc.stop()


def as_read(raw: bytes) -> dict[str, object]:
    """What was understood, without where it stood."""
    document = as_document(read_output(raw))
    for job in document["jobs"]:
        job["figures"] = {name: figure["value"] for name, figure in job["figures"].items()}
    return document


@pytest.mark.parametrize("raw", [FIO, FIO_TEXT, PG, PGBENCH], ids=["json", "text", "pg", "pgbench"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_encodings_change_no_figure(raw: bytes, encoding: str) -> None:
    assert as_read(raw.decode().encode(encoding)) == as_read(raw)


@pytest.mark.parametrize("raw", [FIO, FIO_TEXT, PG, PGBENCH], ids=["json", "text", "pg", "pgbench"])
def test_ends_of_lines_and_colours_change_no_figure(raw: bytes) -> None:
    assert as_read(raw.replace(b"\n", b"\r\n")) == as_read(raw)
    coloured = b"\x1b]0;title\x07" + raw.replace(b" ", b"\x1b[1;32m \x1b[0m")
    assert as_read(coloured) == as_read(raw)


def test_progress_that_is_overwritten_keeps_the_numbers_of_lines() -> None:
    progress = b"Jobs: 1 (f=1): [W(1)][50.0%][w=9KiB/s]\rJobs: 1 (f=1): [W(1)][100.0%]\r\n"
    with_it = FIO_TEXT.replace(b"\n\nlog: (groupid", b"\n" + progress + b"\nlog: (groupid", 1)
    job, other = (read_output(raw).jobs[0] for raw in (FIO_TEXT, with_it))
    assert other.figures["write_iops"].line == job.figures["write_iops"].line + 1


def test_names_carry_neither_html_nor_formulas_nor_other_writing_directions() -> None:
    name = "=HYPERLINK(1)<script>alert('x')<script>\\u202e\\ud800"
    job = read_output(fio(b'"jobname" : "m"', f'"jobname" : "{name}"'.encode())).jobs[0]
    assert job.name == "?HYPERLINK(1)?script?alert(?x?)?script???"
    formula = read_output(fio(b'"jobname" : "m"', b'"jobname" : "@SUM(1+1)"')).jobs[0]
    assert formula.name == "?SUM(1+1)"
    long = read_output(fio(b'"jobname" : "m"', b'"jobname" : "' + b"n" * 9999 + b'"')).jobs[0]
    assert len(long.name) == NAME_CHARACTERS_MAX


def test_a_line_of_minified_json_is_cut_around_its_figure() -> None:
    figure = read_output(YABS).jobs[3].figures["write_iops"]
    assert (figure.line, figure.value) == (1, 3490)
    assert '"iops_w":3490' in figure.text
    assert len(figure.text) <= 320


def test_notes_do_not_grow_without_end() -> None:
    odd = b"".join(b"        method%d   5.000 ops/sec\n" % n for n in range(99))
    reading = read_output(PG.replace(b"        fdatasync  ", odd + b"        fdatasync  ", 1))
    assert len(reading.notes) == NOTES_MAX


def test_a_full_output_is_read_in_time() -> None:
    count = FIGURES_MAX // len(read_output(FIO).jobs[0].figures)
    assert count == 91
    raw = FIO.replace(JOB, b",".join([JOB] * count))
    began = time.process_time()
    assert len(read_output(raw).jobs) == count
    assert time.process_time() - began < 2 * SECONDS_MAX  # with coverage counted


# What is read, and is small all the same: its bytes, made when it is its turn.
ACCEPTED: dict[str, Callable[[], bytes]] = {
    "98,000 percentiles of JSON": ranks_of_json,
    "97,000 percentiles of text": ranks_of_text,
    "as many figures as may be, each in a line of quotes": as_many_figures_as_may_be,
    "20,000 disks": lambda: fio(
        b'"disk_util" : [', b'"disk_util" : [' + b'{"name":"%s"},' % (b"d" * 60) * 20_000
    ),
    "20,000 scales of pgbench": lambda: PGBENCH.replace(
        b"scaling factor: 1\n", b"scaling factor: 1\n" * 19_000
    ),
    "an engine of 9,999 letters in 64 jobs": lambda: FIO.replace(
        JOB,
        JOB + (b"," + JOB.replace(b'"ioengine" : "', b'"ioengine" : "' + b"e" * 9999)) * 64,
    ),
}
DOCUMENT_BYTES_MAX = 2 * 1024 * 1024  # no more than the largest output


@pytest.mark.parametrize("what", ACCEPTED)
def test_what_is_read_of_it_is_bounded(what: str) -> None:
    raw = ACCEPTED[what]()
    assert len(raw) <= OUTPUT_BYTES_MAX
    document = as_document(read_output(raw))
    assert len(json.dumps(document)) <= DOCUMENT_BYTES_MAX
    assert sum(len(job["figures"]) for job in document["jobs"]) <= FIGURES_MAX
    for job in document["jobs"]:
        assert len(job["name"]) <= 2 * NAME_CHARACTERS_MAX
        assert len(job["notes"]) <= NOTES_MAX
        assert all(len(f["text"]) <= EXCERPT_CHARACTERS_MAX for f in job["figures"].values())
    assert all(len(t) <= (NAME_CHARACTERS_MAX + 2) * DISKS_MAX for t in document["facts"].values())


@pytest.mark.parametrize("make", [ranks_of_json, ranks_of_text], ids=["json", "text"])
def test_a_latency_has_so_many_percentiles(make: Callable[[int], bytes]) -> None:
    (full,) = as_document(read_output(make(PERCENTILES_MAX)))["jobs"]
    ranks = [name for name in full["figures"] if name.startswith("write_clat_p")]
    assert len(ranks) == PERCENTILES_MAX
    (more,) = as_document(read_output(make(PERCENTILES_MAX + 1)))["jobs"]
    assert set(more["figures"]) == set(full["figures"]) - set(ranks)
    assert says(more, "More than 20 percentiles of write_clat")


def test_percentiles_that_were_left_out_do_not_come_back() -> None:
    twice = ranks_of_text(PERCENTILES_MAX + 4) + b"    clat percentiles (nsec):\n     | 0.5th=[1]\n"
    (job,) = as_document(read_output(twice))["jobs"]
    assert not [name for name in job["figures"] if name.startswith("write_clat_p")]


def test_tabs_and_other_signs_without_a_shape_are_blanks_in_an_excerpt() -> None:
    figure = read_output(FIO.replace(b'"iops" :', b'"iops"\t:')).jobs[0].figures["write_iops"]
    assert figure.text == '"iops" : 7013.698630,'

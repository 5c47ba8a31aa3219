"""What logs, mails and web pages put around the lines of an output, and folders in its names."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest

from apps.intake.importers import as_document, read_output
from tests.intake.importers.outputs import FIXTURES, FSYNC, MADE, jobs_of, says, value

PGBENCH = (MADE / "pgbench-15-statements.txt").read_text()
OUTPUTS = {
    "fio's JSON": FSYNC.read_text(),
    "fio's text": (MADE / "fio-3.33-fsync-direct.txt").read_text(),
    "fio 2's text": (MADE / "fio-2.0-fsync.txt").read_text(),
    "pgbench": PGBENCH,
    "pg_test_fsync": (FIXTURES / "pg_test_fsync-15.txt").read_text(),
}
BEFORE = {
    "a clock": "[09:07:11] ",
    "a clock with thousandths": "[09:07:11.042] ",
    "a day and a clock": "[2026-11-25 09:07:11] ",
    "a mail": "> ",
    "a mail in a mail": ">> ",
    "a mail of a log": "> [09:07:11] ",
}


def facts_of(text: str) -> list[tuple[Any, ...]]:
    """What every job says, and in which line each of its figures stands."""
    return [
        (job["name"], job["sync"], job["is_durable_single_writer"], job["notes"],
         {name: (each["value"], each["line"]) for name, each in job["figures"].items()})
        for job in jobs_of(text)
    ]  # fmt: skip


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("name", OUTPUTS)
def test_signs_before_each_line_change_nothing(name: str, before: str) -> None:
    text = OUTPUTS[name]
    wrapped = "".join(f"{BEFORE[before]}{line}" for line in text.splitlines(keepends=True))
    assert facts_of(wrapped) == facts_of(text)


def test_markdown_around_lines_changes_nothing() -> None:
    for text in OUTPUTS.values():
        assert facts_of(f"```\n{text}\n```\n") == facts_of(f"\n{text}")
    in_each_line = "\n".join(f"`{line}`" for line in PGBENCH.splitlines())
    assert facts_of(in_each_line) == facts_of(PGBENCH)


def test_html_around_lines_changes_nothing() -> None:
    escaped = html.escape(PGBENCH)
    for page in (
        f'<pre class="code">{escaped}</pre>',
        "".join(f"<div>{line}</div>\n" for line in escaped.splitlines()),
        "\n".join(f"<code>{line}</code><br>" for line in escaped.splitlines()),
        escaped.replace(" ", "&nbsp;"),
    ):
        assert facts_of(page) == facts_of(PGBENCH)


def test_lines_that_a_page_broke_are_parts_of_one_line() -> None:
    (job,) = jobs_of(html.escape(PGBENCH).replace("\n", "<br>"))
    assert (job["name"], value(job, "tps")) == ("TPC-B (sort of), scale 1", 204.315762)
    assert {figure["line"] for figure in job["figures"].values()} == {1}


def test_pgbench_may_be_indented() -> None:
    assert facts_of("\n".join(f"    {line}" for line in PGBENCH.splitlines())) == facts_of(PGBENCH)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("fio-3.33-job-named-by-a-path.json", "wal"),
        ("fio-3.33-job-named-by-a-path.txt", "wal"),
        ("pgbench-15-script-of-a-path.txt", "insert.sql, scale 1"),
    ],
)
def test_folders_are_in_nothing_that_is_kept(name: str, own: str) -> None:
    raw = (MADE / name).read_bytes()
    assert b"/home/alice" in raw
    document = as_document(read_output(raw))
    assert document["jobs"][0]["name"] == own
    assert "alice" not in json.dumps(document)


def test_folders_are_in_no_excerpt_of_a_line_with_the_whole_output() -> None:
    raw = json.dumps(json.loads((MADE / "fio-3.33-job-named-by-a-path.json").read_text()))
    document = as_document(read_output(raw.encode()))
    assert document["jobs"][0]["figures"]["write_runtime_ms"]["text"] == '"runtime": 44,'
    assert "alice" not in json.dumps(document)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("/srv/db/", "db"), ("C:\\\\Users\\\\alice\\\\job", "job"), ("~/jobs/wal", "wal"),
        ("mixed 70/30", "mixed 70/30"), ("randread", "randread"), ("/mnt/vol/2", "2"),
    ],
)  # fmt: skip
def test_a_name_is_what_follows_the_last_folder(name: str, own: str) -> None:
    text = FSYNC.read_text().replace('"jobname" : "m"', f'"jobname" : "{name}"')
    assert jobs_of(text)[0]["name"] == own


def test_an_engine_of_somebodys_folder_is_named_without_it() -> None:
    text = FSYNC.read_text().replace(
        '"ioengine" : "psync"', '"ioengine" : "external:/home/alice/e.so"'
    )
    assert text != FSYNC.read_text()
    document = read_output((text + FSYNC.read_text()).encode())
    assert document.jobs[0].engine == "e.so"
    assert "alice" not in json.dumps(as_document(document))


def test_the_command_of_a_job_named_by_a_path_is_its_own() -> None:
    command = "fio --name=/home/alice/secret/wal --rw=write --ioengine=sync --fsync=1 --bs=4k\n"
    (job,) = jobs_of(command + (MADE / "fio-3.33-job-named-by-a-path.txt").read_text())
    assert says(job, "those of the command line")

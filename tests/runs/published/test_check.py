"""`manage.py published --check`: the shipped files pass, and each rule refuses what it is for."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.runs.published.check.files import SHIPPED, PublishedFiles, check_files
from tests.runs.published.made import RECORD_ID, Json, entries_of, some, write

Change = Callable[[Json], object]
RAW_ID = "smalldatum-dec25-dell32-16k-fsync-r1"


def messages(files: PublishedFiles) -> list[str]:
    return [str(finding) for finding in check_files(files).findings]


def test_the_shipped_files_have_no_fault() -> None:
    checked = check_files()
    assert [str(finding) for finding in checked.findings] == []
    assert (len(checked.records), len(checked.sources)) == (673, 59)


def test_a_sound_record_alone_passes(tmp_path: Path) -> None:
    assert messages(write(tmp_path, some(RECORD_ID), some(RAW_ID))) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        # the shape
        (lambda row: row.pop("locator"), "missing required field `locator`"),
        (lambda row: row.update(verbatim="a sentence"), "unknown field `verbatim`"),
        (lambda row: row.update(id="No Slug"), "matching regex"),
        (lambda row: row.update(measured_on="in May"), "RFC3339"),
        (lambda row: row.update(confidence="low"), "Invalid enum value 'low'"),
        (lambda row: row["locator"].update(find=""), "length >= 1 - at `$.locator.find`"),
        (lambda row: row["locator"].update(find="x" * 60), "length <= 59"),
        (lambda row: row["locator"].update(url="ftp://a.example/"), "matching regex"),
        (lambda row: row["metrics"].update(iops=0), "> 0.0 - at `$.metrics.iops`"),
        (lambda row: row["metrics"].update(iops=5e9), "<= 10000000.0 - at `$.metrics.iops`"),
        (lambda row: row["metrics"].update(iops="many"), "Expected `float`, got `str`"),
        (lambda row: row["metrics"].update(sync_us={"mean": 2}), "Invalid enum value 'mean'"),
        (lambda row: row["workload"].update(sync="barrier"), "Invalid enum value 'barrier'"),
        # what it refers to
        (lambda row: row["locator"].update(url=""), "locator.url is empty"),
        (lambda row: row.update(confidence="medium"), "say in confidence_reason"),
        (lambda row: row.update(confidence_reason="Why not."), "must be null"),
        (lambda row: row.update(provider="Nobody"), "provider 'Nobody' is not in"),
        (lambda row: row.update(plan="CCX33"), "a plan needs its provider"),
        (lambda row: row.update(provider="Hetzner", plan="CCX34"), "plan 'CCX34' of Hetzner"),
        (lambda row: row.update(drive_family="No Drive"), "drive_family 'No Drive' is not in"),
        (lambda row: row.update(drive_family=None, drive_model=None, storage_notes=None),
         "nothing names the storage"),
        (lambda row: row.update(measured_on="2012-01-01"), "it is of 2012, and "),
        (lambda row: row.update(published="2012-05"), "set published to when the page got"),
        # the arithmetic
        (lambda row: row["metrics"].update(usecs_per_op_printed=12), "usecs_per_op_printed is 12"),
        (lambda row: row["metrics"].update(avg_ms_printed=3.5), "avg_ms_printed is 3.5"),
        (lambda row: row["metrics"].update(bandwidth_bytes_per_s=1), "check the units"),
        (lambda row: row["metrics"].update(iops_min=1e6), "iops lies below iops_min"),
        (lambda row: row["metrics"].update(iops_max=1), "iops lies above iops_max"),
        (lambda row: row["metrics"].update(lat_us={"p50": 90, "p99": 80}), "p50 is 90, above p99"),
        (lambda row: row["metrics"].update(lat_us={"min": 9, "avg": 4}), "avg lies outside"),
        (lambda row: row["metrics"].update(sync_us={"avg": 9e5}), "with one writer it is at most"),
        (lambda row: row["workload"].update(iodepth=32), "32 in flight"),
        (lambda row: row["workload"].update(sync="none"), "the record has no sync"),
    ],
)  # fmt: skip
def test_each_rule_refuses_what_it_is_for(tmp_path: Path, change: Change, words: str) -> None:
    row = some(RECORD_ID)
    change(row)
    found = messages(write(tmp_path, some(RAW_ID), row))
    assert any(words in message for message in found), found
    assert all(message.startswith("published_results.jsonl:2: ") for message in found), found


def test_what_is_no_json_is_named_by_its_line(tmp_path: Path) -> None:
    found = messages(write(tmp_path, some(RECORD_ID), "{", '{"id": 4}'))
    assert found[0].startswith("published_results.jsonl:2: no id: ")
    assert found[1].startswith("published_results.jsonl:3: 4: ")


def test_ids_and_figures_stand_once(tmp_path: Path) -> None:
    row, again = some(RECORD_ID), some(RECORD_ID)
    assert "the id of line 1 again" in messages(write(tmp_path, row, again))[0]
    again["id"] = "another"
    (found,) = messages(write(tmp_path, row, again))
    assert "figures of line 1 again" in found
    again["measured_on"] = "2024-02-03"  # the same on another day is a measurement of its own
    assert messages(write(tmp_path, row, again)) == []


def test_a_quoted_line_carries_the_figure_of_its_record(tmp_path: Path) -> None:
    one, other = some(RECORD_ID), some("pklaus-970evo-1tb-8k-fsync")
    assert messages(write(tmp_path, one, other)) == []
    other["locator"] = one["locator"]
    [found] = messages(write(tmp_path, one, other))
    assert found.startswith("published_results.jsonl:2: pklaus-970evo-1tb-8k-fsync: ")
    assert "that of line 1 too, of another figure: quote the line that has 318.890" in found


def test_one_line_may_carry_the_figures_of_two_records(tmp_path: Path) -> None:
    small, large = some("webp-ax102-yabs-4k-read"), some("webp-ax102-yabs-64k-read")
    assert small["locator"] == large["locator"]
    assert messages(write(tmp_path, small, large)) == []


def test_a_workload_is_one_block_and_one_sync(tmp_path: Path) -> None:
    row, other = some(RECORD_ID), some(RAW_ID)
    other["workload"]["id"] = row["workload"]["id"]
    (found,) = messages(write(tmp_path, row, other))
    assert "has another block or sync in line 1" in found


def test_names_must_be_listed_and_lists_must_be_used(tmp_path: Path) -> None:
    row = some(RECORD_ID)
    known = entries_of(SHIPPED.sources, {row["source"]})
    spare = {"spare": {**known[row["source"]]}}
    found = messages(write(tmp_path, row, sources=spare))
    assert "is not in published_sources.json" in found[0]
    assert found[1] == "published_sources.json:2: spare: no record refers to it: remove it"
    workloads = {"spare": entries_of(SHIPPED.workloads, {"pg-8k-fsync"})["pg-8k-fsync"]}
    found = messages(write(tmp_path, row, workloads=workloads))
    assert "is not in published_workloads.json" in found[0]


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("sources", {"url": "example.org"}, "matching regex"),
        ("sources", {"published": "May 2024"}, "matching regex"),
        ("sources", {"title": ""}, "length >= 1"),
        ("workloads", {"comparable_class": 4}, "Invalid enum value 4"),
        ("workloads", {"operation": "commits"}, "Invalid enum value 'commits'"),
        ("workloads", {"is_durable_single_writer": False}, "is for durable writes of at most"),
    ],
)
def test_an_entry_of_a_list_has_its_shape(
    tmp_path: Path, name: str, change: Json, words: str
) -> None:
    row = some(RECORD_ID)
    path, key = (
        (SHIPPED.sources, row["source"])
        if name == "sources"
        else (SHIPPED.workloads, row["workload"]["id"])
    )
    entries = entries_of(path, {key})
    entries[key].update(change)
    found = messages(write(tmp_path, row, **{name: entries}))
    assert any(words in message for message in found), found


def test_only_small_durable_writes_are_compared(tmp_path: Path) -> None:
    row = some(RECORD_ID)
    row["workload"]["block_size_bytes"] = 32_768
    (found,) = messages(write(tmp_path, row))
    assert found.endswith("comparable_class 1 is for durable writes of at most 16384 bytes: set 3")


def test_a_file_that_is_no_object_is_said_to_be_none(tmp_path: Path) -> None:
    files = write(tmp_path, some(RECORD_ID))
    files.sources.write_text("[]", "utf-8")
    assert "published_sources.json:1: the file: Expected `object`" in messages(files)[-1]


def test_the_command_ends_with_the_number_of_faults(tmp_path: Path) -> None:
    row = some(RECORD_ID)
    row["metrics"]["iops_max"] = 1
    write(tmp_path, row)
    faults = StringIO()
    with pytest.raises(CommandError, match="1 faults in "):
        call_command("published", "--check", "--folder", str(tmp_path), stderr=faults)
    assert faults.getvalue() == (
        f"published_results.jsonl:1: {RECORD_ID}: iops lies above iops_max\n"
    )


def test_the_command_counts_what_is_sound() -> None:
    out = StringIO()
    call_command("published", "--check", stdout=out)
    assert out.getvalue() == "673 records of 59 sources: ok\n"

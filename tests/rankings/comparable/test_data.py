"""What the method prints of comparable work is what follows from the measurements and citations."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from apps.rankings.comparable import data, section
from apps.rankings.comparable.published import published_rates
from apps.rankings.management.commands import comparable_work
from apps.runs.published.services import PublishedRecord, read_published
from tests.tidy.files import ROOT

if TYPE_CHECKING:
    from pathlib import Path

OLD = "run `./run manage comparable_work --write`"


def test_the_distances_that_ship_follow_from_what_ships() -> None:
    work = data.comparable_work()
    assert data.written(data.found_in(work.measured)) == data.DATA_FILE.read_text("utf-8"), OLD


@pytest.mark.parametrize("page", comparable_work.PAGES, ids=str)
def test_the_method_has_these_tables(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert section.replaced(text, data.comparable_work()) == text, OLD


def test_the_uncertainty_of_a_class_is_the_wider_of_both_ranges() -> None:
    within = [each.within["1"] for each in data.comparable_work().distances.values()]
    highs = [spread.high for spread in within if spread]
    assert len(highs) == 2
    assert data.class_factor(1) == max(highs) > min(highs) > 1
    assert data.class_factor(2) > 1


def test_classes_are_further_apart_than_their_members_typically_are() -> None:
    """Otherwise they would be cut in the wrong place."""
    for found in data.comparable_work().distances.values():
        assert found.between
        for spread in found.within.values():
            assert spread
            assert spread.median < found.between.median


def test_work_that_is_apart_is_compared_with_itself_alone() -> None:
    assert data.work_factor("randread-4k-qd32", "randread-4k-qd32") == 1
    assert data.work_factor("randread-4k-qd32", "commit-8k") is None


def changed(**fields: object) -> list[tuple[str, str, float]]:
    """The rates of a durable record of one writer with other fields."""
    record = next(each for each in read_published() if each.workload["is_durable_single_writer"])
    made = PublishedRecord(
        fields={**record.fields, **fields},
        source_id=record.source_id, source=record.source, workload=record.workload,
    )  # fmt: skip
    return list(published_rates([made]))


def test_a_record_counts_by_source_and_disk() -> None:
    ((disk, workload, rate),) = changed(
        machine="m", drive_model="d", storage_notes=None, filesystem="xfs", os_kernel=None,
        metrics={"iops": 5}, is_illustrative=False,
    )  # fmt: skip
    assert disk.endswith("|m|d||xfs|")
    assert workload
    assert rate == 5.0


@pytest.mark.parametrize(
    "fields",
    [{"machine": None}, {"is_illustrative": True}, {"is_kept_out": True}, {"metrics": {}}],
    ids=str,
)
def test_what_tells_nothing_of_a_disk_is_left_out(fields: dict[str, object]) -> None:
    assert changed(machine="m", is_illustrative=False)
    assert changed(**{"machine": "m", "is_illustrative": False, **fields}) == []


def test_the_command_prints_what_the_page_has() -> None:
    out = StringIO()
    call_command("comparable_work", stdout=out)
    rows = [row for rows in section.tables(data.comparable_work()) for row in rows]
    assert out.getvalue().splitlines() == rows


def test_measurements_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "classes.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CommandError, match="bench classes"):
        call_command("comparable_work", measured=tmp_path / "classes.json")


def test_measurements_replace_those_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    work = data.comparable_work()
    new = tmp_path / "comparable_work.json"
    measured = data.written(work).partition('"measured": ')[2].rpartition(',\n "distances"')[0]
    (tmp_path / "classes.json").write_text(
        measured.replace(work.measured.measured_on, "2030-01-02"), encoding="utf-8"
    )
    (tmp_path / "docs").mkdir()
    for page in comparable_work.PAGES:
        (tmp_path / page).write_text((ROOT / page).read_text("utf-8"), encoding="utf-8")
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    monkeypatch.setattr(data, "DATA_FILE", new)
    call_command(
        "comparable_work", measured=tmp_path / "classes.json", write=True, stdout=StringIO()
    )
    assert '"measured_on": "2030-01-02"' in new.read_text("utf-8")
    for page in comparable_work.PAGES:
        assert "| 2030-01-02 |" in (tmp_path / page).read_text("utf-8")


def test_a_page_without_the_section_or_its_tables_is_refused() -> None:
    work = data.comparable_work()
    with pytest.raises(ValueError, match="no section"):
        section.replaced("# A page\n", work)
    with pytest.raises(ValueError, match="fewer tables"):
        section.replaced("## Comparable work\n\n| a |\n| --- |\n", work)

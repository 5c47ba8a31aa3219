"""What physics and surroundings say against the durability of an imported output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.drives.models import DriveFamily
from apps.intake.importers import as_document, read_output
from apps.runs.imported.judgement import (
    JudgedOutput,
    family_of_claim,
    floor_of_family,
    judge_output,
)
from apps.runs.imported.services import record_import
from apps.runs.ladder.floors import ANY, floors
from apps.runs.models import ImportedFile, Label, Measurement, Run, RunRuling
from apps.runs.rulings import lift_ruling, rule_on_run
from apps.words.labels import sentences_of
from tests import make
from tests.support.catalogue import store_catalogue

FIXTURES = Path(__file__).parents[2] / "intake" / "importers" / "fixtures"
FSYNC = (FIXTURES / "fio-3.33-debian.fsync.json").read_text()


def judged(text: str, *, floor: str = ANY) -> JudgedOutput:
    document = as_document(read_output(text.encode()))
    return judge_output(document, run=Run(), floor=floors()[floor])


def rules_of(output: JudgedOutput) -> list[str]:
    return [label.rule for label in output.labels]


def test_nothing_speaks_against_a_usual_output() -> None:
    output = judged(FSYNC)
    assert (output.labels, output.headline) == ((), output.measurements[0])
    assert output.measurements[0].is_durable_single_writer
    assert output.measurements[0].operation == "commit"


def test_nothing_of_a_file_in_memory_is_durable() -> None:
    output = judged(f"tmpfs on / type tmpfs (rw)\n{FSYNC}")
    assert rules_of(output) == ["memory-filesystem"]
    assert sentences_of(output.labels[0]) == ["The file lay on tmpfs."]
    assert not output.measurements[0].is_durable_single_writer
    assert output.measurements[0].operation == "write"
    assert rules_of(judged(f"/dev/sda1 on / type ext4 (rw)\n{FSYNC}")) == []


@pytest.mark.django_db
def test_a_rule_that_a_moderator_set_aside_keeps_nothing_of_an_output_out() -> None:
    file = make.output()
    read = read_output(f"tmpfs on / type tmpfs (rw)\n{FSYNC}".encode())
    ImportedFile.objects.update(document=as_document(read))
    file.refresh_from_db()
    run = record_import(file)
    durable = Measurement.objects.filter(run_id=file.pk, is_durable_single_writer=True)
    assert not durable.exists()
    rule_on_run(file.pk, RunRuling.Kind.RELEASED, "It was no tmpfs.", rule="memory-filesystem")
    assert Label.objects.get(run=run.pk).is_released
    assert durable.exists()
    lift_ruling(file.pk, RunRuling.Kind.RELEASED, rule="memory-filesystem")
    assert not durable.exists()


def test_nothing_of_a_mount_without_barriers_is_durable() -> None:
    output = judged(f"/dev/sda1 on / type xfs (rw,nobarrier)\n{FSYNC}")
    assert rules_of(output) == ["barriers-off"]
    assert sentences_of(output.labels[0]) == ["Mounted with nobarrier."]
    assert not output.measurements[0].is_durable_single_writer


@pytest.mark.parametrize(("rate", "is_labelled"), [(199_000.5, False), (201_000.5, True)])
def test_a_mean_commit_below_any_medium_is_not_durable(rate: float, *, is_labelled: bool) -> None:
    output = judged(FSYNC.replace('"iops" : 7013.698630', f'"iops" : {rate}'))
    assert rules_of(output) == (["faster-than-medium"] if is_labelled else [])
    assert output.measurements[0].is_durable_single_writer is not is_labelled


def test_the_label_says_the_mean_that_follows_from_the_rate() -> None:
    output = judged(FSYNC.replace('"iops" : 7013.698630', '"iops" : 400000.0'))
    assert sentences_of(output.labels[0]) == [
        "By its rate a commit took 2.5 µs; the floor is 5 µs (any block device)."
    ]


def test_the_floor_is_that_of_the_class_of_the_drive() -> None:
    assert rules_of(judged(FSYNC, floor="nvme-no-plp")) == ["faster-than-medium"]
    assert rules_of(judged(FSYNC, floor="nvme-plp")) == []


def test_an_output_of_memory_that_does_not_say_so_is_known_by_its_rate() -> None:
    for name in ("fio-3.33-tmpfs.txt", "pg_test_fsync-15-tmpfs.txt"):
        output = judged((FIXTURES / "made" / name).read_text())
        assert rules_of(output) == ["faster-than-medium"]
        assert not any(each.is_durable_single_writer for each in output.measurements)


def test_what_never_was_durable_is_not_judged_by_its_rate() -> None:
    assert rules_of(judged((FIXTURES / "made" / "pgbench-15.txt").read_text())) == []
    unsynced = FSYNC.replace('"fsync" : "1"', '"fsync" : "0"').replace("7013.698630", "999999.5")
    assert rules_of(judged(unsynced)) == []


def test_fdatasync_stands_for_an_output_of_pg_test_fsync() -> None:
    text = (FIXTURES / "pg_test_fsync-15.txt").read_text()
    output = judged(text)
    assert output.headline is output.measurements[1]
    assert output.headline.sync == "fdatasync"
    assert [each.workload for each in output.headline_first[:3]] == [
        "pg-test-fsync-2", "pg-test-fsync-1", "pg-test-fsync-3",
    ]  # fmt: skip
    in_memory = judged(f"tmpfs on /srv type tmpfs (rw)\n{text}")
    assert in_memory.headline is in_memory.measurements[1]
    macos = judged((FIXTURES / "pg_test_fsync-macos.txt").read_text())
    assert macos.headline is not None
    assert macos.headline.rate_per_s == 87.954


def test_documents_of_older_readers_name_no_default() -> None:
    document: dict[str, Any] = as_document(read_output(FSYNC.encode()))
    for job in document["jobs"]:
        del job["is_default"]
    output = judge_output(document, run=Run(), floor=floors()[ANY])
    assert output.headline is output.measurements[0]
    empty = judge_output({**document, "jobs": []}, run=Run(), floor=floors()[ANY])
    assert empty.headline is None


@pytest.mark.django_db
def test_a_claimed_drive_has_the_floor_of_its_class() -> None:
    store_catalogue()
    family = family_of_claim("Samsung SSD 990 PRO 2TB")
    assert isinstance(family, DriveFamily)
    assert floor_of_family(family).id == "nvme-no-plp"
    assert family_of_claim("") is None
    assert family_of_claim("a drive that nobody knows") is None
    assert floor_of_family(None).id == ANY

"""When a name comes to mean another family, the runs that bear it are made again, and no others."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from apps.drives.models import DriveFamily, DriveName, DrivePattern
from apps.drives.services import key_of, let_patterns_give_way, names_for
from apps.runs import flush_verdict, services, stale_runs
from apps.runs.models import Run, RunDrive, Upload
from apps.runs.rules import RULES
from apps.runs.services import NORMALISER_VERSION, normaliser_version, record_run
from apps.runs.stale_runs import recognise_again, work_stale_runs_again
from apps.wire.judgement import JUDGEMENT_FILE, read_judgement
from tests import make

if TYPE_CHECKING:
    from uuid import UUID

pytestmark = pytest.mark.django_db

ACME, OTHER = "ACME Fast 1TB", "Nobody 2TB"


def recorded(*models: str, state: str = "done", **changes: object) -> Run:
    devices = [make.device(model=model, **changes) for model in models]
    upload = make.upload(make.payload(devices=devices))
    run = record_run(upload=Upload.objects.get(pk=upload.pk))
    Upload.objects.filter(pk=upload.pk).update(state=state, attempts=1)
    return run


def pattern(of: DriveFamily, text: str) -> DrivePattern:
    return DrivePattern.objects.create(family=of, pattern=text, source="a data sheet")


def waiting() -> set[UUID]:
    return set(Upload.objects.filter(state="retry").values_list("pk", flat=True))


def test_each_member_is_a_row_with_its_name_firmware_and_medium() -> None:
    family = make.drive_family(match="^ACME FAST")
    run = recorded(ACME, OTHER, firmware="F1 ")
    rows = list(run.drives.select_related("name"))
    assert [str(row.name) for row in rows] == [ACME, OTHER]
    assert [row.family for row in rows] == [family, None]
    assert [(row.firmware, row.medium) for row in rows] == [("F1", "nvme-flash")] * 2
    assert str(rows[1]) == f"member 1 of {run.pk}"
    assert DriveName.objects.get(model=ACME).family == family
    assert DriveName.objects.get(model=OTHER).key == key_of(vendor="", model=OTHER)


def test_the_same_name_in_many_runs_is_one_row_and_a_nameless_disk_has_none() -> None:
    recorded(OTHER)
    recorded(OTHER, OTHER)
    recorded("", transport="virtio", **{"class": "virtio-blk"})
    assert DriveName.objects.count() == 1
    assert RunDrive.objects.filter(name=None).count() == 1
    assert names_for({("", ""): None}) == {}


def test_a_pattern_of_staff_touches_the_runs_of_its_names_and_no_others() -> None:
    named, other = recorded(ACME), recorded(OTHER)
    family = make.drive_family(slug="acme-fast", name="Acme Fast")
    pattern(family, "^ACME FAST")
    assert recognise_again() == 1
    assert work_stale_runs_again() == [named.pk]
    assert waiting() == {named.pk}
    assert Upload.objects.get(pk=named.pk).attempts == 0

    again = record_run(upload=Upload.objects.get(pk=named.pk))
    assert again.drive_family == family
    assert (recognise_again(), work_stale_runs_again()) == (0, [])
    assert Run.objects.get(pk=other.pk).drive_family is None


def test_nothing_is_stale_once_it_was_made_again() -> None:
    run = recorded(ACME)
    pattern(make.drive_family(), "^ACME FAST")
    recognise_again()
    record_run(upload=Upload.objects.get(pk=run.pk))
    assert work_stale_runs_again() == []


def test_a_family_that_loses_its_pattern_gives_its_runs_back() -> None:
    family = make.drive_family(match="^ACME FAST")
    run = recorded(ACME)
    DriveFamily.objects.filter(pk=family.pk).update(match="")
    assert recognise_again() == 1
    assert work_stale_runs_again() == [run.pk]


def test_a_crash_between_the_two_steps_loses_nothing() -> None:
    """Stale runs are found from the rows: a second step finds what an earlier one left."""
    run = recorded(ACME)
    pattern(make.drive_family(), "^ACME FAST")
    recognise_again()
    assert recognise_again() == 0
    assert work_stale_runs_again() == [run.pk]


def test_poison_stays_and_one_that_a_worker_holds_waits_again() -> None:
    poison, leased = recorded(ACME, state="poison"), recorded(ACME)
    Upload.objects.filter(pk=leased.pk).update(state="leased", lease_token=leased.pk)
    pattern(make.drive_family(), "^ACME FAST")
    recognise_again()
    assert work_stale_runs_again() == [leased.pk]
    assert Upload.objects.get(pk=leased.pk).lease_token is None
    assert Upload.objects.get(pk=poison.pk).state == "poison"


def test_a_virtual_disk_that_borrows_a_name_stays_virtual_and_is_made_again_once() -> None:
    run = recorded(ACME, transport="virtio", **{"class": "virtio-blk"})
    pattern(make.drive_family(), "^ACME FAST")
    recognise_again()
    assert work_stale_runs_again() == [run.pk]
    again = record_run(upload=Upload.objects.get(pk=run.pk))
    assert again.drive_family is None
    assert work_stale_runs_again() == []


def test_a_pattern_gives_way_to_a_shipped_one_and_comes_back() -> None:
    staff = make.drive_family(slug="staff", is_shipped=False)
    mine = pattern(staff, "^ACME FAST")
    shipped = make.drive_family(slug="shipped", match="^ACME FAST 1TB")
    assert let_patterns_give_way([shipped]) == 1
    mine.refresh_from_db()
    assert "claimed by shipped and by staff" in mine.gave_way
    assert recorded(ACME).drive_family == shipped
    shipped.match = "^ACME SLOW"
    assert let_patterns_give_way([shipped]) == 0
    mine.refresh_from_db()
    assert mine.gave_way == ""
    assert str(mine) == "^ACME FAST for staff"


def test_what_another_normaliser_made_is_made_again_batch_by_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = [recorded(ACME) for _ in range(3)]
    recorded(OTHER)
    Run.objects.filter(pk__in=[run.pk for run in old]).update(normaliser_version="older")
    Run.objects.filter(pk=old[0].pk).update(normaliser_version="newer")
    monkeypatch.setattr(stale_runs, "BATCH", 2)
    assert set(work_stale_runs_again()) == {run.pk for run in old}
    assert waiting() == {run.pk for run in old}
    first, second, third = Upload.objects.filter(state="retry").order_by("next_attempt_at")
    assert first.next_attempt_at == second.next_attempt_at
    assert third.next_attempt_at - first.next_attempt_at == stale_runs.BATCH_EVERY

    for run in old:
        record_run(upload=Upload.objects.get(pk=run.pk))
    assert work_stale_runs_again() == []


def test_a_change_of_any_rule_is_another_normaliser_though_the_sum_of_versions_stays() -> None:
    first, second, *others = RULES.values()
    newer = replace(first, version=first.version + 1)
    older = replace(second, version=second.version - 1)
    renamed = replace(second, id="another-rule")
    tables = (
        RULES.values(), [newer, second, *others], [newer, older, *others],
        [first, renamed, *others], [newer, *others], [first, *others],
    )  # fmt: skip
    figures = JUDGEMENT_FILE.read_bytes()
    versions = {normaliser_version(table, judgement=figures) for table in tables}
    assert len(versions) == len(tables)
    in_another_order = normaliser_version([*others, second, first], judgement=figures)
    assert in_another_order == NORMALISER_VERSION


def test_a_run_is_judged_again_by_other_figures_though_no_rule_has_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stated = json.loads(JUDGEMENT_FILE.read_bytes())
    enough = stated["thresholds"]["flushes"]["counted_per_commit_min"]  # only the verdict reads it
    document = make.payload()
    headline = document["workloads"][0]
    headline["flushes"] = round(headline["operations"] * enough["value"] * 0.9)
    upload = Upload.objects.get(pk=make.upload(document, state="done").pk)
    assert {"case": "flushes-unclear"} in record_run(upload=upload).flush_reasons

    enough["value"] *= 0.8
    changed = json.dumps(stated).encode()
    monkeypatch.setattr(flush_verdict, "FLUSHES", read_judgement(changed).thresholds.flushes)
    newer = normaliser_version(RULES.values(), judgement=changed)
    for module in (services, stale_runs):
        monkeypatch.setattr(module, "NORMALISER_VERSION", newer)
    assert work_stale_runs_again() == [upload.pk]
    assert {"case": "flushes-unclear"} not in record_run(upload=upload).flush_reasons
    assert work_stale_runs_again() == []

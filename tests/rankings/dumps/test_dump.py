"""A dump gives the standings that it states, of its files alone, and names nobody."""

from __future__ import annotations

import json
import tarfile
from io import StringIO
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from apps.plans.models import Plan
from apps.rankings.dumps.package import PACKAGE, SUMS
from apps.rankings.dumps.writing import write_dump
from apps.rankings.models import CellMark, Standing
from apps.runs.models import Level, Run
from apps.runs.rulings import delete_run
from tests.rankings import build
from tests.rankings.dumps.world import World, build_world

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoDbBlocker

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return build_world()


def dumped(folder: Path) -> Path:
    folder.mkdir()
    write_dump(folder)
    return folder


def ranked(folder: Path) -> str:
    out = StringIO()
    call_command("rank", from_dump=folder, stdout=out)
    return out.getvalue()


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return found


def test_the_standings_of_the_dump_alone_are_those_of_the_site(
    world: World, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    kinds = Standing.objects.filter(evidence="measured", workload="commit-8k")
    assert set(kinds.values_list("n_variants", flat=True)) == {1, 2}
    assert kinds.filter(changed_since__isnull=False).exists()
    assert kinds.filter(n_claimed__gte=3).exists()
    assert kinds.filter(pooled_p99_ns__isnull=False).exists()
    assert set(Standing.objects.values_list("evidence", flat=True)) == {"measured", "published"}
    folder = dumped(tmp_path / "dump")
    n_standings = Standing.objects.count()
    with django_db_blocker.block():
        text = ranked(folder)
    assert text.startswith("Identical: ")
    stated = json.loads((folder / PACKAGE).read_text())["standings"]
    assert f" of {len(stated['boards']) + 1} boards" in text
    assert len(rows(folder, "standings")) == n_standings


def test_standings_that_are_not_those_of_the_runs_are_seen(world: World, tmp_path: Path) -> None:
    Standing.objects.filter(plan="acme-a", evidence="measured").update(n_machines=1)
    folder = dumped(tmp_path / "dump")
    with pytest.raises(CommandError, match=r"^1 of \d+ boards are other than the dump states"):
        ranked(folder)


def test_a_board_that_the_site_does_not_state_is_other(world: World, tmp_path: Path) -> None:
    Standing.objects.filter(drive_family="slow-drive", workload="commit-8k").delete()
    folder = dumped(tmp_path / "dump")
    with pytest.raises(CommandError, match=r"^1 of \d+ boards are other than the dump states"):
        ranked(folder)


def test_a_board_that_waits_for_a_worker_is_not_compared(world: World, tmp_path: Path) -> None:
    Standing.objects.filter(plan="acme-a", evidence="measured").update(n_machines=1)
    CellMark.objects.create(
        subject="plan", slug="acme-a", evidence="measured", workload="commit-8k", version=1
    )
    text = ranked(dumped(tmp_path / "dump"))
    assert "2 were not up to date in the dump and are not compared" in text  # and the providers


def test_a_file_that_is_not_as_it_was_written_is_refused(world: World, tmp_path: Path) -> None:
    folder = dumped(tmp_path / "dump")
    with (folder / "cells.parquet").open("ab") as file:
        file.write(b"more")
    with pytest.raises(CommandError, match=r"cells\.parquet is not the file that was written"):
        ranked(folder)
    with pytest.raises(CommandError, match=f"is no dump: it has no {PACKAGE}"):
        ranked(tmp_path)


def test_no_table_names_an_uploader_a_machine_a_key_or_a_network(
    world: World, tmp_path: Path
) -> None:
    folder = dumped(tmp_path / "dump")
    names = [path.name for path in folder.glob("*.parquet")]
    assert len(names) == 8
    texts = [json.dumps(pq.read_table(folder / name).to_pylist(), default=str) for name in names]
    texts.append((folder / PACKAGE).read_text())
    assert world.secrets
    found = {secret for secret in world.secrets for text in texts if secret in text}
    assert not found


def test_numbers_of_uploaders_are_drawn_anew_in_each_cell_and_dump(
    world: World, tmp_path: Path
) -> None:
    first, second = dumped(tmp_path / "first"), dumped(tmp_path / "second")
    of_plan, of_drive, of_plan_later = (
        [
            row["uploader"]
            for row in sorted(rows(folder, "cells"), key=lambda row: row["run"])
            if row["slug"] == slug and row["workload"] == "commit-8k"
        ]
        for folder, slug in (
            (first, "acme-claimed"),
            (first, "fast-drive"),
            (second, "acme-claimed"),
        )
    )
    assert sorted(of_plan) == sorted(of_drive) == list(range(1, 10))
    # three orders of nine are the same once in 10^11
    assert not of_plan == of_drive == of_plan_later


def test_a_row_says_with_which_weight_it_counts_or_by_which_rule_not(
    world: World, tmp_path: Path
) -> None:
    folder = dumped(tmp_path / "dump")
    cells = [row for row in rows(folder, "cells") if row["subject"] == "plan"]
    claimed = {
        row["weight"] for row in cells if row["slug"] == "acme-claimed" and row["is_claimed"]
    }
    assert claimed == {1.0}
    assert {row["excluded_by"] for row in cells if row["slug"] == "acme-changed"} == {"", "change"}
    assert {row["weight"] for row in cells if row["excluded_by"]} == {None}
    measured = [row for row in rows(folder, "runs") if row["plan"] == "acme-claimed"]
    assert {tuple(row["excluded_by"]) for row in measured} == {(), ("too-fast",)}
    assert {row["counts"] for row in measured if row["excluded_by"]} == {False}


def test_what_no_rule_keeps_out_has_another_reason(world: World, tmp_path: Path) -> None:
    unranked = build.run(9)
    unranked.measurements.update(is_ranked=False)
    reasons = {
        unranked.slug: "suite",
        build.run(9, in_standings=False, level=Level.SIGNED).slug: "level",
        build.run(9, in_standings=False, is_kept_out=True).slug: "record",
        build.run(9, in_standings=False, is_kept_out=True, level=Level.PUBLISHED).slug: "record",
    }
    found = rows(dumped(tmp_path / "dump"), "runs")
    assert {row["run"]: row["excluded_by"] for row in found if row["run"] in reasons} == {
        run: [reason] for run, reason in reasons.items()
    }


def test_figures_of_articles_are_no_cc0_and_no_text_is_a_formula(
    world: World, tmp_path: Path
) -> None:
    folder = dumped(tmp_path / "dump")
    licences = {(row["evidence"], row["licence"]) for row in rows(folder, "runs")}
    assert licences == {("measured", "CC0-1.0"), ("published", "cited-facts")}
    described = (folder / PACKAGE).read_text()
    assert "Published figures (licence: cited-facts)" in described
    assert {row["warning"] for row in rows(folder, "runs")} == {"", "=1+1 is what the article says"}
    with pa.input_stream(folder / "runs.csv.gz") as file:
        text = file.read().decode()
    assert '"\'=1+1 is what the article says"' in text
    assert '"=1' not in text


def test_envelopes_are_of_who_agreed_and_leave_with_a_deletion(
    world: World, tmp_path: Path
) -> None:
    assert envelopes(dumped(tmp_path / "first")) == {
        f"{world.agreed.pk}.json": world.agreed.envelope
    }
    Run.objects.filter(pk=world.agreed.pk).update(is_listed=False)
    assert not envelopes(dumped(tmp_path / "hidden"))
    Run.objects.filter(pk=world.agreed.pk).update(is_listed=True)
    delete_run(world.agreed.pk, by_owner=True, reason="taken back")
    folder = dumped(tmp_path / "second")
    assert not envelopes(folder)
    assert str(world.agreed.pk) not in {row["run_id"] for row in rows(folder, "runs")}
    (tombstone,) = rows(folder, "tombstones")
    assert (tombstone["run_id"], tombstone["reason"]) == (str(world.agreed.pk), "taken back")


def test_envelopes_of_made_up_runs_and_machines_of_nobody_are_not_in_it(
    world: World, tmp_path: Path
) -> None:
    Run.objects.filter(pk=world.agreed.pk).update(is_example=True)
    gone, kept = (build.run(9, plan=build.plan(name)) for name in ("Gone", "Kept"))
    Plan.objects.filter(pk__in=(gone.plan_id, kept.plan_id)).update(is_listed=False)
    Run.objects.filter(pk=gone.pk).update(is_listed=False)
    folder = dumped(tmp_path / "dump")
    assert not envelopes(folder)
    plans = {row["slug"] for row in rows(folder, "plans")}
    assert {gone.plan_id, kept.plan_id} & plans == {kept.plan_id}


def envelopes(folder: Path) -> dict[str, bytes]:
    """The envelopes of a dump, by the names of their files."""
    found = {}
    for path in folder.glob("envelopes-*.tar.zst"):
        with (
            pa.input_stream(path, compression="zstd") as file,
            tarfile.open(fileobj=file, mode="r|") as archive,
        ):
            for entry in archive:
                content = archive.extractfile(entry)
                assert content is not None
                found[entry.name] = content.read()
    return found


def test_the_package_describes_every_file(world: World, tmp_path: Path) -> None:
    folder = dumped(tmp_path / "dump")
    package = json.loads((folder / PACKAGE).read_text())
    described = {each["path"]: each for each in package["resources"]}
    assert described.keys() == {each.name for each in folder.iterdir()} - {PACKAGE, SUMS}
    fields = [each["name"] for each in described["cells.csv.gz"]["schema"]["fields"]]
    assert fields == pq.read_schema(folder / "cells.parquet").names
    sums = (folder / SUMS).read_text().split()
    assert set(sums[1::2]) == described.keys() | {PACKAGE}
    assert (folder / "METHOD_VERSION").read_text().strip() == str(
        package["standings"]["method_version"]
    )

"""Whole runs with the judgement expected: the agent reads the same (judgement/vectors.rs)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.drives.catalogue import read_ladder
from apps.drives.models import LadderClass
from apps.intake.services.work import drain
from apps.runs.models import Run
from apps.wire.judgement import judgement
from apps.wire.run import read_run
from tests import make

VECTORS = sorted((Path(__file__).parents[1] / "wire" / "v1" / "judgement").glob("*.json"))
# Rules that judge what a note of the agent judges; each side has labels of its own besides.
SHARED = {
    "few-flushes", "faster-than-medium", "fast-for-volatile-cache", "other-io",
    "other-cpu", "little-free-space", "reads-from-cache", "zfs-sync-disabled",
}  # fmt: skip


def named(given: dict[str, Any], model: str) -> None:
    """Put the drive into the catalogue, if that is what the server is given."""
    if given["drive"] is None:
        return
    facts = dict(given["drive"])
    rung = LadderClass.objects.get(slug=facts.pop("ladder_class"))
    make.drive_family(match=f"^{model}$", ladder_class=rung, **facts)


@pytest.mark.django_db
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_every_run_is_judged_as_expected(path: Path) -> None:
    vector = json.loads(path.read_bytes())
    expected, document = vector["expected"], vector["payload"]
    LadderClass.objects.bulk_create(read_ladder())
    named(vector["given"], document["devices"][0]["model"] if document["devices"] else "")
    make.upload(document)
    assert drain() == 1
    run = Run.objects.get()
    labels = SHARED.intersection(run.labels.values_list("rule", flat=True))
    assert run.measured_class_id == expected["class"]
    assert run.flush_verdict == expected["verdict"]["server"], run.flush_reasons
    assert sorted(labels) == expected["labels"]["server"]


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_every_run_of_them_is_a_valid_one(path: Path) -> None:
    vector = json.loads(path.read_bytes())
    assert vector.keys() == {"about", "given", "expected", "payload"}
    assert read_run(json.dumps(vector["payload"]).encode()).workloads
    assert vector["expected"]["class"] in {rung.slug for rung in judgement().classes}

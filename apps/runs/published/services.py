"""Loads results that others published: figures and citations as runs of level Published.

Each record of data/published_results.jsonl becomes a run. What a source does not state stays empty,
and no texts of sources are copied. data/README.md has the units of the file.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from apps.drives.expected_class import CLOUD_SSD, HDD
from apps.drives.models import DriveFamily, LadderClass
from apps.plans.models import VIRTUAL_MACHINES, Plan, Provider, StorageKind
from apps.runs.models import Citation, Label, Latency, Level, Measurement, Run, RunRuling
from apps.runs.published.figures import latencies_of, measurement_of
from apps.runs.published.judgement import judge_record
from apps.runs.services import rulings_of
from apps.stats.ladder import Rung, rung_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DATA: Final = Path(__file__).parents[1] / "data"
RESULTS_FILE: Final = DATA / "published_results.jsonl"
SOURCES_FILE: Final = DATA / "published_sources.json"
WORKLOADS_FILE: Final = DATA / "published_workloads.json"
# Ids of published runs are UUIDv5 of the record's id in this namespace, the same on every server.
NAMESPACE: Final = uuid.UUID("3d1c6b0e-6b0a-5d0f-9a4b-6f7d1b7c2a51")
MACHINE_CHARACTERS: Final = 32  # of the column
VIRTUAL_PLAN_KINDS: Final = VIRTUAL_MACHINES | {"volume"}  # a hypervisor is in between

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublishedRecord:
    """One line of the file, with its source and its workload looked up."""

    fields: Json
    source_id: str
    source: Json
    workload: Json

    @property
    def id(self) -> str:
        """Return the record's id, which is the slug of its run."""
        return str(self.fields["id"])

    @property
    def published(self) -> str:
        """Return the month or year of the record, else of its article; empty where none says."""
        return str(self.fields.get("published", self.source["published"]))


@dataclass(frozen=True, slots=True)
class _CatalogueRows:
    """The rows of the catalogue that records refer to, by the names that records use."""

    plans: dict[tuple[str, str], Plan]
    providers: dict[str, Provider]
    families: dict[str, DriveFamily]
    classes: dict[str, LadderClass]

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """Return the ranges of the classes."""
        return tuple(
            Rung(slug=row.slug, low_ns=row.low_ns, high_ns=row.high_ns)
            for row in self.classes.values()
        )


def read_published() -> list[PublishedRecord]:
    """Return every published result that ships with the product."""
    sources = json.loads(SOURCES_FILE.read_text(encoding="utf-8"))
    workloads = json.loads(WORKLOADS_FILE.read_text(encoding="utf-8"))
    lines = RESULTS_FILE.read_text(encoding="utf-8").splitlines()
    return [
        PublishedRecord(
            fields=fields,
            source_id=fields["source"],
            source=sources[fields["source"]],
            workload=workloads[fields["workload"]["id"]],
        )
        for fields in map(json.loads, lines)
    ]


@cache
def published_workloads() -> dict[str, Json]:
    """Return what is known of each workload of an article, by its id, read once in a process."""
    workloads: dict[str, Json] = json.loads(WORKLOADS_FILE.read_text(encoding="utf-8"))
    return workloads


def run_id_of(record_id: str) -> uuid.UUID:
    """Return the id of the run that a published record becomes."""
    return uuid.uuid5(NAMESPACE, record_id)


@cache
def _months() -> dict[str, str]:
    return {record.id: record.published for record in read_published()}


def published_month(slug: str) -> str:
    """Return the month in which the article of a published run appeared, ISO 8601.

    The year alone where its source states no month; empty where it states neither, and for runs
    that are not published.
    """
    return _months().get(slug, "")


def published_before(month: str) -> tuple[str, ...]:
    """Return the slugs of published runs whose articles appeared before a month, ISO 8601."""
    return tuple(slug for slug, appeared in _months().items() if "" < appeared < month)


@transaction.atomic
def load_published(records: Iterable[PublishedRecord]) -> int:
    """Replace all published runs by these records and return how many there are now.

    What was decided about one holds on. Raises LookupError where a record names a plan or a drive
    family that is not loaded.
    """
    Run.objects.filter(level=Level.PUBLISHED).delete()
    return _make(records)


@transaction.atomic
def load_one_again(run_id: uuid.UUID) -> None:
    """Make a published run of its record again, after something was decided about it."""
    found = [record for record in read_published() if run_id_of(record.id) == run_id]
    if found:  # else it leaves when the file is loaded
        Run.objects.filter(pk=run_id, level=Level.PUBLISHED).delete()
        _make(found)


def _make(records: Iterable[PublishedRecord]) -> int:
    catalogue = _catalogue_rows()
    ruled = set(RunRuling.objects.values_list("run_id", flat=True))
    runs: list[Run] = []
    citations: list[Citation] = []
    measurements: list[Measurement] = []
    latencies: list[Latency] = []
    labels: list[Label] = []
    for record in records:
        run = _run(record, catalogue)
        measurement = measurement_of(run=run, fields=record.fields, workload=record.workload)
        rulings, released = rulings_of(run.pk) if run.pk in ruled else ({}, set())
        found = judge_record(
            record.fields,
            run=run,
            measurement=measurement,
            rulings=rulings,
            released=released,
        )
        run.measured_class_id = _measured_class(measurement, catalogue.rungs)
        labels.extend(found)
        runs.append(run)
        citations.append(_citation(run, record))
        measurements.append(measurement)
        latencies.extend(latencies_of(measurement=measurement, metrics=record.fields["metrics"]))
    Run.objects.bulk_create(runs)
    Citation.objects.bulk_create(citations)
    Measurement.objects.bulk_create(measurements)
    Latency.objects.bulk_create(latencies)
    Label.objects.bulk_create(labels)
    return len(runs)


def _catalogue_rows() -> _CatalogueRows:
    return _CatalogueRows(
        plans={(plan.provider.name, plan.name): plan for plan in _listed_plans()},
        providers={provider.name: provider for provider in Provider.objects.all()},
        families={family.name: family for family in DriveFamily.objects.all()},
        classes={row.slug: row for row in LadderClass.objects.all()},
    )


def _listed_plans() -> list[Plan]:
    return list(Plan.objects.filter(is_listed=True).select_related("provider"))


def _run(record: PublishedRecord, catalogue: _CatalogueRows) -> Run:
    fields = record.fields
    plan = catalogue.plans[fields["provider"], fields["plan"]] if fields["plan"] else None
    family = catalogue.families[fields["drive_family"]] if fields["drive_family"] else None
    return Run(
        id=run_id_of(record.id),
        slug=record.id,
        level=Level.PUBLISHED,
        measured_at=_midnight(fields["measured_on"]),
        provider=catalogue.providers[fields["provider"]] if fields["provider"] else None,
        plan=plan,
        region=fields["region"] or "",
        drive_family=family,
        drive_reported=fields["drive_model"] or "",
        is_single_drive=bool(fields["is_single_drive"]),
        expected_class=_expected_class(plan=plan, family=family, classes=catalogue.classes),
        machine=_machine(record.source_id, fields["machine"]),
        uploader=f"published:{record.source_id}",
        filesystem=fields["filesystem"] or "",
        kernel=fields["os_kernel"] or "",
        cpu_model=fields["cpu"] or "",
    )


def _machine(source_id: str, machine: str | None) -> str:
    """Return a pseudonym of the column's length: two sources may call two machines the same."""
    if not machine:
        return ""
    return sha256(f"{source_id}:{machine}".encode()).hexdigest()[:MACHINE_CHARACTERS]


def _expected_class(
    *, plan: Plan | None, family: DriveFamily | None, classes: Mapping[str, LadderClass]
) -> LadderClass | None:
    """Return the class of the drive family, else what the kind of the plan says, else None."""
    if family is not None:
        return classes.get(family.ladder_class_id or "")
    if plan is None:
        return None
    if plan.storage_kind == StorageKind.HDD:
        return classes[HDD]
    return classes[CLOUD_SSD] if plan.kind in VIRTUAL_PLAN_KINDS else None


def _measured_class(measurement: Measurement, rungs: tuple[Rung, ...]) -> str | None:
    """Return the ladder class of the mean commit, 1e9 / rate, since no source prints a median.

    None unless one writer commits one after the other: only then a rate gives a latency.
    """
    if not measurement.is_durable_single_writer or not measurement.rate_per_s:
        return None
    rung = rung_of(round(1e9 / measurement.rate_per_s), rungs)
    return rung.slug if rung else None


def _citation(run: Run, record: PublishedRecord) -> Citation:
    fields, source = record.fields, record.source
    return Citation(
        run=run,
        title=source["title"],
        url=source["url"],
        author=source["author"],
        machine_label=fields["machine_label"],
        storage_notes=fields["storage_notes"] or "",
        notes=fields["notes"] or "",
        warning=fields["warning"] or "",
        is_illustrative=fields["is_illustrative"],
        locator_url=fields["locator"]["url"],
        locator_find=fields["locator"]["find"],
        confidence=fields["confidence"],
        confidence_reason=fields["confidence_reason"] or "",
    )


@cache
def _midnight(day: str | None) -> datetime | None:
    """Return the start of a stated day in UTC, since sources state days without a time zone."""
    return datetime.combine(date.fromisoformat(day), time(), tzinfo=UTC) if day else None

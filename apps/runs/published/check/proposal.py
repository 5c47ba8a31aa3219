"""A record that somebody proposes: made of few words, and checked as the shipped ones are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from apps.plans.naming import slug_of
from apps.runs.published.check.files import known_of
from apps.runs.published.check.rules import RULES
from apps.runs.published.check.shape import RecordShape, SourceShape, WorkloadShape
from apps.runs.published.services import WORKLOADS_FILE, read_published

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.runs.published.check.rules import Known

Json = dict[str, Any]
ID_CHARACTERS_MAX: Final = 80  # of the column
_FIRST_OF: Final = ("tool", "name", "rw", "block_size_bytes", "direct", "sync", "iodepth",
                    "numjobs", "ioengine")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody says of a page: where it is, what it is of, and the figure."""

    address: str
    title: str
    find: str
    workload: str
    rate_per_s: float | None
    published: str = ""  # year, with or without the month
    provider: str = ""
    plan: str = ""
    drive: str = ""


@dataclass(frozen=True, slots=True)
class CheckedProposal:
    """The lines for the two files, and what is wrong with them, in the words of the check."""

    record: Json
    sources: Json
    faults: tuple[str, ...]


def check_proposal(proposal: Proposal) -> CheckedProposal:
    """Return the record that a proposal makes, with everything that the check finds."""
    host = urlsplit(proposal.address).netloc
    source_id = slug_of(host) or "source"
    source = {
        "title": proposal.title,
        "url": proposal.address,
        "author": host,
        "published": proposal.published,
    }
    record = _record(proposal, source_id)
    return CheckedProposal(record, {source_id: source}, tuple(_faults(record, source)))


@cache
def workload_titles() -> dict[str, str]:
    """Return the title of every workload whose shape a shipped record has, by id."""
    return {
        record.fields["workload"]["id"]: record.workload["title"] for record in read_published()
    }


@cache
def _work_of(workload: str) -> Json:
    """Return what the records of a workload have in common, from the first of them."""
    shipped = (record.fields["workload"] for record in read_published())
    first: Json = next((work for work in shipped if work["id"] == workload), {})
    return {name: first.get(name) for name in _FIRST_OF}


def _record(proposal: Proposal, source_id: str) -> Json:
    named = proposal.plan or proposal.drive or proposal.provider
    families = _known().families
    words = {name: getattr(proposal, name) or None for name in ("provider", "plan", "drive")}
    return {
        "id": slug_of(f"{source_id}-{named}-{proposal.workload}")[:ID_CHARACTERS_MAX].strip("-"),
        "source": source_id,
        "locator": {"url": proposal.address, "find": proposal.find},
        "confidence": "high",
        "confidence_reason": None,
        "measured_on": None,
        "provider": words["provider"],
        "plan": words["plan"],
        "region": None,
        "machine": None,
        "machine_label": named or "not stated",
        "cpu": None,
        "drive_model": words["drive"],
        "drive_family": words["drive"] if proposal.drive in families else None,
        "is_single_drive": None,
        "storage_notes": None,
        "os_kernel": None,
        "filesystem": None,
        "workload": {
            "id": proposal.workload,
            **_work_of(proposal.workload),
            "size_bytes": None,
            "duration_s": None,
            "extra": {},
        },
        "metrics": {} if proposal.rate_per_s is None else {"iops": proposal.rate_per_s},
        "notes": None,
        "warning": None,
        "is_illustrative": False,
        "is_kept_out": False,
    }


@cache
def _known() -> Known:
    workloads = msgspec.json.decode(WORKLOADS_FILE.read_bytes(), type=dict[str, WorkloadShape])
    return known_of({}, workloads)


def _faults(record: Json, source: Json) -> list[str]:
    """Return every fault of a record and its source; of the shape only the first of each."""
    faults = []
    sources: dict[str, SourceShape] = {}
    try:
        sources[record["source"]] = msgspec.convert(source, type=SourceShape)
    except msgspec.ValidationError as error:
        faults.append(f"the source: {error}")
    if not record["metrics"]:
        faults.append("the figure is missing: give the writes a second")
    try:
        shape = msgspec.convert(record, type=RecordShape)
    except msgspec.ValidationError as error:
        return [*faults, str(error)]
    known = replace(_known(), sources=sources)
    for rule in RULES:
        faults += rule(shape, known)
    return faults + _there_already(record)


def _there_already(record: Mapping[str, Any]) -> list[str]:
    """Return the records that have this figure of this page."""
    proposed = record["locator"]["url"], record["metrics"].get("iops")
    return [
        f"{shipped.id} has this figure of this page already"
        for shipped in read_published()
        if (shipped.fields["locator"]["url"], shipped.fields["metrics"].get("iops")) == proposed
    ]

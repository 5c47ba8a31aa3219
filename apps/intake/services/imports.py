"""Takes in outputs of benchmarks that people already have: read, stored as they came, shown.

Nobody signs an import, so the same bytes are the same import, whoever sends them.
"""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction

from apps.intake.clock import database_now
from apps.intake.importers import READER_VERSION, UnreadableError, as_document, read_output
from apps.intake.importers.reading import name_of
from apps.intake.services.quotas import check_imports_quota
from apps.runs.imported import record_import
from apps.runs.models import ImportedFile
from apps.wire import problems
from apps.wire.problems import Refusal

# Ids of imported runs are UUIDv5 of the digest of their bytes in this namespace.
NAMESPACE: Final = uuid.UUID("8f0d7b52-2f4b-5c0a-9d5a-0c7d3f1e6b90")


@dataclass(frozen=True, slots=True)
class Claim:
    """What the sender says about the machine; none of it can be checked."""

    provider: str = ""
    plan: str = ""
    drive: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """A stored output; it is new unless the same bytes had been stored before."""

    file: ImportedFile
    is_new: bool


def understand(raw: bytes) -> dict[str, Any]:
    """Return what is understood of an output; stores nothing. Raises Refusal."""
    try:
        return as_document(read_output(raw))
    except UnreadableError as error:
        raise Refusal(problems.UNREADABLE_OUTPUT, f"{_sentence(error)}.") from error


def import_output(*, raw: bytes, claim: Claim, network: str) -> Imported:
    """Read and store an output as a run of level Imported. Raises Refusal.

    When this returns the bytes and the run are committed.
    """
    digest = hashlib.sha256(raw).digest()
    stored = ImportedFile.objects.defer("content").filter(content_sha256=digest)
    if (file := stored.first()) is not None:
        return Imported(file, is_new=False)
    now = database_now()
    check_imports_quota(ImportedFile.objects.all(), network=network, now=now)
    file = ImportedFile(
        run_id=uuid.uuid5(NAMESPACE, digest.hex()),
        content=raw,
        content_sha256=digest,
        received_at=now,
        network=network,
        document=understand(raw),
        claimed_provider=name_of(claim.provider),
        claimed_plan=name_of(claim.plan),
        claimed_drive=name_of(claim.drive),
    )
    try:
        with transaction.atomic():
            file.save(force_insert=True)
            record_import(file)
    except IntegrityError:  # the same bytes came twice at once
        return Imported(stored.get(), is_new=False)
    return Imported(file, is_new=True)


def read_again() -> tuple[int, int]:
    """Read every stored output anew where readers have learned since; returns (changed, all).

    One that is not understood any more keeps what was understood of it.
    """
    files = list(ImportedFile.objects.values_list("run_id", "document__reader_version"))
    changed = 0
    for run_id, version in files:
        if version == READER_VERSION:
            continue
        with transaction.atomic():
            file = ImportedFile.objects.select_for_update(no_key=True).get(pk=run_id)
            try:
                file.document = as_document(read_output(bytes(file.content)))
            except UnreadableError:
                continue
            file.save(update_fields=("document",))
            record_import(file)
            changed += 1
    return changed, len(files)


def _sentence(error: UnreadableError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]

"""Imports outputs of benchmarks that people already have: reads them and stores the bytes.

Nobody signs an import, so equal bytes are one import, whoever sends them.
"""

from __future__ import annotations

import hashlib
import unicodedata
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import IntegrityError, transaction

from apps.accounts.clock import database_now
from apps.intake.importers import (
    READER_VERSION,
    UnreadableError,
    as_document,
    read_output,
)
from apps.intake.importers.reading import name_of
from apps.intake.services.rate_limits import check_imports_rate_limit, count_reading
from apps.intake.services.tombstones import refuse_deleted
from apps.plans.look_alikes import foreign_letter, looks_like
from apps.plans.models import Provider
from apps.runs.imported.services import record_import
from apps.runs.models import ImportedFile
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from django.db.models import QuerySet

RETRY_SECONDS: Final = 10  # until a simultaneous import of the same bytes has ended
# Ids of imported runs are UUIDv5 of the digest of their bytes in this namespace.
NAMESPACE: Final = uuid.UUID("8f0d7b52-2f4b-5c0a-9d5a-0c7d3f1e6b90")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ImportClaim:
    """What the sender says about the machine; none of it can be checked."""

    provider: str = ""
    plan: str = ""
    drive: str = ""


@dataclass(frozen=True, slots=True)
class StoredImport:
    """A stored output; it is new unless the same bytes had been stored before."""

    file: ImportedFile
    is_new: bool


def understand(raw: bytes, *, network: str) -> dict[str, Any]:
    """Return what is understood of an output, and count the reading. Raises Refusal."""
    count_reading(network=network, now=database_now())
    try:
        return as_document(read_output(raw))
    except UnreadableError as error:
        raise Refusal(problems.UNREADABLE_OUTPUT, f"{_sentence(error)}.") from error


def import_output(*, raw: bytes, claim: ImportClaim, network: str) -> StoredImport:
    """Read and store an output as a run of level Imported. Raises Refusal.

    When this returns the bytes and the run are committed.
    """
    claim = _checked(claim)
    digest = content_digest(raw)
    same = (digest, hashlib.sha256(raw).digest())  # the second: stored before blanks were left out
    stored = ImportedFile.objects.defer("content").filter(content_sha256__in=same)
    if (file := stored.first()) is not None:
        return StoredImport(_claimed_again(file, claim, network=network), is_new=False)
    run_id = uuid.uuid5(NAMESPACE, digest.hex())
    refuse_deleted(run_id)
    now = database_now()
    check_imports_rate_limit(ImportedFile.objects.all(), network=network, now=now)
    file = ImportedFile(
        run_id=run_id,
        content=raw,
        content_sha256=digest,
        received_at=now,
        network=network,
        document=understand(raw, network=network),
        **_claim_columns(claim),
    )
    try:
        with transaction.atomic():
            file.save(force_insert=True)
            record_import(file)
    except IntegrityError as error:  # the same bytes came twice at once
        if (twin := stored.first()) is not None:
            return StoredImport(_claimed_again(twin, claim, network=network), is_new=False)
        log.exception("an import broke a rule of the database")
        raise Refusal(
            problems.UNAVAILABLE, "It could not be stored.", retry_after_s=RETRY_SECONDS
        ) from error
    return StoredImport(file, is_new=True)


def content_digest(raw: bytes) -> bytes:
    """Return the SHA-256 of an output without the blanks that copying adds to ends of lines."""
    lines = [line.rstrip() for line in raw.splitlines()]
    return hashlib.sha256(b"\n".join(lines).strip()).digest()


def _checked(claim: ImportClaim) -> ImportClaim:
    """Return a claim whose names pass for no others. Raises Refusal."""
    for name in (claim.provider, claim.plan, claim.drive):
        if letter := foreign_letter(name):
            raise Refusal(problems.BAD_CLAIM, f"{letter!r} ({unicodedata.name(letter, 'unknown')})")
    if known := looks_like(claim.provider, Provider.objects.values_list("name", flat=True)):
        raise Refusal(problems.BAD_CLAIM, f"The provider looks like {known}.")
    return claim


def _claim_columns(claim: ImportClaim) -> dict[str, str]:
    return {
        "claimed_provider": name_of(claim.provider),
        "claimed_plan": name_of(claim.plan),
        "claimed_drive": name_of(claim.drive),
    }


@transaction.atomic
def _claimed_again(file: ImportedFile, claim: ImportClaim, *, network: str) -> ImportedFile:
    """Return a stored output after somebody sent it again with what they say of the machine.

    Nobody signed it, so nobody's word is better. Where another network says something else, the
    machine is unnamed from then on; who sent it first may correct themselves.
    """
    said = _claim_columns(claim)
    columns = tuple(said)
    file = ImportedFile.objects.select_for_update(no_key=True).defer("content").get(pk=file.pk)
    kept = {name: getattr(file, name) for name in columns}
    if file.claim_in_dispute or said == kept or not any(said.values()):
        return file
    if file.network != network:
        if not any(kept.values()):
            return file
        said = dict.fromkeys(columns, "")
        file.claim_in_dispute = True
    for name, value in said.items():
        setattr(file, name, value)
    file.names_seen = False
    file.save(update_fields=(*columns, "claim_in_dispute", "names_seen"))
    record_import(file)
    return file


def clear_claims(files: QuerySet[ImportedFile]) -> int:
    """Clear the claims of these outputs about their machines; return how many there are."""
    count = 0
    with transaction.atomic():
        for file in files.defer("content").select_for_update(no_key=True):
            columns = _claim_columns(ImportClaim())
            for name, value in columns.items():
                setattr(file, name, value)
            file.claim_in_dispute = True  # or the next one to send it would name it again
            file.save(update_fields=(*columns, "claim_in_dispute"))
            record_import(file)
            count += 1
    return count


def read_again() -> tuple[int, int]:
    """Read stored outputs of older readers again; return (changed, all).

    An output that the readers no longer understand keeps its old document.
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

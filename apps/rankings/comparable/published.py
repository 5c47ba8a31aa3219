"""The rates of published results by disk, for what several kinds of work on one disk tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.published.services import read_published

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from apps.runs.published.services import PublishedRecord

# What makes two results of one source results on one disk: machine, drive and what lies above it.
SAME_DISK: Final = ("machine", "drive_model", "storage_notes", "filesystem", "os_kernel")


def published_rates(
    records: Iterable[PublishedRecord] | None = None,
) -> Iterator[tuple[str, str, float]]:
    """Yield disk, workload and operations a second of every durable result of one writer.

    Left out: what names no machine, what its source calls a sample of figures, and what is kept out
    because its syncs do not wait for the medium.
    """
    for record in read_published() if records is None else records:
        fields = record.fields
        rate = fields["metrics"].get("iops")
        is_told = fields["machine"] and not fields["is_illustrative"]
        if not rate or not is_told or fields.get("is_kept_out"):
            continue
        if record.workload["is_durable_single_writer"]:
            disk = "|".join(str(fields[key] or "") for key in SAME_DISK)
            yield f"{record.source_id}|{disk}", fields["workload"]["id"], float(rate)

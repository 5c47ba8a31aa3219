"""The signed bytes of uploads whose senders agreed to publish them, a file a month.

They hold key and pseudonym of the machine. Whose run is deleted or hidden, or holds a name that
nobody has read, is in the next dump no more.
"""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from django.db.models.functions import TruncMonth

from apps.runs.models import Run
from apps.runs.selectors import runs_with_envelopes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from uuid import UUID

PREFIX: Final = "envelopes-"
_RUNS_A_READ: Final = 200  # with their bytes, of which the largest have megabytes


def write_envelopes(folder: Path) -> int:
    """Write the envelopes that everybody may have, and return how many."""
    public = runs_with_envelopes()
    public = public.annotate(month=TruncMonth("upload__received_at"))
    n_written = 0
    for month in list(public.order_by("month").values_list("month", flat=True).distinct()):
        path = folder / f"{PREFIX}{month:%Y-%m}.tar.zst"
        ids = public.filter(month=month).order_by("upload__received_at", "pk")
        with pa.CompressedOutputStream(path, "zstd") as stream, _archive(stream) as archive:
            for run in _read(list(ids.values_list("pk", flat=True))):
                _add(archive, run)
                n_written += 1
    return n_written


def _read(ids: Sequence[UUID]) -> Iterator[Run]:
    for first in range(0, len(ids), _RUNS_A_READ):
        runs = Run.objects.filter(pk__in=ids[first : first + _RUNS_A_READ])
        yield from runs.select_related("upload").order_by("upload__received_at", "pk")


def _archive(stream: Any) -> tarfile.TarFile:
    return tarfile.open(fileobj=stream, mode="w|")


def _add(archive: tarfile.TarFile, run: Run) -> None:
    upload = run.upload
    if upload is None:
        raise AssertionError
    sent = upload.envelope
    entry = tarfile.TarInfo(f"{run.pk}.json")
    entry.size, entry.mtime = len(sent), int(upload.received_at.timestamp())
    archive.addfile(entry, io.BytesIO(sent))

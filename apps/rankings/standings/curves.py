"""Pools the histograms of cells by the weight of each uploader.

They are read from the database, or by another `CurveSource`, as of a dump.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from apps.runs.models import Latency
from apps.stats.standings.pooled import Pool, PooledCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apps.rankings.standings.drafts import Draft, UploaderWeight
    from apps.runs.packed.packing import BucketCounts
    from apps.stats.standings.pooled import PooledDistribution

# The columns of a standing with percentiles over all of its runs together, and their quantiles.
POOLED_QUANTILES: Final = {"pooled_p50_ns": 0.5, "pooled_p99_ns": 0.99, "pooled_p999_ns": 0.999}
_CHUNK: Final = 1_000  # histograms held at once: some 20 MB


class StoredHistogram(NamedTuple):
    """The histogram of one latency, as stored."""

    histogram: BucketCounts
    min_ns: int
    max_ns: int


class CurveSource(Protocol):
    """Where the distributions of latencies come from, by their numbers."""

    def histograms(self, latency_ids: Sequence[int]) -> Iterator[StoredHistogram | None]:
        """Yield the histogram of each latency in the order given, None where it has none."""
        ...

    def printed_curves(self, latency_ids: Iterable[int]) -> dict[int, list[list[float]]]:
        """Return the percentile curves of these latencies, which have no histogram."""
        ...


def set_curves(drafts: Sequence[Draft], source: CurveSource | None = None) -> None:
    """Give each standing its pooled curve and percentiles; without a source by the database.

    Where no run has a histogram, such as for published runs, the curve is that of the most typical
    run.
    """
    source = source or _Database()
    without = []
    histograms = source.histograms(
        [each for draft in drafts for voice in draft.voices for each in voice.latency_ids]
    )
    for draft in drafts:
        pooled = _pooled(draft.voices, histograms)
        if pooled is None:
            without.append(draft)
            continue
        standing = draft.standing
        standing.curve = pooled.curve()
        for column, quantile in POOLED_QUANTILES.items():
            setattr(standing, column, pooled.quantile_ns(quantile))
    curves = source.printed_curves(
        draft.typical_latency_id for draft in without if draft.typical_latency_id
    )
    for draft in without:
        draft.standing.curve = curves.get(draft.typical_latency_id or 0, [])


def _pooled(
    voices: Sequence[UploaderWeight], histograms: Iterator[StoredHistogram | None]
) -> PooledDistribution | None:
    """Return the distribution over these uploaders, whose histograms come next.

    The counts of an uploader are added exactly, so the order of reading does not matter. None where
    no uploader has a histogram.
    """
    pool = Pool()
    for voice in voices:
        counts = PooledCounts()
        for _ in voice.latency_ids:
            stored = next(histograms)
            if stored is not None:
                counts.add(
                    *stored.histogram,
                    min_ns=stored.min_ns,
                    max_ns=stored.max_ns,
                )
        pool.add(counts, weight=voice.weight)
    return pool.pooled()


class _Database:
    """The latencies as they are stored."""

    def histograms(self, latency_ids: Sequence[int]) -> Iterator[StoredHistogram | None]:
        columns = ("pk", "histogram", "min_ns", "max_ns")
        for first in range(0, len(latency_ids), _CHUNK):
            chunk = latency_ids[first : first + _CHUNK]
            stored = Latency.objects.filter(
                pk__in=chunk, histogram__isnull=False, min_ns__isnull=False, max_ns__isnull=False
            )
            found = {pk: StoredHistogram(*rest) for pk, *rest in stored.values_list(*columns)}
            yield from map(found.get, chunk)

    def printed_curves(self, latency_ids: Iterable[int]) -> dict[int, list[list[float]]]:
        rows = Latency.objects.filter(pk__in=list(latency_ids))
        return dict(rows.values_list("pk", "printed_curve"))

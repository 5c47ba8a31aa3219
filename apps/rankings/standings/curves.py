"""Reads the histograms of cells and pools them by the weight of each uploader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

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


class _Stored(NamedTuple):
    """The histogram of one latency, as stored."""

    histogram: BucketCounts
    min_ns: int
    max_ns: int


def set_curves(drafts: Sequence[Draft]) -> None:
    """Give each standing its pooled curve and percentiles.

    Where no run has a histogram, such as for published runs, the curve is that of the most typical
    run.
    """
    without = []
    histograms = _read(
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
    curves = _curves_of(draft.typical_latency_id for draft in without if draft.typical_latency_id)
    for draft in without:
        draft.standing.curve = curves.get(draft.typical_latency_id or 0, [])


def _pooled(
    voices: Sequence[UploaderWeight], histograms: Iterator[_Stored | None]
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


def _read(latency_ids: Sequence[int]) -> Iterator[_Stored | None]:
    """Yield the histogram of each latency in the order given, None where it has none."""
    columns = ("pk", "histogram", "min_ns", "max_ns")
    for first in range(0, len(latency_ids), _CHUNK):
        chunk = latency_ids[first : first + _CHUNK]
        stored = Latency.objects.filter(
            pk__in=chunk, histogram__isnull=False, min_ns__isnull=False, max_ns__isnull=False
        )
        histograms = {pk: _Stored(*rest) for pk, *rest in stored.values_list(*columns)}
        yield from map(histograms.get, chunk)


def _curves_of(latency_ids: Iterable[int]) -> dict[int, list[list[float]]]:
    """Return the percentile curves of these latencies, which have no histogram."""
    rows = Latency.objects.filter(pk__in=list(latency_ids))
    return dict(rows.values_list("pk", "printed_curve"))

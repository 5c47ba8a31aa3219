"""Charts: the figures for Chart.js, and the tables that hold the same figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.show import words
from apps.pages.show.phrases import join_facts, with_name
from apps.runs.models import Measurement
from apps.stats.figures import significant

SAMPLES_MAX = 400  # of a workload, drawn and listed: three minutes of half seconds


QUANTILES = (
    (0.5, "p50", "p50_ns"),
    (0.9, "p90", "p90_ns"),
    (0.99, "p99", "p99_ns"),
    (0.999, "p99.9", "p999_ns"),
    (0.9999, "p99.99", "p9999_ns"),
)


JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"


@dataclass(frozen=True, slots=True)
class QuantileRow:
    """One line of the table: a quantile and its latency on each side, nanoseconds."""

    name: str
    cells: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SideColumn:
    """What is timed in a column of the table, and whether it is durable when that ends."""

    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One rate sample: when it ended, in seconds of measuring, and the rate a second."""

    nth_pass: int
    seconds: float
    rate_per_s: float


@dataclass(frozen=True, slots=True)
class RateChart:
    """The rate over the time of a measurement, pass after pass."""

    data: dict[str, JsonValue]
    samples: tuple[Sample, ...]
    lowest: Sample
    mean_per_s: float
    stdev_per_s: float
    sample_ns: int

    @property
    def sentence(self) -> str:
        """A sentence for those who do not see the picture."""
        return join_facts(
            (
                f"{_('mean')} {significant(self.mean_per_s)} /s",
                _("lowest sample {rate}").format(rate=f"{significant(self.lowest.rate_per_s)} /s"),
            )
        )


def list_of(points: Sequence[Sequence[float]]) -> JsonValue:
    """Points as plain lists."""
    return [[float(q), float(ns)] for q, ns in points if 0 < q < 1]


def chunks(values: Sequence[int], *, size: int) -> Iterator[tuple[int, Sequence[int]]]:
    """The values in groups of this size, the last maybe smaller, each with its first place."""
    for place in range(0, len(values), size):
        yield place, values[place : place + size]


def _n_samples(measurement: Measurement) -> int:
    return sum(len(each.get("rate_samples", [])) for each in measurement.passes)


def rate_words() -> dict[str, JsonValue]:
    """What the script writes into the picture; it puts figures in for what stands in braces."""
    nth, rate = _("pass {n}"), "{rate} /s"
    title = join_facts((nth, "{seconds} s"))
    return {
        "lowest": _("lowest sample {rate}"),
        "pass": nth,
        "title": title,
        "rate": rate,
        "stop": with_name(title, rate),
    }


def rate_chart(measurement: Measurement) -> RateChart | None:
    """The rate samples of all passes one after the other; nothing where there are none.

    Neighbours of long runs are merged: SAMPLES_MAX points are more than a screen has columns for.
    """
    if not measurement.sample_ns:
        return None
    merged = math.ceil(_n_samples(measurement) / SAMPLES_MAX) or 1
    sample_s = measurement.sample_ns / NS_PER_S
    samples: list[Sample] = []
    start_s = 0.0
    for nth, each in enumerate(measurement.passes, start=1):
        counts = each.get("rate_samples", [])
        samples.extend(
            Sample(nth, start_s + (place + len(some)) * sample_s, sum(some) / len(some) / sample_s)
            for place, some in chunks(counts, size=merged)
        )
        start_s += max(each.get("elapsed_ns", 0) / NS_PER_S, len(counts) * sample_s)
    if not samples:
        return None
    rates = [sample.rate_per_s for sample in samples]
    mean = sum(rates) / len(rates)
    stdev = math.sqrt(sum((each - mean) ** 2 for each in rates) / len(rates))
    points: list[JsonValue] = [
        [sample.nth_pass, round(sample.seconds, 3), round(sample.rate_per_s, 1)]
        for sample in samples
    ]
    return RateChart(
        data={
            "samples": points,
            "mean": round(mean, 1),
            "stdev": round(stdev, 1),
            "words": rate_words(),
        },
        samples=tuple(samples),
        lowest=min(samples, key=lambda sample: sample.rate_per_s),
        mean_per_s=mean,
        stdev_per_s=stdev,
        sample_ns=measurement.sample_ns * merged,
    )


def timed_words(side: str) -> str:
    """What is timed where a whole commit is expected: of a sync that it is without its write."""
    return _("sync alone") if side == "sync" else side_name(side)


def side_name(side: str) -> str:
    """What is timed, in one word; a side newer than this page keeps its own name."""
    return words.SIDES.get(side, side)

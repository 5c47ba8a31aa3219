"""What is known about one measurement, in a few words each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import units, words
from apps.pages.show.facts.fact import Fact
from apps.runs.models import Measurement
from apps.stats.figures import significant
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Sequence


RATES_MAX = 10  # as many as the words beside them are high


def operations(measurement: Measurement) -> str:
    """How many commits, or other operations, a measurement is of."""
    noun = "commit" if measurement.is_durable_single_writer else "operation"
    return words.count(measurement.operations or 0, noun)


def measurement_facts(measurement: Measurement) -> tuple[str, ...]:
    """Short facts about one measurement, as labels: shape, duration, operations."""
    facts = []
    if measurement.is_direct is not None:
        facts.append("O_DIRECT" if measurement.is_direct else _("buffered writes"))
    if measurement.queue_depth:
        many = measurement.queue_depth > 1
        facts.append(
            _("%(n)s in flight") % {"n": measurement.queue_depth} if many else _("one writer")
        )
    if measurement.operations:
        facts.append(operations(measurement))
    if measurement.elapsed_ns:
        facts.append(f"{units.latency(measurement.elapsed_ns)}")
    if measurement.bytes:
        facts.append(units.size(measurement.bytes))
    return tuple(facts)


def rate_facts(measurements: Sequence[Measurement]) -> tuple[Fact, ...]:
    """The rates of the first workloads of a run, each a second."""
    return tuple(
        Fact(workload_title(each.workload, each.title), f"{significant(each.rate_per_s)} /s")
        for each in measurements[:RATES_MAX]
        if each.rate_per_s
    )

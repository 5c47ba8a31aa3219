"""What is known about one measurement, in a few words each; and about its challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.show import units, words
from apps.runs.models import ChallengeUse, Measurement

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


CHALLENGE_WORDS: dict[str, StrOrPromise] = {
    ChallengeUse.NONE: gettext_lazy("measured without a challenge"),
    ChallengeUse.REDEEMED: gettext_lazy("answered our challenge in time"),
    ChallengeUse.EXPIRED: gettext_lazy("answered our challenge too late"),
}


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

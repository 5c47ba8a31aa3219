"""What the advisor has to say, as kinds and figures without words.

`apps.words.advice` makes sentences of them in the language of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

RemarkFigure: TypeAlias = (
    int | float | str | Decimal | date | tuple[tuple[int, float, str], ...] | None
)


class RemarkKind(StrEnum):
    """What a remark says; its figures stand beside it. Times are nanoseconds."""

    NOT_MEASURED = "not-measured"
    # the rate: rate, operations, needed
    RATE_COUNTED_ON = "rate-counted-on"
    RATE_WITHOUT_INTERVAL = "rate-without-interval"
    RATE_OF_OTHER_WORK = "rate-of-other-work"
    MORE_SESSIONS = "more-sessions"  # n, rate
    # what the rate to count on is
    LOW_UNKNOWN = "low-unknown"
    LOW_OF_SAMPLES = "low-of-samples"
    LOW_OF_INTERVAL = "low-of-interval"
    # the p99: p99, all, n, allowed
    P99 = "p99"
    P99_OF_SYNCS = "p99-of-syncs"
    P99_KEPT_BY_RATE = "p99-kept-by-rate"  # kept
    P99_UNKNOWN = "p99-unknown"
    P99_OVER = "p99-over"  # p99, allowed
    P99_AT_MOST = "p99-at-most"  # p99, allowed
    MEAN_OVER = "mean-over"  # mean, allowed
    P99_TYPICAL = "p99-typical"
    POOLED_P999 = "pooled-p999"  # time
    # what is stated: size, has, needed
    SIZE = "size"
    SIZE_NOT_STATED = "size-not-stated"
    CAPACITY_ORDERED = "capacity-ordered"  # gb
    BUDGET = "budget"  # price, currency, budget
    REGION_NOT_SURE = "region-not-sure"  # region
    REGION_OF_FIGURE_UNKNOWN = "region-of-figure-unknown"
    EMPTIED = "emptied"
    DRIVES_UNKNOWN = "drives-unknown"
    DRIVES_PROTECTED = "drives-protected"  # share
    # what an offer assumes, or why there is no price
    NO_PRICE = "no-price"
    NO_EXCHANGE_RATE = "no-exchange-rate"  # currency
    SERVER_NOT_PRICED = "server-not-priced"
    VOLUME_NOT_PRICED = "volume-not-priced"
    VOLUME_TOO_MUCH = "volume-too-much"  # most, what
    VOLUME_PRICED = "volume-priced"  # name, ordered, amount, currency
    SETUP_FEE = "setup-fee"  # amount, currency
    CONVERTED = "converted"  # amount, currency, rate, wanted, day
    # what an answer assumes
    SOFTWARE_RULE = "software-rule"  # software
    SHARED_SYNCS = "shared-syncs"  # n, size
    NO_SHARED_SYNCS = "no-shared-syncs"
    OTHER_WORKLOAD = "other-workload"  # work, other, why
    USEFUL_IOPS = "useful-iops"  # workload, ms
    LOADED_TO_SHARE = "loaded-to-share"  # share
    KINDS = "kinds"  # kinds


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to say."""

    kind: RemarkKind
    figures: Mapping[str, RemarkFigure] = field(default_factory=dict)


def remark(kind: RemarkKind, **figures: RemarkFigure) -> Remark:
    """Return a remark with its figures."""
    return Remark(kind, figures)

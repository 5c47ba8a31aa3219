"""What somebody asks the advisor for: a software, a rate, limits, and what narrows the answer."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from apps.plans.prices.currencies import EURO
from apps.plans.regions import Place, place_of
from apps.rankings.advice.software import Software
from apps.rankings.cost import VOLUME
from apps.rankings.standing_columns import PLAN_KIND

RATE_MAX: Final = 10_000_000  # commits a second; more than persistent memory does
SESSIONS_MAX: Final = 10_000  # that commit at once; more stand in a pool's queue
MONEY_MAX: Final = Decimal(10**9)  # a month; above it one asks for an offer
CAPACITY_GB_MAX: Final = 10**6  # a petabyte; no plan of one machine holds more
RAM_GB_MAX: Final = 10**5
VCPUS_MAX: Final = 10**4
P99_NS_MAX: Final = 60 * 10**9  # a minute; a longer limit limits nothing


class NeedError(ValueError):
    """A value of `field` outside `least` to `most`, for which there is no answer."""

    def __init__(self, field: str, *, least: int = 0, most: int | Decimal) -> None:
        """Keep all three, from which `apps.words` makes a sentence."""
        self.field, self.least, self.most = field, least, most
        super().__init__(f"{field} must be from {least} to {most}")


@dataclass(frozen=True, slots=True)
class Need:
    """What somebody asks for. Rates are transactions a second, latencies nanoseconds."""

    software: Software
    rate_per_s: int
    p99_ns_max: int | None = None
    sessions: int = 1  # that commit at once
    capacity_gb: int = 0
    region: str = ""
    provider: str = ""
    kind: str = ""  # of plan: cloud, dedicated, vps, ...
    budget_month: Decimal | None = None
    currency: str = EURO
    providers: frozenset[str] = frozenset()  # any of these; empty: of every one
    ram_gb: int = 0
    vcpus: int = 0
    plp: bool = False  # power-loss protection, also where the software does not ask for it

    def __post_init__(self) -> None:
        """Refuse what nobody can answer."""
        _refuse_beyond("rate", self.rate_per_s, 1, RATE_MAX)
        _refuse_beyond("sessions", self.sessions, 1, SESSIONS_MAX)
        if self.p99_ns_max is not None and not 0 < self.p99_ns_max <= P99_NS_MAX:
            raise NeedError("p99", most=P99_NS_MAX)
        _refuse_beyond("capacity_gb", self.capacity_gb, 0, CAPACITY_GB_MAX)
        _refuse_beyond("ram_gb", self.ram_gb, 0, RAM_GB_MAX)
        _refuse_beyond("vcpus", self.vcpus, 0, VCPUS_MAX)
        if self.budget_month is not None and not 0 < self.budget_month <= MONEY_MAX:
            raise NeedError("budget", most=MONEY_MAX)

    @property
    def needs_plp(self) -> bool:
        """Whether power-loss protection is needed, by the reader or by the software."""
        return self.plp or self.software.needs_plp

    @property
    def syncs_per_s(self) -> int:
        """The syncs a second that the disk must do; some software needs several a transaction."""
        return self.rate_per_s * self.software.syncs_per_transaction

    @property
    def latency_limit_ns(self) -> int | None:
        """The stricter p99 of what was asked for and what the software needs, in nanoseconds."""
        limits = [
            limit for limit in (self.p99_ns_max, self.software.p99_ns_max) if limit is not None
        ]
        return min(limits, default=None)

    def asks_for_kind(self, kind: str) -> bool:
        """Whether a kind of plan is asked for; a volume is no server, so only by its name."""
        if not self.kind:
            return kind != VOLUME
        return kind in PLAN_KIND.held_by(self.kind)

    def place(self, provider: str) -> Place:
        """Return the place asked for, by the names that everybody uses, else by this provider's."""
        place = place_of(self.region, provider=self.provider)
        return place if place.group else place_of(self.region, provider=provider)


def _refuse_beyond(field: str, value: int, least: int, most: int) -> None:
    """Raise NeedError where a number lies outside of what can be answered."""
    if not least <= value <= most:
        raise NeedError(field, least=least, most=most)

"""What it costs to rent a plan for one measurement, and which disk of it is to be measured.

What a provider bills for a short time is a row of a table here; the list prices have the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from typing import TYPE_CHECKING, Final

from apps.plans.models import NOT_FOR_RENT, VIRTUAL_MACHINES, Price, PriceKind
from apps.plans.prices.amounts import rounded, with_currency
from apps.plans.prices.currencies import decimals_of
from apps.plans.regions import NOWHERE, Place, is_region_of, region_fit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Plan

HOUR_S: Final = 3600
# How long a measurement is rented: a machine boots and its first boot does what it has to; other
# programs are waited for (the most that a kit says to the agent); the suite `standard` takes its
# six minutes.
BOOT_S: Final = 120
WAIT_S: Final = 300
SUITE_S: Final = 360
MEASUREMENT_S: Final = BOOT_S + WAIT_S + SUITE_S
_BOOT_DISK: Final = "boot disk"  # in the facts of a plan whose own disks are others


@dataclass(frozen=True, slots=True)
class Billing:
    """How a provider bills a machine that is deleted soon, and where a kit rents it."""

    minimum_s: int = HOUR_S  # that is billed at least
    step_s: int = HOUR_S  # what is begun of it is billed whole
    region: str = ""  # where the prices name none
    # Where the disks of a plan with local storage are, as a pattern of the shell; empty: such a
    # plan boots from them.
    disk: str = ""

    def seconds(self, used_s: int) -> int:
        """How many seconds are billed for so many."""
        return max(self.minimum_s, math.ceil(used_s / self.step_s) * self.step_s)


# Who is not here is reckoned with begun hours, which no provider exceeds.
USUAL: Final = Billing()
BILLINGS: Final = {
    "akamai-linode": Billing(region="eu-central"),
    "aws": Billing(60, 1, disk="/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_*"),
    "digitalocean": Billing(60, 1, region="fra1"),
    "google-cloud": Billing(60, 1, disk="/dev/disk/by-id/google-local-nvme-ssd-0"),
    "hetzner": Billing(),
    "microsoft-azure": Billing(60, 1, disk="/dev/disk/by-id/nvme-Microsoft_NVMe_Direct_Disk*"),
    "oracle-cloud": Billing(60, 1, region="eu-frankfurt-1", disk="/dev/nvme[0-9]n1"),
    "ovhcloud": Billing(region="gra11"),
    "scaleway": Billing(),
    "vultr": Billing(region="fra"),
}


@dataclass(frozen=True, slots=True)
class MeasurementPrice:
    """What one measurement of a plan costs by its newest list price, in that price's currency."""

    price: Price
    seconds: int

    @property
    def amount(self) -> Decimal:
        """The money, neither rounded nor with tax."""
        return self.price.amount * self.seconds / HOUR_S

    @property
    def shown(self) -> str:
        """The money as people read it, rounded up: no bill has less than a cent."""
        decimals = decimals_of(self.price.currency)
        amount = self.amount.quantize(Decimal(1).scaleb(-decimals), ROUND_UP)
        return with_currency(rounded(amount, decimals), self.price.currency)


def billing_of(plan: Plan) -> Billing:
    """Return how the provider of a plan bills."""
    return BILLINGS.get(plan.provider_id, USUAL)


def data_disk(plan: Plan) -> str:
    """Return where the disk is for which a plan is rented, as a pattern; empty: the boot disk."""
    is_beside = plan.is_ephemeral or _BOOT_DISK in plan.storage_description
    is_known = plan.storage_kind == "local-nvme" and bool(billing_of(plan).disk)
    return billing_of(plan).disk if is_beside or is_known else ""


def measurement_price(
    plan: Plan, prices: Iterable[Price], *, region: Place = NOWHERE
) -> MeasurementPrice | None:
    """Return what a measurement of a plan costs; None where nobody can rent it for an hour.

    Nobody can where it has no price by the hour, is no virtual machine, or where nobody knows which
    of its disks is the one that is rented.
    """
    has_other_disks = _BOOT_DISK in plan.storage_description or plan.is_ephemeral
    if (
        plan.kind not in VIRTUAL_MACHINES
        or plan.provider_id in NOT_FOR_RENT
        or not plan.is_listed
        or plan.is_component
        or plan.is_retired
        or (has_other_disks and not data_disk(plan))
    ):
        return None
    hourly = [
        price
        for price in prices
        if price.period == Price.Period.HOUR
        and not (price.is_unit_price or price.has_term or price.is_disputed or price.setup_fee)
    ]
    if not hourly:
        return None
    newest = min(hourly, key=lambda price: _preference(price, region))
    return MeasurementPrice(newest, billing_of(plan).seconds(MEASUREMENT_S))


def usual_region(plan: Plan, price: Price) -> str:
    """Return where a kit rents unless told otherwise: where the price holds; empty: not known."""
    stated = price.region.partition(";")[0].strip()
    is_one = is_region_of(stated, provider=plan.provider_id)
    return stated.lower() if is_one else billing_of(plan).region


def _preference(price: Price, region: Place) -> tuple[int, bool, int, Decimal, int]:
    return (
        -region_fit(price_region=price.region, region=region),
        price.kind == PriceKind.SUPERSEDED,
        -price.valid_from.toordinal(),
        price.amount,
        price.pk,
    )

"""Which measured plan stands nearest to one that nobody measured: one rule for every page."""

from __future__ import annotations

import math
import re
from enum import IntEnum
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from apps.plans.naming import base_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Plan
    from apps.rankings.models import Standing

FAR: Final = 99.0  # of two plans of which no size can be compared
ANOTHER_KIND: Final = 10.0  # a volume is not near to a server, whatever size both have
ANOTHER_STORAGE: Final = 3.0  # as far as twenty times the size
_LAST_NUMBER: Final = re.compile(r"(.+?)\d+\D*$")


_SLICES: Final = ("cloud", "vps")  # two words for a slice of a server


class Kinship(IntEnum):
    """What two plans have in common; the most first."""

    VARIANT = 0  # one is the other with something added
    FAMILY = 1  # of one provider, and their names differ in the size
    PROVIDER = 2
    NONE = 3


def kinship(plan: Plan, other: Plan) -> Kinship:
    """What a plan has in common with another one."""
    if other.provider_id != plan.provider_id:
        return Kinship.NONE
    one, two = _bare(plan.name), _bare(other.name)
    if one == two:
        return Kinship.VARIANT
    return Kinship.FAMILY if family_of(one) == family_of(two) else Kinship.PROVIDER


def nearest_first(plan: Plan, rows: Iterable[Standing]) -> list[Standing]:
    """Standings of other plans, that of the nearest plan first.

    Variants of the plan come before plans of its family (CCX13 and CCX63 for CCX33), these before
    other plans of its provider, and those before all others. Of each the nearest in size comes
    first, by the ratio of memory and of processors: CCX13 has a quarter of CCX33, CCX63 six times
    as much, so CCX13 is nearer. Another kind of storage or of plan is far. Then the name that
    begins most alike, and what the most uploaders measured.
    """

    def place(row: Standing) -> tuple[int, float, int, int, int]:
        other = plan_of(row)
        alike = n_shared(plan.name, other.name)
        return kinship(plan, other), _apart(plan, other), -alike, -row.n_uploaders, row.pk

    return sorted(rows, key=place)


def family_of(name: str) -> str:
    """A plan's name without its size: what stands before its dot, else before its last number.

    "m6id" of m6id.4xlarge, "n1-standard" of n1-standard-16, "CCX" of CCX33, "AX" of AX162-S.
    """
    head, dot, _size = name.partition(".")
    found = None if dot else _LAST_NUMBER.match(name)
    return (found[1] if found else head).rstrip(" -").casefold()


def kinds_like(kind: str) -> tuple[str, ...]:
    """The kinds of plan that are near to plans of a kind."""
    return _SLICES if kind in _SLICES else (kind,)


def n_shared(one: str, other: str) -> int:
    """With how many letters two names begin alike."""
    pairs = zip(one.casefold(), other.casefold(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _bare(name: str) -> str:
    return base_name(name) or name


def plan_of(row: Standing) -> Plan:
    """The plan that a row is of."""
    if row.plan is None:
        raise AssertionError("only standings of plans are near to a plan")
    return row.plan


def _apart(plan: Plan, other: Plan) -> float:
    """How far apart two plans are: the mean ln of the ratios of their sizes; 0 is alike."""
    sizes = [
        abs(math.log(float(one) / float(two)))
        for one, two in ((plan.ram_gb, other.ram_gb), (plan.vcpus, other.vcpus))
        if one and two
    ]
    return (
        (sum(sizes) / len(sizes) if sizes else FAR)
        + ANOTHER_KIND * (other.kind not in kinds_like(plan.kind))
        + ANOTHER_STORAGE * (other.storage_kind != plan.storage_kind)
    )

"""The measured kin of what nobody measured: plans and drives that stand near it, with one figure.

A plan's kin are its variants, plans of its family, the drive that it is sold with, other plans of
its provider, and plans of other providers with the same kind of storage. A drive's kin are drives
of its line, plans that are sold with it, other drives of its maker, and drives of its class.
Figures that are made up or illustrative by their own source are nobody's kin.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from apps.drives.models import DriveName
from apps.pages.show.nearest import Kinship, kinds_like, kinship, n_shared, nearest_first
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import headline
from apps.rankings.selectors import FOR_RENT, REAL_COMMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from apps.drives.models import DriveFamily
    from apps.plans.models import Plan
    from apps.rankings.models import Standing

KIN_MAX: Final = 5  # lines that a reader compares at a glance; the boards have the rest
A_TIE_MAX: Final = 2  # of one tie, so that each has a chance
ROWS_READ_MAX: Final = 600  # all plans of a large provider in a few regions
_NUMBER: Final = re.compile(r"\d+")
NAME_CHARACTERS_MIN: Final = 4  # a shorter beginning of model strings is shared by many makers


class Tie(StrEnum):
    """What a plan or a drive has in common with its kin; the closest first."""

    VARIANT = "variant"
    FAMILY = "family"  # plans or drives of one name but for a number
    DRIVE = "drive"  # a plan and the drive that it is sold with
    NAME = "name"  # drives whose model strings begin alike
    PROVIDER = "provider"
    VENDOR = "vendor"
    CLASS = "class"

    @property
    def may_lead(self) -> bool:
        """Whether such kin may speak for a page in large type: others stand below, among all."""
        return self in (Tie.VARIANT, Tie.FAMILY, Tie.DRIVE, Tie.NAME)

    @property
    def is_close(self) -> bool:
        """Whether it is more than a class in common, of which there are many."""
        return self is not Tie.CLASS


_OF_PLANS: Final[Mapping[Kinship, Tie]] = {
    Kinship.VARIANT: Tie.VARIANT,
    Kinship.FAMILY: Tie.FAMILY,
    Kinship.PROVIDER: Tie.PROVIDER,
    Kinship.NONE: Tie.CLASS,
}


@dataclass(frozen=True, slots=True)
class Kin:
    """Something measured, and what ties it to what was not."""

    tie: Tie
    standing: Standing  # with its plan or drive, day and source


@dataclass(frozen=True, slots=True)
class NameParts:
    """What an unknown drive calls itself."""

    vendor: str
    model: str


def kin_of_plan(plan: Plan) -> tuple[Kin, ...]:
    """The measured kin of a plan: one query."""
    is_kin = Q(plan__provider=plan.provider_id)
    if plan.kind:
        same_storage = Q(plan__storage_kind=plan.storage_kind) if plan.storage_kind else Q()
        is_kin |= Q(plan__kind__in=kinds_like(plan.kind)) & same_storage & FOR_RENT
    if plan.drive_family_hint:
        is_kin |= Q(drive_family__name=plan.drive_family_hint)

    def is_other(other: Plan) -> bool:  # a plan of the provider with storage of another kind
        is_unlike = bool(plan.storage_kind) and other.storage_kind not in ("", plan.storage_kind)
        return is_unlike and kinship(plan, other) > Kinship.FAMILY

    rows = _leads(_standings(is_kin & ~Q(plan=plan.slug)))
    ordered = nearest_first(plan, [row for row in rows if row.plan and not is_other(row.plan)])
    drives = [(Tie.DRIVE, row) for row in rows if not row.plan]
    plans = [(_OF_PLANS[kinship(plan, row.plan)], row) for row in ordered if row.plan]
    return _closest([*drives, *plans])


def kin_of_drive(family: DriveFamily) -> tuple[Kin, ...]:
    """The measured kin of a drive family: one query; none of a virtual disk."""
    if family.is_virtual:
        return ()
    is_kin = Q(drive_family__vendor=family.vendor) | Q(plan__drive_family_hint=family.name)
    if family.ladder_class_id:
        is_kin |= Q(drive_family__ladder_class=family.ladder_class_id)

    def distance(row: Standing) -> float:
        return _unlikeness(family, row)

    def tie(row: Standing) -> Tie:
        if row.drive_family is None:
            return Tie.DRIVE
        if _are_of_a_line(family, row.drive_family):
            return Tie.FAMILY
        return Tie.VENDOR if row.drive_family.vendor == family.vendor else Tie.CLASS

    others = ~Q(drive_family=family.slug) & ~Q(drive_family__kind="virtual")
    # NOT IN of SQL leaves out rows without a drive, so plans are asked for by name
    return _nearest(_leads(_standings(is_kin & (Q(drive_family=None) | others))), tie, distance)


def kin_of_name(name: NameParts) -> tuple[Kin, ...]:
    """Measured drives near to an unknown one by what it calls itself: two queries."""
    words = [word for word in (name.vendor, *name.model.split()[:1]) if word]
    begin = name.model[:NAME_CHARACTERS_MIN]
    alike: dict[str, int] = {}
    if len(begin) == NAME_CHARACTERS_MIN:
        known = DriveName.objects.filter(model__istartswith=begin, family__isnull=False)
        for family, model in known.values_list("family_id", "model"):
            alike[family] = max(n_shared(model, name.model), alike.get(family, 0))
    is_kin = Q(drive_family__in=alike)
    for word in words:
        is_kin |= Q(drive_family__vendor__iexact=word)
    rows = _leads(_standings(is_kin & ~Q(drive_family__kind="virtual")))
    return _nearest(
        rows,
        lambda row: Tie.NAME if row.drive_family_id in alike else Tie.VENDOR,
        lambda row: -float(alike.get(row.drive_family_id or "", 0)),
    )


def _standings(condition: Q) -> list[Any]:
    return list(
        with_sources(REAL_COMMITS.filter(condition, is_illustrative=False))
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .defer("points")
        .order_by("plan", "drive_family", "pk")[:ROWS_READ_MAX]
    )


def _leads(rows: Iterable[Standing]) -> list[Standing]:
    """The standing that speaks for each plan and each drive."""
    of_things: dict[tuple[str | None, str | None], list[Standing]] = {}
    for row in rows:
        of_things.setdefault((row.plan_id, row.drive_family_id), []).append(row)
    return [lead for each in of_things.values() if (lead := headline(each))]


def _nearest(
    rows: Iterable[Standing],
    tie: Callable[[Standing], Tie],
    distance: Callable[[Standing], float],
) -> tuple[Kin, ...]:
    """A few of each tie, the nearest first; the closest ties first."""
    ordered = sorted(rows, key=lambda row: (distance(row), -row.n_uploaders, row.pk))
    return _closest([(tie(row), row) for row in ordered])


def _closest(tied: Sequence[tuple[Tie, Standing]]) -> tuple[Kin, ...]:
    """A few of each tie, in their order; the closest ties first, and the last one fills up."""

    def of_each_tie() -> Iterator[Kin]:
        for each in Tie:
            own = [row for tie, row in tied if tie is each]
            yield from (Kin(each, row) for row in own[: A_TIE_MAX if each.is_close else KIN_MAX])

    return tuple(islice(of_each_tie(), KIN_MAX))


def _are_of_a_line(one: DriveFamily, other: DriveFamily) -> bool:
    """Whether two drives are generations of one line: 7450 PRO and 7500 PRO of one maker."""
    same = ("vendor", "ladder_class_id", "plp", "interface")
    is_alike = all(getattr(one, name) == getattr(other, name) for name in same)
    return is_alike and _NUMBER.sub("#", one.name) == _NUMBER.sub("#", other.name)


def _unlikeness(family: DriveFamily, row: Standing) -> float:
    """How little two drives have in common of class, protection, interface and name; 0 is most."""
    other = row.drive_family
    if other is None:
        return 0.0
    return (
        4.0 * (other.ladder_class_id != family.ladder_class_id)
        + 2.0 * (other.plp != family.plp)
        + 1.0 * (other.interface != family.interface)
        - n_shared(family.name, other.name) / len(family.name)
    )

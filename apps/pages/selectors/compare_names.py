"""Plans and drives by the names that an address or a reader gives them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Max, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from apps.drives.models import DriveFamily
from apps.pages.comparison.asked import Asked, Kind, Ref
from apps.plans.models import Plan

FOUND_MAX = 8  # of plans, and of drives: what fits below the field
WORDS_MAX = 6  # of what is looked for


@dataclass(frozen=True, slots=True)
class Found:
    """A plan or a drive that a reader may mean."""

    ref: Ref
    name: str
    under: str
    n_runs: int

    @property
    def text(self) -> str:
        """What a reader would type to mean it."""
        return f"{self.under} {self.name}".strip()


def slugs(refs: Iterable[Ref], kind: Kind) -> list[str]:
    """The slugs of one kind."""
    return [ref.slug for ref in refs if ref.kind == kind]


def find_things(asked: Asked) -> tuple[dict[Ref, Found], tuple[Found, ...]]:
    """The plans and drives that are asked for, and those that are looked for: one query."""
    looked_for = [
        query[:FOUND_MAX]
        for query in (
            named(Plan.objects.filter(plan_words(asked.add)), Kind.PLAN, is_match=True),
            named(DriveFamily.objects.filter(drive_words(asked.add)), Kind.DRIVE, is_match=True),
        )
        if asked.add
    ]
    rows = named(Plan.objects.filter(slug__in=slugs(asked.on, Kind.PLAN)), Kind.PLAN).union(
        named(DriveFamily.objects.filter(slug__in=slugs(asked.on, Kind.DRIVE)), Kind.DRIVE),
        *looked_for,
        all=True,
    )
    names, found = {}, []
    for kind, slug, name, under, n_runs, is_match in rows:
        thing = Found(Ref(Kind(kind), slug), name, under or "", n_runs)
        if is_match:
            found.append(thing)
        else:
            names[thing.ref] = thing
    best_first = sorted(found, key=lambda each: (not is_named(each, asked.add), -each.n_runs))
    return names, tuple(each for each in best_first if each.ref not in asked.on)


def named(things: QuerySet[Any], kind: Kind, *, is_match: bool = False) -> QuerySet[Any]:
    """Rows of (kind, slug, name, what stands under it, runs, match), those with most runs first."""
    under = "provider__name" if kind == Kind.PLAN else "vendor"
    rows: QuerySet[Any] = things.annotate(
        its_kind=Value(kind.value),
        below=F(under),
        most_runs=Coalesce(Max("standings__n_runs"), 0),
        is_match=Value(is_match),
    ).values_list("its_kind", "slug", "name", "below", "most_runs", "is_match")
    return rows.order_by("-most_runs", "name") if is_match else rows.order_by()


def is_named(found: Found, text: str) -> bool:
    """Whether somebody typed exactly its name, with or without the provider or maker."""
    said = " ".join(text.casefold().split())
    return said in (found.name.casefold(), found.text.casefold())


def plan_words(text: str) -> Q:
    """Plans whose name or provider holds every word."""
    wanted = Q()
    for word in text.split()[:WORDS_MAX]:
        wanted &= Q(name__icontains=word) | Q(provider__name__icontains=word)
    return wanted


def drive_words(text: str) -> Q:
    """Drive families whose name or maker holds every word."""
    wanted = Q()
    for word in text.split()[:WORDS_MAX]:
        wanted &= Q(name__icontains=word) | Q(vendor__icontains=word)
    return wanted

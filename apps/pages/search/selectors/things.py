"""The search: plans, drives, providers and model strings by likeness, with what each is known for.

Candidates come out of indexes of three-letter pieces (GIN, pg_trgm); PostgreSQL ranks them. With
20,000 plans beside the catalogue EXPLAIN says Bitmap Index Scan on plan_slug_pieces and
plan_name_pieces, and on two busy cores a search took 0.1 to 0.35 s, the latter where every plan was
a candidate; with the catalogue alone 0.03 s.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import (
    Case,
    CharField,
    Exists,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Concat, Greatest, Length, Lower, Replace

from apps.drives.models import VIRTUAL, DriveFamily, DriveName
from apps.drives.recognition import recognise
from apps.plans.models import NOT_FOR_RENT, Plan, Provider
from apps.plans.naming import PROVIDER_ALIASES, SLUG
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, ProviderStanding
from apps.rankings.selectors import COMMIT_STANDINGS
from apps.runs.models import LISTED, NOT_EXAMPLE, Run, RunDrive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import Expression
    from django.db.models.expressions import Combinable

    from apps.pages.search.query import Query
    from apps.rankings.models import Standing

HITS_A_KIND: Final = 12  # who has more in mind types another letter
# Below this mean likeness of its words a name is no more than a coincidence: "hetzer" is 0.57
# like "hetzner", "samsng" 0.63 like "samsung", while two names that share a number have 0.4.
LIKENESS_MIN: Final = 0.45
# Beside a name that fits, only what is nearly the same is worth a line: the next of a series.
NEAR_MIN: Final = 0.7
NEAR_MAX: Final = 4
NEARLY: Final = 0.1  # of likeness: what is less like than the nearest by more is another thing
CANDIDATES_MAX: Final = 1_500  # plans to rank: three times the catalogue, some 50 ms of likeness
# A shorter query finds what begins with it or holds it; likeness of two letters says nothing.
LIKENESS_CHARACTERS_MIN: Final = 3

EXACT, BEGINS, HOLDS, LIKE = range(4)  # how a name fits, the best first
PLAN, DRIVE, PROVIDER, NAME = "plan", "drive", "provider", "name"
KINDS: Final = (PROVIDER, DRIVE, PLAN, NAME)  # of equal ones, what stands for more goes first
LETTER: Final = 0.002  # of likeness that a letter more costs: the plain name before the longer one
PART: Final = "part"  # why: shops number it so
PATTERN: Final = "pattern"  # why: the catalogue's pattern takes the string
# The columns of a hit in the order of its fields, and after them what they are ordered by.
SELECTED: Final = (
    "hit_kind", "hit_key", "hit_title", "hit_under", "fit", "likeness", "has_runs", "is_measured",
    "size",
)  # fmt: skip
NOT_EXAMPLES: Final = ~Q(evidence=Evidence.EXAMPLE)
COMMITS: Final = COMMIT_STANDINGS.filter(NOT_EXAMPLES)


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found."""

    kind: str  # plan, drive, provider or name
    key: str  # its slug, or the key of an unknown name
    title: str
    under: str
    fit: int
    likeness: float
    has_runs: bool = False  # runs of any workload, examples aside
    standing: Any = None  # what it is known for, with measured_at, source_title and source_url
    reason: str = ""  # why it was found, where its name does not say so
    has_examples: bool = False  # made-up figures, which are not what it is known for

    @property
    def order(self) -> tuple[int, float, int]:
        """The best first, of any kind."""
        likeness = round(self.likeness, 1) if self.fit == LIKE else 0.0
        return self.fit, -likeness, KINDS.index(self.kind)


def search_things(query: Query) -> list[Hit]:
    """Everything that fits a query, the best of each kind first: 4 queries.

    The first search after a change of the catalogue has two more: it compiles the patterns.
    """
    if not query.words:
        return []
    family = ""
    if query.is_model:
        family = query.family_of_part or recognise(vendor="", model=query.text) or ""
    reason = PART if query.family_of_part else PATTERN
    hits = [
        replace(hit, reason=reason) if family and (hit.kind, hit.key) == (DRIVE, family) else hit
        for hit in _by_name(query, family)
    ]
    return _with_standings(_without_noise(hits))


def nearest_of(hits: Sequence[Hit]) -> list[Hit]:
    """Leave out what is merely similar and less so than the most similar."""
    most = max((hit.likeness for hit in hits), default=0.0)
    return [hit for hit in hits if hit.fit < LIKE or hit.likeness >= most - NEARLY]


def can_be_wanted(kind: str, slug: str) -> bool:
    """Whether somebody could measure a thing so named: one of the catalogue. One query."""
    known: dict[str, QuerySet[Any]] = {
        PLAN: Plan.objects.rentable(),
        DRIVE: DriveFamily.objects.exclude(kind=VIRTUAL),
        PROVIDER: Provider.objects.exclude(slug__in=NOT_FOR_RENT),
    }
    if kind not in known or not SLUG.fullmatch(slug):
        return False
    return known[kind].filter(pk=slug).exists()


def _without_noise(hits: Sequence[Hit]) -> list[Hit]:
    """Leave out hits that are merely similar, where another one fits; keep nearly equal ones."""
    fitting = {hit.kind for hit in hits if hit.fit < LIKE}
    if not fitting:
        return list(hits)
    hits_above_noise: list[Hit] = []
    for hit in hits:
        n_like = sum(each.kind == hit.kind and each.fit == LIKE for each in hits_above_noise)
        is_near = hit.kind in fitting and hit.likeness >= NEAR_MIN and n_like < NEAR_MAX
        if hit.fit < LIKE or is_near:
            hits_above_noise.append(hit)
    return hits_above_noise


@dataclass(frozen=True, slots=True)
class SearchSource:
    """One kind of things that have a slug, and how their rows become hits."""

    kind: str
    rows: QuerySet[Any]
    under: Combinable
    owner: str | None  # column of the provider or maker, which a query may leave out
    standings: QuerySet[Any]  #  of the row of the outer query
    runs: QuerySet[Run]  # its runs of any workload
    is_meant: Q  # rows that the text names otherwise


NOBODY: Final = Q(pk="")


def _by_name(query: Query, family: str) -> list[Hit]:
    """What is called so, or nearly so: one query over all kinds.

    `family` is the slug of the drive family that the text names by its patterns; empty: none.
    """
    is_near = Q(slug__iregex=query.pieces) | Q(name__iregex=query.pattern)
    is_family = Q(pk=family)
    of_plan = COMMITS.filter(plan=OuterRef("pk"))
    of_drive = COMMITS.filter(drive_family=OuterRef("pk"))
    of_provider = ProviderStanding.objects.filter(NOT_EXAMPLES, provider=OuterRef("pk"))
    plan_runs, drive_runs, provider_runs = (
        Run.objects.filter(NOT_EXAMPLE, LISTED, **{column: OuterRef("pk")})
        for column in ("plan", "drive_family", "provider")
    )
    near_plans = Plan.objects.filter(pk__in=_plan_candidates(query, is_near))
    renamed = Q(pk=PROVIDER_ALIASES.get(query.dashed, query.dashed))
    near_providers = Provider.objects.filter(is_near | renamed)
    # a disk that a hypervisor makes is found as the plan that it comes with
    near_drives = DriveFamily.objects.filter(is_near & ~Q(kind="virtual") | is_family)
    sources = (
        SearchSource(
            PLAN, near_plans, F("provider__name"), "provider_id", of_plan, plan_runs, NOBODY
        ),
        SearchSource(DRIVE, near_drives, F("plp"), "vendor", of_drive, drive_runs, is_family),
        SearchSource(
            PROVIDER, near_providers, Value(""), None, of_provider, provider_runs, renamed
        ),
    )
    first, *others = (_ranked(query, source) for source in sources)
    rows = first.union(*others, _names(query), all=True)
    hits = [Hit(*(each[name] for name in SELECTED[:7])) for each in rows]
    return sorted(hits, key=lambda hit: hit.order)  # stable: each kind keeps its own order


def _plan_candidates(query: Query, is_near: Q) -> QuerySet[Any, Any]:
    """Plans that are worth ranking: those that hold the text, then those of the catalogue, cut.

    Machines that people named themselves have no bound, and computing similarity is expensive.
    """
    holds = Case(When(slug__contains=query.dashed, then=Value(0)), default=Value(1))
    return (
        Plan.objects.filter(is_near, is_component=False)
        .order_by(holds, F("is_listed").desc(), "slug")
        .values("pk")[:CANDIDATES_MAX]
    )


def _ranked(query: Query, source: SearchSource) -> QuerySet[Any, dict[str, Any]]:
    """Those of one kind with how they fit, the best first, cut."""
    owner: Expression = Value("")
    if source.owner:
        owner = Replace(Lower(F(source.owner)), Value("-"), Value(""))
    squash = Replace(F("slug"), Value("-"), Value(""))
    placed = source.rows.annotate(
        squash=ExpressionWrapper(squash, output_field=CharField()),
        owner_squash=ExpressionWrapper(owner, output_field=CharField()),
        likeness=_likeness(query, "slug"),
        hit_kind=Value(source.kind, output_field=CharField()),
        hit_key=F("slug"),
        hit_title=F("name"),
        hit_under=ExpressionWrapper(source.under, output_field=CharField()),
        has_runs=Exists(source.runs),
        is_measured=Exists(source.standings),
        size=Length("slug"),
    ).annotate(fit=_fit(query, source))
    likest = Case(
        When(fit=LIKE, then=F("size") * Value(LETTER) - F("likeness")),
        default=Value(0.0),
        output_field=FloatField(),
    )
    ranked: QuerySet[Any, dict[str, Any]] = (
        placed.filter(_is_enough(query))
        .order_by("fit", likest, F("is_measured").desc(), "size", "slug")
        .values(*SELECTED)[:HITS_A_KIND]
    )
    return ranked


def _fit(query: Query, source: SearchSource) -> Case:
    """How the query fits a name: as all of it, its beginning, a part, or something similar."""
    with_owner = Concat(F("owner_squash"), Value(query.squashed))
    return Case(
        When(_is_exact(query) | source.is_meant, then=Value(EXACT)),
        When(squash__startswith=query.squashed, then=Value(BEGINS)),
        When(squash__startswith=with_owner, then=Value(BEGINS)),
        When(_holds(query), then=Value(HOLDS)),
        default=Value(LIKE),
        output_field=IntegerField(),
    )


def _is_exact(query: Query) -> Q:
    """Whether the whole name is meant, with or without its provider or maker."""
    with_owner = Concat(F("owner_squash"), Value(query.squashed))
    return Q(squash=query.squashed) | Q(squash=with_owner) | Q(name__iexact=query.text)


def _holds(query: Query) -> Q:
    """Whether every word stands in the name, in one of the spellings; or the text as it is."""
    condition = Q(name__icontains=query.text)
    for spelling in query.spellings:
        every = Q()
        for word in spelling:
            # few letters stand in everything: they must begin a word of the name
            few = len(word) < LIKENESS_CHARACTERS_MIN
            every &= Q(slug__iregex=f"(^|-){word}") if few else Q(slug__contains=word)
        condition |= every
    return condition


def _is_enough(query: Query) -> Q:
    fits = Q(fit__lt=LIKE)
    if len(query.squashed) < LIKENESS_CHARACTERS_MIN:
        return fits
    return fits | Q(likeness__gte=LIKENESS_MIN)


def _likeness(query: Query, column: str) -> Expression:
    """How like its words are to a name, from 0 to 1: their mean, in the spelling that fits best.

    Each word weighs as many letters as it has: a number of two digits is like many others.
    """
    likenesses = [_mean_likeness(spelling, column) for spelling in query.spellings]
    if len(likenesses) == 1:
        return likenesses[0]
    return Greatest(*likenesses, output_field=FloatField())


def _mean_likeness(spelling: Sequence[str], column: str) -> Expression:
    total = sum(len(word) for word in spelling)
    parts = [
        TrigramWordSimilarity(word, column) * Value(len(word) / total, output_field=FloatField())
        for word in spelling
    ]
    summed = parts[0]
    for part in parts[1:]:
        summed += part
    return ExpressionWrapper(summed, output_field=FloatField())


def _names(query: Query) -> QuerySet[Any, dict[str, Any]]:
    """Model strings that runs reported and that hold what was typed; `under` is their family."""
    return (
        DriveName.objects.filter(model__iregex=query.pattern, is_set_aside=False)
        .filter(Exists(RunDrive.objects.filter(name=OuterRef("pk"))))
        .annotate(
            hit_kind=Value(NAME, output_field=CharField()),
            hit_key=F("key"),
            hit_title=Concat(F("vendor"), Value(" "), F("model")),
            hit_under=Coalesce(F("family_id"), Value("")),
            fit=Value(HOLDS, output_field=IntegerField()),
            likeness=Value(1.0, output_field=FloatField()),
            has_runs=Value(value=True),
            is_measured=Value(value=True),
            size=Length("model"),
        )
        .order_by("size", "key")
        .values(*SELECTED)[:HITS_A_KIND]
    )


def _with_standings(hits: Sequence[Hit]) -> list[Hit]:
    """Give each hit what it is known for: one query."""
    keys = {kind: [hit.key for hit in hits if hit.kind == kind] for kind in (PLAN, DRIVE, PROVIDER)}
    best = ProviderStanding.objects.filter(NOT_EXAMPLES, provider__in=keys[PROVIDER])
    rows = (
        with_sources(
            COMMIT_STANDINGS.filter(
                Q(plan__in=keys[PLAN])
                | Q(drive_family__in=keys[DRIVE])
                | Q(pk__in=best.values("best"))
            )
        )
        .select_related("plan", "drive_family", "ladder_class")
        .defer("points")
    )
    standings = list(rows) if any(keys.values()) else []
    real = [row for row in standings if row.evidence != Evidence.EXAMPLE]
    made_up = [row for row in standings if row.evidence == Evidence.EXAMPLE]
    return [
        replace(
            hit,
            standing=_known_for(hit, real),
            has_examples=_known_for(hit, made_up) is not None,
        )
        for hit in hits
    ]


def _known_for(hit: Hit, standings: Iterable[Standing]) -> Standing | None:
    """The row that stands for a hit; for a provider the fastest of those of its best board."""
    columns = {PLAN: "plan_id", DRIVE: "drive_family_id"}
    if hit.kind in columns:
        return headline(each for each in standings if getattr(each, columns[hit.kind]) == hit.key)
    if hit.kind != PROVIDER:
        return None
    theirs = [each for each in standings if each.plan and each.plan.provider_id == hit.key]
    lead = headline(theirs)
    if lead is None:
        return None
    board = lead.evidence, lead.workload, lead.version
    return max(
        (row for row in theirs if (row.evidence, row.workload, row.version) == board),
        key=lambda row: row.rate_per_s,
    )

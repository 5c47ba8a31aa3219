"""How a cell came to its standing, step by step, in words and figures for a terminal.

It is computed from the stored runs by the functions that write standings. Machines and uploaders
are numbered, because their pseudonyms never leave the database.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from apps.plans.regions import GROUPS
from apps.rankings.choice import choose_standing
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.boards import set_ranks, standings_of
from apps.rankings.standings.cells import (
    CellKey,
    CellSubject,
    VariantPoints,
    counted,
    split_by_kind,
)
from apps.rankings.standings.curves import POOLED_QUANTILES, set_curves
from apps.rankings.standings.day import standings_day
from apps.rankings.standings.drafts import draft_of
from apps.rankings.standings.points import all_keys, key_of, points_of
from apps.stats.standings.estimate import MACHINE_DAYS_MAX, Estimate, estimate
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN
from apps.stats.standings.interval import VALUES_MIN, ranks_of
from apps.stats.standings.outliers import (
    FLAGGED_SHARE_MAX,
    SCORE_MAX,
    UPLOADERS_MIN,
    mad_of,
    modified_z,
)
from apps.stats.standings.ranks import DRAWS, RANK_QUANTILES
from apps.stats.standings.variants import GAP_MADS
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from apps.rankings.standings.cells import CellPoint
    from apps.rankings.standings.drafts import Draft
    from apps.stats.standings.shrinkage import ShrunkEstimate

LIKE_MAX: Final = 10  # similar names in the message of an UnknownCellError


class UnknownCellError(Exception):
    """No cell of this name has a run; the message lists similar names."""


def find_cell(name: str) -> CellKey:
    """Return the cell of a full name or a slug.

    A slug means the headline workload of a plan or drive, measured if possible, in the region that
    represents it. Raises UnknownCellError where no such cell has a run.
    """
    keys = all_keys()
    by_name = {str(key): key for key in keys}
    if name in by_name:
        return by_name[name]
    of_slug = sorted(key for key in keys if key.slug == name)
    headlines = [key for key in of_slug if key.workload == HEADLINE_WORKLOAD]
    if headlines or of_slug:
        first = min(headlines or of_slug, key=lambda key: (key.evidence != Evidence.MEASURED, key))
        return _chosen_region(first)
    slug = name.split("/")[1] if "/" in name else name
    similar = sorted(each for each in by_name if slug in each)
    hint = f" Like it: {', '.join(similar[:LIKE_MAX])}." if similar else ""
    raise UnknownCellError(f"No cell {name!r} has a run that counts.{hint}")


def _chosen_region(key: CellKey) -> CellKey:
    """Return the cell of the region that represents the plan, by the stored standings."""
    if key.subject is not CellSubject.PLAN:
        return key
    row = choose_standing(
        Standing.objects.filter(
            plan=key.slug, evidence=key.evidence, workload=key.workload, version=key.version
        ).defer("curve")
    )
    return key if row is None else key_of(row)


def explain(key: CellKey) -> Iterator[str]:
    """Yield the lines that explain a cell."""
    day = standings_day()
    points = points_of({key}, day=day).get(key, [])
    yield f"Cell {key}"
    if not points:
        yield "  no run counts in it any more"
        return
    recent = counted(key, points, day=day)
    if key.subject is CellSubject.PLAN:
        yield _where(key, recent)
    yield f"  {len(recent)} runs count on {day}"
    parts = split_by_kind(key, points, day=day)
    if len(parts) > 1:
        yield (
            f"  split: {len(parts)} kinds of storage, a gap of more than {GAP_MADS:g} MAD "
            "between them"
        )
    shrunk = _shrunk_of(key)
    for part in parts:
        draft = draft_of(part)
        set_curves([draft])
        yield from _explain_part(part, draft, shrunk.get(part.variant))


def _where(key: CellKey, points: Sequence[CellPoint]) -> str:
    """Return a line with the regions of a cell; names with a group are those of our table."""
    group = GROUPS.get(key.region_group)
    if group is None:
        return "  region group not known: nobody said a region, or one that we do not know"
    counts = Counter(
        point.place.name or point.place.country or "not said more precisely" for point in points
    )
    return f"  {group}: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))


def _explain_part(
    part: VariantPoints, draft: Draft, ranked: tuple[Standing, ShrunkEstimate] | None
) -> Iterator[str]:
    cell = estimate([point.run_point for point in part.points])
    if part.variant:
        yield f"Variant {part.variant} of {part.n_variants}, 1 is the fastest"
    yield from _points(part.points)
    yield from _values(cell)
    yield from _estimate(cell, draft.standing)
    if not Evidence.is_judged(part.key.evidence):
        yield "Published figures are sorted and not ranked."
        return
    yield from _flags(cell, draft.standing)
    yield from _gates(draft.standing, is_ranked=ranked is not None)
    if ranked is not None:
        yield from _rank(*ranked)


def _points(points: Sequence[CellPoint]) -> Iterator[str]:
    yield f"1. Points: {len(points)} runs"
    for point in sorted(points, key=lambda point: point.age_key):
        day = f"{point.at:%Y-%m-%d}" if point.at else "not dated "
        yield f"   {day}  {point.rate_per_s:>12,.2f}/s  {point.run_slug}"


def _values(cell: Estimate) -> Iterator[str]:
    names = {each.name: place for place, each in enumerate(cell.uploaders, start=1)}
    yield (
        f"2. Machines: median of the newest {MACHINE_DAYS_MAX} days, a day being the median of "
        "its runs"
    )
    machines: dict[str, list[float]] = defaultdict(list)
    for machine in cell.machines:
        machines[machine.uploader].append(machine.figure)
    for name, place in names.items():
        rates = ", ".join(f"{rate:,.2f}" for rate in machines[name])
        yield f"   uploader {place}: {rates}"
    yield "3. Uploaders: median of their machines, and the weight of their voice"
    for place, (uploader, weight) in enumerate(
        zip(cell.uploaders, cell.weights, strict=True), start=1
    ):
        z = math.log(uploader.figure)
        rate = f"{uploader.figure:>12,.2f}/s"
        yield f"   uploader {place}: {rate}  ln {z:.4f}  weight {weight:.4f}"
    if cell.is_anonymous:
        yield "   nobody is claimed: all weigh the same"


def _estimate(cell: Estimate, standing: Standing) -> Iterator[str]:
    theta = math.log(cell.figure)
    yield f"4. Estimate: weighted median {cell.figure:,.2f}/s, ln {theta:.4f}"
    low, high = standing.rate_per_s_low, standing.rate_per_s_high
    if low is None or high is None:
        yield "5. Interval: none, there is one value of too few samples"
    elif standing.coverage is None:
        yield f"5. Interval: {low:,.2f} to {high:,.2f}, lowest to highest of {standing.interval_is}"
    else:
        ranks = ranks_of(max(cell.n_uploaders, VALUES_MIN))
        yield (
            f"5. Interval: {low:,.2f} to {high:,.2f}, uploaders {ranks.low} to {ranks.high} of "
            f"{cell.n_uploaders} by rate, coverage {standing.coverage:.2%}"
        )
    if standing.p99_low_ns is not None and standing.p99_high_ns is not None:
        yield (
            f"   p99 of the middle uploader: {standing.p99_ns:,} ns, "
            f"{standing.p99_low_ns:,} to {standing.p99_high_ns:,} ns with the same coverage"
        )
    pooled = [
        f"p{quantile * 100:g} {ns:,} ns"
        for column, quantile in POOLED_QUANTILES.items()
        if (ns := getattr(standing, column)) is not None
    ]
    if pooled:
        yield f"   all runs as one, uploaders weighing the same: {', '.join(pooled)}"


def _flags(cell: Estimate, standing: Standing) -> Iterator[str]:
    values = cell.log_figures
    if cell.n_uploaders < UPLOADERS_MIN:
        yield f"6. Flags: none below {UPLOADERS_MIN} uploaders"
        return
    yield (
        f"6. Flags: {standing.n_flagged} uploaders; modified z beyond {SCORE_MAX}, MAD "
        f"{mad_of(values):.4f}, at most {FLAGGED_SHARE_MAX:.0%} of the cell"
    )
    scores = ", ".join(f"{score:+.2f}" for score in modified_z(values).tolist())
    yield f"   z of each uploader: {scores}"


def _gates(standing: Standing, *, is_ranked: bool) -> Iterator[str]:
    counts = f"{standing.n_uploaders} of {RANKED_UPLOADERS_MIN} uploaders"
    if standing.rate_per_s_low is not None:
        counts += f", low end at {standing.rate_per_s_low / standing.rate_per_s:.0%} of the rate"
    if standing.needs_runs:
        yield f"7. Gate: {counts}: needs runs, not ranked"
    elif not is_ranked:
        yield f"7. Gate: {counts}: more uploaders got the other kind, which ranks in its place"
    else:
        yield f"7. Gate: {counts}: ranked"


def _rank(standing: Standing, shrunk: ShrunkEstimate) -> Iterator[str]:
    prior = shrunk.prior
    storage = standing.ladder_class_id or "storage class not stated"
    yield (
        f"8. Shrinkage, for the order only: spread {standing.spread_ln:.4f} over "
        f"{standing.n_effective:.2f} voices"
    )
    if prior is None:
        yield f"   no other ranked cell of its class ({storage}): it stays where it is"
    else:
        yield (
            f"   class {storage}: middle {math.exp(prior.mean):,.2f}/s, tau {prior.tau:.4f}; "
            f"keeps {shrunk.own_weight:.1%} of its distance"
        )
    yield f"   theta {shrunk.theta:.4f}, sd {shrunk.sd:.4f}: {math.exp(shrunk.theta):,.2f}/s"
    tied = "level with the one above" if standing.is_tied_with_above else "apart from the one above"
    if standing.rank_low == standing.rank_high:
        ranks = f"{standing.rank_low}"
    else:
        ranks = f"{standing.rank_low} to {standing.rank_high}"
    low, high = RANK_QUANTILES
    drawn = f"{low:.0%} to {high:.0%} of {DRAWS:,} draws"
    yield f"9. Rank: {ranks} ({drawn}), tier {standing.tier}, {tied}"
    yield (
        f"   apart is what differs by {standing.apart_sds:.3f} standard errors and does not "
        f"overlap; that of its median is {standing.median_sd_ln:.4f}"
    )


def _shrunk_of(key: CellKey) -> dict[int, tuple[Standing, ShrunkEstimate]]:
    """Return each ranked standing of the cell with its shrunken estimate, by variant."""
    if not Evidence.is_judged(key.evidence):
        return {}
    column = "plan_id" if key.subject is CellSubject.PLAN else "drive_family_id"
    ranked = set_ranks(key.board, standings_of(key.board))
    return {
        row.variant: (row, shrunk)
        for row, shrunk in ranked
        if getattr(row, column) == key.slug and row.region_group == key.region_group
    }

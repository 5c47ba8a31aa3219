"""Writes the trials of apps.stats.simulation as the Markdown section of docs/methodology.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.rankings.simulated_attacks import Attack, try_attack
from apps.stats.simulation.boards import (
    BOARDS,
    PLANS,
    SCATTER_DEVIATION,
    false_splits,
    power,
    try_boards,
)
from apps.stats.simulation.cells import (
    SPLIT_TRIALS,
    TRIALS,
    Cheat,
    CheatEffect,
    coverage,
    draw,
    generator_of,
    mean_of_uploads,
    median_of_uploads,
    method,
    naive_coverage,
    split_share,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADING: Final = "## Simulated"
COVERAGE_N: Final = (3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30)
CHEATED_N: Final = (5, 8, 15)
SPLIT_SIZES: Final = ((3, 3), (5, 3), (6, 6), (10, 3), (13, 3), (10, 10))
SPLIT_FACTORS: Final = (1.0, 1.5, 2.0, 3.0, 5.0)
ATTACKS: Final = (
    *(
        (f"{n} honest, 3 networks", Attack(n, 3, factor))
        for n in (3, 5, 8)
        for factor in (10.0, 1.5, 0.67, 0.1)
    ),
    *((f"sandbagging: {n} honest, 1 network", Attack(n, 1, 0.1)) for n in (7, 8, 12)),
    ("takeover: 8 honest, 8 networks", Attack(8, 8, 10.0)),
    ("empty region: 3 networks alone", Attack(0, 3, 10.0)),
    ("old cell: 12 honest until 185 days ago, 1 network", Attack(12, 1, 10.0, 185)),
    *(
        ("8 claimed, 60 networks", Attack(8, 60, factor, claimed=8))
        for factor in (10.0, 1.5, 0.67, 0.1)
    ),
    ("old cell: 8 claimed until 185 days ago, 60 networks", Attack(8, 60, 10.0, 185, claimed=8)),
    ("12 networks, 1 claimed liar", Attack(12, 1, 10.0, claimed_liars=1)),
    ("8 claimed, 3 claimed liars", Attack(8, 3, 10.0, claimed=8, claimed_liars=3)),
)  # fmt: skip
BOARD_SIZES: Final = (2, 12, 40, 200)
POWER_FACTORS: Final = (1.25, 1.5, 2.0)
TIER_UPLOADERS: Final = (8, 20)


def section(*, trials: int = TRIALS, split_trials: int = SPLIT_TRIALS, boards: int = BOARDS) -> str:
    """Return the section as Markdown, from its heading to its last line."""
    parts = (
        _cheater(trials),
        _attacks(max(2, split_trials // 10)),
        _coverage(trials),
        _split(split_trials),
        _boards(boards),
        _tiers(boards),
    )
    return f"{HEADING}\n\n{_INTRODUCTION}\n\n" + "\n\n".join("\n".join(part) for part in parts)


def replaced(page: str, new_section: str) -> str:
    """Return the page with its section in place of the old one.

    Raises ValueError where the page has no such section.
    """
    begin = page.find(f"{HEADING}\n")
    if begin < 0:
        raise ValueError(f"the page has no heading {HEADING!r}: add it where the tables belong")
    end = page.find("\n## ", begin)
    rest = page[end + 1 :] if end >= 0 else ""
    return f"{page[:begin]}{new_section}\n" + (f"\n{rest}" if rest else "")


_INTRODUCTION: Final = (
    "`./run manage simulate` makes these tables, the same each time, by the code that makes\n"
    "standings. Uploaders differ from the truth by a standard deviation of 0.15 in the logarithm,\n"
    "their four machines from them by 0.05, and the five days of a machine by 0.05 more."
)


def _cheater(trials: int) -> Iterator[str]:
    yield (
        "A cheater adds 60 uploads at ten times the rate. By how much the figure moves, and in\n"
        "brackets by how much in the worst twentieth of trials:"
    )
    yield ""
    yield _row("Estimator", *(f"{n} honest uploaders" for n in CHEATED_N))
    yield _row("---", *("---" for _ in CHEATED_N))
    drawn = [draw(generator_of(f"cheater {n}"), n=n, trials=trials) for n in CHEATED_N]
    yield _row("mean of all uploads", *(_move(mean_of_uploads(each)) for each in drawn))
    yield _row("median of all uploads", *(_move(median_of_uploads(each)) for each in drawn))
    for cheat in Cheat:
        figures = [_move(method(each, cheat)) for each in drawn]
        yield _row(f"**standing: {cheat}**", *figures)
    figures = [_move(method(each, Cheat.MANY_NETWORKS, are_claimed=True)) for each in drawn]
    yield _row(f"standing: {Cheat.MANY_NETWORKS}, the honest ones claimed", *figures)
    figures = [_error(method(each, Cheat.ONE_NETWORK)) for each in drawn]
    yield _row(f"error against the truth then: {Cheat.ONE_NETWORK}", *figures)
    naive = naive_coverage(drawn[CHEATED_N.index(8)])
    yield ""
    yield (
        f"Without any cheater, a normal 95 % interval that takes the uploads of 8 uploaders for\n"
        f"independent holds the truth in {naive:.0%} of trials."
    )


def _attacks(trials: int) -> Iterator[str]:
    yield (
        "Made-up networks beside honest uploaders with one run each, all of the method included\n"
        f"(window, changes, kinds of storage, gates), {trials} trials each:"
    )
    yield ""
    heads = ("Who sends", "Times the truth", "The figure moves", "Ranked before", "Ranked after")
    yield _row(*heads, "Sure verdicts turn round")
    yield _row(*("---" for _ in range(6)))
    for name, attack in ATTACKS:
        effect = try_attack(attack, trials=trials)
        moves = f"{effect.move_median:.1%} ({effect.move_p95:.0%})" if attack.honest else ""
        ranked = (f"{effect.ranked_before:.0%}", f"{effect.ranked_after:.0%}")
        turned = f"{effect.turned:.0%}" if attack.honest else ""
        yield _row(name, f"{attack.factor:g}", moves, *ranked, turned)


def _coverage(trials: int) -> Iterator[str]:
    yield f"How often the interval holds the truth, in {trials:,} trials each:"
    yield ""
    yield _row(
        "Uploaders", "From and to", "Exactly", "Trials, equal weights", "Trials, a third claimed"
    )
    yield _row(*("---" for _ in range(5)))
    for n in COVERAGE_N:
        interval = coverage(n, trials=trials)
        shares = (f"{share:.1%}" for share in (interval.exact, interval.equal, interval.unequal))
        yield _row(str(n), f"{interval.low} to {interval.high}", *shares)


def _split(trials: int) -> Iterator[str]:
    yield (
        "How often a cell with two kinds of storage is split, by how many times faster the second\n"
        "kind is; once means that there is one kind only, so that a split is an error:"
    )
    yield ""
    yield _row("Uploaders", *("once" if each == 1 else f"{each:g} times" for each in SPLIT_FACTORS))
    yield _row("---", *("---" for _ in SPLIT_FACTORS))
    for sizes in SPLIT_SIZES:
        shares = (split_share(sizes, factor=factor, trials=trials) for factor in SPLIT_FACTORS)
        yield _row(f"{sizes[0]} + {sizes[1]}", *(f"{share:.1%}" for share in shares))


def _boards(boards: int) -> Iterator[str]:
    trial = try_boards(boards=boards)
    yield (
        f"On {boards} boards of {PLANS} plans of one storage class with 7 to 16 uploaders each,\n"
        f"90 % bands held the truth in {trial.band_coverage:.1%} and rank intervals in\n"
        f"{trial.rank_coverage:.1%}. Of neighbouring rows {trial.pairs_apart:.1%} can be told\n"
        f"apart; a board has {trial.tiers:.1f} tiers on average."
    )


def _tiers(boards: int) -> Iterator[str]:
    yield (
        f"How many of {boards} boards of plans that are all alike show two tiers or more, which\n"
        "is an error; the same where plans scatter unequally (a deviation of 0.5 in the logarithm\n"
        "of their spread); and how often a plan is told from one that is slower by a factor:"
    )
    yield ""
    factors = (f"{factor:g} times" for factor in POWER_FACTORS)
    yield _row("Plans", "Uploaders each", "Split falsely", "Scattering unequally", *factors)
    yield _row(*("---" for _ in range(4 + len(POWER_FACTORS))))
    for uploaders in TIER_UPLOADERS:
        for plans in BOARD_SIZES:
            of = {"plans": plans, "uploaders": uploaders, "boards": boards}
            told = (f"{power(factor=factor, **of):.0%}" for factor in POWER_FACTORS)
            wrong = (false_splits(**of), false_splits(scatter=SCATTER_DEVIATION, **of))
            yield _row(str(plans), str(uploaders), *(f"{each:.1%}" for each in wrong), *told)


def _move(effect: CheatEffect) -> str:
    return f"{effect.move_median:.1%} ({effect.move_p95:.0%})"


def _error(effect: CheatEffect) -> str:
    return f"{effect.error_median:.1%} ({effect.error_p95:.0%})"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"

"""Puts facts into the words of a card: those of the badge, and what it has no room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.badges.age import is_old, is_price_old
from apps.badges.badge_facts import BadgeFacts, Figures, MissingFigure, Proof
from apps.badges.cards.card import COMPARED_MAX, CompareCard, ThingCard
from apps.badges.options import BadgeMetric
from apps.badges.wording import (
    EXPLANATIONS,
    badge_of,
    dated,
    durable,
    interval_span,
    kinds_words,
    latency_words,
    plural,
    standing_words,
)
from apps.plans.prices.amounts import money
from apps.stats.figures import duration_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date


def card_of(figures: Figures, *, today: date) -> ThingCard:
    """Return the card of one thing on a day, UTC: it says what its badge says."""
    badge = badge_of(figures, metric=BadgeMetric.FSYNC, today=today)
    if isinstance(figures, MissingFigure):
        return ThingCard(badge=badge, name=badge.name, work=EXPLANATIONS[figures.absence])
    is_own = figures.proof is not Proof.EXAMPLE and not figures.excluded_because
    operations = durable if is_own else plural
    behind = kinds_words(figures) if figures.kinds else standing_words(figures)
    has_span = is_own and figures.interval is not None and not figures.kinds
    return ThingCard(
        badge=badge,
        name=", ".join(filter(None, (figures.name, figures.plan))),
        unit=f"{operations(figures.operation)}/s",
        span=interval_span(figures.interval) if has_span and figures.interval else "",
        work=figures.workload_title,
        standing=f"{behind} · {dated(figures, None)}",
        half=latency_words(figures.latency),
        tail_ns=figures.tail.ns if figures.tail and is_own else None,
        notes=tuple(_notes(figures, today=today, is_own=is_own)),
    )


def compare_card_of(figures: Sequence[Figures], *, today: date) -> CompareCard:
    """Return the card of several things on a day, in the order that is asked for."""
    shown = figures[:COMPARED_MAX]
    return CompareCard(
        cards=tuple(card_of(each, today=today) for each in shown),
        works=tuple(each.workload if isinstance(each, BadgeFacts) else "" for each in shown),
        left_out=len(figures) - len(shown),
    )


def _notes(facts: BadgeFacts, *, today: date, is_own: bool) -> Iterator[str]:
    """Return what qualifies the figure, then p99, cost and tier, the gravest first."""
    if facts.excluded_because and facts.proof is not Proof.EXAMPLE:
        yield facts.excluded_because
    if is_old(facts, today):
        yield "older than half a year"
    if facts.warning:
        yield facts.warning
    if not is_own:
        return
    if facts.tail is not None:
        yield f"p99 {' '.join(duration_parts(facts.tail.ns))}"
    if facts.tier is not None:
        yield f"tier {facts.tier.tier}"
    if facts.cost is not None:
        amount = money(facts.cost.per_billion, facts.cost.currency).replace("\u202f", " ")
        old = ", old" if is_price_old(facts.cost, today) else ""
        yield f"{amount} a billion, price of {facts.cost.priced_on:%b %Y}{old}"

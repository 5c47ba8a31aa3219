"""Puts facts into the words of a badge: the short ones drawn, the full sentence read aloud."""

from dataclasses import dataclass
from datetime import date

from apps.badges.age import is_old, is_past, is_price_old
from apps.badges.badge_facts import (
    Absence,
    BadgeCost,
    BadgeFacts,
    BadgeInterval,
    BadgeLatency,
    BadgeTail,
    MeasurerFacts,
    MissingFigure,
    Proof,
    Protection,
    Shown,
)
from apps.badges.drawing.badge import Badge, BadgeMark, Tone
from apps.badges.options import BadgeMetric
from apps.plans.prices.amounts import money
from apps.stats.figures import duration_parts, significant

US = "Fsyncmark"  # who says it
MEASURED_BY = "measured by"

_TONES = {
    Proof.PUBLISHED: Tone.UNRANKED,
    Proof.IMPORTED: Tone.UNRANKED,  # as little is proved by it
    Proof.SIGNED: Tone.SIGNED,
    Proof.WITNESSED: Tone.WITNESSED,
    Proof.PLACED: Tone.WITNESSED,  # the bars tell them apart
    Proof.LAB: Tone.WITNESSED,
    Proof.REPRODUCED: Tone.REPRODUCED,
    Proof.EXAMPLE: Tone.NOTHING,  # nothing was measured
}
_BARS = {
    Proof.PUBLISHED: 0, Proof.IMPORTED: 0, Proof.SIGNED: 1, Proof.WITNESSED: 2, Proof.PLACED: 3,
    Proof.LAB: 3, Proof.REPRODUCED: 4,
}  # fmt: skip
_MARKS = {
    Protection.FULL: BadgeMark.PROTECTED,
    Protection.NONE: BadgeMark.UNPROTECTED,
    Protection.NOT_STATED: BadgeMark.NOT_STATED,
}
EXPLANATIONS = {
    Absence.NOT_FOUND: "nothing is known under this address",
    Absence.MEASURING: "the upload is stored and waits to be normalised",
    Absence.SET_ASIDE: "the upload could not be normalised and waits for a person",
    Absence.NOT_MEASURED: "nobody has measured its commits with one writer yet",
    Absence.NO_RATE: "this result has no rate a second",
    Absence.NO_TAIL: "no p99 of its commits is known",
    Absence.NO_COST: "no list price of it is known",
    Absence.NO_TIER: "too few people have measured it to be ranked",
    Absence.ILLUSTRATIVE: "its source calls its figures illustrative",
    Absence.AWAY: "our database is away for a moment, and the figure with it",
}


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure as it is drawn, and how it is said."""

    text: str
    unit: str
    span: str  # its interval; may be empty
    said: str


def badge_of(figures: Shown, *, metric: BadgeMetric, today: date) -> Badge:
    """Return the badge that shows one figure of these facts on a day, UTC."""
    if isinstance(figures, MissingFigure):
        return _badge_without(figures.name, figures.absence)
    if isinstance(figures, MeasurerFacts):
        return _measurers_badge(figures, today)
    is_of_cheapest = metric is BadgeMetric.COST and figures.cheapest is not None
    facts = figures.cheapest if is_of_cheapest and figures.cheapest else figures
    figure = _figure_of(facts, metric)
    if isinstance(figure, Absence):
        return _badge_without(facts.name, figure)
    is_excluded = bool(facts.excluded_because) and facts.proof is not Proof.EXAMPLE
    price = facts.cost if metric is BadgeMetric.COST else None
    is_grey = is_excluded or is_old(facts, today) or is_price_old(price, today)
    return Badge(
        name=facts.name,
        figure=figure.text,
        remark=_remark(facts, figure, price, with_span=True),
        brief=_remark(facts, figure, price, with_span=False),
        sentence=_sentence(facts, figure, price, today),
        tone=Tone.NOTHING if is_grey else _tone(facts),
        latency_ns=facts.latency.ns if facts.latency else None,
        mark=_MARKS[facts.protection],
        bars=None if is_excluded else _BARS.get(facts.proof),
    )


def _badge_without(name: str, absence: Absence) -> Badge:
    return Badge(
        name=name or US.lower(),
        figure="",
        remark=absence.value,
        sentence=f"{_subject(name)}: {EXPLANATIONS[absence]}.",
        tone=Tone.NOTHING,
    )


def _measurers_badge(facts: MeasurerFacts, today: date) -> Badge:
    """Return who measured how much, without a level: a number of runs says nothing of a disk."""
    counts = [count_words(facts.runs, "run"), count_words(facts.plans, "plan")]
    said, newest = ", ".join(counts), facts.measured_at
    if newest is not None:
        counts.append(f"{newest:%b %Y}")
        said = f"{said}, the newest run of {newest:%B %Y}"
    return Badge(
        name=MEASURED_BY,
        figure=f"{facts.name}:",
        remark=" · ".join(counts),
        sentence=f"{US}, {MEASURED_BY} {facts.name}: {said}.",
        tone=Tone.NOTHING if newest is None or is_past(newest, today) else Tone.UNRANKED,
    )


def _tone(facts: BadgeFacts) -> Tone:
    tone = _TONES[facts.proof]
    return Tone.UNRANKED if facts.needs_runs and tone is Tone.WITNESSED else tone


def _subject(name: str) -> str:
    return f"{US}, {name}" if name else US


def _figure_of(facts: BadgeFacts, metric: BadgeMetric) -> _Figure | Absence:
    """Return the figure that is asked for, or why there is none."""
    if metric is BadgeMetric.P99:
        return _tail_figure(facts.tail) if facts.tail else Absence.NO_TAIL
    if metric is BadgeMetric.COST:
        return _cost_figure(facts, facts.cost) if facts.cost else Absence.NO_COST
    if metric is BadgeMetric.TIER:
        return _tier_figure(facts)
    rate = significant(facts.rate_per_s)
    operations = plural if facts.excluded_because else durable
    said = f"{rate} {operations(facts.operation)} a second"
    span = interval_span(facts.interval) if facts.interval else ""
    return _Figure(rate, f"{plural(facts.operation)}/s", span, said)


def _tail_figure(tail: BadgeTail) -> _Figure:
    time = " ".join(duration_parts(tail.ns))
    span = ""
    if tail.low_ns is not None and tail.high_ns is not None:
        span = "\u2013".join(" ".join(duration_parts(ns)) for ns in (tail.low_ns, tail.high_ns))
    return _Figure(time, "p99", span, f"99 % of all {plural(tail.side)} within {time}")


def _cost_figure(facts: BadgeFacts, cost: BadgeCost) -> _Figure:
    amount = money(cost.per_billion, cost.currency).replace("\u202f", " ")
    span = ""
    if facts.interval:  # the price is exact, the rate is not
        ends = (facts.interval.high_per_s, facts.interval.low_per_s)
        costs = (float(cost.per_billion) * facts.rate_per_s / rate for rate in ends)
        span = "\u2013".join(money(each, cost.currency).replace("\u202f", " ") for each in costs)
    return _Figure(amount, "a billion commits", span, f"{amount} a billion durable commits")


def _tier_figure(facts: BadgeFacts) -> _Figure | Absence:
    if facts.tier is None:
        return Absence.NO_TIER
    low, high = facts.tier.rank_low, facts.tier.rank_high
    rank = f"rank {low}" if low == high else f"rank {low}\u2013{high}"
    said = f"tier {facts.tier.tier} of its board, {rank}"
    return _Figure(f"tier {facts.tier.tier}", rank, "", said)


def _remark(facts: BadgeFacts, figure: _Figure, price: BadgeCost | None, *, with_span: bool) -> str:
    """Return unit, interval or what others got, the work, what stands behind it, and its date."""
    if facts.kinds and figure.unit.endswith("/s"):  # an interval would be of one kind alone
        parts = [f"{figure.unit} for {kinds_words(facts)}", facts.workload]
        return " · ".join([*parts, dated(facts, price)])
    counts = not facts.excluded_because and facts.proof is not Proof.EXAMPLE
    span = f" ({figure.span})" if counts and figure.span and with_span else ""
    parts = [f"{figure.unit}{span}", facts.plan, facts.workload, standing_words(facts)]
    return " · ".join(filter(None, [*parts, dated(facts, price)]))


def kinds_words(facts: BadgeFacts) -> str:
    """Return how many got this kind of storage, and what the others got."""
    (n, _rate), *others = facts.kinds
    total = n + sum(n for n, _ in others)
    got = "".join(f", {significant(rate)}/s for {n}" for n, rate in others)
    return f"{n} of {count_words(total, 'uploader')}{got}"


def dated(facts: BadgeFacts, price: BadgeCost | None) -> str:
    """Return the months of the measurement and of the price, in as few words as are true."""
    months = _month_of(facts) or "undated"
    return f"{months}, price {price.priced_on:%b %Y}" if price else months


def _month_of(facts: BadgeFacts) -> str:
    if facts.measured_at is not None:
        return f"{facts.measured_at:%b %Y}"
    if "-" in facts.published:
        return f"{date.fromisoformat(facts.published[:7] + '-01'):%b %Y}"
    return facts.published  # a year, or nothing


def interval_span(interval: BadgeInterval) -> str:
    """Return both ends of a rate."""
    return f"{significant(interval.low_per_s)}\u2013{significant(interval.high_per_s)}"


def standing_words(facts: BadgeFacts) -> str:
    """Return what stands behind the figure, in as few words as are true."""
    if facts.proof is Proof.EXAMPLE:
        return "example, made up"
    if facts.excluded_because:
        return "excluded from standings"
    if facts.uploaders is None or facts.proof is Proof.PUBLISHED:
        return f"{count_words(facts.runs, 'run')}, {facts.proof}"
    return count_words(facts.uploaders, "uploader")


def _sentence(facts: BadgeFacts, figure: _Figure, price: BadgeCost | None, today: date) -> str:
    is_rate = figure.unit.endswith("/s")
    subject = f"{_subject(facts.name)}{f', {facts.plan}' if facts.plan else ''}"
    parts = [
        f"{subject}: {figure.said} ({facts.workload_title})",
        _interval_words(facts.interval) if is_rate else _span_words(figure.span),
        latency_words(facts.latency) if is_rate else "",
        facts.protection.value,
        _provenance(facts),
        _price_words(price, today),
        "older than half a year" if is_old(facts, today) else "",
        _reason(facts.excluded_because),
    ]
    return " ".join(filter(None, ("; ".join(filter(None, parts)) + ".", facts.warning)))


def _interval_words(interval: BadgeInterval | None) -> str:
    if interval is None:
        return ""
    low, high = significant(interval.low_per_s), significant(interval.high_per_s)
    between = f" between {interval.between}" if interval.between else ""
    return f"from {low} to {high}{between}"


def _span_words(span: str) -> str:
    low, _, high = span.partition("\u2013")
    return f"from {low} to {high}" if high else ""


def _price_words(price: BadgeCost | None, today: date) -> str:
    if price is None:
        return ""
    old = ", which may have changed" if is_price_old(price, today) else ""
    return f"list price of {price.priced_on:%B %Y}{old}"


def latency_words(latency: BadgeLatency | None) -> str:
    """Return what the mark on the axis says; nothing without one."""
    if latency is None:
        return ""
    time = " ".join(duration_parts(latency.ns))
    if latency.is_median:
        return f"half of all {plural(latency.side)} within {time}"
    return f"{time} each on average"


def _provenance(facts: BadgeFacts) -> str:
    if facts.proof is Proof.EXAMPLE:
        return "a made-up example, which nobody measured"
    counts = [count_words(facts.runs, "run")]
    if facts.uploaders is not None and facts.proof is not Proof.PUBLISHED:
        counts.append(f"by {count_words(facts.uploaders, 'uploader')}")
    if facts.measured_at is not None:
        date = f", {facts.measured_at:%B %Y}"
    else:
        date = f" {facts.published}, day not stated" if facts.published else ", date not stated"
    return f"{' '.join(counts)}, {facts.proof}{date}"


def _reason(label: str) -> str:
    return f"excluded from standings: {label}" if label else ""


def durable(operation: str) -> str:
    """Return the operations in words: only commits are durable."""
    operations = plural(operation)
    return f"durable {operations}" if operation == "commit" else operations


def count_words(number: int, thing: str) -> str:
    """Return how many of a thing."""
    return f"{number:,} {thing if number == 1 else plural(thing)}"


def plural(noun: str) -> str:
    """Return several of a thing, all of which take an s."""
    return f"{noun}s"

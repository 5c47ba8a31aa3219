"""Puts facts into the words of a badge: the short ones drawn, the full sentence read aloud."""

from apps.badges.badge_facts import (
    Absence,
    BadgeFacts,
    BadgeInterval,
    BadgeLatency,
    MissingFigure,
    Proof,
    Protection,
)
from apps.badges.svg import Badge, BadgeMark, Tone
from apps.stats.figures import duration_parts, significant

US = "Fsyncmark"  # who says it

_TONES = {
    Proof.PUBLISHED: Tone.PUBLISHED,
    Proof.IMPORTED: Tone.PUBLISHED,  # as little is proved by it
    Proof.SIGNED: Tone.SIGNED,
    Proof.WITNESSED: Tone.WITNESSED,
    Proof.PLACED: Tone.WITNESSED,  # the bars tell them apart
    Proof.LAB: Tone.WITNESSED,
    Proof.REPRODUCED: Tone.WITNESSED,
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
_EXPLANATIONS = {
    Absence.NOT_FOUND: "nothing is known under this address",
    Absence.MEASURING: "the upload is stored and waits to be normalised",
    Absence.SET_ASIDE: "the upload could not be normalised and waits for a person",
    Absence.NOT_MEASURED: "nobody has measured its commits with one writer yet",
    Absence.NO_RATE: "this result has no rate a second",
    Absence.ILLUSTRATIVE: "its source calls its figures illustrative",
    Absence.AWAY: "our database is away for a moment, and the figure with it",
}


def badge_of(facts: BadgeFacts | MissingFigure) -> Badge:
    """Return the badge that shows these facts."""
    if isinstance(facts, MissingFigure):
        return Badge(
            name=facts.name or US.lower(),
            figure="",
            remark=facts.absence.value,
            sentence=f"{_subject(facts.name)}: {_EXPLANATIONS[facts.absence]}.",
            tone=Tone.NOTHING,
        )
    excluded = bool(facts.excluded_because) and facts.proof is not Proof.EXAMPLE
    return Badge(
        name=facts.name,
        figure=significant(facts.rate_per_s),
        remark=_remark(facts),
        sentence=_sentence(facts),
        tone=Tone.EXCLUDED if excluded else _TONES[facts.proof],
        latency_ns=facts.latency.ns if facts.latency else None,
        mark=_MARKS[facts.protection],
        bars=None if excluded else _BARS.get(facts.proof),
    )


def _subject(name: str) -> str:
    return f"{US}, {name}" if name else US


def _remark(facts: BadgeFacts) -> str:
    """Return the unit, then the interval or what others got, and what stands behind the figure."""
    unit = f"{_plural(facts.operation)}/s"
    if facts.kinds:  # an interval would be of one kind of storage alone
        (n, _rate), *others = facts.kinds
        total = n + sum(n for n, _ in others)
        got = "".join(f", {significant(rate)}/s for {n}" for n, rate in others)
        return f"{unit} for {n} of {_count(total, 'uploader')}{got}"
    counts = not facts.excluded_because and facts.proof is not Proof.EXAMPLE
    span = f" ({_span(facts.interval)})" if counts and facts.interval else ""
    return f"{unit}{span} · {_standing(facts)}"


def _span(interval: BadgeInterval) -> str:
    return f"{significant(interval.low_per_s)}\u2013{significant(interval.high_per_s)}"


def _standing(facts: BadgeFacts) -> str:
    """Return what stands behind the figure, in as few words as are true."""
    if facts.proof is Proof.EXAMPLE:
        return "example, made up"
    if facts.excluded_because:
        return "excluded from standings"
    if facts.uploaders is None or facts.proof is Proof.PUBLISHED:
        return f"{_count(facts.runs, 'run')}, {facts.proof}"
    return _count(facts.uploaders, "uploader")


def _sentence(facts: BadgeFacts) -> str:
    operations = _plural if facts.excluded_because else _durable
    rate = f"{significant(facts.rate_per_s)} {operations(facts.operation)} a second"
    parts = [
        f"{_subject(facts.name)}: {rate} ({facts.workload_title})",
        _interval_words(facts.interval),
        _latency_words(facts.latency),
        facts.protection.value,
        _provenance(facts),
        _reason(facts.excluded_because),
    ]
    return " ".join(filter(None, ("; ".join(filter(None, parts)) + ".", facts.warning)))


def _interval_words(interval: BadgeInterval | None) -> str:
    if interval is None:
        return ""
    low, high = significant(interval.low_per_s), significant(interval.high_per_s)
    between = f" between {interval.between}" if interval.between else ""
    return f"from {low} to {high}{between}"


def _latency_words(latency: BadgeLatency | None) -> str:
    if latency is None:
        return ""
    time = " ".join(duration_parts(latency.ns))
    if latency.is_median:
        return f"half of all {_plural(latency.side)} within {time}"
    return f"{time} each on average"


def _provenance(facts: BadgeFacts) -> str:
    if facts.proof is Proof.EXAMPLE:
        return "a made-up example, which nobody measured"
    counts = [_count(facts.runs, "run")]
    if facts.uploaders is not None and facts.proof is not Proof.PUBLISHED:
        counts.append(f"by {_count(facts.uploaders, 'uploader')}")
    if facts.measured_at is not None:
        date = f", {facts.measured_at:%B %Y}"
    else:
        date = f" {facts.published}, day not stated" if facts.published else ", date not stated"
    return f"{' '.join(counts)}, {facts.proof}{date}"


def _reason(label: str) -> str:
    return f"excluded from standings: {label}" if label else ""


def _durable(operation: str) -> str:
    plural = _plural(operation)
    return f"durable {plural}" if operation == "commit" else plural


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing if number == 1 else _plural(thing)}"


def _plural(noun: str) -> str:
    return f"{noun}s"

"""The sentence at the top of a run: what a reader should take away, in two figures."""

from dataclasses import dataclass

from apps.drives.models import PowerLossProtection
from apps.pages import units, words
from apps.pages.rows import run_name
from apps.pages.selectors.runs import RunDetails
from apps.stats.figures import significant

REASONS: dict[str, str] = {
    PowerLossProtection.FULL: "Its drive has power-loss protection, so it may answer a flush "
    "before the flash is programmed.",
    PowerLossProtection.PARTIAL: "Its drive protects only data at rest, so each sync waits for "
    "the flash.",
    PowerLossProtection.NONE: "Its drive has no power-loss protection, so each sync waits for "
    "the flash.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the run says. Latencies in nanoseconds; the rate is durable commits per second."""

    half_ns: int | None
    most_ns: int | None
    what: str  # commits, syncs or writes
    rate_per_s: float | None
    reason: str
    excluded_by: tuple[str, ...]


def verdict_of(details: RunDetails) -> Verdict | None:
    """The verdict of a run that measured durable commits of one writer; else nothing."""
    headline, latency = details.headline, details.latency
    if headline is None or not headline.is_durable_single_writer:
        return None
    what = "syncs" if latency and latency.side == "sync" else "commits"
    plp = details.run.drive_family.plp if details.run.drive_family else ""
    return Verdict(
        half_ns=latency.p50_ns if latency else None,
        most_ns=latency.p99_ns if latency else None,
        what=what,
        rate_per_s=headline.rate_per_s,
        reason=REASONS.get(plp, ""),
        excluded_by=tuple(label.text for label in details.labels if label.keeps_run_out),
    )


def summary_of(details: RunDetails, verdict: Verdict | None) -> str:
    """The run in one plain sentence, for search engines, previews and badges."""
    name, level = run_name(details.run), words.level_words(details.run.level).word.lower()
    if verdict is None or verdict.rate_per_s is None:
        return f"{name}: one {level} run"
    parts = [f"{significant(verdict.rate_per_s)} durable commits/s"]
    if verdict.half_ns is not None:
        parts.append(f"p50 {units.latency(verdict.half_ns)}")
    if verdict.most_ns is not None:
        parts.append(f"p99 {units.latency(verdict.most_ns)}")
    return f"{name}: {', '.join(parts)}, 1 run, {level}"

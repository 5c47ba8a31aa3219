"""What the trials showed, for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from tests.faults.trial import Trial

HEAD = (
    "fault",
    "sent",
    "acknowledged",
    "attempts",
    "longest gap",
    "away",
    "shown within",
    "whole after",
    "lost or wrong",
)


def table(trials: Sequence[Trial]) -> str:
    """A Markdown table, a line for each fault."""
    lines = [HEAD, tuple("---" if at == 0 else "--:" for at in range(len(HEAD)))]
    lines += [
        (
            trial.fault.words,
            str(trial.uploads),
            str(trial.acknowledged),
            str(trial.tries),
            f"{trial.gap_s:.1f} s",
            f"{trial.away_s:.1f} s",
            f"{trial.unseen_s:.1f} s",
            f"{trial.whole_s:.1f} s",
            str(len(trial.found)),
        )
        for trial in trials
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def as_json(trial: Trial) -> dict[str, object]:
    """One trial, with what was found."""
    return {
        "fault": trial.fault.name,
        "words": trial.fault.words,
        "sent": trial.uploads,
        "acknowledged": trial.acknowledged,
        "attempts": trial.tries,
        "gap_s": round(trial.gap_s, 2),
        "away_s": round(trial.away_s, 2),
        "unseen_s": round(trial.unseen_s, 2),
        "whole_s": round(trial.whole_s, 2),
        "found": trial.found,
    }

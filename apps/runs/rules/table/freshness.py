"""Rules about whether a run was made when we asked for it."""

from __future__ import annotations

from typing import Final

from apps.runs.rules import surroundings
from apps.runs.rules.rule import Kind, Rule

_ORIGIN: Final = (
    "A yes or no, noted by the door when the run was received. How long a challenge lasts follows "
    "from its suite: four times the longest duration, at least 30 minutes, at most a day."
)

RULES: Final = (
    Rule(
        id="measured-offline",
        version=1,
        kind=Kind.FRESHNESS,
        text="measured offline",
        explanation="No server was asked for a challenge before this run, so nothing shows when it "
        "was made or how many others were left out. It is shown, and not ranked.",
        border="Speaks where the run names no challenge.",
        origin=_ORIGIN,
        remedy="Measure again with `--server` while the machine can reach it.",
        check=surroundings.measured_offline,
    ),
    Rule(
        id="challenge-expired",
        version=1,
        kind=Kind.FRESHNESS,
        text="uploaded late",
        explanation="The run was uploaded after its challenge had ended. It is shown, and not "
        "ranked.",
        border="Speaks where the upload came after the challenge had ended, by the server's clock.",
        origin=_ORIGIN,
        remedy="Measure again and let the agent upload right after the run.",
        check=surroundings.challenge_expired,
    ),
    Rule(
        id="challenge-unknown",
        version=1,
        kind=Kind.FRESHNESS,
        text="challenge not known",
        explanation="The run names a challenge that this server does not remember. It is shown, "
        "not ranked.",
        border="Speaks where no challenge of that name is stored.",
        origin=_ORIGIN,
        remedy="Measure again: a challenge counts only on the server that gave it.",
        check=surroundings.challenge_unknown,
    ),
)

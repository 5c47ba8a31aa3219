"""The run was received after its key fell into other hands, as its owner or a moderator says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    since = facts.compromised_since
    if since is None or facts.received_at < since:
        return None
    return {"since_s": int(since.timestamp())}


RULE: Final = Rule(
    id="revoked-key",
    version=1,
    kind=RuleKind.DECISION,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="key was revoked",
    why="The key was revoked, and the run was received since it may be in other hands. Earlier "
    "runs keep their level.",
    remedy="Measure again with a key of your own.",
    finding="The key is not believed since {since_s:minute} (UTC).",
    check=check,
)

"""Nothing is known of the drives, and commits are quicker than flash can be programmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.environment.storage import memory_filesystem
from apps.runs.rules.environment.unseen import unseen_server
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    if facts.run.devices or p50_ns is None or p50_ns >= PROGRAMMED_NS_MIN:
        return None
    if memory_filesystem.check(facts) is not None or unseen_server.check(facts) is not None:
        return None
    return {"p50_ns": p50_ns, "floor_ns": PROGRAMMED_NS_MIN}


RULE: Final = Rule(
    id="unseen-drive",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="drive out of sight",
    explanation="No drive could be seen under the file, so neither its cache nor its flushes are "
    "known, and commits are quicker than flash is programmed. That cannot be told apart from a "
    "cache that a power cut empties, or from drives that somebody covered.",
    threshold="Speaks where no device is reported and half of the commits of commit-8k took less "
    f"than {PROGRAMMED_NS_MIN / 1000:g} µs.",
    origin="The floor of NVMe drives without protection: whatever takes longer may have programmed "
    "flash.",
    remedy="Measure on the host, or give the container its /sys. On ZFS nobody can see the drives "
    "yet.",
    finding="No drive is known, and half of the commits took {p50_ns:us} µs or less; programming "
    "flash takes {floor_ns:us} µs.",
    check=check,
)

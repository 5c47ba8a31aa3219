"""Another filesystem stands between the file and the drive; on a server: `unseen-server`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.environment.storage import YES_OR_NO
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

INDIRECT_FILESYSTEMS: Final = frozenset({"overlay", "fuse"})


def check(facts: RunFacts) -> Figures | None:
    filesystem = facts.run.env.fs
    is_indirect = filesystem.partition(".")[0] in INDIRECT_FILESYSTEMS
    return {"filesystem": filesystem} if is_indirect else None


RULE: Final = Rule(
    id="indirect-filesystem",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    text="indirect filesystem",
    explanation="Another filesystem stands between the file and the drive, so the figures are "
    "those of the whole path. One in user space may acknowledge before a disk does.",
    threshold=f"Speaks on {', '.join(sorted(INDIRECT_FILESYSTEMS))}.",
    origin=YES_OR_NO,
    remedy="To compare drives, measure on a disk's own filesystem: in a container, a volume.",
    finding="The filesystem is {filesystem}.",
    check=check,
)

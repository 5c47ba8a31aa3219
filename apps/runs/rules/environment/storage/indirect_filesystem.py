"""Another filesystem stands between the file and the drive; on a server: `unseen-server`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import FILESYSTEM_IS, MEASURE_OUTSIDE
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
    why=f"Another filesystem ({', '.join(sorted(INDIRECT_FILESYSTEMS))}) stands between the file "
    "and the drive, so the figures are those of the whole path.",
    remedy=MEASURE_OUTSIDE,
    finding=FILESYSTEM_IS,
    check=check,
)

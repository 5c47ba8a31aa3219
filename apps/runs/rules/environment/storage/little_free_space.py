"""The filesystem was nearly full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import tenths
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

FREE_SPACE_SHARE_MIN: Final = thresholds().filesystem.free_share_min.value


def check(facts: RunFacts) -> Figures | None:
    env = facts.run.env
    if env.fs_free_bytes >= env.fs_size_bytes * FREE_SPACE_SHARE_MIN:
        return None
    return {"free_permille": tenths(env.fs_free_bytes / env.fs_size_bytes * 100)}


RULE: Final = Rule(
    id="little-free-space",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="nearly full",
    why="Under {free_share:.0%} of the filesystem was free: full filesystems and full flash are "
    "slower.",
    why_figures={"free_share": FREE_SPACE_SHARE_MIN},
    basis=ThresholdBasis.CONVENTION,
    remedy="Free some space and trim before you measure.",
    finding="{free_permille:tenths}% of the filesystem was free.",
    check=check,
)

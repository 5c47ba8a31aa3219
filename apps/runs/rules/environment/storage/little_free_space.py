"""The filesystem was nearly full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import tenths
from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="Full filesystems and full flash are slower.",
    threshold="Speaks below {free_share:.0%} free.",
    threshold_figures={"free_share": FREE_SPACE_SHARE_MIN},
    origin="A convention: flash drives keep 7 to 28 % hidden for the same purpose, and "
    "filesystems reserve 5 %.",
    remedy="Free some space and trim the filesystem before you measure.",
    finding="{free_permille:tenths}% of the filesystem was free.",
    check=check,
)

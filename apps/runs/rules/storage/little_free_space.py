"""The filesystem was nearly full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.rule import Kind, Rule
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

FREE_SPACE_SHARE_MIN: Final = thresholds().filesystem.free_share_min.value


def check(facts: RunFacts) -> str | None:
    env = facts.run.env
    if env.fs_free_bytes >= env.fs_size_bytes * FREE_SPACE_SHARE_MIN:
        return None
    return f"{env.fs_free_bytes / env.fs_size_bytes:.1%} of the filesystem was free."


RULE: Final = Rule(
    id="little-free-space",
    version=1,
    kind=Kind.ENVIRONMENT,
    place=8,
    text="nearly full",
    explanation="Full filesystems and full flash are slower.",
    border=f"Speaks below {FREE_SPACE_SHARE_MIN:.0%} free.",
    origin="A convention: flash drives keep 7 to 28 % hidden for the same purpose, and "
    "filesystems reserve 5 %.",
    remedy="Free some space and trim the filesystem before you measure.",
    check=check,
)

"""The mount options suppress flushes to a drive that needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.environment.storage import YES_OR_NO
from apps.runs.rules.rule import Rule, RuleKind
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

BARRIERS_OFF: Final = frozenset(thresholds().surroundings.mount_flags_without_flushes.value)
# What leaves out syncs altogether, whatever the drive is: an overlay, CIFS, bcachefs.
WITHOUT_SYNCS: Final = frozenset({"volatile", "nostrictsync", "journal_flush_disabled"})


def check(facts: RunFacts) -> Figures | None:
    flags = BARRIERS_OFF.intersection(facts.run.env.mount_flags)
    needs_flushes = any(device.write_cache != "write through" for device in facts.members.devices)
    if not flags or not (needs_flushes or flags & WITHOUT_SYNCS):
        return None
    return {"flags": sorted(flags)}


RULE: Final = Rule(
    id="barriers-off",
    version=3,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="mounted without barriers",
    explanation="The mount options keep flushes from a drive that reports a volatile cache or "
    "does not report its cache, or leave out syncs altogether. An acknowledged commit may not "
    "survive a power cut.",
    threshold="Speaks where {flags:list} is set and the drive does not report write through; of "
    "{whatever_the_cache:list} whatever the drive reports.",
    threshold_figures={
        "flags": sorted(BARRIERS_OFF),
        "whatever_the_cache": sorted(WITHOUT_SYNCS),
    },
    origin=YES_OR_NO,
    remedy="Mount with barriers, an overlay without volatile, CIFS with strictsync; on ZFS set "
    "zfs_nocacheflush to 0.",
    finding="Mounted with {flags:list}.",
    check=check,
)

"""The mount options suppress flushes to a drive that needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
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
    why="{flags} keep flushes from a drive that does not report write through; "
    "{whatever_the_cache} do so whatever it reports.",
    why_figures={
        "flags": ", ".join(sorted(BARRIERS_OFF)),
        "whatever_the_cache": ", ".join(sorted(WITHOUT_SYNCS)),
    },
    basis=ThresholdBasis.DOCUMENTED,
    source="https://docs.kernel.org/block/writeback_cache_control.html",
    remedy="Mount with barriers, overlay without volatile, CIFS with strictsync; on ZFS set "
    "zfs_nocacheflush to 0.",
    finding="Mounted with {flags:list}.",
    check=check,
)

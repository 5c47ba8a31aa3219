"""Another machine, or the host, holds the file, and what its sync does cannot be seen from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import FILESYSTEM_IS
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

SERVED_FILESYSTEMS: Final = frozenset(
    {"9p", "ceph", "cifs", "lustre", "nfs", "nfs4", "smb3", "virtiofs"}
)


def check(facts: RunFacts) -> Figures | None:
    filesystem = facts.run.env.fs
    return {"filesystem": filesystem} if filesystem in SERVED_FILESYSTEMS else None


RULE: Final = Rule(
    id="unseen-server",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="a server answers",
    why=f"A server answers the syncs ({', '.join(sorted(SERVED_FILESYSTEMS))}). One that answers "
    "before its disk does, as NFS with async, looks the same.",
    basis=ThresholdBasis.DOCUMENTED,
    source="https://man7.org/linux/man-pages/man5/exports.5.html",
    remedy="Export with sync, and measure on the server itself.",
    finding=FILESYSTEM_IS,
    check=check,
)

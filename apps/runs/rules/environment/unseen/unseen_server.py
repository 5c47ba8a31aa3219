"""Another machine, or the host, holds the file, and what its sync does cannot be seen from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.environment.storage import YES_OR_NO
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="A server answers the syncs, so the figures are those of the whole path. It cannot "
    "be told apart from one that answers before its disk does, as an NFS export with async: the "
    "replies are the same.",
    threshold=f"Speaks on {', '.join(sorted(SERVED_FILESYSTEMS))}.",
    origin=YES_OR_NO + " The option sync of an NFS mount is the client's and says nothing of the "
    "export.",
    remedy="Export with sync, and measure on the server itself to see its disk.",
    finding="The filesystem is {filesystem}.",
    check=check,
)

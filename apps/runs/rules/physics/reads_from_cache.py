"""The median read is quicker than the medium can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    floor, p50_ns = facts.members.floor, facts.read_p50_ns
    if p50_ns is None or floor.read_floor_ns is None or p50_ns >= floor.read_floor_ns:
        return None
    return {"p50_ns": p50_ns, "class": floor.id, "floor_ns": floor.read_floor_ns}


RULE: Final = Rule(
    id="reads-from-cache",
    version=1,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.READS,
    text="reads from a cache",
    explanation="The median read past the page cache is quicker than the medium can answer: a "
    "cache of the host, of ZFS or of a controller did. Its reads stand on no board.",
    threshold="Speaks where half of the reads of read-4k-floor took less than the read floor of "
    "the class, as the table says.",
    origin="No drive of flash answers within 10 µs: one of the quickest is specified at 29 "
    "µs (Kioxia FL6). A platter must turn; a network volume is a round trip away. The only "
    "published read of one at a time, 61 µs on NVMe, lies above its floor.",
    remedy="Nothing is wrong with a cache. To see the drive, measure without it.",
    finding="Half of the reads took {p50_ns:us} µs or less; {class:class} needs {floor_ns:us} µs.",
    check=check,
)

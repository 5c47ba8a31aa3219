"""Rules about what the medium can do, and about runs far from those of others."""

from __future__ import annotations

from typing import Final

from apps.runs.models import KeepsOut
from apps.runs.rules import device, peers
from apps.runs.rules.rule import Kind, Rule
from apps.stats.outliers import SCORE_MAX, UPLOADERS_MIN

RULES: Final = (
    Rule(
        id="faster-than-medium",
        version=3,
        kind=Kind.PHYSICS,
        keeps_out=KeepsOut.RUN,
        text="faster than durable media — cache likely",
        explanation="The median commit is quicker than this class of storage can make data "
        "durable. A cache that a power cut would empty has probably answered. Of a device that "
        "nobody knows, the floor is that of the quickest there is.",
        border="Speaks where half of the commits of any workload with one writer took less than "
        "the floor of the class, as the table says: each of them waits for its own sync. Zeros are "
        f"left out ({device.ZEROS_WORKLOAD}), which a layer may detect.",
        origin="Each floor is reasoned from what has to happen before a medium may answer. Beside "
        "it stands the quickest durable commit of one writer that anybody published for the "
        "class, as 1 / rate: every floor lies below it.",
        remedy="Look for a cache of the host, a RAID controller or the hypervisor. If the drive "
        "is not the one that we recognised, tell us.",
        check=device.faster_than_medium,
    ),
    Rule(
        id="reads-from-cache",
        version=1,
        kind=Kind.PHYSICS,
        keeps_out=KeepsOut.READS,
        text="reads from a cache",
        explanation="The median read past the page cache is quicker than the medium can answer: a "
        "cache of the host, of ZFS or of a controller did. Its reads stand on no board.",
        border="Speaks where half of the reads of read-4k-floor took less than the read floor of "
        "the class, as the table says.",
        origin="No drive of flash answers within 10 µs: one of the quickest is specified at 29 "
        "µs (Kioxia FL6). A platter must turn; a network volume is a round trip away. The only "
        "published read of one at a time, 61 µs on NVMe, lies above its floor.",
        remedy="Nothing is wrong with a cache. To see the drive, measure without it.",
        check=device.reads_from_cache,
    ),
    Rule(
        id="fast-for-volatile-cache",
        version=2,
        kind=Kind.PHYSICS,
        text="fast for a volatile cache",
        explanation="The drive reports a volatile cache and syncs are quicker than flash can be "
        "programmed. Power-loss protection explains that, and so does a host that answers from "
        "its memory, or a drive that ignores flushes. Only a power cut can tell.",
        border="Speaks where no class of the device is known and no data sheet protects a drive, "
        "every drive reports write back, and half of the syncs of commit-8k took less than "
        f"{device.PROGRAMMED_NS_MIN / 1000:g} µs. Where the class is known, its floor judges "
        "instead.",
        origin="The floor of NVMe drives without protection: the quickest published one commits in "
        "3.0 ms (Samsung 990 PRO, 333 a second), one whose protection nobody states in 476 µs "
        "(Crucial T500, 2,100 a second).",
        remedy="Help us to name the drive, and to learn from its data sheet whether its cache is "
        "protected: then its floor judges it.",
        check=device.fast_for_volatile_cache,
    ),
    Rule(
        id="commit-above-reads",
        version=1,
        kind=Kind.PHYSICS,
        text="commit far above reads",
        explanation="A durable commit takes many times as long as a read. Where neither flash "
        "without protection nor a platter explains it, the write goes further than the read: over "
        "a network, to copies elsewhere. That is evidence of network storage, never a verdict: a "
        "drive that nobody has named yet may program flash meanwhile.",
        border=f"Speaks above {device.READS_PER_COMMIT_MAX} times the median read, where the drive "
        "is neither known to have no protection nor a hard disk.",
        origin="Published protected drives commit in 21 to 97 µs (1 / rate: PM9A3 46,700 a second, "
        "Micron 7500 PRO 10,318), 0.3 to 1.6 times the 61 µs of the one published NVMe read; those "
        "without protection (990 PRO, PM9A1) in 49 to 88 times.",
        remedy="Nothing: it says where the time goes. A local drive commits sooner.",
        check=device.commit_above_reads,
    ),
    Rule(
        id=peers.FAR_FROM_PEERS,
        version=1,
        kind=Kind.PEERS,
        text="far from its peers",
        explanation="The uploader of this run lies far from the others who measured the same. "
        "Another drive behind the same plan, a busy neighbour and an invented figure all look "
        "like that: it is looked at, and nothing is removed.",
        border=f"Speaks beyond a modified z-score of {SCORE_MAX} in the logarithm of the rate, "
        f"from {UPLOADERS_MIN} uploaders on.",
        origin="Iglewicz and Hoaglin (1993). Of fewer uploaders the median absolute deviation "
        "means nothing.",
        remedy="Measure again, and on a second machine of the plan.",
        judged_by="when the standing of its cell is computed, which knows the other runs",
    ),
)

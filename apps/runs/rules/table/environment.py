"""Rules about where the file lay, what measured it, and what else went on."""

from __future__ import annotations

from typing import Final

from apps.runs.models import KeepsOut
from apps.runs.rules import consistency, noise, origin, surroundings
from apps.runs.rules.rule import Kind, Rule
from apps.stats.cliff import CLIFF_RATIO, INTERVALS_MAX, SIDE_MIN
from apps.stats.others import OTHERS_SHARE_MILLI_MAX
from apps.stats.repeats import UNSTEADY_SPREAD

_YES_OR_NO: Final = "A yes or no, as the agent reports it."

STORAGE: Final = (
    Rule(
        id="suite-incomplete",
        version=2,
        kind=Kind.ENVIRONMENT,
        keeps_out=KeepsOut.RUN,
        text="incomplete",
        explanation="Some workloads of the suite, or some of their passes, are not there. What was "
        "measured is shown; ranked are complete runs only, or a bad run could be stopped half-way.",
        border="Speaks from one missing pass.",
        origin="A yes or no: the suite says which workloads and passes there are.",
        remedy="Measure again and let it end, without choosing workloads.",
        check=consistency.suite_is_complete,
    ),
    Rule(
        id="memory-filesystem",
        version=3,
        kind=Kind.ENVIRONMENT,
        keeps_out=KeepsOut.RUN,
        text="in memory",
        explanation="The file lay in memory, on a filesystem, a layer or a disk made of it: "
        "nothing written there survives a power cut.",
        border=f"Speaks where a layer is {', '.join(sorted(surroundings.MEMORY_LAYERS))}, or a "
        f"disk calls itself {', '.join(sorted(surroundings.MEMORY_MODELS))}. Of pmem-e820, memory "
        "that firmware or a boot option set aside, nothing says that it keeps its content.",
        origin=_YES_OR_NO,
        remedy="Name a folder on the disk that you want to measure.",
        check=surroundings.memory_filesystem,
    ),
    Rule(
        id="indirect-filesystem",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="indirect filesystem",
        explanation="Another filesystem or another machine stands between the file and the drive, "
        "so the figures are those of the whole path. A server that exports NFS may acknowledge "
        "before its disk does, which cannot be seen from here.",
        border=f"Speaks on {', '.join(sorted(surroundings.INDIRECT_FILESYSTEMS))}.",
        origin=_YES_OR_NO,
        remedy="To compare drives, measure on a disk's own filesystem: in a container, a volume.",
        check=surroundings.indirect_filesystem,
    ),
    Rule(
        id="barriers-off",
        version=1,
        kind=Kind.ENVIRONMENT,
        keeps_out=KeepsOut.RUN,
        text="mounted without barriers",
        explanation="The mount options keep flushes from a drive that reports a volatile cache or "
        "does not report its cache. An acknowledged commit may not survive a power cut.",
        border=f"Speaks where {', '.join(sorted(surroundings.BARRIERS_OFF))} is set and the drive "
        "does not report write through.",
        origin=_YES_OR_NO,
        remedy="Mount with barriers; on ZFS set zfs_nocacheflush to 0.",
        check=surroundings.barriers_off,
    ),
    Rule(
        id="volatile-write-through",
        version=1,
        kind=Kind.ENVIRONMENT,
        keeps_out=KeepsOut.RUN,
        text="volatile cache without flushes",
        explanation="The drive itself says that its cache is volatile, and the kernel takes it for "
        "write through and sends no flushes: somebody told it so. An acknowledged commit may not "
        "survive a power cut.",
        border="Speaks where queue/write_cache says write through, the drive's own word is a "
        "volatile cache, and no data sheet says that the cache survives a power cut.",
        origin="A yes or no: what the kernel reports, and what an NVMe drive answers to root.",
        remedy="Let queue/write_cache say write back again, as the drive does, and measure again. "
        "If the drive protects its cache, help us to name it.",
        check=surroundings.volatile_write_through,
    ),
    Rule(
        id="few-flushes",
        version=4,
        kind=Kind.ENVIRONMENT,
        keeps_out=KeepsOut.RUN,
        text="syncs without flushes",
        explanation="The drive reports a volatile cache, and finished far fewer flushes than there "
        "were syncs: they did not reach it.",
        border=f"Speaks below {surroundings.FLUSHES_PER_SYNC_MIN:g} flushes a sync with one "
        "writer, where every drive reports write back and the kernel counts flushes. Syncs with "
        "nothing to write are not judged.",
        origin="One writer needs one flush for each sync, with FUA or without: the pages that a "
        "sync writes lie in the drive's cache, and a forced write (FUA), as of a journal's commit "
        "block, empties nothing that lay there before. A filesystem may merge some, but not nine "
        "of ten. The kernel sends none to "
        "write-through drives, which is honest.",
        remedy="Look for a mount option, a layer in between or a cache mode of the hypervisor that "
        "drops flushes.",
        check=surroundings.few_flushes,
    ),
    Rule(
        id="mixed-drives",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="mixed drives",
        explanation="The volume is made of drives of several families, or of some that nobody has "
        "named yet. It counts for its plan and for no drive.",
        border="Speaks from two families.",
        origin="A yes or no: the names that the drives report.",
        remedy="Nothing, if the volume is what you use. To compare drives, measure one alone.",
        check=surroundings.mixed_drives,
    ),
    Rule(
        id="little-free-space",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="nearly full",
        explanation="Full filesystems and full flash are slower.",
        border=f"Speaks below {surroundings.FREE_SPACE_SHARE_MIN:.0%} free.",
        origin="A convention: flash drives keep 7 to 28 % hidden for the same purpose, and "
        "filesystems reserve 5 %.",
        remedy="Free some space and trim the filesystem before you measure.",
        check=surroundings.little_free_space,
    ),
)

MACHINE: Final = (
    Rule(
        id="stale-workload",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="older workload",
        explanation="A workload was measured in a version that has a successor. Versions are "
        "never compared: the run counts on the board of its own version.",
        border="Speaks where this server knows a newer version of the same workload.",
        origin="A yes or no: the suites that this server ships with.",
        remedy="Measure again with a newer agent to stand on the newest board.",
        check=origin.stale_workload,
    ),
    Rule(
        id="agent-unknown",
        version=2,
        kind=Kind.ENVIRONMENT,
        text="agent not known",
        explanation="Nobody can look up the program that measured: its version is not known here, "
        "or it does not say from which commit it was built. Trivially faked, so it shows accidents "
        "and not intentions.",
        border="Speaks where the version is not known, or no commit is named.",
        origin="A yes or no: the list of released agents in the repository.",
        remedy="Use a released agent, or `./run agent`, which states the commit.",
        check=origin.agent_unknown,
    ),
    Rule(
        id="unusual-clock",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="unusual clock",
        explanation="The kernel's clock source is slow to read or not known to be steady, which "
        "blurs short latencies.",
        border=f"Speaks where it is none of {', '.join(sorted(surroundings.CLOCK_SOURCES))}.",
        origin="The clock sources that a program reads without a system call.",
        remedy="Look at /sys/devices/system/clocksource: a machine falls back to a slow source "
        "when its time-stamp counters disagree.",
        check=surroundings.unusual_clock,
    ),
    Rule(
        id="other-io",
        version=2,
        kind=Kind.ENVIRONMENT,
        text="other I/O",
        explanation="Something else used the drive just before the run or between its passes.",
        border=f"Speaks above {OTHERS_SHARE_MILLI_MAX / 10:g} % of what the drive wrote, or of the "
        f"run's own rate and {surroundings.OTHER_IO_PER_SECOND_MIN:g} operations a second.",
        origin="From 5 % on neighbours show in p99; a system log alone writes a few times a "
        "second.",
        remedy="Measure on a quiet machine to see what the drive can do.",
        check=surroundings.other_io,
    ),
    Rule(
        id="stolen-time",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="processor time stolen",
        explanation="The hypervisor gave processor time that this machine wanted to others. A "
        "latency then counts waiting for a processor too.",
        border=f"Speaks above {noise.STEAL_PERMILLE_MAX / 10:g} % of the processors' time.",
        origin="A convention. Stolen time is a share of the time in which a processor was wanted, "
        "and a writer that waits for the disk wants little; at a tenth of it nobody knows how much "
        "of a slow commit was the disk's.",
        remedy="Measure again at another hour. If it stays, it is what the plan gives.",
        check=noise.stolen_time,
    ),
    Rule(
        id="limited-by-control-group",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="limited by a control group",
        explanation="A control group, as containers and units of systemd have, limits what the "
        "agent may read or write a second, or gives it less than one processor. The figures may "
        "be those of the limit.",
        border="Speaks where any limit of I/O is set, or less than one processor is left. How "
        "often the limit held the agent back is not reported.",
        origin="One writer keeps one processor busy at most, so less than one may slow it.",
        remedy="Measure outside of the container, or lift the limit for the run.",
        check=noise.limited_by_control_group,
    ),
    Rule(
        id="unsteady-passes",
        version=1,
        kind=Kind.ENVIRONMENT,
        text="unsteady",
        explanation="The passes of the headline lie far apart: the figure depends on the moment "
        "when it was taken.",
        border=f"Speaks where slowest and fastest pass are over {UNSTEADY_SPREAD:.0%} of their "
        "median apart.",
        origin="The engine repeats itself with a coefficient of variation of 2.4 % on a drive that "
        "is left alone; three values lie 4.12 standard deviations apart once in a hundred runs.",
        remedy="Measure several times, at several hours: machines count with their median.",
        check=noise.unsteady_passes,
    ),
    Rule(
        id="burst",
        version=2,
        kind=Kind.ENVIRONMENT,
        text="rate fell for good",
        explanation="The rate of commits fell during the run and did not come back: burst credits "
        "were used up, or a cache was full. The first part is not what lasts.",
        border=f"Speaks where the median falls to {CLIFF_RATIO:.0%} or less and stays there, each "
        f"side {SIDE_MIN / 10:g} seconds or longer. Of more than {INTERVALS_MAX:,} tenths of a "
        "second, several are added up to one.",
        origin="Binary segmentation on the logarithm of the rate, at an error of 1 % a series; see "
        "the cliff on the method page.",
        remedy="Run the suite `deep`, whose sustained write shows what remains.",
        check=noise.burst,
    ),
)

RULES: Final = STORAGE + MACHINE

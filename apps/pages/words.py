"""The sentences of the site: what a level means, what an interval is, what a workload does."""

from dataclasses import dataclass

from apps.drives.models import PowerLossProtection
from apps.rankings.models import Evidence
from apps.runs.models import Level

HEADLINE_WORKLOAD = "commit-8k"
PUBLISHED_HEADLINE_WORKLOAD = "fallocated-8k-fsync"
UNSYNCED_WORKLOAD = "mix-4k-write"  # what a test that never syncs says about a drive

LEVEL_BARS = 4  # Signed, Witnessed, Placed, Reproduced


@dataclass(frozen=True, slots=True)
class LevelWords:
    """A level: its word, how many bars it fills, and what it lets a reader conclude."""

    word: str
    bars: int
    explanation: str


LEVELS: dict[str, LevelWords] = {
    Level.PUBLISHED: LevelWords(
        "Published",
        0,
        "Figures that somebody else measured and published, transcribed with a citation. "
        "They are shown beside measured runs and never counted with them.",
    ),
    Level.SIGNED: LevelWords(
        "Signed",
        1,
        "The bytes are unchanged since this key signed them. It was measured without our "
        "challenge, or the challenge came back too late, so it is shown and does not count "
        "in standings.",
    ),
    Level.WITNESSED: LevelWords(
        "Witnessed",
        2,
        "Signed, and tied to a single-use challenge that we issued before the run and that came "
        "back after a time that fits it. The run was not prepared before we asked for it.",
    ),
}

WHAT_TRUST_MEANS = (
    "A signature proves which key sent these bytes and that nobody changed them since. A witnessed "
    "run proves it was not prepared before we asked for it. Neither proves the machine told the "
    "truth: whoever controls a machine can make fsync return early. We make lying slow, visible "
    "and outnumbered \u2013 never impossible. “Fast” may also mean “not durable”: runs faster "
    "than the medium allows are labelled, not celebrated."
)

INTERVALS = {
    "samples": "slowest to fastest half second of one run",
    "repeats": "lowest to highest of the repeats",
    "machines": "lowest to highest machine",
    "uploaders": "lowest to highest uploader",
}

INTERFACES: dict[str, str] = {"nvme": "NVMe", "sata": "SATA", "sas": "SAS", "dimm": "DIMM"}

PLP_WORDS: dict[str, str] = {
    PowerLossProtection.FULL: "power-loss protection",
    PowerLossProtection.PARTIAL: "protects data at rest only",
    PowerLossProtection.NONE: "no power-loss protection",
}
PLP_SHORT: dict[str, str] = {
    PowerLossProtection.FULL: "PLP",
    PowerLossProtection.PARTIAL: "partial PLP",
    PowerLossProtection.NONE: "no PLP",
}

SIDES = {
    "commit": "write and sync together",
    "sync": "the sync alone",
    "write": "the write alone",
    "read": "one read",
    "completion": "completion, as fio reports it",
}

# Groups of a board in the order in which a reader wants them: what we measure first, then the
# published shapes with one writer that syncs each write, the most common first.
BOARD_ORDER = (
    HEADLINE_WORKLOAD,
    "commit-8k-fsync",
    "commit-8k-dsync",
    PUBLISHED_HEADLINE_WORKLOAD,
    "direct-16k-fsync",
    "direct-16k-fdatasync",
    "randwrite-4k-fsync",
    "direct-2m-fsync",
    "direct-2m-fdatasync",
)


@dataclass(frozen=True, slots=True)
class WorkloadWords:
    """What a workload does, for a reader who has not read its definition."""

    title: str
    note: str
    is_commit: bool = True


WORKLOADS = {
    "commit-8k": WorkloadWords(
        "8 KiB overwrite + fdatasync",
        "What a write-ahead log does: a fully written 64 MiB file is overwritten through the page "
        "cache, fdatasync after each write, one writer.",
    ),
    "commit-8k-fsync": WorkloadWords(
        "8 KiB overwrite + fsync", "The same overwrite, with fsync in place of fdatasync."
    ),
    "commit-8k-dsync": WorkloadWords(
        "8 KiB overwrite, O_DSYNC",
        "The file is opened with O_DSYNC: each write returns once it is durable.",
    ),
    "read-4k-floor": WorkloadWords(
        "4 KiB random read, O_DIRECT",
        "One read at a time past the page cache: how fast this device answers at all. Faster than "
        "flash can be means that a cache answers.",
        is_commit=False,
    ),
    "fallocated-8k-fsync": WorkloadWords(
        "8 KiB into unwritten extents + fsync",
        "fio, buffered, a new file that was only allocated. Slower than overwriting on ext4: each "
        "sync also commits the journal.",
    ),
    "direct-16k-fsync": WorkloadWords(
        "16 KiB O_DIRECT + fsync", "fio past the page cache, fsync after each write, one job."
    ),
    "direct-16k-fdatasync": WorkloadWords(
        "16 KiB O_DIRECT + fdatasync",
        "fio past the page cache, fdatasync after each write, one job.",
    ),
    "direct-2m-fsync": WorkloadWords(
        "2 MiB O_DIRECT + fsync", "fio past the page cache in large blocks, fsync after each."
    ),
    "direct-2m-fdatasync": WorkloadWords(
        "2 MiB O_DIRECT + fdatasync",
        "fio past the page cache in large blocks, fdatasync after each.",
    ),
    "randwrite-4k-fsync": WorkloadWords(
        "4 KiB random write + fsync",
        "fio, O_DIRECT, one in flight. Latency is fio's completion latency, not that of the sync.",
    ),
    "commit-8k-rwf-dsync": WorkloadWords(
        "8 KiB overwrite, RWF_DSYNC",
        "Each write asks by itself to be durable when it returns.",
    ),
    "fallocated-2300-fdatasync": WorkloadWords(
        "2,300 bytes into unwritten extents + fdatasync",
        "What etcd's documentation asks of a disk: 99 of 100 syncs in less than 10 ms.",
    ),
    "append-8k-fdatasync": WorkloadWords(
        "8 KiB append + fdatasync",
        "The file grows with each write, so each sync makes its new size durable too.",
    ),
    "doublewrite-16k-batch": WorkloadWords(
        "InnoDB's doublewrite, 64 pages of 16 KiB",
        "The pages in one write, fsync, then each in its place, fsync.",
        is_commit=False,
    ),
    "direct-16k-nosync": WorkloadWords(
        "16 KiB O_DIRECT, no sync",
        "Past the page cache, one at a time; the device may keep it in its cache.",
        is_commit=False,
    ),
    "direct-2m-nosync": WorkloadWords(
        "2 MiB O_DIRECT, no sync",
        "Past the page cache in large blocks, one at a time.",
        is_commit=False,
    ),
    "randwrite-8k-fsync-qd32x4": WorkloadWords(
        "8 KiB random write + fsync, 128 in flight",
        "Each write waits for an fsync of its own; most of its latency is waiting in line.",
        is_commit=False,
    ),
    "randread-4k-qd1": WorkloadWords(
        "4 KiB random read, one at a time", "Past the page cache, over 4 GiB.", is_commit=False
    ),
    "randread-4k-qd32": WorkloadWords(
        "4 KiB random read, 32 in flight", "Past the page cache.", is_commit=False
    ),
    "randwrite-4k-qd32": WorkloadWords(
        "4 KiB random write, 32 in flight", "Past the page cache, no sync.", is_commit=False
    ),
    "seqread-256k-qd8": WorkloadWords(
        "256 KiB sequential read, 8 in flight", "Past the page cache.", is_commit=False
    ),
    "seqwrite-256k-qd8": WorkloadWords(
        "256 KiB sequential write, 8 in flight", "Past the page cache, no sync.", is_commit=False
    ),
    "randread-8k-qd32x4": WorkloadWords(
        "8 KiB random read, 128 in flight", "Past the page cache, four jobs.", is_commit=False
    ),
    "mix-4k": WorkloadWords(
        "4 KiB mix, 128 in flight", "Half reads, half writes.", is_commit=False
    ),
    "mix-64k": WorkloadWords(
        "64 KiB mix, 128 in flight", "Half reads, half writes.", is_commit=False
    ),
    "mix-512k": WorkloadWords(
        "512 KiB mix, 128 in flight", "Half reads, half writes.", is_commit=False
    ),
    "mix-1m": WorkloadWords(
        "1 MiB mix, 128 in flight", "Half reads, half writes.", is_commit=False
    ),
    "hiccup": WorkloadWords(
        "Gaps between clock readings",
        "How long the machine lets nobody run: what every tail here holds of its own.",
        is_commit=False,
    ),
    "empty-flush": WorkloadWords(
        "fdatasync with nothing to do",
        "Not longer than the way to the device and back: then a flush does no work there.",
        is_commit=False,
    ),
}


def workload_title(workload: str, fallback: str = "") -> str:
    """The title of a workload; one that these pages do not know keeps the title it came with."""
    words = WORKLOADS.get(workload)
    return words.title if words else fallback or workload


def workload_note(workload: str) -> str:
    """What a workload does; empty where nothing is known beyond its title."""
    words = WORKLOADS.get(workload)
    return words.note if words else ""


def level_words(level: str) -> LevelWords:
    """The words of a level; a level newer than this page keeps its own name."""
    return LEVELS.get(level) or LevelWords(level.capitalize(), 0, "")


def plp_words(plp: str) -> str:
    """Power-loss protection in words."""
    return PLP_WORDS.get(plp, "protection not stated")


def plp_short(plp: str) -> str:
    """Power-loss protection for a line with little room; nothing where nobody says."""
    return PLP_SHORT.get(plp, "")


def rate_is(*, is_one_writer: bool) -> str:
    """What 1 / rate is: the mean time of an operation only where one is in flight at a time."""
    return "mean" if is_one_writer else "1 / rate"


def count(n: int, thing: str) -> str:
    """A count with its noun: 1 run, 2 runs."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def evidence_note(*, evidence: str, n_runs: int, n_machines: int, n_uploaders: int) -> str:
    """How many stand behind a figure."""
    if evidence == Evidence.PUBLISHED:
        return count(n_runs, "run")
    return f"{count(n_machines, 'machine')} / {count(n_uploaders, 'uploader')}"

"""The sentences of the site: what a level means, what an interval is, what a workload does."""

from dataclasses import dataclass

from apps.drives.models import PowerLossProtection
from apps.plans.placement import Basis
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence
from apps.runs.models import FlushVerdict, Level
from apps.runs.rules.rule import Kind

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
    Level.IMPORTED: LevelWords(
        "Imported",
        0,
        "The output of a benchmark that somebody gave us, read by this site; each figure names its "
        "line. Nobody signed it, and nothing shows which machine it is of. It is shown and never "
        "ranked.",
    ),
    Level.SIGNED: LevelWords(
        "Signed",
        1,
        "The bytes are unchanged since this key signed them. It was measured without our "
        "challenge, the challenge came back too late, or its figures do not fit each other, so "
        "it is shown and does not count in standings.",
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
    "lag": "how late the machine was",
}

# What decided on which plan a run stands, and what it is worth.
PLAN_BASES: dict[str, tuple[str, str]] = {
    Basis.INSTANCE_TYPE: ("the firmware's instance type", "a claim does not overrule it"),
    Basis.METADATA: ("the cloud's metadata", "a claim does not overrule it"),
    Basis.CLAIM: ("the claim", "nobody can check it where the machine names no type"),
    Basis.FIRMWARE: ("the firmware", "it names the provider, and no plan that is listed"),
    Basis.NETWORK: (
        "the network of the upload",
        "nobody names a provider; an upload through a VPN, or sent later from elsewhere, misleads",
    ),
    Basis.DEVICE: ("the drive", "nobody says what was rented, or that it was"),
}

# What a rule is about: a title, and a sentence for the list of rules.
RULE_KINDS: dict[str, tuple[str, str]] = {
    Kind.FRESHNESS: ("Freshness", "Whether the run was made when we asked for it."),
    Kind.CONSISTENCY: (
        "Consistency",
        "Whether the figures fit each other and our own clock. What does not fit is in quarantine.",
    ),
    Kind.IDENTITY: (
        "What was measured",
        "Whether claim, machine, drive and network say the same of it.",
    ),
    Kind.ENVIRONMENT: ("Surroundings", "Where the file lay, and what else went on meanwhile."),
    Kind.PHYSICS: ("Physics", "Whether the medium can do that and keep it through a power cut."),
    Kind.PEERS: ("Peers", "Whether a run lies far from those of others of the same kind."),
    Kind.BEHAVIOUR: ("How runs come in", "Nothing of this keeps a run out of standings."),
}

# What a run shows about the way of a commit to the medium. Never more than was seen.
FLUSH_VERDICTS: dict[str, tuple[str, str]] = {
    FlushVerdict.PROTECTED: (
        "protected cache",
        "A commit may be acknowledged from a memory that survives a power cut.",
    ),
    FlushVerdict.VOLATILE: (
        "honest volatile cache",
        "The cache would lose data in a power cut, and is emptied before a commit is answered.",
    ),
    FlushVerdict.SUSPICIOUS: (
        "suspicious",
        "Something does not fit commits that survive a power cut. It is a question, no more.",
    ),
    FlushVerdict.UNKNOWN: (
        "unknown",
        "What was measured fits a protected cache as well as one that is not emptied.",
    ),
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


def covered(coverage: float, *, n_uploaders: int) -> str:
    """What an interval over uploaders is."""
    return f"holds the median of uploaders in {coverage:.1%}, from {n_uploaders} of them"


def span(low: int | None, high: int | None) -> str:
    """A range of ranks; one rank where both ends are the same."""
    return f"{low}" if low == high else f"{low}\u2013{high}"


def region(group: str) -> str:
    """A group of regions in words; nothing where it is not known."""
    return GROUPS.get(group, "")


def variant(number: int, of: int) -> str:
    """Which kind of storage a row is of, where a plan has several."""
    return f"storage kind {number} of {of}" if number else ""

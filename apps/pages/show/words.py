"""Words that several pages say: what a level means, what an interval is."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.pages.show.phrases import WordTable, translate
from apps.plans.placement import Basis
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence
from apps.runs.models import EXAMPLE, FlushVerdict, Level
from apps.runs.rules.rule import RuleKind


@dataclass(frozen=True, slots=True)
class LevelWords:
    """A level: its word, how many bars it fills, and what it lets a reader conclude."""

    word: str
    bars: int
    explanation: str


LEVELS: Final[dict[str, LevelWords]] = {
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
    EXAMPLE: LevelWords(
        "Made-up example",
        0,
        "Nobody measured this: it is made up, to look at pages. It stands among examples alone, "
        "and nothing that is counted or answered rests on it.",
    ),
}

WHAT_TRUST_MEANS = gettext_lazy(
    "A signature proves which key sent these bytes and that nobody changed them since. A witnessed "
    "run proves it was not prepared before we asked for it. Neither proves the machine told the "
    "truth: whoever controls a machine can make fsync return early. We make lying slow, visible "
    "and outnumbered \u2013 never impossible. “Fast” may also mean “not durable”: runs faster "
    "than the medium allows are labelled, not celebrated."
)

INTERVALS: Final = WordTable(
    {
        "samples": "slowest to fastest half second of one run",
        "repeats": "lowest to highest of the repeats",
        "filesystems": "lowest to highest on several filesystems",
        "machines": "lowest to highest machine",
        "uploaders": "lowest to highest uploader",
    }
)

PLP_WORDS: Final = WordTable(
    {
        PowerLossProtection.FULL: "power-loss protection",
        PowerLossProtection.PARTIAL: "protects data at rest only",
        PowerLossProtection.NONE: "no power-loss protection",
    }
)
SIDES: Final = WordTable(
    {
        "commit": "write and sync together",
        "sync": "the sync alone",
        "write": "the write alone",
        "read": "one read",
        "completion": "completion, as fio reports it",
        "submission": "submission, as fio reports it",
        "transaction": "one transaction of a database",
        "lag": "how late the machine was",
    }
)

# What decided on which plan a run stands, and what it is worth.
PLAN_BASES: Final = WordTable(
    {
        Basis.INSTANCE_TYPE: ("the firmware's instance type", "a claim does not overrule it"),
        Basis.METADATA: ("the cloud's metadata", "a claim does not overrule it"),
        Basis.CLAIM: ("the claim", "nobody can check it where the machine names no type"),
        Basis.FIRMWARE: ("the firmware", "it names the provider, and no plan that is listed"),
        Basis.NETWORK: (
            "the network of the upload",
            (
                "nobody names a provider; an upload through a VPN, or sent later from elsewhere, "
                "misleads"
            ),
        ),
        Basis.DEVICE: ("the drive", "nobody says what was rented, or that it was"),
    }
)

# What a rule is about: the question that it answers.
RULE_KINDS: Final = WordTable(
    {
        RuleKind.FRESHNESS: "Was it made when we asked for it?",
        RuleKind.CONSISTENCY: "Do the figures fit each other?",
        RuleKind.IDENTITY: "What was measured?",
        RuleKind.ENVIRONMENT: "What went on around it?",
        RuleKind.PHYSICS: "Can the medium do that?",
        RuleKind.PEERS: "Do others measure the same?",
        RuleKind.BEHAVIOUR: "How do runs come in?",
    }
)

# What a run shows about the way of a commit to the medium, and never more than was seen.
FLUSH_VERDICTS: Final = WordTable(
    {
        FlushVerdict.PROTECTED: (
            "protected cache",
            "A commit may be acknowledged from a memory that survives a power cut.",
        ),
        FlushVerdict.VOLATILE: (
            "honest volatile cache",
            "Nothing speaks against flushes that empty the cache. Only a power cut can tell.",
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
)

SEGMENTS: Final = WordTable(
    {
        "consumer": "for consumers", "datacenter": "for data centres", "cloud": "of a cloud",
        "prosumer": "for enthusiasts",
    }
)  # fmt: skip
FLASH: Final = WordTable({"unknown": "not stated", "none": "none", "3dxpoint": "3D XPoint"})
DRAM: Final = WordTable(
    {"yes": "with DRAM", "no": "without DRAM", "hmb": "uses the host's memory (HMB)"}
)

# What is counted, with the noun for one and for more: 1 run, 2 runs.
NOUNS: Final = {
    "commit": ("%(n)s commit", "%(n)s commits"),
    "machine": ("%(n)s machine", "%(n)s machines"),
    "operation": ("%(n)s operation", "%(n)s operations"),
    "plan": ("%(n)s plan", "%(n)s plans"),
    "published run": ("%(n)s published run", "%(n)s published runs"),
    "processor": ("%(n)s processor", "%(n)s processors"),
    "read": ("%(n)s read", "%(n)s reads"),
    "run": ("%(n)s run", "%(n)s runs"),
    "trial": ("%(n)s trial", "%(n)s trials"),
    "uploader": ("%(n)s uploader", "%(n)s uploaders"),
    "vCPU": ("%(n)s vCPU", "%(n)s vCPUs"),
    "write": ("%(n)s write", "%(n)s writes"),
}

TABLES: Final = (
    INTERVALS, PLP_WORDS, SIDES, PLAN_BASES, RULE_KINDS, FLUSH_VERDICTS,
    SEGMENTS, FLASH, DRAM,
)  # fmt: skip


def level_words(level: str) -> LevelWords:
    """The words of a level; a level newer than this page keeps its own name."""
    level_entry = LEVELS.get(level)
    if level_entry is None:
        return LevelWords(level.capitalize(), 0, "")
    return LevelWords(
        translate(level_entry.word), level_entry.bars, translate(level_entry.explanation)
    )


def level_of(evidence: str) -> str:
    """The level to show beside a standing: measured ones count witnessed runs only."""
    if is_made_up(evidence):
        return EXAMPLE
    return Level.PUBLISHED if evidence == Evidence.PUBLISHED else Level.WITNESSED


def is_made_up(evidence: str) -> bool:
    """Whether figures of this kind are examples, which nobody measured."""
    return evidence == Evidence.EXAMPLE


def made_up_title(title: str) -> str:
    """The title of a run that nobody measured."""
    return gettext("Made-up example: %(title)s") % {"title": title}


def plp_words(plp: str) -> str:
    """Power-loss protection in words."""
    return PLP_WORDS.get(plp) or gettext("protection not stated")


def rate_is(*, is_one_writer: bool) -> str:
    """What 1 / rate is: the mean time of an operation only where one is in flight at a time."""
    # Translators: stands before a latency: the mean time of a commit.
    return gettext("mean") if is_one_writer else gettext("1 / rate")


def count(n: int, thing: str) -> str:
    """A count with its noun: 1 run, 2 runs; a noun that is not among NOUNS stays English."""
    one, more = NOUNS.get(thing, (f"%(n)s {thing}", f"%(n)s {thing}s"))
    return ngettext(one, more, n) % {"n": f"{n:,}"}


def fractional_count(amount: float, thing: str) -> str:
    """An amount that may have decimals, with its noun of NOUNS: 1 processor, 0.5 processors."""
    one, more = NOUNS[thing]
    return ngettext(one, more, plural_of(amount)) % {"n": f"{amount:g}"}


def plural_of(amount: float | Decimal) -> int:
    """A count for choosing the plural of an amount: every amount but 1 takes the plural."""
    return 1 if amount == 1 else 2


def evidence_note(*, evidence: str, n_runs: int, n_machines: int, n_uploaders: int) -> str:
    """How many stand behind a figure."""
    if evidence == Evidence.PUBLISHED:
        return count(n_runs, "run")
    counts = f"{count(n_machines, 'machine')} / {count(n_uploaders, 'uploader')}"
    return gettext("made up: %(counts)s") % {"counts": counts} if is_made_up(evidence) else counts


def covered(coverage: float, *, n_uploaders: int) -> str:
    """What an interval over uploaders is."""
    sentence = gettext("holds the median of all uploaders in %(share)s of cases, by %(n)s of them")
    return sentence % {"share": f"{coverage:.1%}", "n": n_uploaders}


def covered_of_kind(coverage: float, *, n_uploaders: int) -> str:
    """What an interval over the uploaders of one kind of storage is."""
    sentence = gettext(
        "holds the median of those who got this kind of storage in %(share)s of cases, by %(n)s of "
        "them"
    )
    return sentence % {"share": f"{coverage:.1%}", "n": n_uploaders}


def span(low: int | None, high: int | None) -> str:
    """A range of ranks; one rank where both ends are the same."""
    return f"{low}" if low == high else f"{low}\u2013{high}"


def region(group: str) -> str:
    """A group of regions in words; nothing where it is not known."""
    return translate(GROUPS.get(group, ""))


def variant(number: int, count: int) -> str:
    """Which kind of storage a row is of, where a plan has several."""
    if not number:
        return ""
    return gettext("storage kind %(number)s of %(of)s") % {"number": number, "of": count}


def badge_alt_of(name: str) -> str:
    """What the picture of a badge is of: all that is spoken of it behind an <img>.

    Without a figure: the picture follows its standing, and the text that was copied does not.
    """
    return _(
        "%(name)s: badge with its durable commits a second and how much stands behind them"
    ) % {"name": name}

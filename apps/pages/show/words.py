"""Words that several pages say: what a level means, what an interval is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, gettext_lazy, ngettext

from apps.drives.models import PowerLossProtection
from apps.pages.show.address.badges import METRICS
from apps.pages.show.phrases import WordTable, join_facts, translate, with_name
from apps.plans.placement import Basis
from apps.plans.regions import GROUPS
from apps.rankings.models import Evidence
from apps.runs.clouds.documents import Refused
from apps.runs.models import EXAMPLE, FlushVerdict, Level
from apps.runs.rules.rule import RuleKind

if TYPE_CHECKING:
    from decimal import Decimal

    from apps.runs.clouds.selectors import Challenges


REPRODUCED: Final = "reproduced"  # of a standing, never of a run
VPS: Final = "vps"  # stands for every virtual machine in addresses


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
        "Somebody else measured and published it; we cite the source. Sorted, not ranked.",
    ),
    Level.IMPORTED: LevelWords(
        "Imported",
        0,
        "Read from the output of a benchmark, which nobody signed. Sorted, not ranked.",
    ),
    Level.SIGNED: LevelWords(
        "Signed",
        1,
        "Unchanged since this key signed it. The challenge is missing or late, or figures do not "
        "fit each other, so it does not count.",
    ),
    Level.WITNESSED: LevelWords(
        "Witnessed",
        2,
        "Signed, with a single-use challenge that we issued before the run and that came back in "
        "time: it was not prepared before we asked.",
    ),
    Level.PLACED: LevelWords(
        "Placed",
        3,
        "Witnessed, and the provider signed what or where the machine is; nobody signed that its "
        "figures are true.",
    ),
    Level.LAB: LevelWords(
        "Lab",
        3,
        "Witnessed, by a laboratory whose set-up is public. It stands beside what others measured "
        "and never counts with it.",
    ),
    REPRODUCED: LevelWords(
        "Reproduced",
        4,
        "Three claimed accounts or more that have nothing to do with each other measured the same "
        "rate.",
    ),
    EXAMPLE: LevelWords(
        "Made-up example",
        0,
        "Made up, to look at pages. Nothing that counts rests on it.",
    ),
}

WHAT_TRUST_MEANS = gettext_lazy(
    "A signature proves who sent it, not that the disk told the truth: whoever controls a machine "
    "can make fsync return early. Runs faster than the medium allows are labelled and kept out."
)

INTERVALS: Final = WordTable(
    {
        "samples": "slowest to fastest half second of one run",
        "repeats": "between repeats",
        "filesystems": "between filesystems",
        "machines": "between machines",
        "uploaders": "between uploaders",
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
        "commit": "commit",
        "sync": "sync",
        "write": "write",
        "read": "read",
        "completion": "completion",
        "submission": "submission",
        "transaction": "transaction",
        "lag": "lag",
    }
)

# What decided on which plan a run stands, and what it is worth.
PLAN_BASES: Final = WordTable(
    {
        Basis.INSTANCE_TYPE: ("the firmware's instance type", ""),
        Basis.METADATA: ("the cloud's metadata", ""),
        Basis.CLAIM: ("the claim", "nobody can check it"),
        Basis.FIRMWARE: ("the firmware", ""),
        Basis.NETWORK: ("the network of the upload", "a VPN misleads"),
        Basis.DEVICE: ("the drive", ""),
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
        RuleKind.DECISION: "What do its owner and moderators say?",
    }
)

# What a run shows about the way of a commit to the medium, and never more than was seen.
FLUSH_VERDICTS: Final = WordTable(
    {
        FlushVerdict.PROTECTED: (
            "protected cache",
            "A commit is acknowledged from a memory that survives a power cut.",
        ),
        FlushVerdict.VOLATILE: (
            "honest volatile cache",
            "Flushes seem to empty the cache. Only a power cut can tell.",
        ),
        FlushVerdict.SUSPICIOUS: (
            "suspicious",
            "Something does not fit commits that survive a power cut.",
        ),
        FlushVerdict.UNKNOWN: (
            "unknown",
            "A protected cache and one that is not emptied look the same here.",
        ),
    }
)

# Why the document of a provider proves nothing of a run.
PROOF_REFUSALS: Final = WordTable(
    {
        Refused.UNREADABLE: "it cannot be read",
        Refused.NO_CERTIFICATE: "no certificate is known here by which to check it",
        Refused.NOT_SIGNED: "the signature is not the provider's",
        Refused.OTHER_CHALLENGE: "it was made for another challenge",
        Refused.EXPIRED: "it is of another time",
        Refused.NOT_ITS_NETWORK: "the upload came from another network",
        Refused.OTHER_KEY: "the machine vouched for another key",
        Refused.OTHER_TYPE: "it is of another plan",
        Refused.OTHER_PLACE: "it is of another region",
    }
)

FLASH: Final = WordTable({"unknown": "not stated", "none": "none"})

# What is counted, with the noun for one and for more: 1 run, 2 runs.
NOUNS: Final = {
    "commit": ("%(n)s commit", "%(n)s commits"),
    "machine": ("%(n)s machine", "%(n)s machines"),
    "operation": ("%(n)s operation", "%(n)s operations"),
    "plan": ("%(n)s plan", "%(n)s plans"),
    "published run": ("%(n)s published run", "%(n)s published runs"),
    "processor": ("%(n)s processor", "%(n)s processors"),
    "run": ("%(n)s run", "%(n)s runs"),
    "source": ("%(n)s source", "%(n)s sources"),
    "uploader": ("%(n)s uploader", "%(n)s uploaders"),
    "vCPU": ("%(n)s vCPU", "%(n)s vCPUs"),
}


TABLES: Final = (
    INTERVALS, PLP_WORDS, SIDES, PLAN_BASES, RULE_KINDS, FLUSH_VERDICTS, PROOF_REFUSALS, FLASH,
)  # fmt: skip


def level_words(level: str) -> LevelWords:
    """The words of a level; a level newer than this page keeps its own name."""
    level_entry = LEVELS.get(level)
    if level_entry is None:
        return LevelWords(level.capitalize(), 0, "")
    return LevelWords(
        translate(level_entry.word), level_entry.bars, translate(level_entry.explanation)
    )


def level_of(evidence: str, *, is_reproduced: bool = False) -> str:
    """The level to show beside a standing: measured ones count witnessed runs only."""
    if is_made_up(evidence):
        return EXAMPLE
    if evidence == Evidence.LAB:
        return Level.LAB
    if is_reproduced:
        return REPRODUCED
    return Level.PUBLISHED if evidence == Evidence.PUBLISHED else Level.WITNESSED


def is_made_up(evidence: str) -> bool:
    """Whether figures of this kind are examples, which nobody measured."""
    return evidence == Evidence.EXAMPLE


def made_up_title(title: str) -> str:
    """The title of a run that nobody measured."""
    return with_name(level_words(EXAMPLE).word, title)


def never_reported(challenges: Challenges) -> str:
    """How many of the runs that were asked for never came."""
    return gettext("%(abandoned)s of %(issued)s runs") % {
        "abandoned": f"{challenges.abandoned:,}",
        "issued": f"{challenges.issued:,}",
    }


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
    return join_facts((gettext("made-up example"), counts)) if is_made_up(evidence) else counts


def covered(coverage: float) -> str:
    """How often an interval over uploaders holds their median."""
    return gettext("%(share)s interval") % {"share": f"{coverage:.1%}"}


def span(low: int | None, high: int | None) -> str:
    """A range of ranks; one rank where both ends are the same."""
    return f"{low}" if low == high else f"{low}\u2013{high}"


def page_words(page: int) -> str:
    """Which page a title is of; nothing of the first."""
    return gettext("page %(page)s") % {"page": page} if page > 1 else ""


def region(group: str) -> str:
    """A group of regions in words; nothing where it is not known."""
    return translate(GROUPS.get(group, ""))


def variant(number: int, count: int) -> str:
    """Which kind of storage a row is of, where a plan has several."""
    if not number:
        return ""
    return gettext("storage kind %(number)s of %(of)s") % {"number": number, "of": count}


def badge_alt_of(name: str, metric: str = "fsync") -> str:
    """What the picture of a badge is of: all that is spoken of it behind an <img>.

    Without a figure: the picture follows its standing, and the text that was copied does not.
    """
    return with_name(name, translate(METRICS[metric]))


def badge_alt_of_person(name: str) -> str:
    """What the picture of a person's badge is of."""
    return gettext("measured by %(name)s") % {"name": name}

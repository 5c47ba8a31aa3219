"""A question in words: software, kind of thing, provider, order, or what against what.

A small grammar and no more: words of a list are taken out of the text, and what is left may name a
thing. Chinese has no spaces, so there a word of the list may stand inside.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from apps.pages.search.query import in_latin
from apps.plans.models import VPS
from apps.plans.naming import PROVIDER_ALIASES, slug_of
from apps.plans.prices.currencies import EURO

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SIDES_MIN: Final = 2
SIDES_MAX: Final = 3  # of a comparison in words; one of more is made on its page
QUESTION_CHARACTERS_MAX: Final = 160  # as of every query

NS_A_MS: Final = 10**6
# The quickest drives that were sold, Optane, take 7 us and more to read 4 KiB.
QUICKEST_DRIVE_NS: Final = 5_000

# "A small Postgres": the need of the advisor's own small shop.
SMALL: Final = ("small", "little", "tiny", "\u5c0f\u578b", "\u5c0f")
SMALL_PER_S: Final = 200

PLANS, DRIVES = "plans", "drives"
RATE, COST = "rate", "cost"
DOLLAR: Final = "USD"


class SoftwareLink(NamedTuple):
    """What a software's name leads to."""

    guide: str  # its slug
    advisor: str = ""  # the id of the software there


class Budget(NamedTuple):
    """What a month is to cost at most."""

    amount: Decimal
    currency: str


class Kind(NamedTuple):
    """A kind of thing: a board, and one of its filters."""

    board: str
    filter: str = ""
    value: str = ""


POSTGRESQL: Final = SoftwareLink("oltp", "postgresql")
MYSQL: Final = SoftwareLink("oltp", "mysql")
DATABASE: Final = SoftwareLink("oltp", "commits")
ETCD: Final = SoftwareLink("etcd", "etcd")
ZFS: Final = SoftwareLink("zfs-slog", "zfs-slog")
CEPH: Final = SoftwareLink("ceph-wal", "ceph-wal")
SOFTWARE: Final[Mapping[str, SoftwareLink]] = {
    "postgres": POSTGRESQL, "postgresql": POSTGRESQL, "pg": POSTGRESQL, "oltp": POSTGRESQL,
    "mysql": MYSQL, "mariadb": MYSQL, "innodb": MYSQL,
    "sqlite": DATABASE,
    "database": DATABASE, "\u6570\u636e\u5e93": DATABASE,
    "mongodb": DATABASE, "redis": DATABASE, "rocksdb": DATABASE, "sql server": DATABASE,
    "wal": DATABASE, "write-ahead log": DATABASE,
    "etcd": ETCD, "kubernetes": ETCD, "k8s": ETCD, "k3s": ETCD,
    "kafka": SoftwareLink("ticks", "kafka"), "redpanda": SoftwareLink("ticks", "kafka"),
    "zfs": ZFS, "slog": ZFS, "zil": ZFS,
    "ceph": CEPH, "osd": CEPH,
}  # fmt: skip
HARD_DISK: Final = "hdd"  # the class of the ladder
HDD: Final = Kind(DRIVES, "media", HARD_DISK)
PLP: Final = Kind("", "plp", "full")  # of any board
NVME: Final = Kind(DRIVES, "storage", "nvme")
CONSUMER: Final = Kind(DRIVES, "segment", "consumer")
DATACENTER: Final = Kind(DRIVES, "segment", "datacenter")
DRIVE: Final = Kind(DRIVES)
PLAN: Final = Kind(PLANS)
VIRTUAL_MACHINE: Final = Kind(PLANS, "kind", VPS)
DEDICATED: Final = Kind(PLANS, "kind", "dedicated")
VOLUME: Final = Kind(PLANS, "kind", "volume")
KINDS: Final[Mapping[str, Kind]] = {
    "nvme": NVME,
    "sata": Kind(DRIVES, "storage", "sata"),
    "hdd": HDD, "hard disk": HDD, "hard drive": HDD, "\u673a\u68b0\u786c\u76d8": HDD,
    "plp": PLP, "power-loss protection": PLP, "power loss protection": PLP,
    "\u6389\u7535\u4fdd\u62a4": PLP,
    "ssd": DRIVE, "ssds": DRIVE, "drive": DRIVE, "drives": DRIVE, "disk": DRIVE,
    "\u56fa\u6001\u786c\u76d8": DRIVE, "\u786c\u76d8": DRIVE,
    "consumer": CONSUMER, "\u6d88\u8d39\u7ea7": CONSUMER,
    "datacenter": DATACENTER, "enterprise": DATACENTER, "\u4f01\u4e1a\u7ea7": DATACENTER,
    "vps": VIRTUAL_MACHINE, "dedicated": DEDICATED, "bare metal": DEDICATED,
    "\u72ec\u7acb\u670d\u52a1\u5668": DEDICATED, "\u7269\u7406\u673a": DEDICATED,
    "cloud": VIRTUAL_MACHINE, "\u4e91": VIRTUAL_MACHINE,
    "\u4e91\u670d\u52a1\u5668": VIRTUAL_MACHINE, "\u4e91\u4e3b\u673a": VIRTUAL_MACHINE,
    "volume": VOLUME, "block storage": VOLUME, "\u4e91\u76d8": VOLUME,
    "server": PLAN, "servers": PLAN, "plan": PLAN, "plans": PLAN, "instance": PLAN,
    "hosting": PLAN, "host": PLAN, "vm": PLAN, "vms": PLAN, "droplet": PLAN, "droplets": PLAN,
    "\u670d\u52a1\u5668": PLAN, "\u5957\u9910": PLAN,
}  # fmt: skip
ORDERS: Final[Mapping[str, str]] = {
    "best": RATE, "fastest": RATE, "quickest": RATE, "most": RATE,
    "lowest latency": RATE, "low latency": RATE,
    "\u6700\u597d": RATE, "\u6700\u5feb": RATE, "\u6700\u4f73": RATE, "\u6700\u591a": RATE,
    "cheap": COST, "cheapest": COST, "cheaper": COST, "per euro": COST, "per dollar": COST,
    "for the money": COST, "\u4fbf\u5b9c": COST, "\u6700\u4fbf\u5b9c": COST,
    "\u6bcf\u6b27\u5143": COST, "\u6027\u4ef7\u6bd4": COST,
}  # fmt: skip
# What asks for the price of the thing that is named, today's or an earlier one.
PRICE: Final = (
    "cost", "costs", "price", "prices", "priced", "pricing", "price history", "how much was",
    "how much is", "how much does", "how much did",
    "\u4ef7\u683c", "\u591a\u5c11\u94b1", "\u79df\u91d1", "\u6da8\u4ef7",
)  # fmt: skip
PRICE_DAYS: Final = (
    "last year", "a year ago", "this year", "last month", "now", "today", "history", "before",
    "\u53bb\u5e74", "\u4eca\u5e74", "\u4e00\u5e74\u524d", "\u73b0\u5728",
)  # fmt: skip
VERSUS: Final = (
    "vs.", "vs", "versus", "against", "or", "compared to", "compared with",
    "\u5bf9\u6bd4", "\u76f8\u6bd4", "\u8fd8\u662f", "\u4e0e", "\u548c", "\u6bd4",
)  # fmt: skip
COMPARES: Final = ("compare", "difference between")  # a text that begins so is parted by these too
ALSO_VERSUS: Final = ("and", "with", "to")
# Words of a question that name nothing.
STOP_WORDS: Final = frozenset({
    "a", "an", "the", "is", "are", "was", "be", "been", "can", "could", "do", "does", "did", "will",
    "would", "should", "what", "which", "who", "where", "how", "why", "when", "that", "this", "it",
    "its", "i", "me", "my", "we", "you", "your", "of", "on", "in", "at", "to", "for", "from",
    "with", "by", "as", "and", "than", "there", "much", "many", "fit", "good", "enough", "give",
    "gives", "get", "gets", "have", "has", "one", "any", "if", "per", "about", "really", "less",
})  # fmt: skip
FILLERS: Final = STOP_WORDS | frozenset({
    "use", "run", "runs", "running", "sure", "difference", "compare", "compared", "between",
    "durable", "commit", "commits", "fsync", "fdatasync", "latency", "iops", "slow", "fast",
    "second", "month", "cost", "costs", "small", "little", "big", "large", "need", "needs",
    "carry", "carries", "under", "below", "over", "says", "say", "possible",
    "faster", "slower", "quicker", "better",
})  # fmt: skip
_RATE: Final = re.compile(
    r"(?<![a-z0-9.,])(?P<number>\d{1,3}(?:[, ]\d{3})+|\d+(?:\.\d+)?)\s*(?:(?P<kilo>k)(?![a-z]))?\s*"
    r"(?:(?:durable |\u6b21?\u6301\u4e45\u5316)?"
    r"(?:commits|fsyncs|syncs|transactions|tps|\u6b21?\u63d0\u4ea4)"
    r"|(?:/|per|an?|each|every|\u6b21?\u6bcf|\u6b21?/)\s*(?:s|secs?|seconds?|\u79d2)(?![a-z]))"
)
_LATENCY_WORDS: Final = (
    r"(?P<number>\d+(?:\.\d+)?)\s*"
    r"(?P<unit>ns|us|\u03bcs|ms|nanoseconds?|microseconds?|milliseconds?|\u7eb3\u79d2|\u5fae\u79d2|\u6beb\u79d2)"
    r"(?![a-z])"
)
_P99: Final = re.compile(rf"p99[^\d]{{0,20}}{_LATENCY_WORDS}")
_UNDER: Final = re.compile(
    r"(?:under|below|within|less than|no more than|at most|up to|in|<=?|\u2264"
    r"|\u4f4e\u4e8e|\u5c0f\u4e8e|\u4e0d\u8d85\u8fc7|\u4e0d\u9ad8\u4e8e|\u6700\u591a)"
    rf"\s*{_LATENCY_WORDS}"
)
# In Chinese the word may stand behind: "2 ms \u4ee5\u5185".
_AT_MOST: Final = re.compile(
    rf"{_LATENCY_WORDS}\s*(?:\u4ee5\u5185|\u4e4b\u5185|\u5185|\u4ee5\u4e0b|\u4e4b\u4e0b|or less)"
)
_LATENCY: Final = re.compile(rf"(?<![\w.]){_LATENCY_WORDS}")
_MONEY: Final = re.compile(
    r"(?P<sign>[\u20ac$])\s*(?P<after>\d+(?:\.\d+)?)"
    r"|(?P<before>\d+(?:\.\d+)?)\s*"
    r"(?P<unit>[\u20ac$]|eur\b|euros?\b|usd\b|dollars?\b|\u6b27\u5143|\u7f8e\u5143)"
)
_DOLLARS: Final = ("$", "usd", "dollar", "\u7f8e")
_SYNC: Final = re.compile(r"sync|commit|\u540c\u6b65|\u63d0\u4ea4|\u843d\u76d8")
_YEAR: Final = re.compile(r"(?<!\w)20\d\d(?:\s*\u5e74)?(?!\w)")
_NS_OF_UNITS: Final = {"n": 1, "u": 10**3, "\u03bc": 10**3, "mi": 10**3, "m": 10**6,
                       "\u7eb3": 1, "\u5fae": 10**3, "\u6beb": 10**6}  # fmt: skip
_NAMING: Final = re.compile(r"[a-z0-9]")  # names of the catalogue are Latin
_WORD: Final = re.compile(r"[^\W_]+(?:[.\-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Question:
    """What a text asks, as far as the lists know its words."""

    software: SoftwareLink | None = None
    kinds: tuple[Kind, ...] = ()
    providers: tuple[str, ...] = ()  # slugs
    order: str = ""  # rate or cost; empty: it does not say
    rate_per_s: int | None = None
    p99_ms: str = ""
    latency_ns: float | None = None  # of which it is asked whether it can be
    sides: tuple[str, ...] = ()  # what is held against each other, two or more
    name: str = ""  # what is left, which may name a thing
    is_of_price: bool = False  # what that thing costs, or did
    is_small: bool = False  # the software has little to do
    is_of_sync: bool = False  # of a commit or its sync, not of a read
    budget: Budget | None = None

    @property
    def needed_per_s(self) -> int | None:
        """The rate that is asked for, in words or as a number."""
        if self.rate_per_s is None and self.is_small and self.software:
            return SMALL_PER_S
        return self.rate_per_s

    @property
    def board(self) -> str:
        """The board that it is about: that of a kind which it names; of providers plans."""
        if self.providers or not self.kinds:
            return PLANS
        return next((kind.board for kind in self.kinds if kind.board), DRIVES)

    @property
    def filters(self) -> dict[str, str]:
        """The filters of that board."""
        filters = {}
        if len(self.providers) == 1 and self.board == PLANS:
            filters["provider"] = self.providers[0]
        for kind in self.kinds:
            if kind.filter and kind.board in ("", self.board):
                filters.setdefault(kind.filter, kind.value)
        return filters

    @property
    def is_of_a_doubtful_latency(self) -> bool:
        """Whether it asks of a time in which no drive answers, and of nothing else."""
        return self.latency_ns is not None and self.latency_ns < QUICKEST_DRIVE_NS

    @property
    def is_of_cost(self) -> bool:
        """Whether the cheapest commits are asked for; drives have no price."""
        is_of_money = self.order == COST or (self.budget is not None and not self.order)
        return is_of_money and self.board == PLANS

    @property
    def is_of_plans(self) -> bool:
        """Whether plans are asked about as such: those of a provider, of a kind, or all."""
        is_of_kind = bool(self.kinds) and not (self.order or self.software)
        return bool(self.providers) or (is_of_kind and self.board == PLANS)

    @property
    def is_of_other_software(self) -> bool:
        """Whether a kind of thing is wanted for software that has no guide of its own."""
        return self.software == DATABASE and bool(self.kinds)

    @property
    def is_of_need(self) -> bool:
        """Whether plans are asked for that carry something; a budget alone says nothing of that."""
        if self.needed_per_s is not None or self.p99_ms:
            return True
        is_of_several = len(self.providers) >= SIDES_MIN
        is_within = self.budget is not None and self.board == PLANS and not self.name
        return self.software is not None and (is_of_several or is_within)

    @property
    def is_of_board(self) -> bool:
        """Whether it narrows or orders a board, and names no thing."""
        is_narrowed = self.kinds or self.order or self.providers or self.budget
        return not self.name and bool(is_narrowed)

    @property
    def is_asked(self) -> bool:
        """Whether it asks for something."""
        if self.sides or self.is_of_need or len(self.providers) > 1:
            return True
        if self.software or (self.is_of_price and (self.name or self.providers)):
            return True
        return self.is_of_board and bool(self.kinds or self.order or self.budget)

    @property
    def may_name(self) -> bool:
        """Whether its words may be of a name or a page as well: "Postgres storage", "hdd"."""
        others = (self.providers, self.order, self.name, self.p99_ms)
        return not any(others) and bool(self.software) != bool(self.kinds)

    @property
    def named(self) -> str:
        """What it names, with whose that is; of a comparison its sides."""
        if self.sides:
            return " ".join(self.sides)
        return " ".join([*self.providers, self.name]) if self.name else ""


@dataclass
class _Text:
    """What is still unread of a text; each word that is read is taken out."""

    rest: str
    taken: list[str] = field(default_factory=list)

    def take(self, words: Iterable[str]) -> list[str]:
        """Take out every one of these words that stands in the text, longer ones first."""
        found = []
        for word in sorted(words, key=len, reverse=True):
            # beside a Chinese sign begins a new word
            alone = rf"(?<![a-z0-9-]){re.escape(word)}(?![a-z0-9-])"
            pattern = alone if word.isascii() else re.escape(word)
            self.rest, count = re.subn(pattern, " ", self.rest)
            if count:
                found.append(word)
        return found

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take out what a pattern finds."""
        found = pattern.search(self.rest)
        if found:
            self.rest = f"{self.rest[: found.start()]} {self.rest[found.end() :]}"
        return found


def read_question(text: str, providers: Mapping[str, str]) -> Question:
    """Read a text as a question. `providers` are names, in small letters, and their slugs."""
    folded = unicodedata.normalize("NFKC", text[:QUESTION_CHARACTERS_MAX]).casefold()
    folded = in_latin(folded)
    unread = _Text(folded)
    p99, rate = unread.match(_P99), unread.match(_RATE)
    if rate and not p99:
        p99 = unread.match(_UNDER) or unread.match(_AT_MOST)
    latency = None if rate or p99 else unread.match(_LATENCY)
    whose = {**providers, **{name.replace("-", " "): name for name in PROVIDER_ALIASES}}
    named = sorted(unread.take(whose), key=folded.find)
    owners = tuple(dict.fromkeys(_slug(whose[name]) for name in named))
    is_of_plans = rate is None and p99 is None and len(owners) < SIDES_MIN
    if is_of_plans and (sides := _sides(folded)):
        return Question(sides=sides)
    orders = [ORDERS[word] for word in unread.take(ORDERS)]
    software = [SOFTWARE[word] for word in unread.take(SOFTWARE)]
    kinds = [KINDS[word] for word in unread.take(KINDS)]
    is_small = bool(unread.take(SMALL))
    money = unread.match(_MONEY)
    is_of_price = rate is None and bool(unread.take(PRICE))
    if is_of_price:
        unread.take(PRICE_DAYS)
        unread.match(_YEAR)
    return Question(
        software=software[0] if software else None,
        kinds=tuple(kinds),
        providers=owners,
        order=COST if COST in orders else next(iter(orders), ""),
        rate_per_s=_rate(rate) if rate else None,
        p99_ms=_milliseconds(p99) if p99 else "",
        latency_ns=_nanoseconds(latency) if latency else None,
        name=_name(unread.rest),
        is_of_price=is_of_price,
        is_small=is_small,
        is_of_sync=bool(_SYNC.search(folded)),
        budget=_budget(money) if money else None,
    )


def _budget(match: re.Match[str]) -> Budget:
    is_dollars = (match["sign"] or match["unit"]).startswith(_DOLLARS)
    return Budget(Decimal(match["after"] or match["before"]), DOLLAR if is_dollars else EURO)


def _slug(name: str) -> str:
    return PROVIDER_ALIASES.get(name, slug_of(name))


def _sides(text: str) -> tuple[str, ...]:
    """What stands on the sides of a word that compares; nothing where a side names nothing."""
    words = (*VERSUS, *ALSO_VERSUS) if text.strip().startswith(COMPARES) else VERSUS
    patterns = (
        rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word) for word in words
    )
    parts = re.split("|".join(patterns), text)
    names = tuple(name for part in parts if (name := _name(part)))
    return names[:SIDES_MAX] if len(names) >= SIDES_MIN else ()


def _name(text: str) -> str:
    """The words of a text that may name a thing of the catalogue."""
    words = [word for word in _WORD.findall(text) if word not in FILLERS]
    latin = [re.sub(r"[^\x00-\x7f]+", " ", word).strip() for word in words]
    return " ".join(word for word in latin if _NAMING.search(word))


def _rate(match: re.Match[str]) -> int:
    number = float(re.sub(r"[, ]", "", match["number"]))
    return round(number * (1_000 if match["kilo"] else 1))


def _nanoseconds(match: re.Match[str]) -> float:
    unit = match["unit"]
    key = unit[:2] if unit.startswith("mic") else unit[0]
    return float(match["number"]) * _NS_OF_UNITS[key]


def _milliseconds(match: re.Match[str]) -> str:
    return f"{_nanoseconds(match) / NS_A_MS:g}"

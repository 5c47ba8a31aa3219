"""What rules and the flush verdict find in a run, as sentences: known here, to be told by pages.

`apps.runs` writes them in English when a run comes in, and they are stored with it.
A sentence that is not known here stays English and is marked as such.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from apps.drives.media import NAMES
from apps.pages.show.said import listed, phrase_of, told
from apps.runs.verdict import (
    AS_SLOW_AS_MEDIUM,
    BY_DATA_SHEET,
    BY_OWN_WORD,
    DRAIN_WORDS,
    EMPTIED,
    FLUSHES_UNCLEAR,
    FUA_WORDS,
    ONLY_A_POWER_CUT,
)

# Figures as `phrase_of` leaves them out.
SENTENCES: Final = (
    "The agent did not reach a server before it measured.",
    "The challenge was issued %(n1)s %(n2)s:%(n3)s UTC.",
    "The challenge that the run names is not known here.",
    "The run names a challenge and carries no proof of its file contents.",
    "The proof is not that of the contents that the challenge demanded.",
    "The run was stopped before its end.",
    "The run carries a part of its suite.",
    "Workloads took %(n1)s ns, the whole run %(n2)s ns.",
    "The run says it took %(n1)s ns; by our clock %(n2)s ns went by.",
    (
        "Half of the commits took %(n1)s µs or less, half of the reads %(n2)s µs: %(n3)s times as "
        "long."
    ),
    (
        "The drive reports a volatile cache, and half of the syncs took %(n1)s µs or less; "
        "programming flash takes %(n2)s µs."
    ),
    "%(n1)s %% of the processors' time went to other machines.",
    (
        "From the slowest pass to the fastest it is %(n1)s%% of their median, %(n2)s commits a "
        "second; up to %(n3)s%% is steady."
    ),
    "After %(n1)s commits the rate fell from %(n2)s to %(n3)s a second and stayed there.",
    "The kernel takes the cache for write through; the drive says volatile.",
    BY_DATA_SHEET,
    BY_OWN_WORD,
    EMPTIED,
    AS_SLOW_AS_MEDIUM,
    FLUSHES_UNCLEAR,
    ONLY_A_POWER_CUT,
    "The drive itself says that it keeps a volatile cache.",
    "The data sheet names no protection of cached writes.",
    "Whether cached writes are protected is not known of this drive.",
    "Flushes were not counted.",
    "The drive finished %(n1)s flushes a commit.",
)
# What stands inside such sentences, and in facts about a device.
WORDS: Final = (
    "write back", "write through", "unknown", "FUA not known of all",
    *FUA_WORDS.values(), *DRAIN_WORDS.values(), *filter(None, NAMES.values()),
)  # fmt: skip
PATTERNS: Final = (
    (
        re.compile(r"The kernel sees the write cache as (?P<cache>.+), (?P<fua>[^,]+)\."),
        "The kernel sees the write cache as %(cache)s, %(fua)s.",
    ),
    (
        re.compile(r"A flush after 64 MiB took (?P<ratio>\S+) times an empty one: (?P<what>.+)\."),
        "A flush after 64 MiB took %(ratio)s times an empty one: %(what)s.",
    ),
    (
        re.compile(
            r"Half of the commits took (?P<time>\S+) µs or less, not below the floor of "
            r"(?P<what>.+), (?P<floor>\S+) µs\."
        ),
        (
            "Half of the commits took %(time)s µs or less, not below the floor of %(what)s, "
            "%(floor)s µs."
        ),
    ),
    (
        re.compile(
            r"Half of the reads took (?P<time>\S+) µs or less; "
            r"(?P<what>.+) needs (?P<floor>\S+) µs\."
        ),
        "Half of the reads took %(time)s µs or less; %(what)s needs %(floor)s µs.",
    ),
    (
        re.compile(r"Its uploader lies above .+ score (?P<score>\S+) among (?P<n>\d+) uploaders\."),
        (
            "Its uploader lies above the others of its cell: modified z-score %(score)s among "
            "%(n)s uploaders."
        ),
    ),
    (
        re.compile(r"Its uploader lies below .+ score (?P<score>\S+) among (?P<n>\d+) uploaders\."),
        (
            "Its uploader lies below the others of its cell: modified z-score %(score)s among "
            "%(n)s uploaders."
        ),
    ),
    (re.compile(r"The file lay on (?P<what>.+)\."), "The file lay on %(what)s."),
    (re.compile(r"The filesystem is (?P<what>\S+)\."), "The filesystem is %(what)s."),
    (re.compile(r"Mounted with (?P<flags>.+)\."), "Mounted with %(flags)s."),
    (re.compile(r"The clock source is (?P<what>\S+)\."), "The clock source is %(what)s."),
    (
        re.compile(r"Measured in an older version: (?P<workloads>.+)\."),
        "Measured in an older version: %(workloads)s.",
    ),
    (
        re.compile(r"Version (?P<version>\S+) is not one that this server knows\."),
        "Version %(version)s is not one that this server knows.",
    ),
    (
        re.compile(r"Version (?P<version>\S+) does not say from which commit it was built\."),
        "Version %(version)s does not say from which commit it was built.",
    ),
)


def told_detail(sentence: str) -> str:
    """What a rule found, in the language of the page; as it stands where it is not known here."""
    for pattern, text in PATTERNS:
        if found := pattern.fullmatch(sentence):
            values = found.groupdict().items()
            return told(text) % {
                name: listed(told(each) for each in value.split(", ")) for name, value in values
            }
    key, figures = phrase_of(sentence)
    return told(key) % figures if key in SENTENCES else sentence


def marked_detail(sentence: str) -> str | SafeString:
    """The same for a page: what stayed English on a page of another language is marked so."""
    said = told_detail(sentence)
    if said != sentence or (get_language() or "en").startswith("en"):
        return said
    return format_html('<span lang="en">{}</span>', sentence)

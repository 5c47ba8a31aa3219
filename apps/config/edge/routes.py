"""What each address may be sent, and whose quota a request uses: one table, first match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.intake.importers.limits import OUTPUT_BYTES_MAX
from apps.wire.limits import ENVELOPE_BYTES_MAX, STATEMENT_BYTES_MAX

KIB: Final = 1024
MINUTE: Final = 60
HOUR: Final = 3600
FORM_BYTES_MAX: Final = 64 * KIB  # the largest form of a page holds a few thousand letters
STAFF_BYTES_MAX: Final = 256 * KIB  # a hundred rows of the catalogue in one form
STATEMENT_ENVELOPE_BYTES_MAX: Final = 4 * STATEMENT_BYTES_MAX  # base64 and two signatures
# An output in base64 (4/3), whose "+" and "/" a form writes in three characters, and the claim.
IMPORT_FORM_BYTES_MAX: Final = 3 * OUTPUT_BYTES_MAX // 2 + FORM_BYTES_MAX


@dataclass(frozen=True, slots=True)
class Quota:
    """How many requests one network may send in a window of seconds. `name` stands in headers."""

    name: str
    most: int
    window_s: int
    refusals: int | None = None  # of them at most so many that are answered with 4xx
    body_bytes: int | None = None  # in all of their bodies


# Ten a second for a minute, twice over: a notebook asks one after the other and waits for each.
READS: Final = Quota("reads", most=1200, window_s=MINUTE)
# Four machines measuring without a pause send 480 requests an hour; a login asks every 5 seconds.
WRITES: Final = Quota("writes", most=3000, window_s=HOUR, refusals=600, body_bytes=256 * KIB * KIB)
ENROLMENTS: Final = Quota(
    "enrolments", most=120, window_s=HOUR, refusals=60, body_bytes=4 * KIB * KIB
)
SEARCHES: Final = Quota("searches", most=240, window_s=MINUTE)  # one a letter of a fast typist
ADVICE: Final = Quota("advice", most=120, window_s=MINUTE)  # a form that is changed twice a second
IMPORTS: Final = Quota("imports", most=600, window_s=HOUR, body_bytes=512 * KIB * KIB)
QUOTAS: Final = (READS, WRITES, ENROLMENTS, SEARCHES, ADVICE, IMPORTS)


@dataclass(frozen=True, slots=True)
class Route:
    """Addresses with one limit: `path` without its slash in front and without a language."""

    path: re.Pattern[str]
    body_bytes_max: int = FORM_BYTES_MAX
    quota: Quota | None = None
    methods: frozenset[str] = frozenset()  # none: all of them


_SENT: Final = frozenset({"PUT", "POST", "PATCH", "DELETE"})
_LANGUAGE: Final = re.compile(r"^/(?:[a-z]{2}(?:-[a-z]+)?/)?")
_ROUTES: Final = (
    Route(re.compile(r"api/v1/runs/[^/]+"), ENVELOPE_BYTES_MAX, WRITES, frozenset({"PUT"})),
    Route(re.compile(r"api/v1/imports"), OUTPUT_BYTES_MAX, IMPORTS, _SENT),
    Route(
        re.compile(r"api/v1/keys/[^/]+"),
        STATEMENT_ENVELOPE_BYTES_MAX,
        ENROLMENTS,
        frozenset({"PUT"}),
    ),
    Route(re.compile(r"api/.*"), STATEMENT_ENVELOPE_BYTES_MAX, WRITES, _SENT),
    Route(re.compile(r"api/v1/advice"), quota=ADVICE),
    Route(re.compile(r"api/.*"), quota=READS),
    Route(re.compile(r"import/"), IMPORT_FORM_BYTES_MAX, IMPORTS, _SENT),
    Route(re.compile(r"search/.*"), quota=SEARCHES),
    Route(re.compile(r"advisor/"), quota=ADVICE),
    Route(re.compile(r"staff/.*"), STAFF_BYTES_MAX),
    Route(re.compile(r".*", re.DOTALL)),
)


def route_of(method: str, path: str) -> Route:
    """Return the limits of a request by its method and the path of its address."""
    bare = _LANGUAGE.sub("", path, count=1)
    return next(
        route
        for route in _ROUTES
        if (not route.methods or method in route.methods) and route.path.fullmatch(bare)
    )

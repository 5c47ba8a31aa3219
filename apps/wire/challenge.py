"""The request for a challenge, which an agent signs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from apps.wire.problems import Fault
from apps.wire.reading import NotStrictJsonError, read_strict

CHALLENGE_SCHEMA = "fsyncmark.challenge/1"
SUITE_ID_CHARACTERS_MAX = 64
SUITE_VERSION_MAX = 1000
TICKET_CHARACTERS_MAX = 64
_MEMBERS = {"schema", "run_id", "suite", "suite_version"}
_OPTIONAL = {"ticket"}
_UUID_V7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class BadChallengeRequestError(ValueError):
    """A challenge request that cannot be read; `fault` says where and why."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or 'request'}: {detail}")
        self.fault = Fault(pointer=pointer, detail=detail)


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """The run that will be measured, and its suite."""

    run_id: UUID
    suite: str
    suite_version: int
    ticket: str | None  # any text: what is no ticket costs nobody a measurement


def read_run_id(text: str) -> UUID | None:
    """Return a run id (UUID version 7, lowercase, with dashes), or None."""
    return UUID(text) if _UUID_V7.fullmatch(text) else None


def read_challenge_request(payload: bytes) -> ChallengeRequest:
    """Return the request in a verified payload. Raises BadChallengeRequestError."""
    try:
        request = read_strict(payload)
    except NotStrictJsonError as error:
        raise BadChallengeRequestError("", str(error)) from error
    if not isinstance(request, dict) or set(request) - _OPTIONAL != _MEMBERS:
        names = ", ".join(sorted(_MEMBERS))
        detail = f"must be an object with {names}, perhaps ticket, nothing else"
        raise BadChallengeRequestError("", detail)
    if request["schema"] != CHALLENGE_SCHEMA:
        raise BadChallengeRequestError("/schema", f"must be {CHALLENGE_SCHEMA}")
    run_id = read_run_id(request["run_id"]) if isinstance(request["run_id"], str) else None
    if run_id is None:
        raise BadChallengeRequestError("/run_id", "must be a UUID of version 7 in lowercase")
    suite, version = request["suite"], request["suite_version"]
    if not _is_text(suite, characters_max=SUITE_ID_CHARACTERS_MAX):
        raise BadChallengeRequestError("/suite", "must be the id of a suite")
    if type(version) is not int or not 1 <= version <= SUITE_VERSION_MAX:
        raise BadChallengeRequestError("/suite_version", f"must be in 1..{SUITE_VERSION_MAX}")
    ticket = request.get("ticket")
    if "ticket" in request and not _is_text(ticket, characters_max=TICKET_CHARACTERS_MAX):
        raise BadChallengeRequestError("/ticket", f"has at most {TICKET_CHARACTERS_MAX} characters")
    return ChallengeRequest(run_id, suite, version, ticket)


def _is_text(value: object, *, characters_max: int) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= characters_max

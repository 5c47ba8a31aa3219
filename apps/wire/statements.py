"""What an agent says of its key and its runs beside measuring.

Logins, rotations and withdrawals, and what the provider of its machine signed. The first three
name the server that the agent asked: what one server is told, it cannot tell another. A placement
names a challenge, which is of one server too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apps.wire.challenge import read_run_id
from apps.wire.limits import NANOSECOND_MAX
from apps.wire.problems import Fault
from apps.wire.reading import NotStrictJsonError, read_strict

if TYPE_CHECKING:
    from uuid import UUID

LOGIN_SCHEMA: Final = "fsyncmark.key-login/1"
ROTATION_SCHEMA: Final = "fsyncmark.key-rotation/1"
WITHDRAWAL_SCHEMA: Final = "fsyncmark.withdrawal/1"
PLACEMENT_SCHEMA: Final = "fsyncmark.placement/1"
AGENT_VERSION_CHARACTERS_MAX: Final = 32
DEVICE_CODE_CHARACTERS_MAX: Final = 64
SERVER_CHARACTERS_MAX: Final = 253 + len(":65535")  # the longest name of a host (RFC 1035), a port
REASON_CHARACTERS_MAX: Final = 500
CHALLENGE_CHARACTERS_MAX: Final = 72
# What a provider's metadata service answers, as text; Azure's says neither size nor place.
CLOUDS: Final = ("aws", "alibaba", "gcp")
DOCUMENT_CHARACTERS_MAX: Final = 8 * 1024
_KEYID: Final = re.compile(r"[0-9a-f]{64}")


class BadStatementError(ValueError):
    """A statement that cannot be read; `fault` says where and why."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or 'statement'}: {detail}")
        self.fault = Fault(pointer=pointer, detail=detail)


@dataclass(frozen=True, slots=True)
class LoginRequest:
    """The key that wants to be linked with a person."""

    keyid: str
    agent_version: str


@dataclass(frozen=True, slots=True)
class LoginPoll:
    """The login that a key asks about."""

    server: str
    device_code: str
    keyid: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """The keys of which the second stands in for the first."""

    server: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Whether a run is withdrawn, and since when by the agent's clock."""

    server: str
    run_id: UUID
    withdrawn: bool
    reason: str
    issued_at_unix_ns: int


@dataclass(frozen=True, slots=True)
class PlacementStatement:
    """What a provider signed about the machine of a run, not checked yet."""

    run_id: UUID
    challenge: str
    provider: str  # of CLOUDS
    document: str
    signature: str  # blank where the document holds its own


def read_login_request(raw: bytes) -> LoginRequest:
    """Return the request, which nobody signed. Raises BadStatementError."""
    request = _object(raw, members={"keyid", "agent_version"}, schema=None)
    version = _text(request, "agent_version", most=AGENT_VERSION_CHARACTERS_MAX)
    return LoginRequest(keyid=_keyid(request, "keyid"), agent_version=version)


def read_login_poll(payload: bytes) -> LoginPoll:
    """Return the poll in a verified payload. Raises BadStatementError."""
    poll = _object(
        payload, members={"schema", "server", "device_code", "keyid"}, schema=LOGIN_SCHEMA
    )
    code = _text(poll, "device_code", most=DEVICE_CODE_CHARACTERS_MAX)
    return LoginPoll(server=_server(poll), device_code=code, keyid=_keyid(poll, "keyid"))


def read_rotation(payload: bytes) -> Rotation:
    """Return the rotation in a verified payload. Raises BadStatementError."""
    members = {"schema", "server", "old", "new"}
    rotation = _object(payload, members=members, schema=ROTATION_SCHEMA)
    old, new = _keyid(rotation, "old"), _keyid(rotation, "new")
    return Rotation(server=_server(rotation), old=old, new=new)


def read_withdrawal(payload: bytes) -> Withdrawal:
    """Return the withdrawal in a verified payload. Raises BadStatementError."""
    members = {"schema", "server", "run_id", "withdrawn", "reason", "issued_at_unix_ns"}
    statement = _object(payload, members=members, schema=WITHDRAWAL_SCHEMA)
    run_id = _run_id(statement)
    if not isinstance(withdrawn := statement["withdrawn"], bool):
        raise BadStatementError("/withdrawn", "must be true or false")
    issued_at = _issued_at(statement)
    reason = _text(statement, "reason", most=REASON_CHARACTERS_MAX)
    return Withdrawal(_server(statement), run_id, withdrawn, reason, issued_at)


def read_placement(payload: bytes) -> PlacementStatement:
    """Return the statement in a verified payload. Raises BadStatementError."""
    members = {"schema", "run_id", "challenge", "provider", "document", "signature"}
    statement = _object(payload, members=members, schema=PLACEMENT_SCHEMA)
    if statement["provider"] not in CLOUDS:
        raise BadStatementError("/provider", f"must be one of {', '.join(CLOUDS)}")
    return PlacementStatement(
        run_id=_run_id(statement),
        challenge=_text(statement, "challenge", most=CHALLENGE_CHARACTERS_MAX),
        provider=statement["provider"],
        document=_document(statement, "document"),
        signature=_document(statement, "signature"),
    )


def _object(raw: bytes, *, members: set[str], schema: str | None) -> dict[str, Any]:
    try:
        value = read_strict(raw, integer_max=NANOSECOND_MAX)
    except NotStrictJsonError as error:
        raise BadStatementError("", str(error)) from error
    if not isinstance(value, dict) or set(value) != members:
        names = ", ".join(sorted(members))
        raise BadStatementError("", f"must be an object with {names}, nothing else")
    if schema is not None and value["schema"] != schema:
        raise BadStatementError("/schema", f"must be {schema}")
    return value


def _text(members: dict[str, Any], name: str, *, most: int) -> str:
    """Return a text that shows on a page what it is: without controls and marks of direction."""
    text = members[name]
    if not isinstance(text, str) or len(text) > most or not text.isprintable():
        raise BadStatementError(f"/{name}", f"must be printable text of at most {most} characters")
    return text


def _document(members: dict[str, Any], name: str) -> str:
    """Return a text that is checked and never shown: lines are kept as they were signed."""
    text = members[name]
    if not isinstance(text, str) or len(text) > DOCUMENT_CHARACTERS_MAX or "\0" in text:
        detail = f"must be text of at most {DOCUMENT_CHARACTERS_MAX} characters"
        raise BadStatementError(f"/{name}", detail)
    return text


def _server(members: dict[str, Any]) -> str:
    return _text(members, "server", most=SERVER_CHARACTERS_MAX)


def _issued_at(members: dict[str, Any]) -> int:
    issued_at = members["issued_at_unix_ns"]
    if type(issued_at) is not int or issued_at <= 0:
        raise BadStatementError("/issued_at_unix_ns", "must be nanoseconds since 1970")
    return issued_at


def _run_id(members: dict[str, Any]) -> UUID:
    run_id = read_run_id(_text(members, "run_id", most=36))
    if run_id is None:
        raise BadStatementError("/run_id", "must be a UUID of version 7 in lowercase")
    return run_id


def _keyid(members: dict[str, Any], name: str) -> str:
    keyid = members[name]
    if not isinstance(keyid, str) or not _KEYID.fullmatch(keyid):
        raise BadStatementError(f"/{name}", "must be the id of a key: 64 lowercase hex digits")
    return keyid

"""The problem types (RFC 9457) with which the API refuses requests.

The slug of a type is part of the public interface: agents read it, and it never changes. They know
a problem of ours by the path `/problems/SLUG` of its type and by its `instance` and `errors`.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One kind of refusal: its slug, HTTP status, title, and what the sender can do."""

    slug: str
    status: HTTPStatus
    title: str
    advice: str


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake in what was sent, at a JSON pointer (RFC 6901) into the payload or envelope."""

    pointer: str
    detail: str


class Refusal(Exception):  # noqa: N818 -- a refusal is an answer to the sender, not our error
    """A request is refused; the sender gets a problem document of these fields."""

    def __init__(
        self,
        kind: ProblemType,
        detail: str,
        *,
        faults: tuple[Fault, ...] = (),
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(f"{kind.slug}: {detail}")
        self.kind = kind
        self.detail = detail
        self.faults = faults
        self.retry_after_s = retry_after_s


def _kind(slug: str, status: HTTPStatus, title: str, advice: str) -> ProblemType:
    return ProblemType(slug=slug, status=status, title=title, advice=advice)


TOO_LARGE = _kind(
    "too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Too large",
    "An envelope may have 6 MiB, its payload 4 MiB. Leave out workloads and send the rest.",
)  # fmt: skip
LENGTH_REQUIRED = _kind(
    "length-required", HTTPStatus.LENGTH_REQUIRED, "Length not stated",
    "Send Content-Length: a chunked body is not read.",
)  # fmt: skip
TOO_SLOW = _kind(
    "too-slow", HTTPStatus.REQUEST_TIMEOUT, "Body came too slowly",
    "Nothing was stored. Keep the file and send it again.",
)  # fmt: skip
UNSUPPORTED_MEDIA_TYPE = _kind(
    "unsupported-media-type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Media type not understood",
    "Send Content-Type application/vnd.fsyncmark.dsse.v1+json, plain or with gzip.",
)  # fmt: skip
BAD_COMPRESSION = _kind(
    "bad-compression", HTTPStatus.BAD_REQUEST, "Compressed body cannot be read",
    "Send one complete gzip member, or send the body uncompressed.",
)  # fmt: skip
BAD_ENVELOPE = _kind(
    "bad-envelope", HTTPStatus.BAD_REQUEST, "Envelope cannot be read",
    "The body must be one DSSE envelope in JSON: payloadType, payload, signatures.",
)  # fmt: skip
UNKNOWN_KEY = _kind(
    "unknown-key", HTTPStatus.NOT_FOUND, "Key not enrolled",
    "PUT the key statement to /api/v1/keys/{keyid} first, then send this again.",
)  # fmt: skip
REVOKED_KEY = _kind(
    "revoked-key", HTTPStatus.FORBIDDEN, "Key revoked",
    "Make a new key: nothing signed with this one is accepted.",
)  # fmt: skip
ROTATED_KEY = _kind(
    "rotated-key", HTTPStatus.FORBIDDEN, "Key replaced by another",
    "Sign with the key that replaced it: nothing new signed with this one is accepted.",
)  # fmt: skip
AGENT_TOO_OLD = _kind(
    "agent-too-old", HTTPStatus.FORBIDDEN, "Agent too old",
    "Nothing was stored. Keep the file; a newer agent can send it.",
)  # fmt: skip
BAD_SIGNATURE = _kind(
    "bad-signature", HTTPStatus.FORBIDDEN, "Signature does not fit",
    "The signature must be Ed25519 over the DSSE pre-authentication encoding of these bytes.",
)  # fmt: skip
UNKNOWN_PAYLOAD_TYPE = _kind(
    "unknown-payload-type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Payload type not accepted here",
    "Each address accepts one payloadType; see the method page.",
)  # fmt: skip
BAD_JSON = _kind(
    "bad-json", HTTPStatus.BAD_REQUEST, "Payload is not strict JSON",
    "Integers up to 2^53-1, no floats, no NaN, no member named twice, at most 8 levels deep.",
)  # fmt: skip
BAD_PAYLOAD = _kind(
    "bad-payload", HTTPStatus.UNPROCESSABLE_ENTITY, "Payload does not fit its schema",
    "The errors name each place. The schema is at /schemas/run.v1.schema.json.",
)  # fmt: skip
BAD_KEY = _kind(
    "bad-key", HTTPStatus.UNPROCESSABLE_ENTITY, "Public key not acceptable",
    "Send a canonical Ed25519 public key that is not of small order.",
)  # fmt: skip
KEYID_MISMATCH = _kind(
    "keyid-mismatch", HTTPStatus.UNPROCESSABLE_ENTITY, "Key id does not fit",
    "A key id is the lowercase hexadecimal SHA-256 of the raw 32-byte public key.",
)  # fmt: skip
RUN_ID_MISMATCH = _kind(
    "run-id-mismatch", HTTPStatus.UNPROCESSABLE_ENTITY, "Run id differs from the address",
    "PUT a run to the address that ends in its run_id.",
)  # fmt: skip
RUN_ID_CONFLICT = _kind(
    "run-id-conflict", HTTPStatus.CONFLICT, "Another upload has this run id",
    "Measure again: a stored run never changes, and every run has its own id.",
)  # fmt: skip
RUN_DELETED = _kind(
    "run-deleted", HTTPStatus.GONE, "Run deleted",
    "It is not taken again. Measure again: every run has its own id.",
)  # fmt: skip
NOT_YOUR_RUN = _kind(
    "not-your-run", HTTPStatus.FORBIDDEN, "Run of another key",
    "Sign with the key that sent the run, or with the one that replaced it.",
)  # fmt: skip
OTHER_SERVER = _kind(
    "other-server", HTTPStatus.UNPROCESSABLE_ENTITY, "Statement is for another server",
    "Sign the name of the server that you ask, with its port where that is not the usual one.",
)  # fmt: skip
STATEMENT_REPLAYED = _kind(
    "statement-replayed", HTTPStatus.CONFLICT, "Statement is not newer",
    "Sign a new one: issued_at_unix_ns must be later than the last, and not in the future.",
)  # fmt: skip
PLACEMENT_CONFLICT = _kind(
    "placement-conflict", HTTPStatus.CONFLICT, "Another statement of the place is stored",
    "A run takes one document of its provider, and keeps what the first one said.",
)  # fmt: skip
PLACEMENT_LATE = _kind(
    "placement-late", HTTPStatus.CONFLICT, "Too late to say where it was",
    "Fetch the document while the run is made and send it within a day of the run.",
)  # fmt: skip
KEY_CONFLICT = _kind(
    "key-conflict", HTTPStatus.CONFLICT, "Keys do not fit each other",
    "The new key must be another one, in use, not somebody else's, and replace no second key.",
)  # fmt: skip
SLOW_DOWN = _kind(
    "slow-down", HTTPStatus.TOO_MANY_REQUESTS, "Asked too soon",
    "Wait five seconds longer between two polls, from now on.",
)  # fmt: skip
CHALLENGE_REPLAYED = _kind(
    "challenge-replayed", HTTPStatus.CONFLICT, "Challenge already used",
    "A challenge is for one run. Ask for a new one and measure again.",
)  # fmt: skip
CHALLENGE_MISMATCH = _kind(
    "challenge-mismatch", HTTPStatus.CONFLICT, "Challenge was for something else",
    "A challenge is bound to the run id and suite that it was asked for.",
)  # fmt: skip
CHALLENGE_FOREIGN = _kind(
    "challenge-foreign", HTTPStatus.FORBIDDEN, "Challenge of another key",
    "Ask for a challenge with the key that signs the run.",
)  # fmt: skip
BAD_STATEMENT = _kind(
    "bad-statement", HTTPStatus.UNPROCESSABLE_ENTITY, "Statement cannot be read",
    "The errors name the place; docs/api.md lists the members of each statement.",
)  # fmt: skip
UNKNOWN_SUITE = _kind(
    "unknown-suite", HTTPStatus.UNPROCESSABLE_ENTITY, "Suite not known",
    "Use a suite and version of the method page, or update the agent.",
)  # fmt: skip
UNREADABLE_OUTPUT = _kind(
    "unreadable-output", HTTPStatus.UNPROCESSABLE_ENTITY, "Output not understood",
    "Send what a known benchmark printed, unchanged.",
)  # fmt: skip
OUTPUT_TOO_LARGE = _kind(
    "output-too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Output too large",
    "An output may have 2 MiB. Send one benchmark, without logs.",
)  # fmt: skip
BAD_CLAIM = _kind(
    "bad-claim", HTTPStatus.UNPROCESSABLE_ENTITY, "Name passes for another",
    "Write names of provider, plan and drive as their makers do, in Latin letters or Chinese.",
)  # fmt: skip
BAD_QUERY = _kind(
    "bad-query", HTTPStatus.BAD_REQUEST, "Query cannot be answered",
    "The parameters of each address are listed at /api/v1/schema.",
)  # fmt: skip
TOO_MANY_REQUESTS = _kind(
    "too-many-requests", HTTPStatus.TOO_MANY_REQUESTS, "Too many requests",
    "Wait for Retry-After seconds. A run may go on without a challenge.",
)  # fmt: skip
NOT_FOUND = _kind(
    "not-found", HTTPStatus.NOT_FOUND, "Nothing here",
    "The addresses of this API are listed at /api/v1/schema.",
)  # fmt: skip
METHOD_NOT_ALLOWED = _kind(
    "method-not-allowed", HTTPStatus.METHOD_NOT_ALLOWED, "Method not allowed here",
    "Use a method that the Allow header names.",
)  # fmt: skip
UNAVAILABLE = _kind(
    "unavailable", HTTPStatus.SERVICE_UNAVAILABLE, "Not available for the moment",
    "Nothing was stored. Keep the file and send it again after Retry-After seconds.",
)  # fmt: skip
INTERNAL_ERROR = _kind(
    "internal-error", HTTPStatus.INTERNAL_SERVER_ERROR, "A fault of ours",
    "Nothing was acknowledged. Keep the file and send it again later.",
)  # fmt: skip

# What a request that only reads is told of these: there is nothing to keep or to send again.
ADVICE_TO_READERS = {
    UNAVAILABLE: "Ask again after Retry-After seconds.",
    INTERNAL_ERROR: "Ask again later.",
}

PROBLEMS: dict[str, ProblemType] = {
    kind.slug: kind for kind in list(globals().values()) if isinstance(kind, ProblemType)
}

# What the page that reads pasted outputs refuses too: the titles that people read on it.
ON_A_PAGE = (UNREADABLE_OUTPUT, OUTPUT_TOO_LARGE, BAD_CLAIM, TOO_MANY_REQUESTS)


def problem_document(
    refusal: Refusal, *, site_url: str, instance: str, is_read: bool = False
) -> dict[str, object]:
    """Return the body of an RFC 9457 answer; `is_read`: to a request that sent nothing to keep."""
    kind = refusal.kind
    advice = ADVICE_TO_READERS.get(kind, kind.advice) if is_read else kind.advice
    return {
        "type": f"{site_url}/problems/{kind.slug}",
        "title": kind.title,
        "status": int(kind.status),
        "detail": f"{refusal.detail} {advice}".strip(),
        "instance": instance,
        "errors": [{"pointer": fault.pointer, "detail": fault.detail} for fault in refusal.faults],
    }

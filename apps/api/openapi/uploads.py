"""Describes the upload API in OpenAPI, since its views in `apps.intake` are no DRF views."""

from __future__ import annotations

from typing import Any, Final

from apps.wire.dsse import CONTENT_TYPE
from apps.wire.problems import CONTENT_TYPE as PROBLEM_CONTENT_TYPE

Json = dict[str, Any]

_KEYID: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_UUID: Final = {"type": "string", "format": "uuid"}
_TIME: Final = {"type": "string", "format": "date-time"}
_TIME_OR_NULL: Final = {"type": ["string", "null"], "format": "date-time"}
_URL: Final = {"type": "string", "format": "uri"}

COMPONENTS: Final[Json] = {
    "Envelope": {
        "type": "object",
        "description": "A DSSE envelope; the signature is Ed25519 over its pre-authentication"
        " encoding of the decoded payload.",
        "required": ["payloadType", "payload", "signatures"],
        "properties": {
            "payloadType": {"type": "string"},
            "payload": {"type": "string", "contentEncoding": "base64"},
            "signatures": {
                "type": "array",
                "minItems": 1,
                "maxItems": 2,
                "items": {
                    "type": "object",
                    "required": ["keyid", "sig"],
                    "properties": {
                        "keyid": _KEYID,
                        "sig": {"type": "string", "contentEncoding": "base64"},
                    },
                },
            },
        },
    },
    "StoredRun": {
        "type": "object",
        "required": ["run_id", "state", "level", "run_url", "status_url", "short_url"],
        "properties": {
            "run_id": _UUID,
            "state": {"enum": ["received", "processing", "done", "poison"]},
            "level": {"type": ["string", "null"]},
            "run_url": _URL,
            "status_url": _URL,
            "short_url": {**_URL, "description": "The same page, short enough to type."},
            "claim_url": {
                **_URL,
                "description": "Private: whoever opens it signed in may make the key theirs, once,"
                " within 30 days. Given to who sends a new run of a key without an owner.",
            },
            "newer_agent": {
                "type": "object",
                "required": ["version", "url"],
                "properties": {"version": {"type": "string"}, "url": _URL},
                "description": "A newer release than the agent that asks, by its User-Agent.",
            },
        },
    },
    "Placement": {
        "type": "object",
        "required": ["run_id", "state"],
        "properties": {"run_id": _UUID, "state": {"enum": ["waiting", "holds", "refused"]}},
    },
    "Withdrawal": {
        "type": "object",
        "required": ["run_id", "withdrawn"],
        "properties": {"run_id": _UUID, "withdrawn": {"type": "boolean"}},
    },
    "KeyLogin": {
        "type": "object",
        "required": ["device_code", "user_code", "verification_url", "expires_in", "interval"],
        "properties": {
            "device_code": {"type": "string", "description": "Secret: for polls alone."},
            "user_code": {
                "type": "string",
                "pattern": "^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$",
            },
            "verification_url": _URL,
            "expires_in": {"type": "integer", "description": "Seconds."},
            "interval": {"type": "integer", "description": "Seconds between two polls."},
        },
    },
    "KeyLoginState": {
        "type": "object",
        "required": ["state", "interval"],
        "properties": {
            "state": {"enum": ["pending", "approved", "denied", "expired"]},
            "interval": {"type": "integer", "description": "Seconds until the next poll."},
        },
    },
    "StoredImport": {
        "type": "object",
        "required": ["run_id", "level", "run_url", "status_url", "understood"],
        "properties": {
            "run_id": _UUID,
            "level": {"enum": ["imported"]},
            "run_url": _URL,
            "status_url": _URL,
            "understood": {
                "type": "object",
                "description": "The jobs of the output with their figures, each with the line that"
                " it came from; what `./run manage read_import` prints.",
            },
        },
    },
    "Key": {
        "type": "object",
        "required": [
            "keyid",
            "state",
            "first_seen",
            "is_claimed",
            "revoked_at",
            "compromised_since",
            "replaced_by",
        ],
        "properties": {
            "keyid": _KEYID,
            "state": {"enum": ["anonymous", "claimed", "rotated", "revoked"]},
            "first_seen": _TIME,
            "is_claimed": {"type": "boolean"},
            "revoked_at": _TIME_OR_NULL,
            "compromised_since": {
                **_TIME_OR_NULL,
                "description": "Runs received since then are in quarantine.",
            },
            "replaced_by": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"},
            "challenges_issued": {
                "type": "integer",
                "description": "Within 30 days before its newest run; only where a key is read.",
            },
            "challenges_abandoned": {"type": "integer", "description": "Those without a run."},
        },
    },
    "Challenge": {
        "type": "object",
        "required": ["id", "seed", "suite_sha256", "issued_at", "not_after"],
        "properties": {
            "id": {"type": "string"},
            "seed": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "suite_sha256": {"type": ["string", "null"]},
            "issued_at": _TIME,
            "not_after": _TIME,
            "ticket": {
                "enum": ["accepted", "unknown", "used", "expired", "claimed"],
                "description": "Where the request had a ticket: what became of it. The challenge"
                " is the same. claimed: the key has an owner, whose run it is.",
            },
            "ticket_plan": {"type": "string", "description": "The slug that a ticket is for."},
        },
    },
}


def _responses(answer: str, *, of: Json | None = None) -> Json:
    """Return the answers of an address; `of` are those beside a refusal, by status."""
    done = {"application/json": {"schema": {"$ref": f"#/components/schemas/{answer}"}}}
    refused = {PROBLEM_CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    described = of or {
        "201": "New, and committed.", "200": "The same as before; nothing changed.",
    }  # fmt: skip
    return {
        **{status: {"description": text, "content": done} for status, text in described.items()},
        "default": {"description": "Refused (RFC 9457).", "content": refused},
    }


def _operation(
    name: str, description: str, *, answer: str, path: Json | None = None, of: Json | None = None
) -> Json:
    return {
        "operationId": name,
        "description": description,
        "tags": ["door"],
        "security": [{}],
        **({"parameters": [{"in": "path", "required": True, **path}]} if path else {}),
        "requestBody": {
            "required": True,
            "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Envelope"}}},
        },
        "responses": _responses(answer, of=of),
    }


_LOGIN: Final[Json] = {
    "operationId": "post_key_login",
    "description": "Begin to link an enrolled key with the person who types the code.",
    "tags": ["door"],
    "security": [{}],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["keyid", "agent_version"],
                    "additionalProperties": False,
                    "properties": {
                        "keyid": _KEYID,
                        "agent_version": {"type": "string", "maxLength": 32},
                    },
                }
            }
        },
    },
    "responses": _responses("KeyLogin", of={"201": "Its codes, which are told once."}),
}
_KEY_STATUS: Final[Json] = {
    "operationId": "get_key",
    "description": "What became of a key.",
    "tags": ["door"],
    "security": [{}],
    "parameters": [{"in": "path", "required": True, "name": "keyid", "schema": _KEYID}],
    "responses": _responses("Key", of={"200": "The key."}),
}

_IMPORT: Final[Json] = {
    "operationId": "post_import",
    "description": "Give in the output of another benchmark, as it was printed; docs/api.md lists"
    " those that are read. The same bytes are the same run, whoever sends them.",
    "tags": ["door"],
    "security": [{}],
    "parameters": [
        {
            "in": "query",
            "name": name,
            "schema": {"type": "string", "maxLength": 64},
            "description": f"The {name}, as the sender calls it. Nothing checks it.",
        }
        for name in ("provider", "plan", "drive")
    ],
    "requestBody": {
        "required": True,
        "content": {"text/plain": {"schema": {"type": "string"}}},
    },
    "responses": _responses("StoredImport"),
}

PATHS: Final[Json] = {
    "/api/v1/imports": {"post": _IMPORT},
    "/api/v1/key-logins": {"post": _LOGIN},
    "/api/v1/key-logins/poll": {
        "post": _operation(
            "post_key_login_poll",
            "Ask how a login stands, signed by its key. The first poll proves that the key asked.",
            answer="KeyLoginState",
            of={"200": "How it stands."},
        )
    },
    "/api/v1/keys/{keyid}/rotation": {
        "post": _operation(
            "post_rotation",
            "Let a new key stand in for this one, by a statement that both signed.",
            answer="Key",
            path={"name": "keyid", "schema": _KEYID},
            of={"200": "The old key, which signs nothing new."},
        )
    },
    "/api/v1/runs/{run_id}/withdrawal": {
        "post": _operation(
            "post_withdrawal",
            "Withdraw a run, or take that back, by a statement of its key.",
            answer="Withdrawal",
            path={"name": "run_id", "schema": _UUID},
            of={"200": "Whether it is withdrawn now."},
        )
    },
    "/api/v1/runs/{run_id}/placement": {
        "post": _operation(
            "post_placement",
            "Bring what a provider signed about the machine of a run, by a statement of its key.",
            answer="Placement",
            path={"name": "run_id", "schema": _UUID},
            of={"202": "It is kept until a worker has checked it."},
        )
    },
    "/api/v1/keys/{keyid}": {
        "get": _KEY_STATUS,
        "put": _operation(
            "put_key",
            "Enrol a public key by a statement that it signed itself.",
            answer="Key",
            path={"name": "keyid", "schema": _KEYID},
        ),
    },
    "/api/v1/challenges": {
        "post": _operation(
            "post_challenge",
            "Ask for the challenge that ties one run of one key to this moment.",
            answer="Challenge",
        )
    },
    "/api/v1/runs/{run_id}": {
        "put": _operation(
            "put_run",
            "Store a signed run. Its payload is described by /schemas/run.v1.schema.json.",
            answer="StoredRun",
            path={"name": "run_id", "schema": _UUID},
        )
    },
}


def with_upload_paths(document: Json) -> Json:
    """Return the description of the read API with paths and components of the upload API."""
    paths = {path: {**operations} for path, operations in document["paths"].items()}
    for path, operations in PATHS.items():
        paths.setdefault(path, {}).update(operations)
    components = {**document["components"]}
    components["schemas"] = dict(sorted({**components["schemas"], **COMPONENTS}.items()))
    return {**document, "paths": dict(sorted(paths.items())), "components": components}

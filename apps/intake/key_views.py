"""The API of keys: enrolment, logins, rotation, what they say of runs, and what became of a key."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.accounts.linking.logins import as_shown
from apps.accounts.models import LOGIN_LIFE, POLL_INTERVAL_S, AgentKey
from apps.accounts.selectors import keys_by_id
from apps.accounts.services import enrol_key
from apps.intake.http import read_body, upload_view
from apps.intake.networks import networks_of
from apps.intake.opening import open_key_statement
from apps.intake.services import key_statements
from apps.intake.services.senders import known_sender, server_name
from apps.intake.tasks import ring_doorbell
from apps.runs.clouds.selectors import challenges_of_key
from apps.wire import problems
from apps.wire.challenge import read_run_id
from apps.wire.dsse import KEY_PAYLOAD_TYPE
from apps.wire.limits import PLACEMENT_BYTES_MAX, STATEMENT_BYTES_MAX
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from uuid import UUID

STATEMENT_ENVELOPE_BYTES_MAX: Final = 2 * STATEMENT_BYTES_MAX  # base64 (4/3) and two signatures
PLACEMENT_ENVELOPE_BYTES_MAX: Final = 2 * PLACEMENT_BYTES_MAX
PLAIN_BYTES_MAX: Final = 1024  # a key id and a version
PLAIN_JSON: Final = "application/json"


@upload_view("PUT", "GET", "HEAD")
def key(request: HttpRequest, *, keyid: str) -> HttpResponse:
    """Enrol a public key by a statement that it signed itself; or say what became of one."""
    if request.method != "PUT":
        return _key_status(keyid)
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    public_key = open_key_statement(raw, payload_type=KEY_PAYLOAD_TYPE, keyid=keyid)
    enrolled, is_new = enrol_key(keyid=keyid, public_key=public_key)
    return JsonResponse(key_json(enrolled), status=HTTPStatus.CREATED if is_new else HTTPStatus.OK)


@upload_view("POST")
def post_login(request: HttpRequest) -> HttpResponse:
    """Begin to link a key with whoever types the code."""
    raw = read_body(request, bytes_max=PLAIN_BYTES_MAX, content_type=PLAIN_JSON)
    login = key_statements.begin(raw, networks=networks_of(request), sender=known_sender(request))
    return _private(
        {
            "device_code": login.device_code,
            "user_code": as_shown(login.user_code),
            "verification_url": f"{settings.SITE_URL}/account/link/",
            "expires_in": int(LOGIN_LIFE.total_seconds()),
            "interval": POLL_INTERVAL_S,
        },
        status=HTTPStatus.CREATED,
    )


@upload_view("POST")
def post_login_poll(request: HttpRequest) -> HttpResponse:
    """Say how a login stands."""
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    answer = key_statements.poll(raw, server=server_name(request))
    return _private({"state": answer.state, "interval": answer.interval_s})


@upload_view("POST")
def post_rotation(request: HttpRequest, *, keyid: str) -> HttpResponse:
    """Let a new key stand in for an old one."""
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    rotated = key_statements.rotate(
        raw, old=keyid, server=server_name(request), networks=networks_of(request)
    )
    return JsonResponse(key_json(rotated))


@upload_view("POST")
def post_withdrawal(request: HttpRequest, *, run_id: str) -> HttpResponse:
    """Withdraw a run, or take that back."""
    run_uuid = _run_id(run_id)
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    statement = key_statements.withdraw(
        raw, run_id=run_uuid, server=server_name(request), networks=networks_of(request)
    )
    ring_doorbell()
    return JsonResponse({"run_id": str(run_uuid), "withdrawn": statement.withdrawn})


@upload_view("POST")
def post_placement(request: HttpRequest, *, run_id: str) -> HttpResponse:
    """Take what a provider signed about the machine of a run; a worker checks it."""
    run_uuid = _run_id(run_id)
    raw = read_body(request, bytes_max=PLACEMENT_ENVELOPE_BYTES_MAX)
    proof = key_statements.place(raw, run_id=run_uuid, networks=networks_of(request))
    ring_doorbell()
    return _private({"run_id": str(run_uuid), "state": proof.state}, status=HTTPStatus.ACCEPTED)


def key_json(found: AgentKey) -> dict[str, object]:
    """Return what everybody may know of a key."""
    return {
        "keyid": found.keyid,
        "state": found.state,
        "first_seen": timestamp(found.first_seen),
        "is_claimed": found.owner_id is not None,
        "revoked_at": timestamp(found.revoked_at),
        "compromised_since": timestamp(found.compromised_since),
        "replaced_by": found.replaced_by_id,
    }


def timestamp(moment: datetime | None) -> str | None:
    """Return a moment as RFC 3339 in UTC."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _run_id(text: str) -> UUID:
    run_id = read_run_id(text)
    if run_id is None:
        raise Refusal(problems.NOT_FOUND, "A run id is a UUID of version 7 in lowercase.")
    return run_id


def _key_status(keyid: str) -> HttpResponse:
    found = keys_by_id([keyid]).get(keyid)
    if found is None:
        raise Refusal(problems.UNKNOWN_KEY, "No key of this id is enrolled here.")
    headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"}
    counted = challenges_of_key(keyid)
    counts = {"challenges_issued": counted.issued, "challenges_abandoned": counted.abandoned}
    return JsonResponse({**key_json(found), **counts}, headers=headers)


def _private(answer: dict[str, object], *, status: int = HTTPStatus.OK) -> HttpResponse:
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})

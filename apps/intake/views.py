"""The upload API: keys, challenges and runs. Each takes a signed envelope and returns JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from apps.accounts.services import enrol_key
from apps.intake.http import problem, read_body, upload_view
from apps.intake.networks import networks_of
from apps.intake.opening import open_key_statement, open_statement
from apps.intake.services.accept import accept_run
from apps.intake.services.challenges import issue_challenge
from apps.intake.tasks import ring_doorbell
from apps.runs.selectors import level_of
from apps.wire import problems
from apps.wire.challenge import read_run_id
from apps.wire.dsse import CHALLENGE_PAYLOAD_TYPE, KEY_PAYLOAD_TYPE
from apps.wire.limits import ENVELOPE_BYTES_MAX, STATEMENT_BYTES_MAX
from apps.wire.problems import Refusal
from apps.wire.suites import find_suite

STATEMENT_ENVELOPE_BYTES_MAX = 2 * STATEMENT_BYTES_MAX  # base64 (4/3) and two signatures


@upload_view("PUT")
def put_key(request: HttpRequest, *, keyid: str) -> HttpResponse:
    """Enrol a public key by a statement that it signed itself."""
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    public_key = open_key_statement(raw, payload_type=KEY_PAYLOAD_TYPE, keyid=keyid)
    key, is_new = enrol_key(keyid=keyid, public_key=public_key)
    return JsonResponse(
        {"keyid": key.keyid, "state": key.state, "first_seen": _timestamp(key.first_seen)},
        status=HTTPStatus.CREATED if is_new else HTTPStatus.OK,
    )


@upload_view("POST")
def post_challenge(request: HttpRequest) -> HttpResponse:
    """Issue the challenge that ties a run to this moment."""
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    opened = open_statement(raw, payload_type=CHALLENGE_PAYLOAD_TYPE)
    challenge, is_new = issue_challenge(opened=opened, quota_network=networks_of(request).quota)
    suite = find_suite(challenge.suite, version=challenge.suite_version)
    return JsonResponse(
        {
            "id": challenge.pk,
            "seed": bytes(challenge.seed).hex(),
            "suite_sha256": suite.sha256 if suite else None,
            "issued_at": _timestamp(challenge.issued_at),
            "not_after": _timestamp(challenge.not_after),
        },
        status=HTTPStatus.CREATED if is_new else HTTPStatus.OK,
    )


@upload_view("PUT")
def put_run(request: HttpRequest, *, run_id: str) -> HttpResponse:
    """Store a run; answered with 2xx only after COMMIT."""
    run_uuid = read_run_id(run_id)
    if run_uuid is None:
        raise Refusal(problems.NOT_FOUND, "A run id is a UUID of version 7 in lowercase.")
    raw = read_body(request, bytes_max=ENVELOPE_BYTES_MAX)
    accepted = accept_run(raw=raw, run_id=run_uuid, networks=networks_of(request))
    if accepted.is_new:
        ring_doorbell()
    return JsonResponse(
        {
            "run_id": str(run_uuid),
            "state": accepted.upload.public_state,
            "level": None if accepted.is_new else level_of(run_uuid),
            "run_url": f"{settings.SITE_URL}/runs/{run_uuid}/",
            "status_url": f"{settings.SITE_URL}{request.path}",
        },
        status=HTTPStatus.CREATED if accepted.is_new else HTTPStatus.OK,
    )


@csrf_exempt
def nothing_here(request: HttpRequest, **_address: str) -> HttpResponse:
    """Answer an unknown address below /api with a problem document instead of a page."""
    return problem(request, problems.NOT_FOUND, f"There is nothing at {request.path}.")


def _timestamp(moment: datetime) -> str:
    """Return a moment as RFC 3339 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")

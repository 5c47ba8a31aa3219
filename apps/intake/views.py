"""The upload API: challenges and runs. Each takes a signed envelope and returns JSON."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from apps.accounts.linking.claim_links import new_claim_link
from apps.intake.failpoints import reach
from apps.intake.http import problem, read_body, upload_view
from apps.intake.key_views import STATEMENT_ENVELOPE_BYTES_MAX, timestamp
from apps.intake.networks import networks_of
from apps.intake.opening import open_statement
from apps.intake.services.accept import accept_run
from apps.intake.services.challenges import issue_challenge
from apps.intake.tasks import ring_doorbell
from apps.runs.rules.agent_versions import refuse_old_agent, told_of_newer
from apps.runs.selectors import is_envelope_public, level_of
from apps.wire import problems
from apps.wire.challenge import read_run_id
from apps.wire.dsse import CHALLENGE_PAYLOAD_TYPE
from apps.wire.limits import ENVELOPE_BYTES_MAX
from apps.wire.problems import Refusal
from apps.wire.suites import find_suite

if TYPE_CHECKING:
    from apps.accounts.credit.tickets import ShownTicket


@upload_view("POST")
def post_challenge(request: HttpRequest) -> HttpResponse:
    """Issue the challenge that ties a run to this moment."""
    refuse_old_agent(_user_agent(request))
    raw = read_body(request, bytes_max=STATEMENT_ENVELOPE_BYTES_MAX)
    opened = open_statement(raw, payload_type=CHALLENGE_PAYLOAD_TYPE)
    issued = issue_challenge(opened=opened, quota_network=networks_of(request).quota)
    challenge = issued.challenge
    suite = find_suite(challenge.suite, version=challenge.suite_version)
    return JsonResponse(
        {
            "id": challenge.pk,
            "seed": bytes(challenge.seed).hex(),
            "suite_sha256": suite.sha256 if suite else None,
            "issued_at": timestamp(challenge.issued_at),
            "not_after": timestamp(challenge.not_after),
            **(_ticket_members(issued.ticket) if issued.ticket else {}),
        },
        status=HTTPStatus.CREATED if issued.is_new else HTTPStatus.OK,
    )


@upload_view("PUT")
def put_run(request: HttpRequest, *, run_id: str) -> HttpResponse:
    """Store a run; answered with 2xx only after COMMIT."""
    run_uuid = read_run_id(run_id)
    if run_uuid is None:
        raise Refusal(problems.NOT_FOUND, "A run id is a UUID of version 7 in lowercase.")
    refuse_old_agent(_user_agent(request))
    raw = read_body(request, bytes_max=ENVELOPE_BYTES_MAX)
    accepted = accept_run(raw=raw, run_id=run_uuid, networks=networks_of(request))
    reach("after-commit")
    if accepted.is_new:
        ring_doorbell()
        reach("after-doorbell")
    upload = accepted.upload
    # bytes that everybody can have prove nothing of who sends them again
    is_senders = accepted.is_new or not is_envelope_public(run_uuid)
    token = new_claim_link(key=upload.key, run_id=run_uuid) if is_senders else None
    return JsonResponse(
        {
            "run_id": str(run_uuid),
            "state": upload.public_state,
            "level": None if accepted.is_new else level_of(run_uuid),
            "run_url": f"{settings.SITE_URL}/runs/{run_uuid}/",
            "status_url": f"{settings.SITE_URL}{request.path}",
            "short_url": f"{settings.SITE_URL}/r/{upload.short_code}",
            **({"claim_url": f"{settings.SITE_URL}/claim/{token}/"} if token else {}),
            **told_of_newer(_user_agent(request)),
        },
        status=HTTPStatus.CREATED if accepted.is_new else HTTPStatus.OK,
        headers={"Cache-Control": "no-store"},
    )


def _ticket_members(shown: ShownTicket) -> dict[str, str]:
    """What an agent is told of the ticket that it showed."""
    return {"ticket": shown.use, **({"ticket_plan": shown.plan} if shown.plan else {})}


def _user_agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")


@csrf_exempt
def nothing_here(request: HttpRequest, **_address: str) -> HttpResponse:
    """Answer an unknown address below /api with a problem document instead of a page."""
    return problem(request, problems.NOT_FOUND, f"There is nothing at {request.path}.")

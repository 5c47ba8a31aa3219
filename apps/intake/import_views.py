"""The views that take outputs of benchmarks: an address for programs, and a page for people."""

from __future__ import annotations

import base64
import binascii
import math
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.origins import is_from_elsewhere
from apps.intake.http import upload_view
from apps.intake.importers.fio.text_syncs import SYNC_DOUBTS
from apps.intake.importers.limits import NAME_CHARACTERS_MAX, OUTPUT_BYTES_MAX
from apps.intake.networks import networks_of
from apps.intake.services.catalogue_names import UnlistedName, check_claim, names_like
from apps.intake.services.imports import ImportClaim, import_output, understand
from apps.intake.services.understood import understood
from apps.runs.imported.judgement import family_of_claim, floor_of_family, judge_output
from apps.runs.models import Level, Run
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import QueryDict

    from apps.drives.models import DriveFamily
    from apps.runs.imported.judgement import JudgedOutput

    # What the pages say of where an output stands, given the drive that its sender named.
    StandOf = Callable[[JudgedOutput, DriveFamily | None], object]

TEMPLATE: Final = "pages/imports/import.html"
STAND: Final = "pages/imports/stand.html"
TROUBLE: Final = "pages/imports/trouble.html"
SAVE: Final = "save"  # what the button that shares sends
CONSENT: Final = "cc0"  # what the box beside it sends
CLAIM_FIELDS: Final = ("provider", "plan", "drive")
SECONDS_A_MINUTE: Final = 60
EMPTY: Final = gettext_noop("Paste an output, or choose its file.")


@dataclass(frozen=True, slots=True)
class ShareForm:
    """The form that makes a run of an output, and what it asks about what was sent with it."""

    claim: ImportClaim
    unlisted: tuple[UnlistedName, ...] = ()
    needs_consent: bool = False
    content: str = ""  # the output in Base64
    characters_max: int = NAME_CHARACTERS_MAX


@upload_view("POST")
def post_import(request: HttpRequest) -> HttpResponse:
    """Store an output that a program sends as its body; answered with 2xx only after COMMIT."""
    raw = read_output_body(request)
    network = networks_of(request).uploader
    imported = import_output(raw=raw, claim=claim_of(request.GET), network=network)
    slug = str(imported.file.run_id)
    return JsonResponse(
        {
            "run_id": slug,
            "level": Level.IMPORTED,
            "run_url": f"{settings.SITE_URL}/runs/{slug}/",
            "status_url": f"{settings.SITE_URL}/api/v1/runs/{slug}",
            "understood": understood(imported.file.document, imported.file.run.labels.all()),
        },
        status=HTTPStatus.CREATED if imported.is_new else HTTPStatus.OK,
    )


# It uses no session and changes nothing of anybody's, so that it needs no token: with one, each
# page that has the form would set a cookie, and no cache could share it.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, stand_of: StandOf) -> HttpResponse:
    """Show a form for an output, then where it stands, then, once it is shared, its run.

    htmx gets the answer alone, or what is wrong; nothing is stored before it is shared.
    """
    if request.method != "POST":
        return _page(request, {})
    if is_from_elsewhere(request):
        return form_refused(request)
    claim = claim_of(request.POST)
    try:
        raw = output_of_form(request)
        if SAVE not in request.POST:
            return _answered(request, raw, ShareForm(claim), stand_of=stand_of)
        checked = check_claim(claim, as_typed=request.POST.get("as_typed", "").splitlines())
        has_consent = request.POST.get("consent") == CONSENT
        if checked.unlisted or not has_consent:
            share = ShareForm(checked.claim, checked.unlisted, needs_consent=not has_consent)
            return _answered(request, raw, share, stand_of=stand_of, is_refused=True)
        network = networks_of(request).uploader
        imported = import_output(raw=raw, claim=checked.claim, network=network)
    except Refusal as refusal:
        return _trouble(request, refusal, ShareForm(claim))
    return redirect("pages:run", slug=str(imported.file.run_id))


@require_safe
def catalogue_names(request: HttpRequest) -> HttpResponse:
    """Names of the catalogue that complete a field of the claim, as options: at most 2 queries."""
    field = request.GET.get("of", "")
    names = names_like(field, claim_of(request.GET)) if field in CLAIM_FIELDS else ()
    return render(request, "pages/imports/names.html", {"names": names})


def _answered(
    request: HttpRequest,
    raw: bytes,
    share: ShareForm,
    *,
    stand_of: StandOf,
    is_refused: bool = False,
) -> HttpResponse:
    """Show where an output stands; where its form asks something, it was refused for now."""
    document = understand(raw, network=networks_of(request).uploader)
    family = family_of_claim(share.claim.drive)
    judged = judge_output(document, run=Run(), floor=floor_of_family(family))
    context = {
        "document": {**document, "doubts": _sync_doubts(document)},
        "judged": judged,
        "stand": stand_of(judged, family),
        "share": replace(share, content=base64.b64encode(raw).decode()),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return _page(request, context, part=STAND, status=status)


def _sync_doubts(document: Mapping[str, Any]) -> list[str]:
    """Return why an output leaves open how durable its writes were, each reason once."""
    notes = (note for job in document["jobs"] for note in job["notes"])
    return list(dict.fromkeys(note for note in notes if note in SYNC_DOUBTS))


def read_output_body(request: HttpRequest) -> bytes:
    """Return the body of a request, at most OUTPUT_BYTES_MAX bytes. Raises Refusal.

    Content-Type is ignored, because curl sends everything as a form by default.
    """
    if not request.headers.get("Content-Length"):
        raise Refusal(problems.LENGTH_REQUIRED, "")
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Refusal(problems.UNREADABLE_OUTPUT, "It is sent with a Content-Encoding.")
    try:
        body: bytes = request.read(OUTPUT_BYTES_MAX + 1)
    except UnreadablePostError as error:
        raise Refusal(problems.UNREADABLE_OUTPUT, "The body ended early.") from error
    return _bounded(body)


def output_of_form(request: HttpRequest) -> bytes:
    """Return the bytes of a form: those of the preview, else of a file, else of the text field.

    Raises Refusal.
    """
    if SAVE in request.POST:
        try:
            raw = base64.b64decode(request.POST.get("content", ""), validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refusal(problems.UNREADABLE_OUTPUT, EMPTY) from error
        return _bounded(raw)
    if (file := request.FILES.get("file")) is not None:
        return _bounded(file.read(OUTPUT_BYTES_MAX + 1))
    # browsers send the lines of a text field with CR LF, whatever was pasted
    pasted = request.POST.get("pasted", "").replace("\r\n", "\n")
    if not pasted.strip():
        raise Refusal(problems.UNREADABLE_OUTPUT, EMPTY)
    return _bounded(pasted.encode("utf-8", "replace"))


def claim_of(fields: QueryDict) -> ImportClaim:
    """Return the claim about the machine in a form or an address."""
    claims = {
        name: fields.get(name, "").replace("\0", "").strip()[:NAME_CHARACTERS_MAX]
        for name in CLAIM_FIELDS
    }
    return ImportClaim(**claims)


def form_refused(request: HttpRequest) -> HttpResponse:
    """Answer a form that a page of another site sent. Status 403."""
    return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)


def _trouble(request: HttpRequest, refusal: Refusal, share: ShareForm) -> HttpResponse:
    """Show what is wrong, with what was sent if it may be sent again."""
    wait_s = refusal.retry_after_s
    # what was placed may be shared later; what was not understood cannot
    content = request.POST.get("content", "") if wait_s else ""
    context = {
        "trouble": refusal,
        "wait_minutes": math.ceil(wait_s / SECONDS_A_MINUTE) if wait_s else None,
        "pasted": request.POST.get("pasted", ""),
        "share": replace(share, content=content) if content else None,
    }
    response = _page(request, context, part=TROUBLE, status=refusal.kind.status)
    if wait_s:
        response.headers["Retry-After"] = str(wait_s)
    return response


def _bounded(raw: bytes) -> bytes:
    if len(raw) > OUTPUT_BYTES_MAX:
        detail = gettext("It has more than %(n)s bytes.") % {"n": f"{OUTPUT_BYTES_MAX:,}"}
        raise Refusal(problems.OUTPUT_TOO_LARGE, detail)
    return raw


def _page(
    request: HttpRequest,
    context: dict[str, Any],
    *,
    part: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Render the page, or for htmx the part of it."""
    is_part = part and bool(cast("Any", request).htmx)
    response = render(request, part if is_part else TEMPLATE, context, status=status)
    response.headers["Cache-Control"] = "no-store"  # it holds what somebody pasted
    return response

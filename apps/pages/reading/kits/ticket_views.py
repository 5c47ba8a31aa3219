"""A kit with a ticket in it, for who is signed in: its run counts as theirs."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from apps.accounts.credit.tickets import OPEN_TICKETS_MAX, TooManyTicketsError, make_ticket
from apps.pages.frame.terms import terms_agreed
from apps.pages.reading.kits.contexts import kit_at

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.pages.reading.kits.texts import Kit

SCRIPT: Final = "script"
USER_DATA: Final = "user-data"


@login_required
@terms_agreed
@require_http_methods(["GET", "HEAD", "POST"])
def ticket(request: HttpRequest) -> HttpResponse:
    """Say what a ticket is; a POST makes one and hands out the text that holds it, once."""
    kit = kit_at(request.GET)
    if kit is None:
        raise Http404("nobody rents that plan there for an hour, or this site has no agent")
    if request.method != "POST":
        return _page(request, kit)
    form = request.POST.get("text", "")
    if form not in _forms_of(kit):
        raise Http404("no such text")
    user = cast("User", request.user)  # login_required lets nobody else in
    try:
        token = make_ticket(user, plan=kit.plan.slug, region=kit.region)
    except TooManyTicketsError:
        return _page(request, kit, most=OPEN_TICKETS_MAX)
    return _text(kit.with_ticket(token), form)


def _forms_of(kit: Kit) -> dict[str, str]:
    """Return the texts of a kit: the name of its file by what it is."""
    name = "-".join(filter(None, (kit.plan.slug, kit.region)))
    names = {SCRIPT: f"{name}.sh", USER_DATA: f"{name}.yaml"}
    return names if kit.client else {USER_DATA: names[USER_DATA]}


def _text(kit: Kit, form: str) -> HttpResponse:
    """Return a file; that it stays private is said for every page of a person."""
    text = kit.script if form == SCRIPT else kit.cloud_init
    name = _forms_of(kit)[form]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


def _page(request: HttpRequest, kit: Kit, *, most: int = 0) -> HttpResponse:
    context = {"kit": kit, "forms": _forms_of(kit).items(), "most": most}
    status = HTTPStatus.CONFLICT if most else HTTPStatus.OK
    return render(request, "pages/reading/kit/ticket.html", context, status=status)

"""Terms, privacy, imprint; and a person agrees to terms that changed since they last did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.services import accept_terms
from apps.accounts.terms import TERMS_VERSION, agreed_to_terms
from apps.pages.frame.documents import OwnText, read_document

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ADDRESS_BREAK: Final = ";"  # between the lines of SITE_ADDRESS, which stands on one line


@require_safe
def terms(request: HttpRequest, version: int | None = None) -> HttpResponse:
    """Show the terms in force, or those of an earlier version."""
    shown = TERMS_VERSION if version is None else version
    document = _terms_of(shown)
    if document is None:
        raise Http404("no such version of the terms")
    context = {
        "document": document,
        "version": shown,
        "in_force": TERMS_VERSION,
        "versions": range(TERMS_VERSION, 0, -1),
    }
    if version is None:
        return render(request, "pages/legal/terms.html", context)
    return render(request, "pages/legal/terms_version.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept of whom, for how long."""
    document = read_document("privacy", get_language() or "")
    return render(request, "pages/legal/privacy.html", {"document": document})


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Show who answers for this installation, or that nobody has said."""
    contact = settings.SITE_CONTACT
    context = {
        "operator": settings.SITE_OPERATOR,
        "address": [line.strip() for line in settings.SITE_ADDRESS.split(ADDRESS_BREAK)],
        "contact": contact,
        "contact_words": contact.partition(":")[2].removeprefix("//"),
        "is_whole": bool(settings.SITE_OPERATOR and settings.SITE_ADDRESS and contact),
    }
    return render(request, "pages/legal/imprint.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agree(request: HttpRequest) -> HttpResponse:
    """Ask a person whether they agree to the terms in force; a yes leads to their account."""
    user = cast("User", request.user)  # login_required lets nobody else in
    if request.method == "POST":
        accept_terms(user, version=TERMS_VERSION)
        return redirect("pages:account")
    if agreed_to_terms(user):
        return redirect("pages:account")
    return render(request, "pages/legal/agree.html", {"version": TERMS_VERSION})


def _terms_of(version: int) -> OwnText | None:
    """The text of a version: the current file, or what was kept of an earlier one."""
    if not 0 < version <= TERMS_VERSION:
        return None
    name = "terms" if version == TERMS_VERSION else f"terms.{version}"
    return read_document(name, get_language() or "")

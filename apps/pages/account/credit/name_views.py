"""The badge of a person: under which name, and how to embed it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from apps.accounts.credit.names import NameRefusedError, choose_name, name_of
from apps.pages.account.credit.forms import PublicNameForm, refusal
from apps.pages.account.views import person_of
from apps.pages.show.words import badge_alt_of_person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def badge(request: HttpRequest) -> HttpResponse:
    """Show a person's badge; a POST names them in public, or no longer."""
    user = person_of(request)
    name = name_of(user)
    form = PublicNameForm(request.POST or None, initial={"name": name})
    if request.method == "POST" and form.is_valid():
        try:
            choose_name(user, form.cleaned_data["name"])
        except NameRefusedError:
            form.add_error("name", refusal())
        else:
            messages.success(request, gettext("The name is stored."))
            return redirect("pages:account-badge")
    context = {
        "form": form,
        "badge_path": reverse("badges:by", args=[name]) if name else "",
        "badge_alt": badge_alt_of_person(name),
        "page_path": reverse("pages:home"),
    }
    return render(request, "pages/account/badge.html", context)

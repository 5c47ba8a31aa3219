"""One machine of a person: its name, its runs over time, and when its rate changed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from apps.accounts.models import MachineName
from apps.pages.account.forms import NameForm
from apps.pages.account.machine_chart import chart_of
from apps.pages.account.selectors.machines import history_of
from apps.pages.account.views import person_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def machine(request: HttpRequest, machine: str) -> HttpResponse:
    """Show the runs of a machine over time; a POST names it."""
    user = person_of(request)
    history = history_of(user, machine)
    if history is None:
        raise Http404("no machine of this person")
    form = NameForm(request.POST or None, initial={"name": history.machine.name})
    if request.method == "POST" and form.is_valid():
        MachineName.objects.update_or_create(
            user=user, machine=machine, defaults={"name": form.cleaned_data["name"]}
        )
        messages.success(request, gettext("The name is stored."))
        return redirect("pages:account-machine", machine=machine)
    context = {"history": history, "chart": chart_of(history), "name_form": form}
    return render(request, "pages/account/machine.html", context)

"""Where programs find what a page shows: its address as JSON, by the name of its view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse

if TYPE_CHECKING:
    from django.http import HttpRequest

# The same thing under the same name, or the whole list that a page is about.
OF_A_THING: Final = {
    "pages:plan": "api:plan",
    "pages:provider": "api:provider",
    "pages:drive": "api:drive",
    "pages:run": "api:run",
}
OF_A_LIST: Final = {
    "pages:home": "api:standings",
    "pages:rules": "api:rules",
    "pages:method": "api:methods",
    "pages:terms": "api:root",
    "pages:about": "api:root",
    "pages:unknown-drives": "api:drives",
    "developers:api": "api:root",
    "developers:reference": "api:schema",
}
# Files that take the query of their page.
WITH_QUERY: Final = {
    "pages:plans": "files:plans-json",
    "pages:providers": "files:providers-json",
    "pages:drives": "files:drives-json",
    "pages:runs": "files:runs-json",
    "pages:compare": "files:compare-json",
}


def twin_of(request: HttpRequest) -> str:
    """Return the path of a page's JSON; empty of a page that shows no figures."""
    match = request.resolver_match
    if match is None:
        return ""
    name = match.view_name
    if name in OF_A_THING:
        return reverse(OF_A_THING[name], args=[match.kwargs["slug"]])
    if name == "pages:run-workload":
        return reverse("api:run", args=[match.kwargs["slug"]])
    if name == "pages:rule":
        return f"{reverse('api:labels')}?rule={match.kwargs['rule_id']}"
    if name in WITH_QUERY:
        query = request.GET.urlencode(safe=":")
        return f"{reverse(WITH_QUERY[name])}?{query}" if query else reverse(WITH_QUERY[name])
    return reverse(OF_A_LIST[name]) if name in OF_A_LIST else ""

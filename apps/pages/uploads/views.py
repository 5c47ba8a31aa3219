"""Where is my run: the state of an upload, or of the newest uploads of a key."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import NO_CONTENT, REFRESH_SECONDS, no_store, page_or_part, wants_part
from apps.pages.show.address.ids import IdSearch
from apps.pages.uploads.selectors import (
    KeyUploads,
    find_key,
    find_whereabouts,
)
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.runs.whereabouts import Whereabouts


@require_safe
def uploads(request: HttpRequest) -> HttpResponse:
    """What became of the run, or of the runs of the key, that the address names."""
    text = request.GET.get("q", "").replace("\x00", "").strip()[:SLUG_CHARACTERS_MAX]
    search = IdSearch.read(text)
    one = find_whereabouts(search.run) if search.run else None
    key = find_key(search.keyid) if search.keyid else None
    if wants_part(request) and request.GET.get("seen") == state_of(one, key):
        return no_store(HttpResponse(status=NO_CONTENT))
    context = {
        "q": text,
        "search": search,
        "where": one,
        "key": key,
        "refresh_seconds": REFRESH_SECONDS,
        "again": again(text, one, key),
    }
    return no_store(page_or_part(request, "pages/uploads/uploads.html", "state", context))


def state_of(one: Whereabouts | None, key: KeyUploads | None) -> str:
    """A word that changes when what is shown does; empty where nothing is."""
    return one.fingerprint if one else key.fingerprint if key else ""


def again(text: str, one: Whereabouts | None, key: KeyUploads | None) -> str:
    """The address that a page asks while it waits; empty once nothing will change."""
    if not ((one and one.is_waiting) or (key and key.is_waiting)):
        return ""
    return f"{reverse('pages:uploads')}?{urlencode({'q': text, 'seen': state_of(one, key)})}"

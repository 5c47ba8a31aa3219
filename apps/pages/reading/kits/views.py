"""`/kits/`: the texts of measuring kits, as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.pages.reading.kits.selectors import plan_to_measure
from apps.pages.reading.kits.texts import is_offered, kit_of, kubernetes
from apps.plans.naming import SLUG_CHARACTERS_MAX

if TYPE_CHECKING:
    from apps.pages.reading.kits.texts import Kit

AGE_S: Final = 300  # after a release the binaries are not those that an older text names


@require_safe
def cloud_init(_request: HttpRequest, slug: str, region: str) -> HttpResponse:
    """The user data of a machine that measures itself."""
    return _text(_kit(slug, region).cloud_init)


@require_safe
def script(_request: HttpRequest, slug: str, region: str) -> HttpResponse:
    """The script that rents a machine, measures it and deletes it."""
    kit = _kit(slug, region)
    if kit.client is None:
        raise Http404("nothing rents this plan from a command line")
    return _text(kit.script)


@require_safe
def kubernetes_job(request: HttpRequest) -> HttpResponse:
    """A volume and a job that measures it, as of the plan that the address names."""
    if not is_offered():
        raise Http404("this site has no agent that a cluster could fetch")
    slug = request.GET.get("plan", "").replace("\x00", "")[:SLUG_CHARACTERS_MAX]
    found = plan_to_measure(slug) if slug else None
    if slug and (found is None or not found.is_volume):
        raise Http404("no volume of that name")
    return _text(kubernetes(found.plan if found else None))


def _kit(slug: str, region: str) -> Kit:
    found = plan_to_measure(slug, region)
    kit = kit_of(found) if found else None
    if kit is None:
        raise Http404("nobody rents that plan there for an hour, or this site has no agent")
    return kit


def _text(text: str) -> HttpResponse:
    headers = {"Cache-Control": f"public, max-age={AGE_S}"}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)

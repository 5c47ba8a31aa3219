"""Names of drives that nobody knows yet: the list of them, and a page for each."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.show.address.query_string import page_number
from apps.pages.show.table.paging import pager_of
from apps.pages.things.kin import answer_of_neighbours, class_near, lines_below, nearest_of
from apps.pages.things.pictures.lanes import kin_lanes
from apps.pages.things.selectors.unknown import find_unknown_name, unknown_names


@require_safe
def unknown_drives(request: HttpRequest) -> HttpResponse:
    """All names that wait for somebody who knows them."""
    names = unknown_names(page_number(request.GET.get("page", "")))
    context = {
        "unknown": names,
        "address": reverse("pages:unknown-drives"),
        "pager": pager_of(names.pages, lambda page: f"?page={page}"),
    }
    return render(request, "pages/things/unknown/drives.html", context)


@require_safe
def unknown_drive(request: HttpRequest, key: str) -> HttpResponse:
    """One name; the address is gone when somebody has named it."""
    name = find_unknown_name(key)
    if name is None:
        raise Http404("no such unknown name")
    nearest = nearest_of(name.kin, has_other_work=False)
    context = {
        "name": name,
        "kin": lines_below(name.kin, nearest),
        "nearest": nearest,
        "near": None if nearest else answer_of_neighbours(name.kin, has_other_work=False),
        "lanes": kin_lanes((), name.kin),
        "rung": class_near(name.kin),
    }
    return render(request, "pages/things/unknown/drive.html", context)

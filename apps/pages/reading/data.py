"""The open data: what the newest dump holds, and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.files.storage import FileSystemStorage, storages
from django.http import FileResponse, Http404, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from apps.pages.frame.htmx import no_store
from apps.rankings.dumps.envelopes import PREFIX
from apps.rankings.dumps.store import dump_state, files_for_everybody, newest_dump
from apps.rankings.models import Dump

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

NEWEST: Final = "latest"  # stands in an address for the name of the newest dump
FILE_AGE_S: Final = 24 * 3600  # a file never changes; a dump that is gone may be asked for a day
_SHOWN_AS_TEXT: Final = frozenset({"SHA256SUMS", "METHOD_VERSION"})


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Files of the newest dump, with their sizes and how to open them: 4 queries."""
    dump = newest_dump()
    files = sorted(files_for_everybody(dump) if dump else [], key=_place)
    context = {
        "dump": dump,
        "files": [each for each in files if not each["name"].startswith(PREFIX)],
        "envelopes": [each for each in files if each["name"].startswith(PREFIX)],
        "has_failed": dump_state().has_failed,
        "newest": f"{settings.SITE_URL}/data/{NEWEST}",
    }
    return no_store(render(request, "pages/reading/data.html", context))


def _place(file: dict[str, Any]) -> tuple[bool, bool, str]:
    """Return what sorts the measurements first, and last what is about the files themselves."""
    name = file["name"]
    return name.isupper(), not name.startswith("runs."), name


@require_safe
def dump_file(request: HttpRequest, name: str, file: str) -> HttpResponseBase:
    """A file of a dump; of the newest one its address, and from a store elsewhere its address."""
    if name == NEWEST:
        newest = newest_dump()
        if newest is None:
            raise Http404("there is no dump yet")
        return no_store(redirect("files:dump-file", newest.name, file))
    dump = get_object_or_404(Dump, name=name, finished_at__isnull=False)
    if file not in {each["name"] for each in files_for_everybody(dump)}:
        raise Http404("the dump has no such file")
    request.META.pop("HTTP_ACCEPT_ENCODING", None)  # not compressed a second time: its sum holds
    storage, path = storages["dumps"], f"{dump.name}/{file}"
    if not isinstance(storage, FileSystemStorage):
        return no_store(HttpResponseRedirect(storage.url(path)))
    answer = _file(storage, path, file)
    if file.startswith(PREFIX):
        return no_store(answer)  # who takes a run back takes its envelope out of it at once
    answer["Cache-Control"] = f"public, max-age={FILE_AGE_S}, immutable"
    return answer


def _file(storage: FileSystemStorage, path: str, file: str) -> FileResponse:
    is_text = file in _SHOWN_AS_TEXT
    try:
        opened = storage.open(path).file
    except FileNotFoundError as error:
        raise Http404("the file was taken away a moment ago") from error
    return FileResponse(
        opened,
        as_attachment=not (is_text or file.endswith(".json")),
        filename=file,
        content_type=_type_of(file),
    )


def _type_of(file: str) -> str:
    if file in _SHOWN_AS_TEXT:
        return "text/plain; charset=utf-8"
    if file.endswith(".json"):
        return "application/json"
    return "text/csv; charset=utf-8" if file.endswith(".csv") else "application/octet-stream"

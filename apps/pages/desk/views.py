"""The desk: its queue, the evidence of one thing, decisions and their undo.

Each form works without script: it is sent, and the queue comes back with what was decided and a
button that takes it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from apps.moderation.reasons import READY
from apps.moderation.selectors import log, queue
from apps.moderation.selectors.queue import ITEMS_A_PAGE, OF_RUNS, QueueKind, kind_named
from apps.moderation.services.acts.act import DecisionError
from apps.moderation.services.decisions import decide, undo
from apps.pages.desk import words
from apps.pages.desk.beside import evidence_context, form_of
from apps.pages.desk.orders import EDIT, MODERATE, orders_of
from apps.pages.desk.selectors import evidence_of
from apps.pages.frame import decisions
from apps.pages.frame.htmx import page_or_part, wants_part
from apps.pages.frame.staff import staff_page
from apps.pages.show.address.query_string import page_number
from apps.pages.show.phrases import translate
from apps.pages.show.table.paging import pager_of, paging
from apps.plans.prices.amounts import PRICE_FRESH_DAYS
from apps.plans.selectors import plans_with_old_prices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.contrib.auth.models import User

LOOK: Final = "moderation.look"
UNPROCESSABLE: Final = 422
QUEUE: Final = "pages/desk/desk.html"


@staff_page(LOOK)
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The queue: of all kinds or of one, oldest first."""
    return page_or_part(request, QUEUE, "queue", queue_context(request))


@staff_page(LOOK)
@require_safe
def item(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """One thing that waits, its evidence side by side."""
    found = evidence_of(named, key) if (named := kind_named(kind)) else None
    if found is None:
        raise Http404("nothing of that name waits")
    line = words.line_of(found.item)
    shown = kind_named(request.GET.get("kind", ""))
    context = {
        **evidence_context(found),
        "line": line,
        "form": form_of(found, line.name, _ready(), shown or ""),
        **_may(request),
    }
    return page_or_part(request, "pages/desk/item.html", "evidence", context)


@staff_page(LOOK)
@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Decide about everything that is ticked, all or nothing."""
    try:
        made = decide(orders_of(request.POST, _user(request)))
    except DecisionError as error:
        return _refused(request, error)
    return _back(request, made[0].batch)


@staff_page(MODERATE)
@require_POST
def take_back(request: HttpRequest) -> HttpResponse:
    """Undo decisions: those of one go, or a single one."""
    numbers = [int(each) for each in request.POST.getlist("decision") if each.isdecimal()]
    try:
        made = undo(numbers, by=_user(request), reason=READY[-1])
    except DecisionError as error:
        return _refused(request, error)
    return _back(request, made[0].batch if made else None)


@staff_page(LOOK)
@require_safe
def prices(request: HttpRequest) -> HttpResponse:
    """Plans whose newest price may have changed since, the oldest first."""
    plans = plans_with_old_prices(timezone.now().date())
    number = page_number(request.GET.get("page", ""))
    pages, span = paging(total=plans.count(), page=number, size=ITEMS_A_PAGE)
    context = {
        "plans": plans[span],
        "total": pages.total,
        "days": PRICE_FRESH_DAYS,
        "pager": pager_of(pages, lambda page: f"?page={page}"),
        "address": reverse("pages:desk-prices"),
    }
    return render(request, "pages/desk/prices.html", context)


def queue_context(
    request: HttpRequest, *, ticked: Sequence[str] = (), **more: object
) -> dict[str, Any]:
    """What the queue shows: what waits, what has just been decided, what was decided lately."""
    given = request.POST if request.method == "POST" else request.GET
    kind = kind_named(given.get("kind", ""))
    counts = queue.counts()
    total = counts[kind] if kind else sum(counts.values())
    pages, span = paging(total=total, page=page_number(given.get("page", "")), size=ITEMS_A_PAGE)
    batch = _uuid(given.get("done", ""))
    return {
        "kind": kind,
        "kinds": [
            (each.value, words.KINDS[each], counts[each], each == kind) for each in QueueKind
        ],
        "total": sum(counts.values()),
        "lines": words.lines_of(queue.waiting(kind, span=span), ticked),
        "pager": pager_of(pages, lambda page: _query(kind, page)),
        "address": reverse("pages:desk"),
        "done": decisions.lines_of(log.of_batch(batch)) if batch else (),
        "newest": decisions.lines_of(log.newest()),
        "ready": _ready(),
        "trouble": "",
        "is_of_runs": kind in (None, QueueKind.REPORTED, *OF_RUNS),
        **_may(request),
        **more,
    }


def _refused(request: HttpRequest, error: DecisionError) -> HttpResponse:
    """The queue again with what stands against the decision; nothing was changed."""
    context = queue_context(request, trouble=str(error), ticked=request.POST.getlist("item"))
    response = page_or_part(request, QUEUE, "queue", context)
    response.status_code = 200 if wants_part(request) else UNPROCESSABLE  # htmx shows no 422
    return response


def _back(request: HttpRequest, batch: UUID | None) -> HttpResponse:
    kind = kind_named(request.POST.get("kind", ""))
    values = {"kind": kind or "", "done": str(batch or "")}
    query = urlencode({name: value for name, value in values.items() if value})
    address = f"{reverse('pages:desk')}?{query}"
    if not wants_part(request):
        return HttpResponseRedirect(address, status=303)
    done = decisions.lines_of(log.of_batch(batch)) if batch else []
    response = render(request, f"{QUEUE}#queue", queue_context(request, done=done))
    response["HX-Push-Url"] = address
    return response


def _may(request: HttpRequest) -> Mapping[str, bool]:
    user = _user(request)
    is_moderator = user.has_perm(MODERATE)
    return {"may_decide": is_moderator, "may_correct": is_moderator or user.has_perm(EDIT)}


def _ready() -> list[tuple[str, str]]:
    return [(each, translate(each)) for each in READY]


def _query(kind: QueueKind | None, page: int) -> str:
    return f"?{urlencode({**({'kind': kind.value} if kind else {}), 'page': page})}"


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)  # staff_page lets nobody else in

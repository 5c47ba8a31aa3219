"""The first page: what this is and why to care, in one screen; after a run, where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.frame.questions import QUESTIONS
from apps.pages.home.contrast import find_contrast
from apps.pages.home.ladder import ladder, own_run_of
from apps.pages.home.selectors import read_home
from apps.pages.show.phrases import join_names
from apps.pages.show.table.groups import groups_of_standings
from apps.pages.show.table.rows import row_of_run
from apps.rankings.models import Evidence

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

SLUG_MAX = 80  # characters of a run's address


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, in one screen; `run` puts one run on the ladder."""
    slug = request.GET.get("run", "").replace("\0", "")[:SLUG_MAX]
    rows = read_home(slug)
    contrast = find_contrast([each for each in rows.best if each.evidence == Evidence.PUBLISHED])
    own_runs = (own_run_of(run, rows.classes) for run in rows.runs if run.slug == slug)
    own_run = next(own_runs, None)
    groups = groups_of_standings(rows.top)
    context = {
        "asked_run": slug,
        "rungs": ladder(
            rows.classes, rows.marks, set(contrast.subjects) if contrast and not own_run else set()
        ),
        "own_run": own_run,
        "contrast": contrast,
        "best": groups,
        "best_workloads": join_names(dict.fromkeys(group.title for group in groups)),
        "newest": tuple(row_of_run(run) for run in rows.newest),
        "counts": rows.counts,
        "questions": QUESTIONS,
    }
    return render(request, "pages/home/home.html", context)

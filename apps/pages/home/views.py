"""The first page: what this is and where you stand, in one screen; after a run, where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.frame.questions import QUESTIONS
from apps.pages.home.contrast import find_contrast
from apps.pages.home.ladder import Ladder, apart_of, own_run_of, rungs_of
from apps.pages.home.selectors import (
    asked_run,
    contrast_candidates,
    first_rows,
    ladder_classes,
    ladder_standings,
)
from apps.pages.show.phrases import translate
from apps.pages.show.table.rows import row_of_standing
from apps.runs.published.comparable import comparable_class
from apps.words.confidence import line_of
from apps.words.workloads import COMPARABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from apps.rankings.models import Standing

SHOWN_QUESTIONS = (QUESTIONS[0], QUESTIONS[1], QUESTIONS[4])  # rent, own, compare
SLUG_MAX = 80  # characters of a run's address


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, in one screen; `run` puts one run on the ladder, `example` shows made-up data.

    At most 7 queries.
    """
    slug = request.GET.get("run", "").replace("\0", "")[:SLUG_MAX]
    is_example = request.GET.get("example") == "1"
    classes = ladder_classes()
    run = asked_run(slug)
    own_run = own_run_of(run, classes) if run else None
    contrast = None if slug else find_contrast(contrast_candidates())
    subjects = set(contrast.subjects) if contrast and not is_example else set()
    ladder = Ladder(
        rungs=rungs_of(classes, ladder_standings(is_example=is_example), subjects),
        yours=own_run.lane if own_run else None,
        apart=None if is_example else apart_of(contrast),
    )
    first = first_rows(is_example=is_example)
    context = {
        "asked_run": slug,
        "ladder": ladder,
        "own_run": own_run,
        "contrast": contrast,
        "shared_marks": contrast.shared_marks if contrast else (),
        "rows": [(row_of_standing(each, is_drawn=False), line_of(each)) for each in first],
        "first_work": one_work_of(first),
        "questions": SHOWN_QUESTIONS,
        "is_made_up": is_example,
        "has_examples": any(getattr(each, "has_examples", False) for each in classes),
    }
    return render(request, "pages/home/home.html", context)


def one_work_of(rows: Sequence[Standing]) -> str:
    """The class of work of these rows in words; empty where they have several, or none."""
    classes = {comparable_class(each.workload) for each in rows}
    return translate(COMPARABLE[classes.pop()][0]) if len(classes) == 1 else ""

"""The form for a published result: it checks, answers with the record, and stores nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from apps.pages.propose.faults import in_words
from apps.pages.propose.form import CHARACTERS_MAX, LINES
from apps.runs.published.check.proposal import (
    CheckedProposal,
    Proposal,
    check_proposal,
    workload_titles,
)
from apps.words.workloads import workload_title

FIELDS: Final = tuple(each.name for each in LINES)


@require_safe
def propose(request: HttpRequest) -> HttpResponse:
    """The form, and beneath it what the check says of what was filled in."""
    given = {name: _text(request, name) for name in FIELDS}
    checked = check_proposal(_proposal(given)) if any(given.values()) else None
    fields = {each.name: replace(each, value=given[each.name]) for each in LINES}
    context = {
        "given": given,
        "workloads": _workloads(),
        "fields": fields,
        "checked": checked,
        "faults": in_words(checked.faults, fields) if checked else (),
        "record": _json(checked, indent=2),
        "mail": _mail(checked),
        "source_url": settings.SOURCE_URL,
    }
    return render(request, "pages/propose/propose.html", context)


def _text(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "").replace("\0", "").strip()[:CHARACTERS_MAX]


def _workloads() -> list[tuple[str, str]]:
    titles = ((name, workload_title(name, title)) for name, title in workload_titles().items())
    return sorted(titles, key=lambda each: each[1])


def _proposal(given: dict[str, str]) -> Proposal:
    words = {name: text for name, text in given.items() if name != "rate"}
    return Proposal(rate_per_s=_number(given["rate"]), **words)


def _number(text: str) -> float | None:
    """Return a rate as people write it, with or without separators of thousands, or None."""
    try:
        number = float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _json(checked: CheckedProposal | None, *, indent: int | None = None) -> str:
    """Return the record, and beneath it its source: each a line, or indented to be read."""
    if checked is None:
        return ""
    parts = (checked.record, checked.sources)
    return "\n".join(
        json.dumps(part, ensure_ascii=False, allow_nan=False, indent=indent) for part in parts
    )


def _mail(checked: CheckedProposal | None) -> str:
    """Return the address of a mail with the record in it, or nothing where nobody takes mail."""
    if checked is None or checked.faults or not settings.SITE_CONTACT.startswith("mailto:"):
        return ""
    subject = f"Published result: {checked.record['id']}"
    return f"{settings.SITE_CONTACT}?{urlencode({'subject': subject, 'body': _json(checked)})}"

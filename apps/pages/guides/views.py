"""Guides: what each workload waits for, and who is fit for it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.guides.all import GUIDES, find_guide
from apps.pages.guides.guide import RATE_MAX
from apps.pages.guides.recordings import recordings
from apps.pages.guides.selectors import TEXT_MAX, read_guide, read_guides
from apps.pages.guides.verdicts import lines_of, page_of

RATE_DIGITS_MAX = 8  # RATE_MAX has as many


def read_rate(text: str) -> float | None:
    """The rate that a reader asked for; None where it is no rate at all."""
    digits = text.replace(",", "").strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= RATE_DIGITS_MAX):
        return None
    return float(digits) if 0 < int(digits) <= RATE_MAX else None


@require_safe
def guides(request: HttpRequest) -> HttpResponse:
    """Every guide, with the best plan or drive that is known for it."""
    lines = lines_of(GUIDES, read_guides(GUIDES))
    return render(request, "pages/guides/guides.html", {"lines": lines})


@require_safe
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """One guide; `rate` changes what is asked for, `q` leaves what has these words in its name."""
    chosen_guide = find_guide(slug)
    if chosen_guide is None:
        raise Http404("no such guide")
    text = request.GET.get("q", "").replace("\0", "")[:TEXT_MAX].strip()
    rate = request.GET.get("rate", "")
    asked_guide = chosen_guide.asking(read_rate(rate))
    page = page_of(asked_guide, read_guide(asked_guide, text), text=text)
    context = {
        "page": page,
        "guide": page.guide,
        "q": text,
        "rate_max": RATE_MAX,
        "is_rate_wrong": bool(rate) and read_rate(rate) is None,
        "recorded": recordings(),
        "others": [each for each in GUIDES if each.slug != slug],
    }
    return render(request, "pages/guides/guide.html", context)

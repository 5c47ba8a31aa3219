"""Template tags for what several pages show: ruler, level mark, text to copy."""

import re
import shlex

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.urls import reverse

from apps.drives.models import DriveFamily
from apps.pages.draw.axis import DECADE_LABELS, RULER
from apps.pages.show import words
from apps.pages.show.table import rows
from apps.plans.models import Plan
from apps.runs.models import Run

register = template.Library()
MARKDOWN_SPECIAL = re.compile(r"([\\\[\]`*_<>!])")
BAR_HEIGHTS = (4, 7, 10, 13)  # of 14 pixels: four rising bars


@register.inclusion_tag("parts/ruler.html")
def ruler() -> dict[str, object]:
    """The sticky axis with both scales."""
    return {"ticks": RULER, "last": DECADE_LABELS[-1][0]}


@register.inclusion_tag("parts/level.html")
def level(name: str) -> dict[str, object]:
    """Four bars filled up to the level, and always its word."""
    known = words.level_words(name)
    return {
        "word": known.word,
        "bars": [
            {"x": 0.5 + 5.5 * place, "y": 13.5 - height, "height": height, "on": place < known.bars}
            for place, height in enumerate(BAR_HEIGHTS)
        ],
    }


@register.simple_tag
def site_url() -> str:
    """The public address of the site, without a slash at its end."""
    return str(settings.SITE_URL)


@register.simple_tag(takes_context=True)
def here(context: RequestContext, prefix: str) -> bool:
    """Whether the page lies under an address."""
    request = context.get("request")
    return bool(request and request.path.startswith(prefix))


@register.filter
def run_name(run: Run) -> str:
    """What a run is of."""
    return rows.run_name(run)


@register.filter
def page_path(thing: Plan | DriveFamily) -> str:
    """The address of the page of a plan or a drive family."""
    kind = "plan" if isinstance(thing, Plan) else "drive"
    return reverse(f"pages:{kind}", args=[thing.slug])


@register.filter
def shell(text: str) -> str:
    """One word of a command line, whatever it holds: names come from strangers."""
    return shlex.quote(text)


@register.filter
def markdown_text(text: str) -> str:
    """Plain text inside Markdown: nothing in it ends the text or begins a link."""
    return MARKDOWN_SPECIAL.sub(r"\\\1", " ".join(text.split()))

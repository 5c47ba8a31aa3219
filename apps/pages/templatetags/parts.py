"""Template tags for what several pages show: ruler, level mark, text to copy."""

import re
import shlex
from collections.abc import Mapping
from functools import partial

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext

from apps.drives.models import DriveFamily
from apps.pages.draw.axis import DECADE_LABELS, RULER
from apps.pages.show import downloads, words
from apps.pages.show.table import rows
from apps.pages.show.table.about import AboutLine, about_of
from apps.pages.show.table.cell import TableCell
from apps.pages.show.table.cells import plain_cells
from apps.pages.show.table.row import Row
from apps.plans.models import Plan
from apps.runs.models import Run
from apps.words.standings import RANKED_FROM

register = template.Library()
BAR_HEIGHTS = (4, 7, 10, 13)  # of 14 pixels: four rising bars
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)")


@register.inclusion_tag("parts/draw/ruler.html")
def ruler() -> dict[str, object]:
    """The sticky axis with both scales."""
    return {"ticks": RULER, "last": DECADE_LABELS[-1][0]}


@register.inclusion_tag("parts/level.html")
def level(name: str) -> dict[str, object]:
    """Bars filled up to the level, none where no bar is, and always its word."""
    level_words = words.level_words(name)
    return {
        "word": level_words.word,
        "bars": [
            {
                "x": 0.5 + 5.5 * place,
                "y": 13.5 - height,
                "height": height,
                "on": place < level_words.bars,
            }
            for place, height in enumerate(BAR_HEIGHTS if level_words.bars else ())
        ],
    }


@register.filter
def options_whole(command: object) -> SafeString:
    """A command in which no line breaks within the name of an option, as after its hyphens."""
    words = OPTION.split(str(command))  # each second one is an option
    mark = partial(format_html, '<span class="whole">{}</span>')
    return format_html_join(
        "", "{}", ((mark(each) if place % 2 else each,) for place, each in enumerate(words))
    )


@register.filter
def cut_to(text: object, most: int) -> str:
    """A name of at most so many characters: cut with one ellipsis, in every language alike."""
    whole = str(text)
    return whole if len(whole) <= most else f"{whole[: most - 1].rstrip()}\u2026"


@register.simple_tag
def beside(is_left: object, kind: str, right: int, left: int | None = None) -> SafeString:
    """Class and place of words at a mark: on its right, or on its left where they have no room."""
    if not is_left:
        return format_html('class="{}" x="{}"', kind, right)
    return format_html('class="{} flip" x="{}"', kind, -right if left is None else left)


@register.simple_tag
def ranked_from() -> Mapping[str, int]:
    """From how many uploaders on a standing is ranked."""
    return RANKED_FROM


@register.simple_tag
def comma() -> str:
    """What stands between two facts."""
    return pgettext("between facts", ", ")


@register.simple_tag
def colon() -> str:
    """What stands between a name and what is said of it."""
    return pgettext("after a name", ": ")


@register.simple_tag
def site_url() -> str:
    """The public address of the site, without a slash at its end."""
    return str(settings.SITE_URL)


@register.simple_block_tag(end_name="endseries")
def series(content: str) -> SafeString:
    """Lines of the template in a row, with commas between them."""
    parts = [line.strip() for line in content.splitlines() if line.strip()]
    return mark_safe(gettext(", ").join(parts))  # noqa: S308 -- rendered, and so escaped, before


@register.simple_tag
def of_thing(name: str) -> SafeString:
    """Whose link it is, for people who hear the page and do not see what stands beside it."""
    return format_html('<span class="hidden">{}{}</span>', colon(), name)


@register.simple_tag
def run_link(url: str, source: str) -> SafeString:
    """A link to the run behind a figure, by the title of its source, which is in English."""
    if source:
        return format_html('<a href="{}"><span lang="en">{}</span></a>', url, source)
    return format_html('<a href="{}">{}</a>', url, gettext("the newest run"))


@register.simple_tag
def measure_command(provider: str = "", plan: str = "", *, is_here: bool = False) -> str:
    """The line that measures a machine, of that plan if one is given; is_here: with the agent."""
    options = ("--provider", provider, "--plan", plan) if plan else ()
    return downloads.measuring(*options, is_here=is_here)


@register.simple_tag
def swaps_board(url: str) -> SafeString:
    """What makes a link fetch another state of the board in place."""
    return format_html(
        'hx-get="{}" hx-target="#board" hx-swap="outerHTML show:top" hx-push-url="true"', url
    )


@register.simple_tag(takes_context=True)
def here(context: RequestContext, prefix: str) -> bool:
    """Whether the page lies under an address."""
    request = context.get("request")
    return bool(request and request.path.startswith(prefix))


@register.filter
def cells(row: Row, third: str) -> tuple[TableCell, ...]:
    """The cells of a row: those that a reader chose, else rate, p99 and a third."""
    return row.cells or plain_cells(row, third)


@register.filter
def about(row: Row) -> tuple[AboutLine, ...]:
    """Where the figures of a row come from."""
    return about_of(row)


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
    """The text quoted as one word of a command line: names come from strangers."""
    return shlex.quote(text)

"""What every style of badge has: the element around it, its sentence, the mark of the level."""

from xml.sax.saxutils import escape, quoteattr

from apps.badges.drawing.badge import Badge
from apps.badges.drawing.text import SENTENCE_CHARACTERS_MAX, clean

INK = "#ffffff"  # on the right part
BARS = 4  # of the level mark: signed fills one, witnessed two
BAR_PX = 2
BAR_STEP_PX = 3
BARS_PX = BAR_STEP_PX * BARS - 1
BAR_FAINT = 0.35


def svg_element(badge: Badge, *, width: int, height: int, content: str) -> str:
    """Return the whole picture, with its sentence for those who do not see it."""
    sentence = clean(badge.sentence, characters_max=SENTENCE_CHARACTERS_MAX)
    return picture(sentence, width=width, height=height, content=content)


def picture(sentence: str, *, width: int, height: int, content: str) -> str:
    """Return an SVG of this size that says a sentence in letters of ours."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(sentence)}>'
        f"<title>{escape(sentence)}</title>{content}</svg>"
    )


def level_mark(filled: int, *, x_px: float, bottom_px: int) -> str:
    """Draw four rising bars, filled up to the level; the word beside them says the same."""
    drawn = [
        f"M{x_px + bar * BAR_STEP_PX:g} {bottom_px}h{BAR_PX}v-{3 + 2 * bar}h-{BAR_PX}z"
        for bar in range(BARS)
    ]
    bright, faint = "".join(drawn[:filled]), "".join(drawn[filled:])
    return (f'<path d="{bright}"/>' if bright else "") + (
        f'<path fill-opacity="{BAR_FAINT}" d="{faint}"/>' if faint else ""
    )

"""Makes a PNG of a badge, in the fonts of its widths: for mail, and where no SVG is shown."""

from typing import Final

import resvg_py

from apps.badges.drawing.text import FONTS

ZOOM: Final = 2  # pixels of a screen, for one of the picture's
_FILES: Final = [str(file) for file in sorted(FONTS.glob("*.ttf"))]


def png_of(svg: str) -> bytes:
    """Return a badge of ours twice as large, on nothing."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, zoom=ZOOM, skip_system_fonts=True, font_files=_FILES
    )

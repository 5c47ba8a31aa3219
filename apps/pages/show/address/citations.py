"""How a page of this site is cited: for LaTeX, and for programs that keep references."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from django.conf import settings

from apps.pages.show.address.badges import Snippet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

SITE_NAME: Final = "Fsyncmark"
# What LaTeX reads as something else than a letter.
TEX_SIGNS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", **{sign: f"\\{sign}" for sign in "#$%&_"},
}  # fmt: skip


def citations(*, title: str, page_path: str, today: date) -> Iterator[Snippet]:
    """Return the page as BibTeX and as CSL-JSON. Its figures move: the day of reading is part."""
    title, url = " ".join(title.split()), settings.SITE_URL + page_path
    key = "-".join((SITE_NAME.lower(), *re.findall(r"[a-z0-9]+", page_path.lower())))
    lines = (
        f"@misc{{{key},",
        f"  author = {{{{{SITE_NAME}}}}},",
        f"  title = {{{{{_in_tex(title)}}}}},",
        f"  year = {{{today.year}}},",
        f"  url = {{{url}}},",
        f"  urldate = {{{today:%Y-%m-%d}}},",
        "}",
    )
    yield Snippet("bibtex", "BibTeX", "\n".join(lines))
    day = {"date-parts": [[today.year, today.month, today.day]]}
    item = {
        "id": key,
        "type": "webpage",
        "title": title,
        "author": [{"literal": SITE_NAME}],
        "container-title": SITE_NAME,
        "URL": url,
        "issued": {"date-parts": [[today.year]]},
        "accessed": day,
    }
    yield Snippet("csl", "CSL-JSON", json.dumps([item], ensure_ascii=False))


def _in_tex(text: str) -> str:
    return "".join(TEX_SIGNS.get(sign, sign) for sign in text)

"""Questions that a new reader may ask: home shows them, and the search knows their answers' pages.

Each has an answer on a fresh installation; tests/pages/search/test_questions.py asks them all.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.pages.frame.search_entries import english


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """A question, and the page in the state that answers it."""

    text: Promise
    page: str  # name of the address
    slug: str = ""
    query: tuple[tuple[str, str], ...] = ()
    anchor: str = ""

    @property
    def url(self) -> str:
        """The address of the answer in the language in force."""
        url = reverse(self.page, args=[self.slug] if self.slug else [])
        query = f"?{urlencode(self.query, safe=':')}" if self.query else ""
        return f"{url}{query}{self.anchor}"


QUESTIONS: Final = (
    ExampleQuestion(
        _("Which Hetzner plan gives the most commits per euro?"),
        "pages:plans",
        query=(("provider", "hetzner"), ("sort", "cost")),
    ),
    ExampleQuestion(
        _("Is a Samsung 990 PRO fit for Postgres?"),
        "pages:guide",
        "oltp",
        query=(("q", "Samsung 990 PRO"),),
        anchor="#standings",
    ),
    ExampleQuestion(
        _("Where do 5,000 commits/s with p99 under 2 ms cost least?"),
        "pages:advisor",
        query=(("rate", "5000"), ("p99", "2")),
    ),
    ExampleQuestion(
        _("fio says my VM reads in 0.7 µs: is that true?"), "pages:lies", anchor="#668-ns"
    ),
    ExampleQuestion(
        _("CCX33 or AX102: what is the difference?"),
        "pages:compare",
        query=(("on", "plan:hetzner-ccx33"), ("on", "plan:hetzner-ax102-15-36-tb-nvme-dc-drive")),
    ),
    ExampleQuestion(_("Where is my run?"), "pages:uploads"),
)


def question_asked(text: str) -> ExampleQuestion | None:
    """The question that somebody typed word by word, in the language in force or in English."""
    asked = _letters(text)
    return next(
        (
            each
            for each in QUESTIONS
            if asked and asked in (_letters(str(each.text)), _letters(english(each.text)))
        ),
        None,
    )


def _letters(text: str) -> str:
    """Letters and digits alone: how a question is spaced and ended says nothing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(each for each in folded if each.isalnum())

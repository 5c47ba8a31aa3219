"""What a search finds by an id: a run, an upload that is none yet, or the uploads of a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from apps.accounts.models import AgentKey
from apps.pages.search.results import RUN, Result
from apps.pages.show import words
from apps.pages.show.table.rows import run_title
from apps.runs.selectors import find_by_slug

if TYPE_CHECKING:
    from apps.pages.show.address.ids import IdSearch


def result_by_id(search: IdSearch) -> Result | None:
    """The run that is named, else where one asks for it; nothing where no id is: one query."""
    if search.keyid:
        key = str(AgentKey(keyid=search.keyid))
        return Result(RUN, _("Where is my run?"), _uploads(search.keyid), key)
    if not search.run:
        return None
    run = find_by_slug(search.run)
    if run is not None:
        level = str(words.level_words(run.shown_level).word)
        return Result(RUN, run_title(run), reverse("pages:run", args=[run.slug]), level)
    if search.is_guess:
        return None
    return Result(RUN, _("Where is my run?"), _uploads(search.run), search.run)


def _uploads(key_id: str) -> str:
    return f"{reverse('pages:uploads')}?{urlencode({'q': key_id})}"

"""How the search names a board: what narrows it, and its order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import PowerLossProtection
from apps.pages.search.grammar import DRIVES, HARD_DISK, PLANS
from apps.pages.show import units
from apps.pages.show.phrases import join_facts, with_name
from apps.words.catalogue import CHOSEN_KINDS, INTERFACES, SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.utils.functional import _StrPromise

    from apps.pages.search.grammar import Question

BOARDS: Final[Mapping[str, _StrPromise]] = {
    PLANS: gettext_lazy("Plans"),
    DRIVES: gettext_lazy("Drives"),
}
FILTER_WORDS: Final[Mapping[str, Mapping[str, str | _StrPromise]]] = {
    "kind": CHOSEN_KINDS,
    "segment": SEGMENTS,
    "storage": INTERFACES,
    "plp": {PowerLossProtection.FULL.value: "PLP"},
    "media": {HARD_DISK: gettext_lazy("Hard disk")},
}
# The same before "drives", in the order in which they are said.
DRIVE_WORDS: Final[Mapping[str, Mapping[str, str | _StrPromise]]] = {
    "plp": FILTER_WORDS["plp"],
    "segment": {
        "consumer": gettext_lazy("consumer"),
        "datacenter": gettext_lazy("datacenter"),
    },
    "storage": INTERFACES,
}


def head_of_board(question: Question, providers: Mapping[str, str]) -> str:
    """What narrows and orders a board; of drives as people say it: consumer NVMe drives.

    `providers` are slugs and their names.
    """
    filters = question.filters
    if question.board == DRIVES and filters and "media" not in filters:
        which = [
            str(DRIVE_WORDS[name].get(filters[name], "")) for name in DRIVE_WORDS if name in filters
        ]
        return join_facts((" ".join([*which, _("drives")]), _("fastest")))
    return with_name(BOARDS[question.board], join_facts(_filter_words(question, providers)))


def _filter_words(question: Question, providers: Mapping[str, str]) -> Iterator[str]:
    for name, value in question.filters.items():
        yield providers[value] if name == "provider" else str(FILTER_WORDS[name][value])
    if question.budget is not None:
        yield f"\u2264 {units.list_amount(question.budget.amount, question.budget.currency)}"
    yield _("cost of a billion commits") if question.is_of_cost else _("fastest")

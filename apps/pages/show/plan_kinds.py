"""The kinds of plan that one chooses from: what one rents as a virtual machine is one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.functional import lazy

from apps.pages.show.phrases import join_facts
from apps.rankings.advice.needs import VIRTUAL_MACHINES
from apps.words.catalogue import PLAN_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise

VPS: Final = "vps"  # stands for either name in addresses


def _virtual_machine() -> str:
    return join_facts(PLAN_KINDS[kind] for kind in (VPS, "cloud"))


KINDS: Final[Mapping[str, StrOrPromise]] = {
    kind: lazy(_virtual_machine, str)() if kind == VPS else words
    for kind, words in PLAN_KINDS.items()
    if kind == VPS or kind not in VIRTUAL_MACHINES
}


def kind_words(kind: str) -> str:
    """A kind in words; a virtual machine is meant by either of its names."""
    return str(KINDS[VPS if kind in VIRTUAL_MACHINES else kind])

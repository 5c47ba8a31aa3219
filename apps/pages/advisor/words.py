"""The sentence before an answer of the advisor: how many plans do it, may do it, or do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.pages.advisor.groups import AdviceGroup


def sentence_of(groups: Sequence[AdviceGroup], n_plans: int) -> str:
    """The sentence above the groups."""
    if not n_plans:
        return _("No listed plan is left of this provider, kind and region.")
    if not groups:
        return ngettext(
            "Nobody has measured the %(n)s plan that this is about.",
            "Nobody has measured any of the %(n)s plans that this is about.",
            n_plans,
        ) % {"n": n_plans}
    first = groups[0]
    if first.state == "yes":
        return _yes(first)
    if first.state == "may":
        return _may(first)
    return ngettext(
        "The %(n)s plan that was measured does not do it.",
        "None of the %(n)s plans that were measured does it.",
        first.total,
    ) % {"n": first.total}


def _yes(group: AdviceGroup) -> str:
    """How many plans do it, and how many of them have storage that ends with the machine."""
    sentence = ngettext("%(n)s plan does it.", "%(n)s plans do it.", group.total)
    values = {"n": group.total, "lost": group.n_ephemeral}
    if group.n_ephemeral:
        sentence = ngettext(
            "%(n)s plan does it; its storage is lost when the machine stops.",
            "%(n)s plans do it; the storage of %(lost)s is lost when the machine stops.",
            group.total,
        )
    return sentence % values


def _may(group: AdviceGroup) -> str:
    """How many plans may do it, and how many of them have a figure below what is needed."""
    values = {"n": group.n_open, "missed": group.n_missed}
    if not group.n_missed:
        sentence = ngettext(
            "No plan is sure to do it; %(n)s may.",
            "No plan is sure to do it; %(n)s may.",
            group.n_open,
        )
    elif group.n_open:
        sentence = ngettext(
            "No plan is sure to do it; %(n)s may. What was measured of %(missed)s more falls "
            "short.",
            "No plan is sure to do it; %(n)s may. What was measured of %(missed)s more falls "
            "short.",
            group.n_open,
        )
    else:
        sentence = ngettext(
            "No plan is sure to do it; what was measured of %(missed)s plan falls short, with "
            "other work or but for its high end.",
            "No plan is sure to do it; what was measured of %(missed)s plans falls short, with "
            "other work or but for their high ends.",
            group.n_missed,
        )
    return sentence % values

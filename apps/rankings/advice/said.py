"""What keeps a p99 from being sure, as the sentence that an answer gives as its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.rankings.advice.needs import MS
from apps.rankings.tails import Doubt

if TYPE_CHECKING:
    from apps.rankings.advice.evidence import Figure

ONE_IN_TEN = 10  # uploaders: what a pooled p99.9 bounds; docs/methodology.md, "A limit of p99"


def tail_doubt(figure: Figure, doubt: Doubt, *, in_a_row: int = 1) -> str:
    """Return why a p99 is sure, or is not; empty where its figures say it all."""
    texts = {
        Doubt.NO_P99: _no_p99(figure),
        Doubt.ABOVE: "",
        Doubt.MORE_WORK: _("It was measured with more work than this software does."),
        Doubt.LESS_WORK: _("It was measured with less work than this software does."),
        Doubt.ONE_SOURCE: _("It is typical and no bound: that of one published source."),
        Doubt.FEW: _few(figure),
        Doubt.HALF_SAW_WORSE: _typical(figure),
        Doubt.NONE: _bound(figure, in_a_row),
    }
    return texts[doubt]


def _no_p99(figure: Figure) -> str:
    if figure.p99_ns is None:
        return _("Its p99 is not known.")
    return _("Its p99 is not known: what was timed ends where the sync begins.")


def _few(figure: Figure) -> str:
    if figure.n_uploaders > 1:
        return _("It is no bound: fewer than 3 uploaders or 5 machines measured it.")
    return _("It is typical and no bound: that of one uploader.")


def _typical(figure: Figure) -> str:
    text = ngettext(
        "It is typical and no bound: the median of %(n)s uploader, half of whom saw worse.",
        "It is typical and no bound: the median of %(n)s uploaders, half of whom saw worse.",
        figure.n_uploaders,
    ) % {"n": figure.n_uploaders}
    if figure.pooled_p999_ns is None:
        return text
    bound = _("p99.9 of all they did is %(bound)s ms.")
    return " ".join((text, bound % {"bound": f"{figure.pooled_p999_ns / MS:.3g}"}))


def _bound(figure: Figure, in_a_row: int) -> str:
    text = _(
        "p99.9 of all that %(uploaders)s uploaders did is %(bound)s ms: at most %(few)s of %(ten)s "
        "uploaders can have seen a slower p99 than is allowed."
    )
    return text % {
        "uploaders": figure.n_uploaders,
        "bound": f"{(figure.pooled_p999_ns or 0) / MS:.3g}",
        "few": in_a_row,
        "ten": ONE_IN_TEN,
    }

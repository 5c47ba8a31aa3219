"""Whether a drive is fit for a database that commits: the guide's verdict as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.pages.draw.axis import NS_PER_S
from apps.pages.show.answer import Answer
from apps.pages.show.fit_words import fit_sentence
from apps.pages.show.phrases import join_facts, translate, with_name
from apps.rankings.advice.rules import (
    COMMIT_STAND_INS,
    ONE_SESSION,
    judge,
    rate_margin,
    sureness_of_judgement,
)
from apps.rankings.advice.verdicts import Verdict
from apps.stats.figures import significant
from apps.stats.standings.confidence import UNKNOWN, Confidence
from apps.words import confidence
from apps.words.confidence import basis_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.drives.models import DriveFamily, LadderClass
    from apps.rankings.models import Standing
    from apps.stats.standings.confidence import Margin, Sureness


@dataclass(frozen=True, slots=True)
class Fitness:
    """The answer, the standing that it is by, and what its protection means for it."""

    answer: Answer
    judged: Standing | None
    protection: str
    short: str  # for search engines, which cut after 160 characters


def fitness_of(
    drive: DriveFamily,
    judged: Standing | None,
    *,
    possible: Sequence[LadderClass],
    near: Answer | None = None,
) -> Fitness:
    """Say whether a drive family is fit for Postgres with synchronous commits, and by what.

    `judged` is its standing nearest to a commit, None where nobody measured one; `possible` are the
    classes that its facts allow, the quickest first; `near` is what measured drives of its class
    come to, which says more than the figures of the class.
    """
    judgement = judge(ONE_SESSION, COMMIT_STAND_INS, judged)
    if judged is None or judgement.verdict is Verdict.NOT_MEASURED:
        expected = near or Answer(
            sentence=_expected(possible), sure=confidence.line(UNKNOWN, basis_of(None))
        )
        return Fitness(expected, None, _protection(drive, is_fast=False), basis_of(None))
    least = ONE_SESSION.least_per_s or 1
    margin = rate_margin(judged, least)
    sure = sureness_of_judgement(judgement, judged, margin)
    rate, basis = significant(judged.rate_per_s), basis_of(judged)
    need = _("%(rate)s commits a second of one session") % {"rate": significant(least)}
    return Fitness(
        Answer(
            sentence=_fails_sentence(sure, margin, rate, need) or fit_sentence(sure, need),
            sure=confidence.line(sure, basis, margin),
            figure=rate,
            unit=_("durable commits/s"),
        ),
        judged,
        _protection(drive, is_fast=judged.rate_per_s >= least),
        with_name(confidence.word(sure), join_facts((f"{rate} {_('durable commits/s')}", basis))),
    )


def _fails_sentence(sure: Sureness, margin: Margin, rate: str, need: str) -> str:
    """What a figure says that is below the need at its best end; nothing where its word says it."""
    if margin.best >= 1 or sure.confidence is Confidence.FIRM:
        return ""
    return _("What was measured reaches %(rate)s of %(need)s.") % {"rate": rate, "need": need}


def _expected(possible: Sequence[LadderClass]) -> str:
    if not possible:
        return _("Its class is not stated.")
    if len(possible) > 1:
        return _(
            "Nobody states its protection: with it about %(fast)s syncs a second, without about "
            "%(slow)s."
        ) % {"fast": _some(possible[0]), "slow": _some(possible[-1])}
    rung = possible[0]
    return _("Drives of its class, %(class)s, sync about %(rates)s times a second.") % {
        "class": translate(rung.name),
        "rates": _some(rung),
    }


def _some(rung: LadderClass) -> str:
    """How often a class syncs a second, in two digits: its figures are no more exact."""
    low, high = (_two_digits(NS_PER_S / latency) for latency in (rung.high_ns, rung.low_ns))
    return low if low == high else f"{low}\u2013{high}"


def _two_digits(rate_per_s: float) -> str:
    return significant(float(f"{rate_per_s:.1e}"))


def _protection(drive: DriveFamily, *, is_fast: bool) -> str:
    """What it means for the answer that it has no power-loss protection; else nothing."""
    if drive.plp != PowerLossProtection.NONE:
        return ""
    if is_fast:
        return _("Nobody knows why it is this fast without power-loss protection.")
    return _("Without power-loss protection it loses no commit, as long as it honours flushes.")

"""Whether a drive is fit for a database that commits: the guide's verdict, as a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import PowerLossProtection
from apps.pages.draw.axis import NS_PER_S
from apps.pages.show.commit_verdict import COMMIT_SENTENCES, commit_figures
from apps.pages.show.phrases import translate
from apps.rankings.advice.rules import COMMIT_STAND_INS, ONE_SESSION, judge
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.models import Evidence
from apps.stats.figures import significant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from apps.drives.models import DriveFamily, LadderClass
    from apps.rankings.models import Standing


_SHORT: Final[Mapping[Verdict, _StrPromise]] = {  # a search engine cuts after 160 characters
    Verdict.PASSES: gettext_lazy("Yes: one session gets %(rate)s commits a second (%(n)s)."),
    Verdict.MAY: gettext_lazy("It may be: %(rate)s a second, %(why)s."),
    Verdict.FAILS: gettext_lazy("Not at %(least)s commits a second: it gets %(rate)s (%(n)s)."),
}


@dataclass(frozen=True, slots=True)
class Fitness:
    """One sentence, what is not known, and the verdict that both are about."""

    verdict: Verdict
    sentence: str
    unknown: str
    short: str


def fitness_of(
    drive: DriveFamily,
    judged: Standing | None,
    newest: datetime | None,
    *,
    possible: Sequence[LadderClass],
) -> Fitness:
    """Say whether a drive family is fit for Postgres with synchronous commits, and by what.

    `judged` is its standing nearest to a commit, None where nobody measured one; `possible` are the
    classes that its facts allow, the quickest first.
    """
    judgement = judge(ONE_SESSION, COMMIT_STAND_INS, judged)
    if judged is None or judgement.verdict is Verdict.NOT_MEASURED:
        remark = _("Nobody has measured its commits with a workload that stands for them.")
        expected = _expected(drive, possible)
        return Fitness(Verdict.NOT_MEASURED, expected, remark, _("Not measured."))
    verdict, least = judgement.verdict, ONE_SESSION.least_per_s or 0
    figures = commit_figures(judged, judgement, newest, least)
    return Fitness(
        verdict,
        str(COMMIT_SENTENCES[verdict]) % figures,
        _not_known(drive, judged, verdict),
        str(_SHORT[verdict]) % figures,
    )


def _expected(drive: DriveFamily, possible: Sequence[LadderClass]) -> str:
    if not possible:
        return _("Not measured, and its class is not stated.")
    if len(possible) > 1:
        return _(
            "Not measured, and nobody states its protection: with it such drives sync about "
            "%(fast)s times a second, without it about %(slow)s times."
        ) % {"fast": _some(possible[0]), "slow": _some(possible[-1])}
    rung = possible[0]
    figures = {"class": translate(rung.name), "rates": _some(rung)}
    if drive.plp == PowerLossProtection.NONE:
        text = _(
            "Not measured. Without power-loss protection each commit waits for the medium: drives "
            "of its class (%(class)s) sync about %(rates)s times a second."
        )
    else:
        text = _(
            "Not measured. Drives of its class (%(class)s) sync about %(rates)s times a second. "
            "This is what to expect, not a measurement of this drive."
        )
    return text % figures


def _some(rung: LadderClass) -> str:
    """How often a class syncs a second, in two digits: its figures are no more exact."""
    low, high = (_two_digits(NS_PER_S / latency) for latency in (rung.high_ns, rung.low_ns))
    return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}


def _two_digits(rate_per_s: float) -> str:
    return significant(float(f"{rate_per_s:.1e}"))


def _not_known(drive: DriveFamily, judged: Standing, verdict: Verdict) -> str:
    unknown = []
    if drive.plp == PowerLossProtection.UNKNOWN:
        unknown.append(_("Whether it has power-loss protection is not stated."))
    elif drive.plp == PowerLossProtection.NONE and verdict is Verdict.PASSES:
        unknown.append(_("It is not known why it is this fast without power-loss protection."))
    elif drive.plp == PowerLossProtection.NONE:
        unknown.append(
            _(
                "Without protection a drive loses no commit as long as it honours flushes; it only "
                "takes longer over each."
            )
        )
    if judged.evidence == Evidence.PUBLISHED:
        unknown.append(_("Nobody has signed a run of it: the figures are those of an article."))
    elif judged.needs_runs:
        unknown.append(_("Too few people have measured it for a rank."))
    unknown.append(_("Capacity, firmware and how full the drive is change the figure."))
    return " ".join(unknown)

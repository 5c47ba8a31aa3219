"""What a guide says of a standing: its figure, its interval, and the verdict as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.guides.commits import OLTP
from apps.pages.show import standings, units
from apps.pages.show.commit_verdict import commit_sentence
from apps.rankings.advice.verdicts import Verdict
from apps.stats.figures import significant
from apps.words.advice import doubt_words
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from apps.pages.guides.guide import Guide
    from apps.rankings.advice.verdicts import Judgement
    from apps.rankings.models import Standing

MEGA: Final = 1e6  # bytes

_SENTENCES: Final[Mapping[Verdict, _StrPromise]] = {
    Verdict.PASSES: gettext_lazy(
        "It passes: %(figure)s with %(workload)s (%(n)s, %(interval)s, %(when)s)."
    ),
    Verdict.MAY: gettext_lazy(
        "It may be fit: %(figure)s with %(workload)s (%(n)s, %(interval)s, %(when)s). What leaves "
        "it open: %(why)s."
    ),
    Verdict.FAILS: gettext_lazy(
        "It fails: %(why)s. It was measured at %(figure)s with %(workload)s (%(n)s, %(interval)s, "
        "%(when)s)."
    ),
    Verdict.NOT_MEASURED: gettext_lazy(
        "Not measured: %(why)s. There is %(figure)s with %(workload)s (%(n)s, %(interval)s, "
        "%(when)s)."
    ),
}


def sentence_of(
    guide: Guide, standing: Standing, judgement: Judgement, newest: datetime | None
) -> str:
    """The verdict on a standing; of a database in the words that the page of a drive has."""
    if guide.slug == OLTP.slug:
        return commit_sentence(standing, judgement, newest, least_per_s=guide.rule.least_per_s or 0)
    figure, rate = figure_of(guide, standing), standings.figures_of(standing, newest)
    bound = rate["interval"] if guide.is_of_rate else interval_of(guide, standing)
    return str(_SENTENCES[judgement.verdict]) % {
        **rate,
        "figure": figure if guide.is_of_rate else _("p99 %(time)s") % {"time": figure},
        "interval": bound or _("no interval"),
        "workload": workload_title(standing.workload, standing.workload_title),
        "why": doubt_words(judgement.doubt),
    }


def figure_of(guide: Guide, standing: Standing) -> str:
    """What was judged: the rate, or the p99."""
    if guide.is_of_rate:
        return f"{significant(standing.rate_per_s)} /s"
    return _("not stated") if standing.p99_ns is None else units.latency(standing.p99_ns)


def beside_of(guide: Guide, standing: Standing) -> str:
    """The rate as bytes a second, where the guide is about throughput."""
    if not guide.unit_bytes:
        return ""
    return f"{significant(standing.rate_per_s * guide.unit_bytes / MEGA)} MB/s"


def interval_of(guide: Guide, standing: Standing) -> str:
    """The interval of a rate; of a p99 the p99.9 of everybody's commits together."""
    low, high = standing.rate_per_s_low, standing.rate_per_s_high
    if not guide.is_of_rate:
        pooled = standing.pooled_p999_ns
        return _("p99.9 of all %(time)s") % {"time": units.latency(pooled)} if pooled else ""
    if low is None or high is None:
        return _("no interval")
    span = f"{significant(low)}\u2013{significant(high)}"
    covered = standing.coverage
    return span if covered is None else f"{span} ({covered:.0%})"

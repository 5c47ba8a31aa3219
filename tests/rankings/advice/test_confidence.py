"""The word of confidence for a verdict: firm where it is plain, else by support and margin."""

from __future__ import annotations

import pytest

from apps.rankings.advice.rules import FitnessRule, margin_of, sureness_of_judgement
from apps.rankings.advice.verdicts import Judgement, Verdict, VerdictDoubt
from apps.rankings.models import Evidence, Standing
from apps.stats.standings.confidence import Confidence, Margin, Sureness

RANKED = Standing(needs_runs=False, evidence=Evidence.MEASURED)
FEW = Standing(needs_runs=True, evidence=Evidence.MEASURED)


@pytest.mark.parametrize(
    ("verdict", "doubt", "standing", "margin", "word"),
    [
        (Verdict.PASSES, None, RANKED, 1.2, Confidence.FIRM),
        (Verdict.MAY, VerdictDoubt.FEW, FEW, 2.0, Confidence.LIKELY),
        (Verdict.MAY, VerdictDoubt.FEW, FEW, 1.9, Confidence.BORDERLINE),
        (Verdict.MAY, VerdictDoubt.FEW, FEW, 0.5, Confidence.UNLIKELY),
        # work that is only alike has to clear the need by more, whoever measured it
        (Verdict.MAY, VerdictDoubt.OTHER_WORK, RANKED, 3.9, Confidence.BORDERLINE),
        (Verdict.MAY, VerdictDoubt.LESS_WORK, RANKED, 4.0, Confidence.LIKELY),
        (Verdict.MAY, VerdictDoubt.MORE_WORK, FEW, 0.3, Confidence.BORDERLINE),
        # nobody says what decides, so no rate makes up for it
        (Verdict.MAY, VerdictDoubt.PLP_NOT_STATED, RANKED, 9.0, Confidence.UNKNOWN),
        # a share of the rate is too little, but the rate itself reaches it
        (Verdict.MAY, VerdictDoubt.LOW_END, RANKED, 0.7, Confidence.BORDERLINE),
        (Verdict.NOT_MEASURED, VerdictDoubt.NOT_MEASURED, RANKED, 9.0, Confidence.UNKNOWN),
    ],
)
def test_a_verdict_has_one_word(
    verdict: Verdict,
    doubt: VerdictDoubt | None,
    standing: Standing,
    margin: float,
    word: Confidence,
) -> None:
    sure = sureness_of_judgement(Judgement(verdict, doubt), standing, Margin(margin, margin))
    assert sure == Sureness(word)


def test_a_plain_no_is_firm_too() -> None:
    judgement = Judgement(Verdict.FAILS, VerdictDoubt.BELOW)
    assert sureness_of_judgement(judgement, RANKED, Margin(0.8)) == Sureness(
        Confidence.FIRM, fails=True
    )


@pytest.mark.parametrize(
    ("p99_ns", "side", "rate", "middle"),
    [
        (2_000_000, "sync", 200, 2.0),  # half of the rate counts: 2 times; the p99 has 5
        (8_000_000, "sync", 9_000, 1.25),
        (8_000_000, "completion", 9_000, None),  # it ends before the sync: nothing decides
        (None, "", 9_000, None),
        (None, "", 25, 0.25),  # too slow, whatever its p99 is
    ],
)
def test_the_smaller_margin_counts_and_an_unknown_p99_leaves_none(
    p99_ns: int | None, side: str, rate: float, middle: float | None
) -> None:
    rule = FitnessRule(least_per_s=50, p99_ns_max=10_000_000)
    decides = margin_of(rule, Standing(rate_per_s=rate, p99_ns=p99_ns, latency_side=side))
    margin = decides.margin if decides else None
    assert (margin and margin.middle) == middle
    if middle is None:
        judgement = Judgement(Verdict.MAY, VerdictDoubt.ONE_SOURCE)
        assert sureness_of_judgement(judgement, FEW, margin) == Sureness(Confidence.UNKNOWN)


@pytest.mark.parametrize(
    ("fields", "limit"),
    [
        ({"p99_ns": 8_000_000, "latency_side": "sync"}, "p99"),
        ({"p50_ns": 40_000_000, "latency_side": "commit"}, "p99"),  # no p99 is below the p50
        ({"p50_ns": 40_000_000, "latency_side": "commit", "rate_per_s": 5}, "rate"),
        ({"p99_ns": 1_000_000, "latency_side": "sync"}, "rate"),
    ],
)
def test_a_margin_says_which_limit_it_is_of(fields: dict[str, object], limit: str) -> None:
    rule = FitnessRule(least_per_s=50, p99_ns_max=10_000_000)
    decides = margin_of(rule, Standing(**{"rate_per_s": 300, **fields}))
    assert decides is not None
    assert decides.is_of_p99 is (limit == "p99")

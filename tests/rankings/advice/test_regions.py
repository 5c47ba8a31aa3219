"""Where plans are offered, as the advisor reads it: what is not sure is said and never dropped."""

from __future__ import annotations

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.remarks import RemarkKind, remark
from apps.rankings.advice.verdicts import Verdict
from apps.words.advice import reason_of
from tests.rankings.advice.test_needs import figure, need, plan


@pytest.mark.parametrize(
    ("regions", "region", "provider", "verdict"),
    [
        ("DE; FI", "de", "hetzner", Verdict.PASSES),
        ("DE; FI", "SE", "hetzner", None),
        ("DE; FI", "fsn1", "hetzner", Verdict.MAY),  # or in the other one in Germany
        ("DE; FI", "us-east-1", "hetzner", None),
        ("us-east-1 and others", "eu-central-1", "aws", Verdict.MAY),
        ("us-east-1 and others", "us-east-1", "aws", Verdict.PASSES),
        ("eastus; westeurope; others", "westeurope", "microsoft-azure", Verdict.PASSES),
        ("all commercial regions", "eu-central-1", "aws", Verdict.PASSES),
        ("all commercial regions", "DE", "aws", Verdict.PASSES),
        ("all commercial regions", "us-gov-west-1", "aws", Verdict.MAY),
        ("worldwide", "DE", "digitalocean", Verdict.MAY),  # and not for its letters d and e
        ("EU", "europe", "aruba-cloud", Verdict.PASSES),
        ("EU", "DE", "aruba-cloud", Verdict.MAY),
        ("EU", "US", "aruba-cloud", None),
        ("", "DE", "aruba-cloud", Verdict.MAY),
        ("DE", "atlantis", "hetzner", Verdict.MAY),
        ("FRA; NYC", "Frankfurt", "acme", Verdict.MAY),  # two names of one city
        ("fsn1", "nbg1", "hetzner", None),  # and two cities of one provider
    ],
)
def test_what_is_not_sure_of_a_region_is_said_and_never_dropped(
    regions: str, region: str, provider: str, verdict: Verdict | None
) -> None:
    good = figure("commit-8k", 5_000)
    answers = advise(need(region=region), [plan("p", good, regions=regions, provider=provider)])
    assert [each.verdict for each in answers] == ([] if verdict is None else [verdict])
    for answer in answers:
        is_said = any(f"{region} " in reason_of(reason) for reason in answer.reasons)
        assert is_said == (verdict is Verdict.MAY), answer.reasons


def test_a_doubt_about_the_region_is_said_of_what_nobody_measured_too() -> None:
    (answer,) = advise(need(region="DE"), [plan("p", regions="worldwide")])
    assert answer.verdict is Verdict.NOT_MEASURED
    assert list(map(reason_of, answer.reasons)) == [
        "Nobody has measured this.",
        "Whether it is offered in DE is not stated.",
    ]


def test_a_figure_of_no_known_region_says_so_where_one_is_asked_for() -> None:
    said = remark(RemarkKind.REGION_OF_FIGURE_UNKNOWN)
    here, there = (
        plan(slug, figure("commit-8k", 5_000, region_group=group), regions="DE")
        for slug, group in (("a", "europe"), ("b", ""))
    )
    assert [said in each.assumptions for each in advise(need(region="DE"), [here, there])] == [
        False, True,
    ]  # fmt: skip

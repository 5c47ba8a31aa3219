"""What an answer assumes: the rule, the workload that stands for the software, the low end."""

from __future__ import annotations

from apps.rankings.advice.engine import advise
from apps.rankings.advice.remarks import Remark, RemarkKind
from apps.rankings.advice.software import MS
from apps.words.advice import sentence_of, sentences_of
from apps.words.software import SOFTWARE_WORDS
from apps.words.workloads import workload_short
from tests.rankings.advice.test_needs import COMMITS, READS, figure, need, plan


def test_assumptions_are_named_with_the_rule() -> None:
    rule = SOFTWARE_WORDS["postgresql"].rule
    asked = need("postgresql", 100, sessions=20)
    low = "Counted on is the low end of its interval."
    (grouped,) = advise(asked, [plan("p", figure("group-commit-8k-16", 8_000))])
    shared = "20 sessions get at least what 16 got that share syncs."
    assert sentences_of(grouped.assumptions) == [rule, shared, low]
    (alone,) = advise(asked, [plan("p", figure("commit-8k", 500))])
    assert sentence_of(alone.assumptions[1]).startswith(
        "Nobody measured sessions that share syncs here"
    )
    (other,) = advise(need("etcd", 10), [plan("p", figure("commit-8k", 500, rate_low_per_s=None))])
    assert sentence_of(other.assumptions[1]).startswith(
        "“etcd's check” was not measured: “overwrite, fdatasync” stands for it. Less work"
    )
    assert sentence_of(other.assumptions[2]) == (
        "One figure without an interval: no low end is known."
    )
    assert "loaded to 70%" in sentence_of(other.assumptions[3])
    (same,) = advise(need("etcd", 10), [plan("p", figure("etcd-2300-fdatasync", 500))])
    assert "stands for it" not in " ".join(sentences_of(same.assumptions))
    of_offer = Remark(RemarkKind.SERVER_NOT_PRICED)
    (ordered,) = advise(need(), [plan("p", *COMMITS, assumptions=(of_offer,))])
    assert ordered.assumptions[-1] == of_offer


def test_assumptions_of_useful_iops_name_their_limit() -> None:
    (free,) = advise(need("random-reads"), [plan("p", *READS)])
    assert sentences_of(free.assumptions[1:3]) == [
        "Useful IOPS of reads, 10 ms: 99 of 100 answered within 10 ms.",
        "Counted on is the low end of its interval.",
    ]
    (strict,) = advise(need("random-reads", p99_ns_max=2 * MS), [plan("p", *READS)])
    assert "reads, 1 ms" in sentence_of(strict.assumptions[1])
    assert sentence_of(strict.assumptions[2]) == "Counted on is the low end of its interval."
    (closed,) = advise(need("random-reads", p99_ns_max=1000), [plan("p", *READS)])
    assert sentence_of(closed.assumptions[1]).startswith(
        f"“reads, 10 ms” was not measured: “{workload_short('randread-4k-qd32')}” stands for it."
    )

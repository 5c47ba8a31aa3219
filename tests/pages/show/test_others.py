"""The other comparable figures of a thing in words: how far they lie apart, and of what work."""

from __future__ import annotations

from apps.pages.show.standings import others_words
from apps.rankings.models import Standing


def timed(workload: str, p99_ns: int) -> Standing:
    return Standing(workload=workload, p99_ns=p99_ns, rate_per_s=1e9 / p99_ns)


def test_a_p99_of_other_work_has_that_work_beside_it() -> None:
    lead = timed("commit-8k", 947_000)
    slow, quick = timed("commit-8k", 2_000_000), timed("commit-8k-fsync", 145_000)
    said = others_words(lead, [slow, quick], is_of_p99=True)
    spread = "145\u202f\u00b5s (overwrite, fsync)\u20132.00\u202fms"
    assert said == f"Other comparable runs: p99 {spread}"
    assert "(" not in others_words(lead, [slow], is_of_p99=True)
    assert others_words(lead, [timed("direct-2m-fsync", 1_000)], is_of_p99=True) == ""

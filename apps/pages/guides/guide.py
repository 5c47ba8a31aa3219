"""What a guide is: what the software waits for, the rule, and what a reader should know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.functional import Promise

from apps.pages.draw.axis import NS_PER_S
from apps.rankings.advice.rules import FitnessRule, judge
from apps.rankings.advice.verdicts import Judgement
from apps.rankings.advice.work import Likeness, StandIn
from apps.stats.figures import duration_text, significant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apps.rankings.advice.evidence import LotteryDrive
    from apps.rankings.models import Standing

Text = str | Promise
RATE_MAX = 10_000_000  # operations a second that a reader may ask for; no device does as many


@dataclass(frozen=True, slots=True)
class RuleSource:
    """Where a rule stands, and when we looked."""

    title: str
    url: str
    seen: str  # ISO date
    quote: str = ""  # the sentence that the rule rests on, in its own words
    text_url: str = ""  # the very text that was read, where it is not that page itself


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that the software waits for; drawn from a figure that was really taken."""

    figure: str  # key of the recorded figures, as a rule a workload
    side: str
    is_awaited: bool = True  # the step that the guide is about
    name: Text = ""  # where the figure is none of a workload


@dataclass(frozen=True, slots=True)
class Knob:
    """A setting that changes what is waited for."""

    name: Text
    text: Text


@dataclass(frozen=True, slots=True)
class Guide:
    """Everything about one kind of software.

    `unit_bytes` is what one operation moves, where rates are shown as bytes a second. `also` is
    what the rule asks for beside the rate.
    """

    slug: str
    title: Text
    question: Text
    answer: Text  # in one sentence, what to look for
    catch: Text  # what its figure does not tell
    steps: tuple[Wait, ...]
    rule: FitnessRule
    need_text: Text  # with %(rate)s or %(time)s
    sources: tuple[RuleSource, ...]
    stand_ins: tuple[StandIn, ...]
    settings: tuple[Knob, ...]
    command: str
    advisor: str = ""  # the software's id in the advisor
    also: Text = ""
    waits: Text = ""  # where the answer does not say it
    unit_bytes: int | None = None
    is_of_commits: bool = True
    is_one_at_a_time: bool = True  # then 1 / rate is the wait, and the rule stands on the ruler

    @property
    def by_workload(self) -> Mapping[str, StandIn]:
        """Its workloads by name."""
        return {stand_in.workload: stand_in for stand_in in self.stand_ins}

    @property
    def nearest(self) -> tuple[StandIn, ...]:
        """The workloads that are its software's own; comparable ones are those of every guide."""
        return tuple(each for each in self.stand_ins if each.likeness is not Likeness.COMPARABLE)

    @property
    def comparable(self) -> tuple[StandIn, ...]:
        """The workloads that are only comparable with those."""
        return tuple(each for each in self.stand_ins if each.likeness is Likeness.COMPARABLE)

    @property
    def is_of_rate(self) -> bool:
        """Whether a rate is all that is asked for; then a reader may change it."""
        return self.rule.p99_ns_max is None

    @property
    def need(self) -> str:
        """What is asked for, as "1,000 commits a second of one session"."""
        limit_ns, least = self.rule.p99_ns_max, self.rule.least_per_s
        values = {
            "rate": significant(least) if least else "",
            "time": duration_text(limit_ns) if limit_ns else "",
        }
        return str(self.need_text) % values

    @property
    def limit_ns(self) -> float | None:
        """Where the need stands on the ruler; None where it is no wait."""
        if self.rule.p99_ns_max is not None or not self.is_one_at_a_time:
            return self.rule.p99_ns_max
        return NS_PER_S / self.rule.least_per_s if self.rule.least_per_s else None

    @property
    def rate_query(self) -> str:
        """The rate as a part of an address; empty where none is asked for."""
        return f"rate={self.rule.least_per_s:.0f}" if self.is_of_rate else ""

    def judge(self, standing: Standing | None, drives: Sequence[LotteryDrive] = ()) -> Judgement:
        """The verdict on one standing; None is what nobody measured."""
        return judge(self.rule, self.by_workload, standing, drives)

    def asking(self, least_per_s: float | None) -> Guide:
        """This guide for another rate; one without a rate stays as it is."""
        if not self.is_of_rate or least_per_s is None:
            return self
        return replace(self, rule=replace(self.rule, least_per_s=least_per_s))

"""Goals are judged by the median of the rounds, and a goal that was not measured is not met."""

from __future__ import annotations

import pytest

from tests.bench.engine.goals import Verdict, judge
from tests.bench.engine.ratios import BARE, DEFAULT, OURS, TUNED, Round, compare, variation
from tests.bench.engine.readings import Cost, Latency, Reading
from tests.bench.engine.shapes import SHAPES, Family, Shape, named


def reading(
    rate: float = 1000, *, p50: float = 100, cpu: float = 10, side: str = "sync",
    depth: float | None = 1.0,
) -> Reading:  # fmt: skip
    cost = Cost(user_ns=0, system_ns=cpu * rate)
    return Reading(round(rate), 1.0, {side: Latency(p50, p50, 500)}, depth, cost=cost)


def verdicts(shape: Shape, rounds: list[Round]) -> list[Verdict]:
    opponents = [who for who in rounds[0] if who != OURS]
    return judge(shape, rounds, {who: compare(shape, rounds, who) for who in opponents})


def missed(shape: Shape, rounds: list[Round]) -> list[str]:
    return [verdict.goal for verdict in verdicts(shape, rounds) if not verdict.met]


def test_a_ratio_is_the_median_of_the_rounds_not_that_of_the_figures() -> None:
    rates = [(1000, 500), (100, 100), (90, 100)]
    rounds: list[Round] = [{OURS: reading(ours), DEFAULT: reading(fio)} for ours, fio in rates]
    ratio = compare(named("commit-8k"), rounds, DEFAULT).rate
    assert ratio is not None
    assert (ratio.low, ratio.median, ratio.high) == (0.9, 1.0, 2.0)


def test_one_at_a_time_must_agree_with_fio_and_cost_less() -> None:
    shape = named("commit-8k")
    good: Round = {OURS: reading(cpu=9.5), DEFAULT: reading(), TUNED: reading()}
    assert missed(shape, [good] * 5) == []
    slow = {**good, OURS: reading(979, cpu=9.5)}
    assert missed(shape, [slow] * 5) == [
        "rate against fio default >= 0.98", "rate against fio tuned >= 0.98",
    ]  # fmt: skip
    for p50 in (94, 106):  # a latency below fio's is another latency too
        other = {**good, OURS: reading(p50=p50, cpu=9.5)}
        assert missed(shape, [other]) == [
            "p50 against fio default 0.95 to 1.05", "p50 against fio tuned 0.95 to 1.05",
        ]  # fmt: skip
    dear = {**good, OURS: reading(cpu=9.6)}
    assert missed(shape, [dear]) == [
        "CPU against fio default <= 0.95", "CPU against fio tuned <= 0.95",
    ]  # fmt: skip


def test_a_queue_must_be_full_and_cheap() -> None:
    shape = named("randread-4k-qd32")
    fio = reading(side="read")
    good: Round = {OURS: reading(cpu=7, side="read", depth=0.95), DEFAULT: fio, TUNED: fio}
    assert missed(shape, [good]) == []
    hollow = {**good, OURS: reading(cpu=7, side="read", depth=0.94)}
    assert missed(shape, [hollow]) == ["effective depth >= 0.95"]
    unknown = {**good, OURS: reading(cpu=7, side="read", depth=None)}
    assert missed(shape, [unknown]) == ["effective depth >= 0.95"]


def test_in_memory_three_rates_count() -> None:
    good: Round = {OURS: reading(1350), DEFAULT: reading(1000), TUNED: reading(1280),
                   BARE: reading(1400)}  # fmt: skip
    assert missed(named("cached-read-4k"), [good]) == []
    bad: Round = {**good, OURS: reading(1329)}
    assert missed(named("shm-write-4k"), [bad]) == [
        "rate against fio default >= 1.35", "rate against fio tuned >= 1.05",
        "rate against the loop without a clock >= 0.95",
    ]  # fmt: skip
    deep = {key: value for key, value in good.items() if key != BARE}
    assert missed(named("cached-read-4k-qd32"), [deep]) == ["rate against fio default >= 1.8"]


def test_the_loop_alone_is_counted_in_nanoseconds() -> None:
    for seconds, met in ((0.35, True), (0.351, False)):
        (verdict,) = judge(named("null"), [{OURS: Reading(10_000_000, seconds)}], {})
        assert verdict.met is met
        assert verdict.value == pytest.approx(seconds * 100)


@pytest.mark.parametrize(("p50", "word"), [(48e6, "shown"), (600e3, "hidden")])
def test_an_open_loop_must_show_the_queue(p50: float, word: str) -> None:
    # offered 110,000/s and served 100,000/s for 2 s: the backlog at the end is 0.18 s
    ours = Reading(200_000, 2.0, {"read": Latency(p50, p50, p50)}, offered=110_000)
    (verdict,) = judge(named("open-110"), [{OURS: ours}], {})
    assert verdict.met is (word == "shown")
    assert verdict.value == pytest.approx(p50 / (2e9 * (1 - 100 / 110) / 2))


def test_a_device_that_kept_up_has_no_queue_to_show() -> None:
    ours = Reading(220_000, 2.0, {"read": Latency(1, 1, 1)}, offered=110_000)
    (verdict,) = judge(named("open-110"), [{OURS: ours}], {})
    assert (verdict.met, verdict.value) == (False, None)


def test_repeats_must_be_as_alike_as_those_of_fio() -> None:
    shape = named("repeatability")
    rates = [(1000, 1000), (1010, 1020), (990, 980)]
    rounds: list[Round] = [
        {OURS: reading(ours, p50=ours), DEFAULT: reading(fio, p50=fio)} for ours, fio in rates
    ]
    assert [verdict.value for verdict in verdicts(shape, rounds)] == [pytest.approx(0.5)] * 2
    turned: list[Round] = [{OURS: one[DEFAULT], DEFAULT: one[OURS]} for one in rounds]
    assert len(missed(shape, turned)) == 2
    assert variation([980, 1000, 1020]) == pytest.approx(0.02)


def test_what_was_not_measured_is_not_met_and_what_has_no_goal_is_not_judged() -> None:
    nothing = Reading(1000, 1.0)
    rounds: list[Round] = [{OURS: nothing, DEFAULT: nothing}]
    goals = missed(named("commit-8k"), rounds)
    assert goals == [
        "p50 against fio default 0.95 to 1.05",
        "p99 against fio default 0.95 to 1.05",
        "CPU against fio default <= 0.95",
    ]
    assert judge(named("commit-8k-rwf-dsync"), [{OURS: nothing}], {}) == []
    assert {shape.family for shape in SHAPES} == set(Family)

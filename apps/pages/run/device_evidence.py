"""What the probes and repeats of a run say, each with the figures that say it."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.draw.axis import NS_PER_S
from apps.pages.run.useful_rate import STOPPED, limit_of, useful_of
from apps.pages.run.workload_purposes import (
    is_area,
    is_filling,
    is_flush,
    is_rounds,
    with_definitions,
)
from apps.pages.run.workloads import STALL_REMARK, by_name, capacity_words
from apps.pages.show import phrases, units
from apps.pages.show.facts.fact import Fact
from apps.runs.models import Latency, Measurement
from apps.stats.analysis.caches import (
    UNEVEN_RATIO,
    Area,
    CacheDrain,
    FlushCost,
    flush_cost,
    sweep_step,
)
from apps.stats.analysis.cliff import find_cliff
from apps.stats.analysis.interference import OthersShare
from apps.stats.analysis.repeats import repeat_spread
from apps.stats.analysis.slo import UsefulRate
from apps.stats.analysis.steady import WINDOW_ROUNDS, first_steady
from apps.stats.figures import significant
from apps.wire.suites import HEADLINE_WORKLOAD, WorkloadDefinition
from apps.words.workloads import workload_title

MILLI = 10  # thousandths in one percent
ZEROS_RATIO = 1.2  # from here on a layer below treats zeros otherwise than random bytes
FLOOR = "read-4k-floor"
LARGEST_DRAIN_BYTES = 64 << 20  # after which a flush is set against an empty one
FLUSHES_MIN = 3  # fewer decide nothing
AREAS_MIN = 2
UNDECIDED = gettext_lazy("undecided")
Measurements = Mapping[str, Measurement]

DRAIN_WORDS: dict[CacheDrain, Promise] = {
    CacheDrain.FLAT: gettext_lazy("flat: protected cache, no cache or ignored flushes"),
    CacheDrain.VOLATILE: gettext_lazy("grows: a volatile cache"),
    CacheDrain.UNCLEAR: UNDECIDED,
}


def device_evidence(measurements: tuple[Measurement, ...]) -> tuple[Fact, ...]:
    """Everything that these measurements say together; what was not measured is left out."""
    by_workload = by_name(measurements)
    makers: tuple[Callable[[Measurements], Fact | None], ...] = (
        repeats, stalls, others, flushes, reads_and_commits, zeros, areas, sustained_rate, steady,
    )  # fmt: skip
    facts = [fact for fact_of in makers if (fact := fact_of(by_workload)) is not None]
    facts += [fact for each in measurements if (fact := useful(each)) is not None]
    return tuple(facts)


def side_of(measurement: Measurement | None, *sides: str) -> Latency | None:
    """The first of these distributions that a measurement has."""
    if measurement is None:
        return None
    by_side = {each.side: each for each in measurement.latencies.all()}
    return next((by_side[side] for side in sides if side in by_side), None)


def first_of(
    by_workload: Measurements, is_meant: Callable[[WorkloadDefinition], bool]
) -> Measurement | None:
    """The first measurement whose workload is such a one."""
    pairs = with_definitions(by_workload.values())
    return next((each for each, workload in pairs if is_meant(workload)), None)


def median_ns(by_workload: Measurements, workload: str, *sides: str) -> int | None:
    """The median of a distribution of a workload, nanoseconds."""
    latency = side_of(by_workload.get(workload), *sides)
    return latency.p50_ns if latency else None


def rates_of(measurement: Measurement) -> list[float]:
    """The rate of each whole pass, operations a second."""
    return [
        each["operations"] * NS_PER_S / each["elapsed_ns"]
        for each in measurement.passes
        if each.get("elapsed_ns") and each.get("ended_by") not in STOPPED
    ]


def percent(milli: int) -> str:
    """Thousandths as percent."""
    return f"{milli / MILLI:g} %"


def repeats(by_workload: Measurements) -> Fact | None:
    """How far the passes of the headline lie apart."""
    headline = by_workload.get(HEADLINE_WORKLOAD)
    spread = repeat_spread(rates_of(headline)) if headline else None
    if spread is None:
        return None
    unsteady = _("unsteady") if spread.is_unsteady else ""
    return Fact(_("Passes apart"), f"{significant(spread.spread * 100, 2)} %", unsteady)


def stalls(by_workload: Measurements) -> Fact | None:
    """How much of the time went into the few longest commits."""
    headline = by_workload.get(HEADLINE_WORKLOAD)
    if headline is None or headline.stall_share_milli is None:
        return None
    return Fact(_("Stalls"), percent(headline.stall_share_milli), STALL_REMARK)


def others(by_workload: Measurements) -> Fact | None:
    """What other programs had of the pass of the headline that they disturbed most.

    What the kernel does not count is unknown, which is said: it is not nothing.
    """
    headline = by_workload.get(HEADLINE_WORKLOAD)
    if headline is None:
        return None
    device, cpu = headline.others_device_permille, headline.others_cpu_permille
    shares = {
        name: _("unknown") if share is None else percent(share)
        for name, share in (("disk", device), ("processors", cpu))
    }
    remark = _("does not count") if OthersShare(device, cpu).disturbs else ""
    return Fact(_("Other programs"), _("disk %(disk)s, processors %(processors)s") % shares, remark)


def drain_cost(by_workload: Measurements) -> FlushCost | None:
    """What a flush costs after nothing and after every amount that was measured."""
    flushes = {
        workload.block_bytes: latency
        for each, workload in with_definitions(by_workload.values())
        if is_flush(workload) and (latency := side_of(each, "sync"))
    }
    decisive = [size for size, latency in flushes.items() if (latency.count or 0) >= FLUSHES_MIN]
    if not {0, LARGEST_DRAIN_BYTES} <= set(decisive):
        return None
    points = [(size, latency.p50_ns or 0) for size, latency in flushes.items()]
    return flush_cost(sorted((size, ns) for size, ns in points if ns or not size))


def flushes(by_workload: Measurements) -> Fact | None:
    """What a flush costs against what was written before it."""
    cost = drain_cost(by_workload)
    if cost is None:
        return None
    is_uneven = cost.ratio < UNEVEN_RATIO  # quicker than an empty one: the device was disturbed
    meaning = UNDECIDED if is_uneven else DRAIN_WORDS[cost.drain]
    name = _("Flush after 64 MiB / after nothing")
    return Fact(name, f"{significant(cost.ratio)}\u00d7", str(meaning))


def reads_and_commits(by_workload: Measurements) -> Fact | None:
    """A durable commit beside the quickest answer of the device."""
    floor = median_ns(by_workload, FLOOR, "read")
    commit = median_ns(by_workload, HEADLINE_WORKLOAD, "commit")
    if not floor or not commit:
        return None
    return Fact(
        _("Commit / read"),
        f"{significant(commit / floor)}\u00d7",
        f"{units.latency(commit)} / {units.latency(floor)}",
    )


def zeros(by_workload: Measurements) -> Fact | None:
    """Whether a layer below compresses, or detects zeros."""
    of_zeros, of_random = by_workload.get("write-64k-zeros"), by_workload.get("write-64k-random")
    if not (of_zeros and of_random and of_zeros.rate_per_s and of_random.rate_per_s):
        return None
    ratio = of_zeros.rate_per_s / of_random.rate_per_s
    slowest = min(rates_of(of_zeros), default=of_zeros.rate_per_s)
    quickest = max(rates_of(of_random), default=of_random.rate_per_s)
    meaning = ""
    if slowest >= ZEROS_RATIO * quickest:
        meaning = _("compressed, or zeros are detected")
    elif ratio >= ZEROS_RATIO:
        meaning = str(UNDECIDED)
    return Fact(_("Zeros / random bytes"), f"{significant(ratio)}\u00d7", meaning)


def areas(by_workload: Measurements) -> Fact | None:
    """Whether small areas are read quicker than large ones."""
    swept = [
        Area(
            bytes=workload.area_bytes,
            p50_ns=ns,
            means_ns=tuple(NS_PER_S / rate for rate in rates_of(measurement) if rate),
        )
        for measurement, workload in with_definitions(by_workload.values())
        if is_area(workload) and (ns := median_ns(by_workload, workload.id, "read"))
    ]
    whole = sorted((area for area in swept if area.means_ns), key=lambda area: area.bytes)
    if len(whole) < AREAS_MIN:
        return None
    step = sweep_step(whole)
    name = _("Reads, large / small area")
    if step is None:
        return Fact(name, _("no step"))
    areas_words = f"{units.size(step.slow_bytes)} / {units.size(step.quick_bytes)}"
    return Fact(name, f"{significant(step.ratio)}\u00d7", areas_words)


def sustained_rate(by_workload: Measurements) -> Fact | None:
    """After how many bytes a lasting write slows down."""
    measurement = first_of(by_workload, is_filling)
    if measurement is None:
        return None
    counts = [count for each in measurement.passes for count in each.get("rate_samples", [])]
    if not (measurement.operations and measurement.bytes and measurement.sample_ns and counts):
        return None
    each_bytes = measurement.bytes / measurement.operations
    a_second = each_bytes * NS_PER_S / measurement.sample_ns
    cliff = find_cliff(counts)
    if cliff is None:
        return Fact(_("Sustained write"), _("no step"), units.size(measurement.bytes))
    rates = (units.size(each * a_second) for each in (cliff.before, cliff.after))
    return Fact(
        _("Sustained write"),
        _("slower after %(size)s") % {"size": units.size(cliff.operations * each_bytes)},
        " \u2192 ".join(f"{each}/s" for each in rates),
    )


def steady(by_workload: Measurements) -> Fact | None:
    """From which round on the rate is steady, by SNIA's rule."""
    measurement = first_of(by_workload, is_rounds)
    rates = rates_of(measurement) if measurement else []
    if len(rates) < WINDOW_ROUNDS:
        return None
    state = first_steady(rates)
    name = _("Steady state (SNIA)")
    if state is None:
        return Fact(name, _("not in %(n)s rounds") % {"n": len(rates)})
    return Fact(name, f"{significant(state.mean_per_s)} /s")


def useful(measurement: Measurement) -> Fact | None:
    """The highest rate under a latency limit."""
    limit_ns = limit_of(measurement)
    if limit_ns is None:
        return None
    useful_rate = useful_of(measurement)
    name = workload_title(measurement.workload, measurement.title)
    if useful_rate is None:
        return Fact(name, _("not finished"))
    return Fact(name, f"{significant(useful_rate.per_s)} /s", useful_remark(useful_rate))


def useful_remark(useful_rate: UsefulRate) -> str:
    """What a useful rate rests on: the capacity, p99 at shares of it, and what was in the way."""
    loads = (
        f"{each.percent} % \u2192 p99 {units.latency(each.p99_ns)}" for each in useful_rate.loads
    )
    late = ""
    if useful_rate.late_trials:
        late = phrases.with_name(_("trials begun late"), useful_rate.late_trials)
    return phrases.join_facts((capacity_words(useful_rate), *loads, late))

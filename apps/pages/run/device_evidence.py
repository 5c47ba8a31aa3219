"""What the probes and repeats of a run say, each with the figures that say it."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.pages.draw.axis import NS_PER_S
from apps.pages.run.useful_rate import STOPPED, limit_of, useful_of
from apps.pages.run.workload_purposes import (
    is_area,
    is_filling,
    is_flush,
    is_rounds,
    with_definitions,
)
from apps.pages.run.workloads import by_name
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

MILLI = 10  # thousandths in one percent
ZEROS_RATIO = 1.2  # from here on a layer below treats zeros otherwise than random bytes
FLOOR = "read-4k-floor"
LARGEST_DRAIN_BYTES = 64 << 20  # after which a flush is set against an empty one
FLUSHES_MIN = 3  # fewer decide nothing
AREAS_MIN = 2
UNEVEN_WORDS = gettext_lazy(
    "It cannot be quicker than one with nothing to do: the device was disturbed."
)
Measurements = Mapping[str, Measurement]

DRAIN_WORDS: dict[CacheDrain, Promise] = {
    CacheDrain.FLAT: gettext_lazy(
        "A flush does no work that grows with what was written before it: either the cache is "
        "protected against power loss, or nothing is cached, or flushes are ignored. Only a power "
        "cut can tell."
    ),
    CacheDrain.VOLATILE: gettext_lazy(
        "A flush takes the longer the more was written before it: it empties a cache that a power "
        "cut would empty otherwise."
    ),
    CacheDrain.UNCLEAR: gettext_lazy(
        "A flush takes somewhat longer the more was written before it, or others used the disk "
        "meanwhile: not enough to say that a volatile cache is emptied."
    ),
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
    remark = _("the passes of the headline, slowest to fastest. A steady figure.")
    if spread.is_unsteady:
        remark = _(
            "the passes of the headline, slowest to fastest. The figure depends on the moment."
        )
    apart = significant(spread.spread * 100, 2)
    return Fact(_("Repeats"), _("%(n)s %% apart") % {"n": apart}, remark)


def stalls(by_workload: Measurements) -> Fact | None:
    """How much of the time went into the few longest commits."""
    headline = by_workload.get(HEADLINE_WORKLOAD)
    if headline is None or headline.stall_share_milli is None:
        return None
    share = percent(headline.stall_share_milli)
    remark = _("of the time was in commits of more than ten times the median")
    return Fact(_("Stalls"), share, remark)


def others(by_workload: Measurements) -> Fact | None:
    """What other programs had of the pass of the headline that they disturbed most."""
    headline = by_workload.get(HEADLINE_WORKLOAD)
    if headline is None:
        return None
    device, cpu = headline.others_device_permille, headline.others_cpu_permille
    if device is None and cpu is None:
        return Fact(_("Others"), _("cannot be told"), _("what other programs did meanwhile"))
    unknown = _("an unknown share")
    disk = _("%(share)s of the disk") % {"share": unknown if device is None else percent(device)}
    processors = _("%(share)s of the processors") % {
        "share": unknown if cpu is None else percent(cpu)
    }
    remark = _("what other programs had of the pass that they disturbed most")
    if OthersShare(device, cpu).disturbs:
        remark = _(
            "what other programs had of the pass that they disturbed most: too much, so the run "
            "does not count"
        )
    return Fact(_("Others"), phrases.join_facts((disk, processors)), remark)


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
    is_uneven = cost.ratio < UNEVEN_RATIO
    meaning = UNEVEN_WORDS if is_uneven else DRAIN_WORDS[cost.drain]
    return Fact(
        _("Flushes"),
        _("%(times)s\u00d7 an empty one") % {"times": significant(cost.ratio)},
        _("after 64 MiB that were written before one. %(meaning)s") % {"meaning": meaning},
    )


def reads_and_commits(by_workload: Measurements) -> Fact | None:
    """A durable commit beside the quickest answer of the device."""
    floor = median_ns(by_workload, FLOOR, "read")
    commit = median_ns(by_workload, HEADLINE_WORKLOAD, "commit")
    if not floor or not commit:
        return None
    return Fact(
        _("Commit and read"),
        _("%(times)s\u00d7 a read") % {"times": significant(commit / floor)},
        _("a durable commit takes %(commit)s, a read past the page cache %(read)s")
        % {"commit": units.latency(commit), "read": units.latency(floor)},
    )


def zeros(by_workload: Measurements) -> Fact | None:
    """Whether a layer below compresses, or detects zeros."""
    of_zeros, of_random = by_workload.get("write-64k-zeros"), by_workload.get("write-64k-random")
    if not (of_zeros and of_random and of_zeros.rate_per_s and of_random.rate_per_s):
        return None
    ratio = of_zeros.rate_per_s / of_random.rate_per_s
    slowest = min(rates_of(of_zeros), default=of_zeros.rate_per_s)
    quickest = max(rates_of(of_random), default=of_random.rate_per_s)
    meaning = _("as fast as random bytes: no layer compresses or detects zeros")
    if slowest >= ZEROS_RATIO * quickest:
        meaning = _(
            "as fast as random bytes, in every pass: a layer below compresses or detects zeros"
        )
    elif ratio >= ZEROS_RATIO:
        meaning = _(
            "as fast as random bytes, but not in every pass: others used the disk meanwhile"
        )
    return Fact(_("Zeros"), f"{significant(ratio)}\u00d7", meaning)


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
    if step is None:
        remark = _("no area is half again as slow as the next smaller one in every pass")
        return Fact(_("Areas"), _("no step"), remark)
    return Fact(
        _("Areas"),
        _("%(times)s\u00d7 slower") % {"times": significant(step.ratio)},
        _("reads over %(slow)s than over %(quick)s: a cache of about that size answers")
        % {"slow": units.size(step.slow_bytes), "quick": units.size(step.quick_bytes)},
    )


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
        within = _("within %(size)s") % {"size": units.size(measurement.bytes)}
        return Fact(_("Sustained write"), _("no cliff"), within)
    return Fact(
        _("Sustained write"),
        _("a cliff after %(size)s") % {"size": units.size(cliff.operations * each_bytes)},
        _("from %(before)s/s to %(after)s/s: a cache was full, or credits were used up")
        % {
            "before": units.size(cliff.before * a_second),
            "after": units.size(cliff.after * a_second),
        },
    )


def steady(by_workload: Measurements) -> Fact | None:
    """From which round on the rate is steady, by SNIA's rule."""
    measurement = first_of(by_workload, is_rounds)
    rates = rates_of(measurement) if measurement else []
    if len(rates) < WINDOW_ROUNDS:
        return None
    state = first_steady(rates)
    if state is None:
        remark = _("in %(n)s rounds, by SNIA's rule") % {"n": len(rates)}
        return Fact(_("Steady state"), _("not reached"), remark)
    return Fact(
        _("Steady state"),
        _("%(rate)s a second") % {"rate": significant(state.mean_per_s)},
        _("from round %(first)s to %(last)s, by SNIA's rule")
        % {"first": state.round - WINDOW_ROUNDS + 1, "last": state.round},
    )


def useful(measurement: Measurement) -> Fact | None:
    """The highest rate under a latency limit."""
    limit_ns = limit_of(measurement)
    if limit_ns is None:
        return None
    limit, useful_rate = {"limit": units.latency(limit_ns)}, useful_of(measurement)
    is_read = measurement.operation == "read"
    name = _("Reads below %(limit)s") % limit if is_read else _("Commits below %(limit)s") % limit
    if useful_rate is None:
        return Fact(name, _("not finished"), _("three searches make a figure"))
    rate = (
        _("%(rate)s a second") % {"rate": significant(useful_rate.per_s)}
        if useful_rate.per_s
        else ""
    )
    return Fact(name, rate or _("at no rate"), useful_remark(useful_rate))


def useful_remark(useful_rate: UsefulRate) -> str:
    """What a useful rate rests on: the capacity, p99 at shares of it, and what was in the way."""
    remark = _(
        "p99 counted from when each was due; capacity %(capacity)s a second"
    ) % {"capacity": significant(useful_rate.capacity_per_s)}  # fmt: skip
    loads = phrases.join_facts(
        _("%(p99)s at %(percent)s %%")
        % {"p99": units.latency(each.p99_ns), "percent": each.percent}
        for each in useful_rate.loads
    )
    parts = [remark, _("p99 %(loads)s of it") % {"loads": loads} if loads else ""]
    if useful_rate.late_trials:
        busy = ngettext(
            "in %(n)s trial the processors were too busy to begin in time",
            "in %(n)s trials the processors were too busy to begin in time",
            useful_rate.late_trials,
        )
        parts.append(busy % {"n": useful_rate.late_trials})
    return phrases.join_clauses(parts)

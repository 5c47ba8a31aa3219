"""What the probes and repeats of a run say, each with the figures that say it."""

from collections.abc import Callable, Mapping

from apps.pages import units, words
from apps.pages.facts import Fact
from apps.pages.searches import STOPPED, limit_of, useful_of
from apps.pages.workloads import by_name, size_in
from apps.runs.models import Latency, Measurement
from apps.stats.caches import UNEVEN_RATIO, Area, Drain, FlushCost, flush_cost, sweep_step
from apps.stats.cliff import find_cliff
from apps.stats.figures import significant
from apps.stats.others import is_marked, others_share_milli, written_share
from apps.stats.repeats import spread_of
from apps.stats.steady import WINDOW_ROUNDS, first_steady
from apps.wire.suites import HEADLINE_WORKLOAD

NS_PER_S = 1_000_000_000
MILLI = 10  # thousandths of a percent
ZEROS_RATIO = 1.2  # from here on a layer below treats zeros otherwise than random bytes
FLOOR = "read-4k-floor"
EMPTY_FLUSH = "empty-flush"
LARGEST_DRAIN = "drain-64m"
FLUSHES_MIN = 3  # fewer decide nothing
AREAS_MIN = 2
UNEVEN_WORDS = "It cannot be quicker than one with nothing to do: the device was disturbed."
PROBED = (
    "slo-",
    "sustained-",
    "steady-",
    "read-4k-area-",
    "write-64k-",
)  # their passes are read one by one

Found = Mapping[str, Measurement]

DRAIN_WORDS = {
    Drain.FLAT: "A flush does no work that grows with what was written before it: either the cache "
    "is protected against power loss, or nothing is cached, or flushes are ignored. Only a power "
    "cut can tell.",
    Drain.VOLATILE: "A flush takes the longer the more was written before it: it empties a cache "
    "that a power cut would empty otherwise.",
    Drain.UNCLEAR: "A flush takes somewhat longer the more was written before it, or others used "
    "the disk meanwhile: not enough to say that a volatile cache is emptied.",
}


def needs_passes(measurement: Measurement) -> bool:
    """Whether its findings are in its single passes."""
    return measurement.workload == HEADLINE_WORKLOAD or measurement.workload.startswith(PROBED)


def findings_of(measurements: tuple[Measurement, ...]) -> tuple[Fact, ...]:
    """Everything that these measurements say together; what was not measured is left out."""
    found = by_name(measurements)
    speakers: tuple[Callable[[Found], Fact | None], ...] = (
        repeats, stalls, others, flushes, reads_and_commits, zeros, areas, sustained, steady,
    )  # fmt: skip
    told = [fact for speak in speakers if (fact := speak(found)) is not None]
    told += [fact for each in measurements if (fact := useful(each)) is not None]
    return tuple(told)


def side_of(measurement: Measurement | None, *sides: str) -> Latency | None:
    """The first of these distributions that a measurement has."""
    if measurement is None:
        return None
    by_side = {each.side: each for each in measurement.latencies.all()}
    return next((by_side[side] for side in sides if side in by_side), None)


def median_ns(found: Found, workload: str, *sides: str) -> int | None:
    """The median of a distribution of a workload, nanoseconds."""
    latency = side_of(found.get(workload), *sides)
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


def repeats(found: Found) -> Fact | None:
    """How far the passes of the headline lie apart."""
    headline = found.get(HEADLINE_WORKLOAD)
    spread = spread_of(rates_of(headline)) if headline else None
    if spread is None:
        return None
    apart = f"{significant(spread.spread * 100, 2)} % apart"
    return Fact(
        "Repeats",
        apart,
        "the passes of the headline, slowest to fastest. "
        + ("The figure depends on the moment." if spread.is_unsteady else "A steady figure."),
    )


def stalls(found: Found) -> Fact | None:
    """How much of the time went into the few longest commits."""
    headline = found.get(HEADLINE_WORKLOAD)
    if headline is None or headline.stall_share_milli is None:
        return None
    share = percent(headline.stall_share_milli)
    return Fact("Stalls", share, "of the time was in commits of more than ten times the median")


def others(found: Found) -> Fact | None:
    """How much of what the device wrote during the headline was probably somebody else's."""
    headline = found.get(HEADLINE_WORKLOAD)
    idle = headline.other_io if headline else {}
    if headline is None or not idle or not headline.elapsed_ns or not headline.device_bytes:
        return None
    share = others_share_milli(
        idle_ns=idle["interval_ns"],
        idle_bytes=written_share(
            moved_bytes=idle["bytes"], reads=idle["reads"], writes=idle["writes"]
        ),
        elapsed_ns=headline.elapsed_ns,
        device_bytes=headline.device_bytes,
    )
    if share is None:
        return None
    words = "of what the device wrote, if others went on as in the moments before each pass"
    return Fact("Others", percent(share), words + (": too much" if is_marked(share) else ""))


def drained(found: Found) -> FlushCost | None:
    """What a flush costs after nothing and after every amount that was measured."""
    if not all(has_flushes(found, name) for name in (EMPTY_FLUSH, LARGEST_DRAIN)):
        return None
    points = [(0, median_ns(found, EMPTY_FLUSH, "sync") or 0)]
    points += [
        (size, ns)
        for name in found
        if (size := size_in(name, "drain")) and (ns := median_ns(found, name, "sync"))
    ]
    return flush_cost(sorted(points))


def has_flushes(found: Found, workload: str) -> bool:
    """Whether a workload has enough flushes for its median to decide anything."""
    latency = side_of(found.get(workload), "sync")
    return latency is not None and (latency.count or 0) >= FLUSHES_MIN


def flushes(found: Found) -> Fact | None:
    """What a flush costs against what was written before it."""
    cost = drained(found)
    if cost is None:
        return None
    is_uneven = cost.ratio < UNEVEN_RATIO
    meaning = UNEVEN_WORDS if is_uneven else DRAIN_WORDS[cost.drain]
    return Fact(
        "Flushes",
        f"{significant(cost.ratio)}\u00d7 an empty one",
        f"after 64 MiB that were written before one. {meaning}",
    )


def reads_and_commits(found: Found) -> Fact | None:
    """A durable commit beside the quickest answer of the device."""
    floor = median_ns(found, FLOOR, "read")
    commit = median_ns(found, HEADLINE_WORKLOAD, "commit")
    if not floor or not commit:
        return None
    return Fact(
        "Commit and read",
        f"{significant(commit / floor)}\u00d7 a read",
        f"a durable commit takes {units.latency(commit)}, a read past the page cache "
        f"{units.latency(floor)}",
    )


def zeros(found: Found) -> Fact | None:
    """Whether a layer below compresses, or detects zeros."""
    of_zeros, of_random = found.get("write-64k-zeros"), found.get("write-64k-random")
    if not (of_zeros and of_random and of_zeros.rate_per_s and of_random.rate_per_s):
        return None
    ratio = of_zeros.rate_per_s / of_random.rate_per_s
    slowest = min(rates_of(of_zeros), default=of_zeros.rate_per_s)
    quickest = max(rates_of(of_random), default=of_random.rate_per_s)
    meaning = "as fast: no layer compresses or detects zeros"
    if slowest >= ZEROS_RATIO * quickest:
        meaning = "as fast, in every pass: a layer below compresses or detects zeros"
    elif ratio >= ZEROS_RATIO:
        meaning = "as fast, but not in every pass: others used the disk meanwhile"
    return Fact("Zeros", f"{significant(ratio)}\u00d7", f"{meaning}, against random bytes")


def areas(found: Found) -> Fact | None:
    """Whether small areas are read quicker than large ones."""
    swept = [
        Area(
            bytes=size,
            p50_ns=ns,
            means_ns=tuple(NS_PER_S / rate for rate in rates_of(measurement) if rate),
        )
        for name, measurement in found.items()
        if (size := size_in(name, "read-4k-area")) and (ns := median_ns(found, name, "read"))
    ]
    whole = sorted((area for area in swept if area.means_ns), key=lambda area: area.bytes)
    if len(whole) < AREAS_MIN:
        return None
    step = sweep_step(whole)
    if step is None:
        remark = "of half again from one area to the next larger one, in every pass"
        return Fact("Areas", "no step", remark)
    return Fact(
        "Areas",
        f"{significant(step.ratio)}\u00d7 slower",
        f"reads over {units.size(step.slow_bytes)} than over {units.size(step.quick_bytes)}: a "
        "cache of about that size answers",
    )


def sustained(found: Found) -> Fact | None:
    """Where a rate that lasts breaks down."""
    name = next((name for name in found if name.startswith("sustained-")), None)
    if name is None:
        return None
    measurement = found[name]
    counts = [count for each in measurement.passes for count in each.get("rate_samples", [])]
    if not (measurement.operations and measurement.bytes and measurement.sample_ns and counts):
        return None
    each_bytes = measurement.bytes / measurement.operations
    a_second = each_bytes * NS_PER_S / measurement.sample_ns
    cliff = find_cliff(counts)
    if cliff is None:
        return Fact("Sustained write", "no cliff", f"within {units.size(measurement.bytes)}")
    return Fact(
        "Sustained write",
        f"a cliff after {units.size(cliff.operations * each_bytes)}",
        f"from {units.size(cliff.before * a_second)}/s to {units.size(cliff.after * a_second)}/s: "
        "a cache was full, or credits were used up",
    )


def steady(found: Found) -> Fact | None:
    """From which round on the rate is steady, by SNIA's rule."""
    name = next((name for name in found if name.startswith("steady-")), None)
    rates = rates_of(found[name]) if name else []
    if len(rates) < WINDOW_ROUNDS:
        return None
    state = first_steady(rates)
    if state is None:
        return Fact("Steady state", "not reached", f"in {len(rates)} rounds, by SNIA's rule")
    return Fact(
        "Steady state",
        f"{significant(state.mean_per_s)} a second",
        f"from round {state.round - WINDOW_ROUNDS + 1} to {state.round}, by SNIA's rule",
    )


def useful(measurement: Measurement) -> Fact | None:
    """The highest rate under a latency limit."""
    limit_ns = limit_of(measurement)
    if limit_ns is None:
        return None
    limit, found = units.latency(limit_ns), useful_of(measurement)
    name = f"{'Reads' if measurement.operation == 'read' else 'Commits'} below {limit}"
    if found is None:
        return Fact(name, "not finished", "three searches make a figure")
    loads = ", ".join(f"{units.latency(load.p99_ns)} at {load.percent} %" for load in found.loads)
    late = words.count(found.late_trials, "trial")
    busy = f"; in {late} the processors were too busy to begin in time" if found.late_trials else ""
    return Fact(
        name,
        f"{significant(found.per_s)} a second" if found.per_s else "at no rate",
        f"p99 counted from when each was due; capacity {significant(found.capacity_per_s)} a "
        f"second{f'; p99 {loads} of it' if loads else ''}{busy}",
    )

"""Rows of the boards, made of a standing or of a run."""

from dataclasses import replace
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.drives.models import DriveFamily, LadderClass
from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.spot import Spot, draw_spot
from apps.pages.draw.trace import Trace, TraceFigures, draw_trace, tail_of
from apps.pages.show import phrases, units, words
from apps.pages.show.figures import number
from apps.pages.show.table.row import DOT, Row, RowCost, RowEvidence, RowFigures
from apps.pages.show.table.standing_facts import compared_as, facts_of
from apps.plans.models import HOME_KIND
from apps.plans.regions import Fit, Place, region_fit
from apps.rankings.advice.evidence import WorkloadFigure
from apps.rankings.choice import (
    headline_latency,
    headline_measurement,
)
from apps.rankings.models import Evidence, Standing
from apps.runs.models import KeepsOut, Latency, Measurement, Run
from apps.stats.figures import significant
from apps.wire.suites import p99_limit_of
from apps.words.catalogue import INTERFACES, STORAGE_KINDS
from apps.words.facts import note_in_words
from apps.words.standings import kinds_note, warnings_of, warns
from apps.words.workloads import workload_note, workload_short, workload_title

POINTS_LISTED_MAX = 3  # rates of uploaders that a line has room for; the interval has the extremes


def band_of(ladder_class: LadderClass | None) -> tuple[int, int] | None:
    """The typical range of a class in nanoseconds."""
    return (ladder_class.low_ns, ladder_class.high_ns) if ladder_class else None


def sentence_of(figures: TraceFigures) -> str:
    """The sentence that stands for a trace."""
    if figures.p50_ns is None:
        mean = units.latency(NS_PER_S / figures.rate_per_s)
        return phrases.join_facts(
            (f"{figures.rate_is} {mean}", f"{significant(figures.rate_per_s)} /s")
        )
    parts = [f"p50 {units.latency(figures.p50_ns)}"]
    if figures.p99_ns is not None:
        parts.append(f"p99 {units.latency(figures.p99_ns)}")
    tail = tail_of(figures)
    if tail.ns is not None and tail.name != "p99":
        parts.append(f"{tail.name} {units.latency(tail.ns)}")
    return phrases.join_facts(parts)


def trace_of(figures: TraceFigures) -> Trace:
    """The picture of what is known, with its sentence."""
    return draw_trace(replace(figures, sentence=sentence_of(figures)))


def plan_under(standing: Standing) -> str:
    """Provider and drive of a plan's standing; its mark in the picture says its protection."""
    plan = standing.plan
    if plan is None:
        return ""
    storage = str(STORAGE_KINDS.get(plan.storage_kind) or _("drive not stated"))
    lost = [_("data lost on stop")] if plan.is_ephemeral else []  # first: a long line is cut
    return DOT.join((plan.provider.name, *lost, standing.drive_names or storage))


def drive_under(family: DriveFamily) -> str:
    """Maker, interface and protection of a drive family."""
    vendor = "" if family.name.startswith(family.vendor) else family.vendor
    interface = str(INTERFACES.get(family.interface, family.interface))
    parts = (vendor, interface, words.plp_words(family.plp))
    return DOT.join(part for part in parts if part)


class RowSubject(NamedTuple):
    """What a row is about: its name, its page, and what stands under the name."""

    name: str
    url: str
    under: str


def subject_of(standing: Standing) -> RowSubject:
    """The plan or the drive family that a standing is of."""
    if standing.plan is not None:
        url = reverse("pages:plan", args=[standing.plan_id])
        return RowSubject(standing.plan.name, url, plan_under(standing))
    family = standing.drive_family
    if family is None:
        raise AssertionError("a standing is of a plan or of a drive family")
    url = reverse("pages:drive", args=[family.slug])
    return RowSubject(family.name, url, drive_under(family))


def spot_of_advice(figure: WorkloadFigure) -> Spot | None:
    """The drawing of what the advisor judged; useful IOPS have no latency of their own."""
    if figure.p99_limit_ns is not None:
        return None
    return draw_spot(
        TraceFigures(
            rate_per_s=figure.rate_per_s,
            low=figure.rate_low_per_s,
            high=figure.rate_high_per_s,
            p50_ns=figure.p50_ns,
            p99_ns=figure.p99_ns,
            plp=figure.plp,
        )
    )


def figures_of_standing(standing: Standing) -> TraceFigures:
    """What a standing says, ready to be drawn."""
    is_commit = standing.is_durable_single_writer
    return TraceFigures(
        rate_per_s=standing.rate_per_s,
        low=standing.rate_per_s_low,
        high=standing.rate_per_s_high,
        p50_ns=standing.p50_ns,
        p99_ns=standing.p99_ns,
        p9999_ns=standing.p9999_ns,
        curve=standing.curve,
        plp=standing.plp or "unknown",
        band_ns=band_of(standing.ladder_class) if is_commit else None,
        rate_is=words.rate_is(is_one_writer=is_commit),
    )


def note_of(standing: Standing) -> str:
    """How many stand behind a standing."""
    return words.evidence_note(
        evidence=standing.evidence,
        n_runs=standing.n_runs,
        n_machines=standing.n_machines,
        n_uploaders=standing.n_uploaders,
    )


def n_of(standing: Standing) -> str:
    """How many stand behind a standing, and how sure its interval is, as figures."""
    if not Evidence.is_judged(standing.evidence):
        return words.count(standing.n_runs, "run")
    if standing.coverage is None:
        return number(standing.n_uploaders)
    return f"{number(standing.n_uploaders)}{DOT}{standing.coverage:.0%}"


def rank_of(standing: Standing) -> str:
    """The tier of a standing; nothing where it only stands where its rate puts it."""
    if standing.tier is None:
        return ""
    return _("tier %(tier)s") % {"tier": standing.tier}


def place_note(standing: Standing) -> str:
    """How well the place of a standing on its board is known; nothing where it has none."""
    if standing.needs_runs and 1 < len(standing.points) <= POINTS_LISTED_MAX:
        rates = phrases.join_names(f"{significant(rate)} /s" for rate in standing.points)
        return phrases.with_name(_("no rank before more runs"), rates)
    if standing.needs_runs:
        return _("no rank before more runs")
    if standing.tier is None:
        return _("not ranked") if standing.n_variants > 1 else ""
    ranks = words.span(standing.rank_low, standing.rank_high)
    return phrases.join_facts((rank_of(standing), _("rank %(rank)s") % {"rank": ranks}))


def interval_of(standing: Standing) -> str:
    """What the interval of a standing is, in words."""
    if standing.coverage is not None:
        return words.covered(standing.coverage)
    return words.INTERVALS.get(standing.interval_is, "")


def price_note(standing: Standing) -> str:
    """Whose price it is, where none is known of the row's own group of regions."""
    price, here = standing.price, Place(group=standing.region_group)
    if price is None or not standing.region_group:
        return ""
    is_foreign = region_fit(price_region=price.region, region=here) is Fit.ELSEWHERE
    return note_in_words(price.region) if is_foreign else ""


def key_of(standing: Standing) -> str:
    """The id of a row, for ever the same; `row_key` of the selectors says it to the database."""
    of = standing.plan_id or standing.drive_family_id
    version = f"-v{standing.version}" if standing.version > 1 else ""
    region = f"-{standing.region_group}" if standing.region_group else ""
    variant = f"-{standing.variant}" if standing.variant else ""
    return f"{of}-{standing.workload}{version}-{standing.evidence}{region}{variant}"


def row_figures_of(
    standing: Standing, figures: TraceFigures, *, p99_limit_ns: int | None
) -> RowFigures:
    """What was measured of a standing."""
    return RowFigures(
        rate_per_s=figures.rate_per_s,
        is_commit=standing.is_durable_single_writer,
        low=figures.low,
        high=figures.high,
        interval=interval_of(standing),
        p50_ns=figures.p50_ns,
        p99_ns=figures.p99_ns,
        side=words.SIDES.get(standing.latency_side, ""),
        p99_limit_ns=p99_limit_ns,
    )


def row_of_standing(
    standing: Standing, *, is_drawn: bool = True, work_factor: float | None = None
) -> Row:
    """A standing of a plan or of a drive family; an export needs no picture of it.

    `work_factor` is how far its work lies apart from other work of its class, where rows of such
    work stand beside it.
    """
    subject = subject_of(standing)
    figures = replace(figures_of_standing(standing), work_factor=work_factor)
    kind = words.variant(standing.variant, standing.n_variants)
    lot = kinds_note(standing) if standing.kinds else kind
    p99_limit_ns = p99_limit_of(standing.workload, version=standing.version)
    return Row(
        key=key_of(standing),
        name=subject.name,
        url=subject.url,
        under=DOT.join(part for part in (lot, subject.under) if part),
        figures=row_figures_of(standing, figures, p99_limit_ns=p99_limit_ns),
        evidence=RowEvidence(
            note=note_of(standing),
            n=n_of(standing),
            rank=rank_of(standing),
            place=place_note(standing),
            level=words.level_of(standing.evidence, is_reproduced=standing.is_reproduced),
            is_illustrative=standing.is_illustrative,
            run_url=reverse("pages:run", args=[standing.newest_run_slug]),
        ),
        trace=trace_of(figures) if is_drawn and p99_limit_ns is None else None,
        trace_figures=figures,
        warning=phrases.join_sentences(warnings_of(standing)),
        warns=warns(standing),
        cost=RowCost(
            billion=standing.cost_per_billion,
            month_per_1000=standing.price_month_per_1000,
            currency=standing.currency,
            price=standing.price,
            note=price_note(standing),
            volume=standing.volume,
        ),
        workload=workload_title(standing.workload, standing.workload_title),
        workload_note=workload_note(standing.workload),
        work=workload_short(standing.workload, standing.workload_title),
        region=words.region(standing.region_group),
        is_of_a_place=standing.plan is not None and standing.plan.kind != HOME_KIND,
        kind=kind,
        facts=facts_of(standing),
        on=compared_as(standing),
    )


def run_name(run: Run) -> str:
    """What a run is of: its plan, else what was claimed, else its drive."""
    if run.plan is not None and run.plan_in_doubt:
        return _("claimed: %(plan)s") % {"plan": run.plan.name}
    if run.plan is not None:
        return run.plan.name
    citation = getattr(run, "citation", None)
    return (
        run.claimed_plan
        or (citation.machine_label if citation else "")
        or (run.drive_family.name if run.drive_family else "")
        or run.drive_reported
        or _("not stated")
    )


def run_under(run: Run) -> str:
    """Provider and drive of a run."""
    drive = run.drive_family.name if run.drive_family else run.drive_reported
    owner = run.provider.name if run.provider else ""
    return DOT.join(filter(None, (owner, drive or _("drive not stated"))))


def listed_name(run: Run) -> str:
    """What a list of runs calls one: its plan, else its drive, else the machine it was run on."""
    if run.plan is not None or run.drive_family is None:
        return run_name(run)
    return run.drive_family.name


def listed_under(run: Run) -> str:
    """Provider, drive and machine of a run, each where its name and what precedes it lack it."""
    drive = run.drive_family.name if run.drive_family else run.drive_reported
    citation = getattr(run, "citation", None)
    # "titan, WDC WD140EDFZ-11A0VA0" of a source: the machine, and the drive that it reports
    machine = citation.machine_label.partition(f", {run.drive_reported}")[0] if citation else ""
    said = [listed_name(run)]
    for part in (run.provider.name if run.provider else "", drive, machine):
        if not phrases.is_said(part, " ".join(said)):
            said.append(part)
    return DOT.join(said[1:])


def listed_source(run: Run) -> str:
    """The article of a run by its name."""
    citation = getattr(run, "citation", None)
    return source_name(citation.title if citation else None)


def source_name(title: str | None) -> str:
    """The title of an article without what follows its first colon."""
    return (title or "").partition(": ")[0]


def figures_of(run: Run, measurement: Measurement, latency: Latency | None) -> TraceFigures | None:
    """What a measurement says, ready to be drawn; nothing where it has no rate at all."""
    if not measurement.rate_per_s:
        return None
    return TraceFigures(
        rate_per_s=measurement.rate_per_s,
        low=measurement.rate_per_s_low,
        high=measurement.rate_per_s_high,
        p50_ns=latency.p50_ns if latency else None,
        p99_ns=latency.p99_ns if latency else None,
        p9999_ns=latency.p9999_ns if latency else None,
        curve=latency.curve if latency else (),
        plp=run.drive_family.plp if run.drive_family else "unknown",
        band_ns=band_of(run.expected_class) if measurement.is_durable_single_writer else None,
        rate_is=words.rate_is(is_one_writer=measurement.is_durable_single_writer),
    )


def run_title(run: Run) -> str:
    """A run by its name and day, or its id where no day is stated."""
    of = units.day(run.measured_at) if run.measured_at else run.slug
    return f"{run_name(run)}{phrases.in_brackets(of)}"


def is_out(run: Run) -> bool:
    """Whether a label keeps a run out of the standings of what it is called after."""
    return run.is_kept_out or run.plan_in_doubt


def kept_out_of(run: Run) -> str:
    """Of what a label keeps a run out, as the API says it; nothing where none does."""
    if run.is_kept_out:
        return KeepsOut.RUN.value
    return KeepsOut.PLAN.value if run.plan_in_doubt else ""


def doubt_of(run: Run) -> str:
    """That a run does not count, in words; nothing where no label keeps it out."""
    if run.is_kept_out:
        return _("does not count")
    return _("does not count for its plan") if run.plan_in_doubt else ""


def row_of_run(run: Run, *, is_drawn: bool = True) -> Row:
    """A run with the measurement that stands for it."""
    measurement = headline_measurement(run)
    latency = headline_latency(measurement) if measurement else None
    figures = figures_of(run, measurement, latency) if measurement else None
    workload = workload_title(measurement.workload, measurement.title) if measurement else ""
    work = workload_short(measurement.workload, measurement.title) if measurement else ""
    when = units.day(run.measured_at) if run.measured_at else ""
    return Row(
        key=f"run-{run.slug}",
        name=listed_name(run),
        url=reverse("pages:run", args=[run.slug]),
        under=listed_under(run),
        figures=RowFigures(
            rate_per_s=figures.rate_per_s if figures else None,
            is_commit=bool(measurement and measurement.is_durable_single_writer),
            low=figures.low if figures else None,
            high=figures.high if figures else None,
            interval=words.INTERVALS["samples"] if figures and figures.low else "",
            p50_ns=latency.p50_ns if latency else None,
            p99_ns=latency.p99_ns if latency else None,
            side=words.SIDES.get(latency.side, "") if latency else "",
        ),
        evidence=RowEvidence(
            level=run.shown_level,
            when=when,
            keeps_out=kept_out_of(run),
            doubt=doubt_of(run),
        ),
        trace=trace_of(figures) if figures and is_drawn else None,
        workload=workload,
        work=DOT.join(filter(None, (work, listed_source(run)))),
        on=f"run:{run.slug}",
        on_name=DOT.join(filter(None, (listed_name(run), when, run.slug))),
    )

"""The fsync ladder: each class of storage with its best documented marks, and the reader's."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.expected_class import (
    CLOUD_SSD,
    CLOUD_TOP,
    HDD,
    NVME_NO_PLP,
    NVME_PLP,
    OPTANE,
    PMEM,
    SATA_NO_PLP,
    SATA_PLP,
)
from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.ladder import (
    NAME_CHARACTERS_MAX,
    LadderMark,
    LadderRow,
    MarkLane,
    MarkQuantity,
    RatioLine,
    draw_alone,
    draw_ratio,
    draw_rung,
)
from apps.pages.home.work import class_of_output
from apps.pages.show import units, words
from apps.pages.show.answer import Answer, latency_sentence
from apps.pages.show.phrases import join_facts, translate
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import row_of_run, run_name
from apps.plans.models import NOT_FOR_RENT
from apps.rankings.choice import headline_latency, headline_measurement
from apps.rankings.models import Evidence
from apps.runs.models import Level
from apps.runs.published.comparable import comparable_class
from apps.runs.sides import BEFORE_THE_SYNC, COMMIT_SIDES
from apps.stats.figures import significant
from apps.words.confidence import line_of_run
from apps.words.workloads import class_mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from apps.drives.models import LadderClass
    from apps.pages.home.contrast import PlanContrast
    from apps.rankings.models import Standing
    from apps.runs.models import Latency, Run

# The classes where there is little room: without the examples in their names.
SHORT_CLASS_NAMES: Final = {
    PMEM: gettext_lazy("Persistent memory"),
    OPTANE: gettext_lazy("Optane NVMe"),
    NVME_PLP: gettext_lazy("NVMe SSD with PLP"),
    SATA_PLP: gettext_lazy("SATA SSD with PLP"),
    CLOUD_TOP: gettext_lazy("Cloud block storage, top tier"),
    NVME_NO_PLP: gettext_lazy("NVMe SSD without PLP"),
    SATA_NO_PLP: gettext_lazy("SATA SSD without PLP"),
    CLOUD_SSD: gettext_lazy("Cloud local or network SSD"),
    HDD: gettext_lazy("Hard disk"),
}
DATACENTER: Final = "datacenter"  # a segment of `drives.csv`
MARKS_A_RUNG = 3  # more would make the ladder longer than a screen
MARKS_MAX = 15  # of the whole ladder, which with its words is one screen
QUANTITIES: Final = {
    MarkQuantity.COMMIT: gettext_lazy("commit p50"),
    MarkQuantity.SYNC: gettext_lazy("sync p50"),
    MarkQuantity.MEAN: gettext_lazy("1 / rate"),
}


@dataclass(frozen=True, slots=True)
class Apart:
    """How far two things are apart that did the same work: both at 1 / rate."""

    line: RatioLine
    fast: str
    slow: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """The classes with their marks; the reader's own mark; two things that are joined."""

    rungs: tuple[LadderRow, ...] = ()
    yours: MarkLane | None = None
    apart: Apart | None = None


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A run that somebody wants to see on the ladder."""

    row: Row
    name: str
    lane: MarkLane
    measured_class: str  # the class in whose range it lies, in words; empty: none
    answer: Answer


def own_run_of(run: Run, classes: Sequence[LadderClass]) -> OwnRun | None:
    """The run as the subject of the ladder; None where it has no commits to show.

    What a label keeps out has none: nothing says that it was durable.
    """
    measurement = headline_measurement(run)
    if run.is_kept_out or measurement is None or not measurement.is_durable_single_writer:
        return None
    latency = headline_latency(measurement)
    p50_ns = latency.p50_ns if latency and latency.side in COMMIT_SIDES else None
    if p50_ns is None and not measurement.rate_per_s:
        return None
    drawn_as = quantity_of(latency.side if latency and p50_ns else "")
    is_output = run.level == Level.IMPORTED
    work = class_of_output(measurement) if is_output else comparable_class(measurement.workload)
    mark = LadderMark(
        name=_("your run"),
        url=reverse("pages:run", args=[run.slug]),
        latency_ns=p50_ns or round(NS_PER_S / (measurement.rate_per_s or 1)),
        drawn_as=drawn_as,
        terms=terms_of(drawn_as, work),
        plp=run.drive_family.plp if run.drive_family else "unknown",
        work=class_mark(work),
        whisker_ns=latency.p99_ns if latency and p50_ns else None,
        is_subject=True,
        is_measured=True,
    )
    names = {each.slug: short_class(each) for each in classes}
    name = words.made_up_title(run_name(run)) if run.is_example else run_name(run)
    measured_class = names.get(run.measured_class_id or "", "")
    answer = Answer(
        sentence=_own_sentence(latency, drawn_as),
        sure=line_of_run(run),
        figure=significant(measurement.rate_per_s or 0),
        unit=_("durable commits/s"),
    )
    return OwnRun(row_of_run(run), name, draw_alone(mark), measured_class, answer)


def _own_sentence(latency: Latency | None, drawn_as: MarkQuantity) -> str:
    """How long its commits took, its syncs alone, or else its writes."""
    what = _("syncs") if drawn_as is MarkQuantity.SYNC else _("commits")
    if latency is not None and latency.side in BEFORE_THE_SYNC:
        what = _("writes")
    elif latency is None or latency.side not in COMMIT_SIDES:
        return latency_sentence(what, None, None)
    return latency_sentence(what, latency.p50_ns, latency.p99_ns)


def apart_of(contrast: PlanContrast | None) -> Apart | None:
    """The two plans of the contrast, joined: they were timed with one workload."""
    if contrast is None or contrast.fast.plan is None or contrast.slow.plan is None:
        return None
    fast, slow = contrast.fast, contrast.slow
    line = draw_ratio(fast_per_s=fast.rate_per_s, slow_per_s=slow.rate_per_s)
    return Apart(line, contrast.fast.plan.name, contrast.slow.plan.name)


def rungs_of(
    classes: Sequence[LadderClass], standings: Iterable[Standing], subjects: Collection[str] = ()
) -> tuple[LadderRow, ...]:
    """Every class that has marks, with the best documented; those without a class come last.

    Without any mark at all the ladder has every class.
    """
    by_class = _best_documented(standings, subjects)
    rungs = [
        replace(
            draw_rung(
                name=short_class(each),
                low_ns=each.low_ns,
                high_ns=each.high_ns,
                is_claim=each.is_claim,
                marks=by_class.get(each.slug, ()),
            ),
            claimed=units.latency_range(*each.claimed) if each.claimed else "",
        )
        for each in classes
        if each.slug in by_class or not by_class
    ]
    if by_class.get("") and classes:
        rungs.append(
            draw_rung(
                name=capfirst(_("not stated")),
                low_ns=None,
                high_ns=None,
                is_claim=False,
                marks=by_class[""],
            )
        )
    return tuple(rungs)


def _best_documented(
    standings: Iterable[Standing], subjects: Collection[str]
) -> dict[str, list[LadderMark]]:
    """The marks of each class; every class has one before any has two.

    Subjects first, then what we measured, then names that need not be cut.
    """
    marks_in: dict[str, list[LadderMark]] = defaultdict(list)
    for standing in standings:
        if _may_well_be_protected(standing):
            continue
        marks_in[standing.ladder_class_id or ""].append(mark_of(standing, subjects))
    for marks in marks_in.values():
        marks.sort(key=_turn_of)  # stable
    in_turn = [
        (slug, mark)
        for place in range(MARKS_A_RUNG)
        for slug, marks in marks_in.items()
        for mark in marks[place : place + 1]
    ]
    chosen: dict[str, list[LadderMark]] = defaultdict(list)
    for slug, mark in in_turn[:MARKS_MAX]:
        chosen[slug].append(mark)
    return chosen


def _may_well_be_protected(standing: Standing) -> bool:
    """Whether it is a datacenter drive in no class because no source states its protection.

    Most of them have it, so that none is an example of drives that may not.
    """
    family = standing.drive_family
    return not standing.ladder_class_id and family is not None and family.segment == DATACENTER


def _turn_of(mark: LadderMark) -> tuple[bool, bool, bool]:
    return not mark.is_subject, not mark.is_measured, len(mark.name) > NAME_CHARACTERS_MAX


def short_class(storage_class: LadderClass) -> str:
    """The short name of a class in the reader's language; the whole one of a class added later."""
    name = SHORT_CLASS_NAMES.get(storage_class.slug)
    return str(name) if name else translate(storage_class.name)


def name_of(standing: Standing) -> str:
    """What a mark is called: the drive family, the plan, or the drives of a machine at home."""
    if standing.drive_family is not None:
        return standing.drive_family.name
    if standing.plan is None:
        raise AssertionError("a standing is of a plan or of a drive family")
    is_rented = standing.plan.provider_id not in NOT_FOR_RENT
    return standing.plan.full_name if is_rented else standing.drive_names or standing.plan.name


def mark_of(standing: Standing, subjects: Collection[str]) -> LadderMark:
    """A mark that says which quantity it shows, and of which work."""
    name = name_of(standing)
    kind, slug = ("drive", standing.drive_family_id) if standing.drive_family_id else (
        "plan", standing.plan_id
    )  # fmt: skip
    p50_ns = standing.p50_ns if standing.latency_side in COMMIT_SIDES else None
    drawn_as = quantity_of(standing.latency_side if p50_ns else "")
    work = comparable_class(standing.workload)
    return LadderMark(
        name=name,
        url=reverse(f"pages:{kind}", args=[slug]),
        latency_ns=p50_ns or round(NS_PER_S / standing.rate_per_s),
        drawn_as=drawn_as,
        terms=terms_of(drawn_as, work),
        plp=standing.plp or "unknown",
        work=class_mark(work),
        whisker_ns=standing.p99_ns if p50_ns else None,
        is_subject=name in subjects,
        is_measured=standing.evidence == Evidence.MEASURED,
    )


def terms_of(drawn_as: MarkQuantity, work: int) -> str:
    """What the place of a mark is and of which work: "sync p50, +metadata"."""
    words_of_work = class_mark(work)
    return join_facts((QUANTITIES[drawn_as], *((words_of_work,) if words_of_work else ())))


def quantity_of(side: str) -> MarkQuantity:
    """What a mark shows: the median of a side that holds the sync, else 1 / rate.

    A completion or a write ends where the sync begins: of a durable workload that states no other
    median, 1 / rate is the time that a commit takes.
    """
    return MarkQuantity(side) if side in COMMIT_SIDES else MarkQuantity.MEAN

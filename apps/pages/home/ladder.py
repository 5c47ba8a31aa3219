"""The ladder of the first page: each class of storage with the best documented marks in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse
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
from apps.pages.draw.ladder import LadderMark, LadderRow, MarkLane, draw_rung
from apps.pages.show import units, words
from apps.pages.show.phrases import translate
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import row_of_run, run_name
from apps.plans.models import NOT_FOR_RENT
from apps.rankings.choice import headline_latency, headline_measurement
from apps.rankings.models import Evidence
from apps.runs.sides import COMMIT_SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from apps.drives.models import LadderClass
    from apps.rankings.models import Standing
    from apps.runs.models import Run

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
MARKS_A_RUNG = 4  # more would make the ladder longer than a screen
# Medians that hold the sync. A completion or a write ends where the sync begins: of a durable
# workload that states no other median, 1 / rate is the time that a commit takes.
QUANTITIES = dict(
    zip(COMMIT_SIDES, (gettext_lazy("commit p50"), gettext_lazy("sync p50")), strict=True)
)


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A run that somebody wants to see on the ladder."""

    row: Row
    name: str
    rung: LadderRow
    measured_class: str  # the class in whose range it lies, in words; empty: none
    side: str = ""  # what its median times; empty where it times no sync

    @property
    def lane(self) -> MarkLane:
        """Its one mark."""
        return self.rung.lanes[0]


def own_run_of(run: Run, classes: Sequence[LadderClass]) -> OwnRun | None:
    """The run as the subject of the ladder; None where it has no commits to show.

    What a label keeps out has none: nothing says that it was durable.
    """
    measurement = headline_measurement(run)
    if run.is_kept_out or measurement is None or not measurement.is_durable_single_writer:
        return None
    latency = headline_latency(measurement)
    p50_ns = latency.p50_ns if latency and latency.side in QUANTITIES else None
    if p50_ns is None and not measurement.rate_per_s:
        return None
    mark = LadderMark(
        name=_("your run"),
        url=reverse("pages:run", args=[run.slug]),
        latency_ns=p50_ns or round(NS_PER_S / (measurement.rate_per_s or 1)),
        quantity=quantity(latency.side if latency and p50_ns else ""),
        plp=run.drive_family.plp if run.drive_family else "unknown",
        whisker_ns=latency.p99_ns if latency and p50_ns else None,
        is_subject=True,
        is_measured=True,
    )
    rung = draw_rung(name="", low_ns=None, high_ns=None, is_claim=False, marks=[mark])
    names = {each.slug: short_class(each) for each in classes}
    name = words.made_up_title(run_name(run)) if run.is_example else run_name(run)
    side = latency.side if latency and p50_ns else ""
    return OwnRun(row_of_run(run), name, rung, names.get(run.measured_class_id or "", ""), side)


def ladder(
    classes: Sequence[LadderClass], standings: Iterable[Standing], subjects: Collection[str]
) -> tuple[LadderRow, ...]:
    """Every class with the best documented marks in it; those without a class come last."""
    by_class: dict[str, list[LadderMark]] = defaultdict(list)
    for standing in standings:
        marks = by_class[standing.ladder_class_id or ""]
        if len(marks) < MARKS_A_RUNG:
            marks.append(mark_of(standing, subjects))
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
    ]
    if by_class.get("") and rungs:
        rungs.append(
            draw_rung(
                name=_("Class not stated"),
                low_ns=None,
                high_ns=None,
                is_claim=False,
                marks=by_class[""],
            )
        )
    return tuple(rungs)


def short_class(storage_class: LadderClass) -> str:
    """The short name of a class in the reader's language; the whole one of a class added later."""
    name = SHORT_CLASS_NAMES.get(storage_class.slug)
    return str(name) if name else translate(storage_class.name)


def mark_of(standing: Standing, subjects: Collection[str]) -> LadderMark:
    """A mark that says which quantity it shows."""
    if standing.drive_family is not None:
        name = standing.drive_family.name
        url = reverse("pages:drive", args=[standing.drive_family_id])
    elif standing.plan is not None:
        plan = standing.plan
        is_rented = plan.provider_id not in NOT_FOR_RENT
        name = plan.full_name if is_rented else standing.drive_names or plan.name
        url = reverse("pages:plan", args=[standing.plan_id])
    else:
        raise AssertionError("a standing is of a plan or of a drive family")
    p50_ns = standing.p50_ns if standing.latency_side in QUANTITIES else None
    return LadderMark(
        name=name,
        url=url,
        latency_ns=p50_ns or round(NS_PER_S / standing.rate_per_s),
        quantity=quantity(standing.latency_side if p50_ns else ""),
        plp=standing.plp or "unknown",
        whisker_ns=standing.p99_ns if p50_ns else None,
        is_subject=name in subjects,
        is_measured=standing.evidence == Evidence.MEASURED,
    )


def quantity(side: str) -> str:
    """What a mark shows: the median of a side that holds the sync, else 1 / rate."""
    return str(QUANTITIES.get(side) or _("1 / rate"))

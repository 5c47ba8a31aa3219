"""What can be embedded: a plan, a drive or a run that a reader named, and its badge's address."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.drives.models import DriveFamily
from apps.pages.show.table.rows import run_name
from apps.pages.show.words import badge_alt_of
from apps.plans.models import HOME, UNLISTED, Plan
from apps.rankings.choice import choice_order, headline
from apps.rankings.selectors import (
    REAL_COMMITS,
)
from apps.runs.models import Run, Upload

FOUND_MAX = 8  # of each kind; whoever sees more than a handful types another letter
TEXT_MAX = 100  # characters of a search
OF = re.compile(r"(plan|drive|run):([A-Za-z0-9][A-Za-z0-9_-]{0,159})")
RUN_ADDRESS = re.compile(r"(?:^|/runs/)([A-Za-z0-9][A-Za-z0-9_-]{0,79})/?$")


@dataclass(frozen=True, slots=True)
class Thing:
    """One plan, drive or run that a badge can be of."""

    kind: str  # plan, drive, run
    slug: str
    name: str
    is_waiting: bool = False  # an upload that has no run yet: its badge heals by itself
    rate_per_s: float | None = None  # the figure on its badge; of what a search found

    @property
    def of(self) -> str:
        """How an address names it."""
        return f"{self.kind}:{self.slug}"

    @property
    def page_path(self) -> str:
        """Its page."""
        return reverse(f"pages:{self.kind}", args=[self.slug])

    @property
    def badge_path(self) -> str:
        """Its picture."""
        return reverse(f"badges:{self.kind}", args=[self.slug])

    @property
    def badge_alt(self) -> str:
        """The sentence for those who do not see the picture."""
        return badge_alt_of(self.name)


def read_of(text: str) -> Thing | None:
    """The thing that `plan:SLUG`, `drive:SLUG` or `run:SLUG` names: at most two queries."""
    match = OF.fullmatch(text)
    if match is None:
        return None
    kind, slug = match.groups()
    read = {"plan": find_plan, "drive": find_drive, "run": find_run}
    return read[kind](slug)


def find_plan(slug: str) -> Thing | None:
    """A plan by its address."""
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    return Thing("plan", slug, plan_name(plan)) if plan else None


def plan_name(plan: Plan) -> str:
    """A plan with its provider, where that is a company."""
    is_rented = plan.provider_id not in (HOME, UNLISTED)
    return f"{plan.provider.name} {plan.name}" if is_rented else plan.name


def find_drive(slug: str) -> Thing | None:
    """A drive family by its address."""
    family = DriveFamily.objects.filter(slug=slug).first()
    return Thing("drive", slug, family.name) if family else None


def find_run(slug: str) -> Thing | None:
    """A run by its address, or an upload that will be one."""
    run = Run.objects.select_related("plan", "drive_family", "citation").filter(slug=slug).first()
    if run is not None:
        return Thing("run", slug, run_name(run))
    try:
        run_id = uuid.UUID(slug)
    except ValueError:
        return None
    if str(run_id) != slug or not Upload.objects.filter(run_id=run_id).exists():
        return None
    return Thing("run", slug, _("your run"), is_waiting=True)


def search(text: str) -> tuple[Thing, ...]:
    """Plans, drives and runs by name or address, those with a figure first: at most 5 queries."""
    words = text.split()
    if not words:
        return ()
    found: list[Thing] = []
    address = RUN_ADDRESS.search(text.strip())
    if address and (run := find_run(address[1])):
        found.append(run)
    plans, drives = Q(), ~Q(kind="virtual")
    for word in words:
        plans &= Q(name__icontains=word) | Q(provider__name__icontains=word)
        drives &= Q(name__icontains=word) | Q(vendor__icontains=word)
    rented = Plan.objects.rentable().filter(plans).select_related("provider")
    of_plan = Exists(REAL_COMMITS.filter(plan=OuterRef("pk")))
    of_drive = Exists(REAL_COMMITS.filter(drive_family=OuterRef("pk")))
    found += [
        Thing("plan", plan.slug, plan_name(plan))
        for plan in rented.order_by(of_plan.desc(), "provider__name", "name")[:FOUND_MAX]
    ]
    families = DriveFamily.objects.filter(drives)
    found += [
        Thing("drive", family.slug, family.name)
        for family in families.order_by(of_drive.desc(), "vendor", "name")[:FOUND_MAX]
    ]
    return _with_rates(found)


def _with_rates(found: list[Thing]) -> tuple[Thing, ...]:
    """Add the figures that the badges of plans and drives show: one query."""
    slugs = {kind: [each.slug for each in found if each.kind == kind] for kind in ("plan", "drive")}
    if not any(slugs.values()):
        return tuple(found)
    of_them = Q(plan__in=slugs["plan"]) | Q(drive_family__in=slugs["drive"])
    rows = list(REAL_COMMITS.filter(of_them).defer("curve", "points"))
    leads = {
        (each.kind, each.slug): headline(
            row
            for row in rows
            if (row.plan_id if each.kind == "plan" else row.drive_family_id) == each.slug
        )
        for each in found
    }
    return tuple(
        replace(each, rate_per_s=lead.rate_per_s)
        if (lead := leads[each.kind, each.slug]) is not None
        else each
        for each in found
    )


def example() -> Thing | None:
    """The best documented plan there is, to show what a badge looks like: one query."""
    standing = (
        REAL_COMMITS.filter(plan__isnull=False)
        .select_related("plan__provider")
        .defer("curve", "points")
        .order_by(*choice_order(), "-rate_per_s", "pk")
        .first()
    )
    plan = standing.plan if standing else None
    return Thing("plan", plan.slug, plan_name(plan)) if plan else None

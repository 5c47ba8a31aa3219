"""What can be embedded: a plan, a drive or a run that a reader named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q

from apps.accounts.models import PublicName
from apps.drives.models import DriveFamily
from apps.plans.models import NOT_FOR_RENT, Plan, Provider
from apps.rankings.choice import choice_order, headline
from apps.rankings.selectors import REAL_COMMITS
from apps.runs.models import Run, Upload
from apps.runs.selectors import uuid_of

COMPARED_MAX = 6  # beside each other, as their page has
FOUND_MAX = 8  # of each kind; whoever sees more than a handful types another letter
TEXT_MAX = 100  # characters of a search
OF = re.compile(r"(plan|drive|provider|run|by):([A-Za-z0-9][A-Za-z0-9_-]{0,159})")
RUN_ADDRESS = re.compile(r"(?:^|/runs/)([A-Za-z0-9][A-Za-z0-9_-]{0,79})/?$")


@dataclass(frozen=True, slots=True)
class BadgeMatch:
    """A plan, a drive, a run or a person that a badge can be of."""

    kind: str  # plan, drive, provider, run, by
    slug: str
    # None: an upload that has no run yet
    row: Plan | DriveFamily | Provider | PublicName | Run | None
    rate_per_s: float | None = None  # the figure on its badge; of what a search found


def read_of(text: str) -> BadgeMatch | None:
    """What `plan:SLUG` names, or of a drive, a provider, a run or a person: at most two queries."""
    match = OF.fullmatch(text)
    if match is None:
        return None
    kind, slug = match.groups()
    read = {
        "plan": find_plan, "drive": find_drive, "provider": find_provider, "run": find_run,
        "by": find_person,
    }  # fmt: skip
    return read[kind](slug)


def find_plan(slug: str) -> BadgeMatch | None:
    """A plan by its address."""
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    return BadgeMatch("plan", slug, plan) if plan else None


def find_drive(slug: str) -> BadgeMatch | None:
    """A drive family by its address."""
    family = DriveFamily.objects.filter(slug=slug).first()
    return BadgeMatch("drive", slug, family) if family else None


def find_provider(slug: str) -> BadgeMatch | None:
    """A provider by its address."""
    provider = Provider.objects.exclude(slug__in=NOT_FOR_RENT).filter(slug=slug).first()
    return BadgeMatch("provider", slug, provider) if provider else None


def find_person(slug: str) -> BadgeMatch | None:
    """A person by their public name; no search finds one."""
    named = PublicName.objects.filter(name=slug, held_until=None).first()
    return BadgeMatch("by", slug, named) if named else None


def find_run(slug: str) -> BadgeMatch | None:
    """A run by its address, or an upload that will be one."""
    run = Run.objects.select_related("plan", "drive_family", "citation").filter(slug=slug).first()
    if run is not None:
        return BadgeMatch("run", slug, run)
    run_id = uuid_of(slug)
    if run_id is None or not Upload.objects.filter(run_id=run_id).exists():
        return None
    return BadgeMatch("run", slug, None)


def search(text: str) -> tuple[BadgeMatch, ...]:
    """What has this name or address, of each kind what has a figure first: at most 6 queries."""
    words = text.split()
    if not words:
        return ()
    matches: list[BadgeMatch] = []
    address = RUN_ADDRESS.search(text.strip())
    if address and (run := find_run(address[1])):
        matches.append(run)
    plans, drives = Q(), ~Q(kind="virtual")
    for word in words:
        plans &= Q(name__icontains=word) | Q(provider__name__icontains=word)
        drives &= Q(name__icontains=word) | Q(vendor__icontains=word)
    rented = Plan.objects.rentable().filter(plans).select_related("provider")
    of_plan = Exists(REAL_COMMITS.filter(plan=OuterRef("pk")))
    of_drive = Exists(REAL_COMMITS.filter(drive_family=OuterRef("pk")))
    matches += [
        BadgeMatch("plan", plan.slug, plan)
        for plan in rented.order_by(of_plan.desc(), "provider__name", "name")[:FOUND_MAX]
    ]
    providers = Provider.objects.exclude(slug__in=NOT_FOR_RENT).filter(name__icontains=text.strip())
    matches += [BadgeMatch("provider", each.slug, each) for each in providers[:FOUND_MAX]]
    families = DriveFamily.objects.filter(drives)
    matches += [
        BadgeMatch("drive", family.slug, family)
        for family in families.order_by(of_drive.desc(), "vendor", "name")[:FOUND_MAX]
    ]
    return _with_rates(matches)


def _with_rates(matches: list[BadgeMatch]) -> tuple[BadgeMatch, ...]:
    """Add the figures that the badges of plans and drives show: one query."""
    slugs = {
        kind: [each.slug for each in matches if each.kind == kind] for kind in ("plan", "drive")
    }
    if not any(slugs.values()):
        return tuple(matches)
    of_them = Q(plan__in=slugs["plan"]) | Q(drive_family__in=slugs["drive"])
    rows = list(REAL_COMMITS.filter(of_them).defer("curve", "points"))
    leads = {
        (each.kind, each.slug): headline(
            row
            for row in rows
            if (row.plan_id if each.kind == "plan" else row.drive_family_id) == each.slug
        )
        for each in matches
    }
    return tuple(
        replace(each, rate_per_s=lead.rate_per_s)
        if (lead := leads[each.kind, each.slug]) is not None
        else each
        for each in matches
    )


def example() -> BadgeMatch | None:
    """The best documented plan there is, to show what a badge looks like: one query."""
    standing = (
        REAL_COMMITS.filter(plan__isnull=False)
        .select_related("plan__provider")
        .defer("curve", "points")
        .order_by(*choice_order(), "-rate_per_s", "pk")
        .first()
    )
    plan = standing.plan if standing else None
    return BadgeMatch("plan", plan.slug, plan) if plan else None

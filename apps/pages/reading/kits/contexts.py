"""What the page about measuring shows of a plan: what it costs, and the texts that do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode

from apps.pages.reading.kits.selectors import ANYWHERE, plan_to_measure
from apps.pages.reading.kits.texts import is_offered, kit_of, kubernetes
from apps.plans.naming import SLUG_CHARACTERS_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.pages.reading.kits.selectors import PlanToMeasure
    from apps.pages.reading.kits.texts import Kit
    from apps.plans.models import Plan


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a kit: its address, the command that uses it, and what stands in it."""

    url: str
    command: str
    text: str


@dataclass(frozen=True, slots=True)
class MeasuredPlan:
    """A plan as the page shows it: without a kit only who has a machine of it can measure it."""

    plan: Plan
    kit: Kit | None
    script: ShownText | None  # for the provider's own program
    user_data: ShownText | None  # for the provider's console
    job: ShownText | None  # for Kubernetes, of a volume

    @property
    def ticket_url(self) -> str:
        """Where who is signed in gets the kit with a ticket."""
        named = {"plan": self.plan.slug, "region": self.kit.region if self.kit else ""}
        query = urlencode({name: value for name, value in named.items() if value})
        return f"{reverse('pages:ticket-new')}?{query}"

    @property
    def minutes(self) -> int:
        """How long the provider bills for one measurement."""
        return self.kit.cost.seconds // 60 if self.kit else 0


def measured_plan(address: Mapping[str, str]) -> MeasuredPlan | None:
    """Return the plan that an address names; a region where it is not offered is not asked for."""
    found = _plan_at(address)
    if found is None:
        return None
    kit = kit_of(found)
    job = _job(found.plan) if found.is_volume and is_offered() else None
    script = _script(kit) if kit and kit.client else None
    return MeasuredPlan(found.plan, kit, script, _user_data(kit) if kit else None, job)


def kit_at(address: Mapping[str, str]) -> Kit | None:
    """Return the kit of the plan that an address names, as `measured_plan` shows it."""
    found = _plan_at(address)
    return kit_of(found) if found else None


def _plan_at(address: Mapping[str, str]) -> PlanToMeasure | None:
    slug, region = (
        address.get(name, "").replace("\x00", "")[:SLUG_CHARACTERS_MAX]
        for name in ("plan", "region")
    )
    found = plan_to_measure(slug, region) if slug else None
    if found is not None and found.cost and found.region is None:
        found = plan_to_measure(slug)
    return found


def _script(kit: Kit) -> ShownText:
    url = reverse("files:kit-script", args=[kit.plan.slug, kit.region])
    name = url.rsplit("/", maxsplit=1)[-1]
    return ShownText(url, f"curl -fsSLO {settings.SITE_URL}{url} && sh {name}", kit.script)


def _user_data(kit: Kit) -> ShownText:
    url = reverse("files:kit-cloud-init", args=[kit.plan.slug, kit.region or ANYWHERE])
    return ShownText(url, f"curl -fsSLO {settings.SITE_URL}{url}", kit.cloud_init)


def _job(plan: Plan) -> ShownText:
    url = f"{reverse('files:kit-kubernetes')}?{urlencode({'plan': plan.slug})}"
    return ShownText(url, f"kubectl apply -f '{settings.SITE_URL}{url}'", kubernetes(plan))

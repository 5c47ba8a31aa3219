"""Four feeds as Atom, in English. An entry keeps its id when its words change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from django.conf import settings
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.feeds import selectors
from apps.pages.frame.atom import answer_with, feed_of
from apps.pages.show.list_prices import as_listed
from apps.pages.show.words import region
from apps.rankings.versions.changes import method_changes
from apps.stats.figures import significant
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.utils.feedgenerator import SyndicationFeed

    from apps.plans.models import Price
    from apps.rankings.models import RankChange, Standing


@require_safe
def ranks(_request: HttpRequest) -> HttpResponse:
    """Which plans and drives came into another tier."""
    atom = feed_of(
        title="Fsyncmark: changes of tiers",
        description="Plans and drives that came into another tier, or into none. Once a day.",
        page="pages:plans",
        name="files:feed-ranks",
        guid=_tag("ranks"),
    )
    for change in selectors.rank_changes():
        name, link = _thing(change)
        before, now = _tier(change.tier_before), _tier(change.tier)
        entry = FeedEntry(
            title=f"{name}: {before} → {now}",
            text=f"{workload_title(change.workload)}, {change.evidence}.",
            link=link,
            day=change.day,
            key=f"rank/{change.pk}",
        )
        _add(atom, entry)
    return answer_with(atom)


@require_safe
def shifts(_request: HttpRequest) -> HttpResponse:
    """From which day on people measured another rate."""
    atom = feed_of(
        title="Fsyncmark: change points",
        description="Plans and drives of which other uploaders measure another rate than before.",
        page="pages:plans",
        name="files:feed-shifts",
        guid=_tag("shifts"),
    )
    for standing in selectors.change_points():
        if standing.changed_since is None:
            raise AssertionError("the query asks for a day")
        name, link = _thing(standing)
        before, since = (
            significant(rate) if rate is not None else "?"
            for rate in (standing.rate_before_per_s, standing.rate_since_per_s)
        )
        cell = (standing.workload, standing.version, standing.region_group, standing.variant)
        subject = f"{standing.plan_id or standing.drive_family_id}/{'/'.join(map(str, cell))}"
        entry = FeedEntry(
            title=f"{name}: {before} → {since} /s",
            text=f"{workload_title(standing.workload)}, {standing.evidence}, by "
            f"{standing.n_since} uploaders since {standing.changed_since}.",
            link=link,
            day=standing.changed_since,
            key=f"shift/{standing.evidence}/{subject}/{standing.changed_since}",
        )
        _add(atom, entry)
    return answer_with(atom)


@require_safe
def prices(_request: HttpRequest) -> HttpResponse:
    """The prices that sources stated last."""
    atom = feed_of(
        title="Fsyncmark: prices",
        description="List prices as their sources stated them, the newest first.",
        page="pages:plans",
        name="files:feed-prices",
        guid=_tag("prices"),
    )
    for price in selectors.new_prices():
        place = f", {price.region}" if price.region else ""
        entry = FeedEntry(
            title=f"{price.plan.full_name}: {as_listed(price)}",
            text=f"From {price.valid_from}{place}. {price.includes} {price.source}".strip(),
            link=reverse("pages:plan", args=[price.plan_id]),
            day=price.valid_from,
            key=f"price/{_key_of(price)}",
        )
        _add(atom, entry)
    return answer_with(atom)


@require_safe
def method(_request: HttpRequest) -> HttpResponse:
    """What each version of the method changed."""
    atom = feed_of(
        title="Fsyncmark: the method",
        description="What each version of the method changed.",
        page="pages:method",
        name="files:feed-method",
        guid=_tag("method"),
    )
    for change in method_changes():
        entry = FeedEntry(
            title=f"Version {change.version}",
            text=change.text,
            link=f"{reverse('pages:method')}#changes",
            day=date.fromisoformat(f"{change.since}-01"),
            key=f"method/{change.version}",
        )
        _add(atom, entry)
    return answer_with(atom)


def _thing(of: RankChange | Standing) -> tuple[str, str]:
    """Return what a change is of, with what tells its rows apart, and the path of its page."""
    if of.plan is not None:
        name, link = of.plan.full_name, reverse("pages:plan", args=[of.plan_id])
    elif of.drive_family is not None:
        name, link = of.drive_family.name, reverse("pages:drive", args=[of.drive_family_id])
    else:
        raise AssertionError("a standing is of a plan or of a drive family")
    kind = f"storage kind {of.variant}" if of.variant else ""
    return ", ".join(filter(None, (name, region(of.region_group), kind))), link


def _tier(tier: int | None) -> str:
    return f"tier {tier}" if tier is not None else "not ranked"


def _key_of(price: Price) -> str:
    """Return what tells a price from others; a load of the catalogue may give its row a new id."""
    parts = (price.plan_id, price.region, price.currency, price.amount.normalize(), price.period)
    return "/".join(map(str, (*parts, price.valid_from)))


def _tag(key: str) -> str:
    """Return an id that lasts, as a tag (RFC 4151) of this site."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},2026:{key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One entry of a feed; `link` is the path of the page, `key` what its id is made of."""

    title: str
    text: str
    link: str
    day: date
    key: str


def _add(atom: SyndicationFeed, entry: FeedEntry) -> None:
    moment = datetime.combine(entry.day, time(), tzinfo=UTC)
    atom.add_item(
        title=entry.title,
        link=f"{settings.SITE_URL}{entry.link}",
        unique_id=_tag(entry.key),
        description=escape(entry.text),
        pubdate=moment,
        updateddate=moment,
    )

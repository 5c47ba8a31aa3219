"""Turns what a form of the desk says into orders, and refuses what somebody may not decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from apps.moderation.models import Decision, Report, Subject
from apps.moderation.reasons import reason_of
from apps.moderation.selectors.queue import OF_RUNS, Item, QueueKind
from apps.moderation.services.acts.act import DecisionError, Order
from apps.pages.desk.selectors import items_by_token, key_of_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.contrib.auth.models import User
    from django.http import QueryDict

A: Final = Decision.Action
MODERATE: Final = "moderation.moderate"
EDIT: Final = "plans.change_plan"  # who edits the catalogue may correct it here too
ABOUT_RUNS: Final = (A.EXCLUDE, A.RESTORE, A.RELEASE, A.DELETE, A.SPLIT)
ABOUT_CLUSTERS: Final = (A.MERGE, A.SPLIT)
ABOUT_KEYS: Final = (A.REVOKE_KEY, A.GRANT_LAB, A.WITHDRAW_LAB)
CORRECTIONS: Final = {
    "map-name": QueueKind.NAME,
    "set-aside": QueueKind.NAME,
    "accept-plan": QueueKind.PLAN,
    "merge-plan": QueueKind.PLAN,
    "show-names": QueueKind.OUTPUT,
    "settle-price": QueueKind.PRICE,
    "dispute-price": QueueKind.REPORTED,
}
# What a form may hand on; anything else of it is dropped.
GIVEN: Final = (
    "rule", "setup_url", "compromised_since", "family", "pattern", "name", "into", "price",
    "answer",
)  # fmt: skip
SUBJECT_OF: Final = {
    QueueKind.NAME: Subject.NAME,
    QueueKind.PLAN: Subject.PLAN,
    QueueKind.PRICE: Subject.PLAN,
}


def orders_of(form: QueryDict, by: User) -> list[Order]:
    """Return the orders of a form. Raises DecisionError or PermissionDenied."""
    action = form.get("action", "")
    _check_permission(action, by)
    reason = reason_of(form.get("ready", ""), form.get("reason", ""))
    given = {name: form.get(name, "").replace("\0", "") for name in GIVEN if form.get(name)}
    items = items_by_token(form.getlist("item"))
    if not items:
        raise DecisionError(_("Choose what to decide about."))
    clusters = [item for item in items if item.kind is QueueKind.CLUSTER]
    if clusters and action in ABOUT_CLUSTERS and len(clusters) == len(items):
        return [_of_cluster(item, action, reason, by) for item in clusters]
    if action == A.MERGE:
        return [_merge(items, reason, by)]
    return [each for item in items for each in _orders(item, action, reason, given, by)]


def _check_permission(action: str, by: User) -> None:
    is_allowed = by.has_perm(MODERATE) or (action in CORRECTIONS and by.has_perm(EDIT))
    if not is_allowed:
        raise PermissionDenied


def _merge(items: Sequence[Item], reason: str, by: User) -> Order:
    runs = " ".join(filter(None, map(_run_of, items)))
    return Order(A.MERGE, Subject.UPLOADERS, "", reason, by, {"runs": runs})


def _of_cluster(item: Item, action: str, reason: str, by: User) -> Order:
    return Order(action, Subject.UPLOADERS, "", reason, by, {"cluster": item.key})


def _orders(
    item: Item, action: str, reason: str, given: Mapping[str, str], by: User
) -> Iterator[Order]:
    """Yield the order for one thing; a report is answered by whatever is decided about it."""
    if action in CORRECTIONS:
        yield _correction(item, action, reason, given, by)
    elif action in ABOUT_RUNS:
        yield Order(action, Subject.RUN, _needed(_run_of(item)), reason, by, given)
    elif action in ABOUT_KEYS:
        keyid = key_of_run(_needed(_run_of(item)))
        yield Order(action, Subject.KEY, _needed(keyid), reason, by, given)
    elif action == A.KEEP and item.kind not in (QueueKind.REPORTED, QueueKind.CLUSTER):
        yield Order(action, _subject(item), _subject_id(item), reason, by, given)
    elif action not in (A.KEEP, A.ANSWER, A.SHOW) or item.kind is not QueueKind.REPORTED:
        raise DecisionError(_("That cannot be done with all that you chose."))
    if item.kind is QueueKind.REPORTED:
        closing = A.SHOW if action == A.SHOW else A.ANSWER
        about = Subject(item.row.subject)
        more = {**given, "report": item.key}
        yield Order(closing, about, item.row.subject_id, reason, by, more)


def _correction(item: Item, what: str, reason: str, given: Mapping[str, str], by: User) -> Order:
    if item.kind is not CORRECTIONS[what]:
        raise DecisionError(_("That cannot be done with all that you chose."))
    more = {**given, "what": what}
    if item.kind is QueueKind.PRICE:
        more["price"] = item.key
    if item.kind is QueueKind.REPORTED and item.row.subject != Subject.PLAN:
        raise DecisionError(_("Only prices of plans are disputed."))
    return Order(A.CORRECT, _subject(item), _subject_id(item), reason, by, more)


def _run_of(item: Item) -> str:
    """Return the address of the run that something is or is about; empty: none."""
    if item.kind in OF_RUNS:
        return item.key
    report = item.row
    is_about_run = isinstance(report, Report) and report.subject == Subject.RUN
    return report.subject_id if is_about_run else ""


def _needed(value: str) -> str:
    if not value:
        raise DecisionError(_("That cannot be done with all that you chose."))
    return value


def _subject(item: Item) -> Subject:
    if item.kind is QueueKind.REPORTED:
        return Subject(item.row.subject)
    return SUBJECT_OF.get(item.kind, Subject.RUN)


def _subject_id(item: Item) -> str:
    if item.kind is QueueKind.REPORTED:
        return str(item.row.subject_id)
    return str(item.row.plan_id) if item.kind is QueueKind.PRICE else item.key

"""Corrections of the catalogue: names of drives, plans that nobody lists, prices in dispute.

`given["what"]` says which one; `details["what"]` keeps it for the log and for the undo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from apps.drives.models import DriveFamily, DriveName, DrivePattern
from apps.drives.services import AmbiguousPatternError, PatternError, refuse_pattern
from apps.moderation.models import Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.services.again import ids_of, work_again
from apps.plans.models import Plan, PlanRuling, Price
from apps.rankings.services import mark_plans
from apps.runs.imported.services import show_names
from apps.runs.models import ImportedFile, Run
from apps.runs.stale_runs import recognise_again, work_stale_runs_again

if TYPE_CHECKING:
    from collections.abc import Callable

    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order

NAME_CHARACTERS_MAX: Final = 96  # of the column


def correct(order: Order) -> Done:
    """Correct what the order says."""
    do, _undo = _CORRECTIONS.get(order.given.get("what", ""), (None, None))
    if do is None:
        raise DecisionError(_("Say what has to be corrected."))
    done = do(order)
    return Done(done.subject, done.subject_id, {**done.details, "what": order.given["what"]})


def undo_correct(decision: Decision) -> None:
    """Take a correction back."""
    _do, undo = _CORRECTIONS[decision.details["what"]]
    undo(decision)


def _map_name(order: Order) -> Done:
    """Give a name of a drive its family by a pattern, and make the runs with such names again."""
    name = _name(order.subject_id)
    family = DriveFamily.objects.filter(pk=order.given.get("family", "")).first()
    if family is None:
        raise DecisionError(_("Choose a drive family of the catalogue."))
    pattern = order.given.get("pattern", "").strip()
    try:
        refuse_pattern(pattern, family=family, name=name)
    except (PatternError, AmbiguousPatternError) as error:
        raise DecisionError(str(error)) from error
    row = DrivePattern.objects.create(
        family=family, pattern=pattern, name=name, source=order.reason
    )
    _recognise()
    return Done(Subject.NAME, name.key, {"pattern": row.pk, "name": str(name), "to": family.name})


def _unmap_name(decision: Decision) -> None:
    DrivePattern.objects.filter(pk=decision.details["pattern"]).delete()
    _recognise()


def _recognise() -> None:
    recognise_again()
    transaction.on_commit(work_stale_runs_again)


def _set_aside(order: Order) -> Done:
    """Say that there is nothing to name: a test device, a made-up name."""
    name = _name(order.subject_id)
    _let_aside(name, is_aside=True)
    return Done(Subject.NAME, name.key, {"name": str(name)})


def _take_back(decision: Decision) -> None:
    _let_aside(_name(decision.subject_id), is_aside=False)


def _let_aside(name: DriveName, *, is_aside: bool) -> None:
    DriveName.objects.filter(pk=name.pk).update(is_set_aside=is_aside)


def _name(key: str) -> DriveName:
    name = DriveName.objects.filter(key=key).first()
    if name is None:
        raise DecisionError(_("There is no such name any more."))
    return name


def _accept_plan(order: Order) -> Done:
    """Show an unlisted plan by the name that it has, or by a better one."""
    plan, before = _unlisted(order.subject_id)
    called = (
        order.given.get("name", "").strip()[:NAME_CHARACTERS_MAX] or plan.sent_name or plan.name
    )
    same = Plan.objects.filter(provider=plan.provider_id, name=called).exclude(pk=plan.pk)
    if same.exists():
        raise DecisionError(_("Another plan has that name: merge the two."))
    PlanRuling.objects.update_or_create(pk=plan.pk, defaults={"name": called, "into": None})
    Plan.objects.filter(pk=plan.pk).update(name=called, is_seen=True)
    work_again(ids_of(Run.objects.filter(plan=plan)))  # what they claim may be shown now
    return Done(Subject.PLAN, plan.pk, {**before, "to": called})


def _merge_plan(order: Order) -> Done:
    """Count the runs of an unlisted plan for the plan that it is."""
    plan, before = _unlisted(order.subject_id)
    into = Plan.objects.filter(pk=order.given.get("into", ""), is_listed=True).first()
    if into is None:
        raise DecisionError(_("Choose a plan of the catalogue by its address."))
    PlanRuling.objects.update_or_create(pk=plan.pk, defaults={"name": "", "into": into})
    moved = ids_of(Run.objects.filter(plan=plan))
    work_again(moved)
    details = {**before, "to": into.pk, "runs": [str(each) for each in moved]}
    return Done(Subject.PLAN, plan.pk, details)


def _undo_plan(decision: Decision) -> None:
    """Give the plan its name and its ruling of before back; its runs come back to it."""
    details = {"was_seen": decision.details["was"] is not None, **decision.details}  # older rows
    PlanRuling.objects.filter(pk=decision.subject_id).delete()
    if details["was"] is not None:
        PlanRuling.objects.create(pk=decision.subject_id, **details["was"])
    Plan.objects.filter(pk=decision.subject_id).update(
        name=details["plan_name"], is_seen=details["was_seen"]
    )
    work_again(ids_of(Run.objects.filter(plan=decision.subject_id)))
    work_again(details.get("runs", ()))


def _unlisted(slug: str) -> tuple[Plan, dict[str, Any]]:
    """Return an unlisted plan, and what the undo of a decision about it needs."""
    plan = Plan.objects.filter(pk=slug, is_listed=False).first()
    if plan is None:
        raise DecisionError(_("It is a plan of the catalogue."))
    ruling = PlanRuling.objects.filter(pk=slug).first()
    was = {"name": ruling.name, "into_id": ruling.into_id} if ruling else None
    return plan, {"was": was, "plan_name": plan.name, "was_seen": plan.is_seen}


def _show_names(order: Order) -> Done:
    """Show what the sender of an output calls its machine."""
    return _let_names(order.subject_id, is_seen=True)


def _hold_names(decision: Decision) -> None:
    _let_names(decision.subject_id, is_seen=False)


def _let_names(slug: str, *, is_seen: bool) -> Done:
    outputs = ImportedFile.objects.filter(run__slug=slug)
    if not show_names(outputs, is_seen=is_seen):
        raise DecisionError(_("There is no such run any more."))
    return Done(Subject.RUN, slug, {})


def _dispute(order: Order) -> Done:
    """Doubt a price: it is shown with that, and no cost rests on it."""
    return _doubt(order, is_disputed=True)


def _settle(order: Order) -> Done:
    """Use a price again that was in dispute."""
    return _doubt(order, is_disputed=False)


def _doubt(order: Order, *, is_disputed: bool) -> Done:
    number = order.given.get("price", "")
    price = Price.objects.filter(pk=number).first() if number.isdecimal() else None
    if price is None:
        raise DecisionError(_("There is no such price any more."))
    if price.is_disputed == is_disputed:
        raise DecisionError(_("That is so already."))
    _set_disputed(price, is_disputed=is_disputed)
    return Done(Subject.PLAN, price.plan_id, {"price": price.pk, "to": str(price)})


def _undo_doubt(decision: Decision) -> None:
    price = Price.objects.filter(pk=decision.details["price"]).first()
    if price is None:
        raise DecisionError(_("There is no such price any more."))
    _set_disputed(price, is_disputed=not price.is_disputed)


def _set_disputed(price: Price, *, is_disputed: bool) -> None:
    Price.objects.filter(pk=price.pk).update(is_disputed=is_disputed)
    mark_plans([price.plan_id])


_CORRECTIONS: Final[dict[str, tuple[Callable[[Order], Done], Callable[[Decision], None]]]] = {
    "map-name": (_map_name, _unmap_name),
    "set-aside": (_set_aside, _take_back),
    "accept-plan": (_accept_plan, _undo_plan),
    "merge-plan": (_merge_plan, _undo_plan),
    "show-names": (_show_names, _hold_names),
    "dispute-price": (_dispute, _undo_doubt),
    "settle-price": (_settle, _undo_doubt),
}

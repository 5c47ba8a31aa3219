"""Decides, and takes decisions back: each in one transaction, each with a row in the public log.

What the decision changes in standings is marked in the same transaction, so the sweeper computes it
within seconds. One decision is made at a time: of two moderators with the same thing before them,
the second is told what the first has done.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext as _

from apps.moderation.models import Decision
from apps.moderation.roles import role_of
from apps.moderation.services.acts import answers, catalogue, keys, runs, uploaders
from apps.moderation.services.acts.act import Act, DecisionError, nothing_to_undo
from apps.runs.locks import hold_alone
from apps.runs.rulings import BadMergeError, NoSuchRunError
from apps.runs.services import hold_all_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.contrib.auth.models import User

    from apps.moderation.services.acts.act import Order

LOCK: Final = "fsyncmark.moderation"
_BY_PATTERN: Final = "map-name"  # the correction that concerns every run with such a name
_ACTION: Final = Decision.Action
ACTS: Final = {
    _ACTION.EXCLUDE: Act(runs.exclude, runs.undo_exclude),
    _ACTION.RESTORE: Act(runs.restore, runs.undo_restore),
    _ACTION.RELEASE: Act(runs.release, runs.undo_release),
    _ACTION.KEEP: Act(runs.keep, nothing_to_undo),
    _ACTION.DELETE: Act(runs.delete, runs.undo_delete),
    _ACTION.REVOKE_KEY: Act(keys.revoke, keys.undo_revoke),
    _ACTION.GRANT_LAB: Act(keys.grant_lab, keys.undo_lab),
    _ACTION.WITHDRAW_LAB: Act(keys.withdraw_lab, keys.undo_lab),
    _ACTION.MERGE: Act(uploaders.merge, uploaders.undo_merge),
    _ACTION.SPLIT: Act(uploaders.split, uploaders.undo_split),
    _ACTION.CORRECT: Act(catalogue.correct, catalogue.undo_correct),
    _ACTION.ANSWER: Act(answers.answer, answers.undo_answer),
    _ACTION.SHOW: Act(answers.show, answers.undo_answer),
}
# These change nothing of their subject: a later one stands in no undo's way.
_NEUTRAL: Final = (_ACTION.KEEP, _ACTION.ANSWER, _ACTION.SHOW, _ACTION.UNDO)


@transaction.atomic
def decide(orders: Sequence[Order]) -> list[Decision]:
    """Carry out orders, all or none; return the decisions, of one batch.

    Raises DecisionError for the first that cannot be carried out.
    """
    if not orders:
        raise DecisionError(_("Choose what to decide about."))
    if any(order.given.get("what") == _BY_PATTERN for order in orders):
        hold_all_runs()  # before any row: a worker takes this lock first too
    hold_alone(LOCK)
    batch = uuid.uuid4()
    return [_decide(order, batch) for order in orders]


@transaction.atomic
def undo(pks: Iterable[int], *, by: User, reason: str) -> list[Decision]:
    """Take decisions back, the newest first, all or none; return the rows that say so.

    Raises DecisionError for one that is undone already or that a later decision rests on.
    """
    decisions = list(Decision.objects.filter(pk__in=list(pks)).order_by("-pk"))
    if any(each.details.get("what") == _BY_PATTERN for each in decisions):
        hold_all_runs()
    hold_alone(LOCK)
    batch = uuid.uuid4()
    return [_undo(each, by=by, reason=reason, batch=batch) for each in decisions]


def _decide(order: Order, batch: uuid.UUID) -> Decision:
    if not order.reason:
        raise DecisionError(_("Give a reason: it is public."))
    act = ACTS.get(_ACTION(order.action)) if order.action in _ACTION.values else None
    if act is None:
        raise DecisionError(_("Choose an action."))
    try:
        done = act.do(order)
    except NoSuchRunError:
        raise DecisionError(_("There is no such run any more.")) from None
    except BadMergeError as error:
        raise DecisionError(str(error)) from error
    return Decision.objects.create(
        action=order.action,
        subject=done.subject,
        subject_id=done.subject_id,
        reason=order.reason,
        by=order.by,
        role=role_of(order.by),
        batch=batch,
        details=done.details,
    )


def _undo(decision: Decision, *, by: User, reason: str, batch: uuid.UUID) -> Decision:
    if decision.action == _ACTION.UNDO or Decision.objects.filter(undoes=decision).exists():
        raise DecisionError(_("It is taken back already."))
    later = Decision.objects.filter(
        subject=decision.subject, subject_id=decision.subject_id, pk__gt=decision.pk,
        undone_by__isnull=True,
    ).exclude(action__in=_NEUTRAL)  # fmt: skip
    if decision.action not in _NEUTRAL and later.exists():
        raise DecisionError(_("Take the later decision about it back first."))
    try:
        ACTS[_ACTION(decision.action)].undo(decision)
    except NoSuchRunError:
        raise DecisionError(_("There is no such run any more.")) from None
    except BadMergeError as error:
        raise DecisionError(str(error)) from error
    return Decision.objects.create(
        action=_ACTION.UNDO,
        subject=decision.subject,
        subject_id=decision.subject_id,
        reason=reason or decision.reason,
        by=by,
        role=role_of(by),
        batch=batch,
        undoes=decision,
    )

"""Decisions about one run: exclude, restore, release a rule, keep, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.core import serializers
from django.utils.translation import gettext as _

from apps.moderation.models import BinnedRun, Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.services.again import work_again
from apps.runs.imported.services import record_import
from apps.runs.models import CloudProof, ImportedFile, Label, Run, RunRuling, Tombstone, Upload
from apps.runs.rulings import delete_run, lift_ruling, rule_on_run

if TYPE_CHECKING:
    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order


def run_named(slug: str) -> Run:
    """Return a run by its address. Raises DecisionError where there is none."""
    run = Run.objects.filter(slug=slug).first()
    if run is None:
        raise DecisionError(_("There is no such run any more."))
    return run


def exclude(order: Order) -> Done:
    """Keep a run out of everything that counts."""
    run = run_named(order.subject_id)
    if _excluded(run.pk) is not None:
        raise DecisionError(_("It is excluded already."))
    rule_on_run(run.pk, RunRuling.Kind.EXCLUDED, order.reason)
    return _about(run, rules=_rules_of(run.slug))


def undo_exclude(decision: Decision) -> None:
    """Let the run count again where its labels do."""
    lift_ruling(_run_id(decision), RunRuling.Kind.EXCLUDED)


def restore(order: Order) -> Done:
    """Let an excluded run count again."""
    run = run_named(order.subject_id)
    ruling = _excluded(run.pk)
    if ruling is None:
        raise DecisionError(_("It is not excluded."))
    lift_ruling(run.pk, RunRuling.Kind.EXCLUDED)
    return _about(run, was=ruling.reason, rules=_rules_of(run.slug))


def undo_restore(decision: Decision) -> None:
    """Exclude the run for the reason that it was excluded for."""
    rule_on_run(_run_id(decision), RunRuling.Kind.EXCLUDED, decision.details["was"])


def release(order: Order) -> Done:
    """Set a rule aside for one run: what it found does not hold there."""
    run, rule = run_named(order.subject_id), order.given.get("rule", "")
    if not Label.objects.filter(run=run, rule=rule).exists():
        raise DecisionError(_("The run has no such label."))
    rule_on_run(run.pk, RunRuling.Kind.RELEASED, order.reason, rule=rule)
    return _about(run, rule=rule, rules=[rule])


def undo_release(decision: Decision) -> None:
    """Let the rule speak again."""
    lift_ruling(_run_id(decision), RunRuling.Kind.RELEASED, rule=decision.details["rule"])


def keep(order: Order) -> Done:
    """Change nothing: it was looked at, with the labels that it had."""
    is_run = order.subject == Subject.RUN
    details = {"rules": _rules_of(order.subject_id)} if is_run else {}
    return Done(order.subject, order.subject_id, details)


def delete(order: Order) -> Done:
    """Delete a run and leave a tombstone; its bytes lie in the bin until that is emptied."""
    run = run_named(order.subject_id)
    row = Upload.objects.filter(pk=run.pk).first() or ImportedFile.objects.filter(pk=run.pk).first()
    if row is None:
        raise DecisionError(_("A published result leaves with its line in the file."))
    proofs = CloudProof.objects.filter(pk=run.pk).exclude(state=CloudProof.State.WAITING)
    rows = [row, *RunRuling.objects.filter(run_id=run.pk), *proofs]  # none with its document
    BinnedRun.objects.create(run_id=run.pk, rows=serializers.serialize("json", rows))
    delete_run(run.pk, by_owner=False, reason=order.reason)
    return _about(run)


def undo_delete(decision: Decision) -> None:
    """Take the bytes of a run back out of the bin. Raises DecisionError once it is emptied."""
    run_id = _run_id(decision)
    binned = BinnedRun.objects.filter(pk=run_id).first()
    if binned is None:
        raise DecisionError(_("It was deleted too long ago: its bytes are gone."))
    Tombstone.objects.filter(pk=run_id).delete()
    for stored in serializers.deserialize("json", binned.rows):
        stored.save()
    binned.delete()
    imported = ImportedFile.objects.filter(pk=run_id).first()
    if imported is not None:
        record_import(imported)
    work_again([run_id])


def _rules_of(slug: str) -> list[str]:
    """Return the rules that speak of a run: what a decision about it is made in sight of."""
    return list(Label.objects.filter(run__slug=slug).values_list("rule", flat=True))


def _about(run: Run, **details: str | list[str]) -> Done:
    return Done(Subject.RUN, run.slug, {"run_id": str(run.pk), **details})


def _run_id(decision: Decision) -> UUID:
    return UUID(decision.details["run_id"])


def _excluded(run_id: UUID) -> RunRuling | None:
    return RunRuling.objects.filter(run_id=run_id, kind=RunRuling.Kind.EXCLUDED).first()

"""What people decide about runs: it holds at once, and through every rebuild.

A ruling is a row of its own, which `record_run` reads. So each of these writes its row, sets what
the run's rows say of it, marks the cells, and has the run judged again, in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from apps.accounts.clock import database_now
from apps.accounts.models import REASON_CHARACTERS_MAX, AgentKey, ClaimLink
from apps.accounts.signals import keys_changed
from apps.runs.imported.services import record_import
from apps.runs.models import (
    ImportedFile,
    Label,
    Level,
    Run,
    RunRuling,
    Tombstone,
    Upload,
    UploaderMerge,
)
from apps.runs.provenance import CloudProof, UploaderCluster
from apps.runs.published.services import load_one_again
from apps.runs.rules.history import BURST_PERIOD
from apps.runs.rulings.signals import runs_left
from apps.runs.stale_runs import requeue
from apps.runs.trust.ownership import ACCOUNT, NETWORK, runs_of_account, runs_of_network

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

MERGED_MIN: Final = 2  # uploaders: of one alone there is nothing to merge


class NoSuchRunError(LookupError):
    """There is no run of this id that a person may decide about."""


class BadMergeError(ValueError):
    """These uploaders cannot be judged as one; the message says why."""


@transaction.atomic
def rule_on_run(run_id: UUID, kind: str, reason: str, rule: str = "") -> RunRuling:
    """Store what was decided about a run; decided again, the newer reason stands.

    `rule` is the rule that a release is about. Raises NoSuchRunError.
    """
    _lock(run_id)
    RunRuling.objects.filter(run_id=run_id, kind=kind, rule=rule).delete()
    ruling = RunRuling.objects.create(run_id=run_id, kind=kind, rule=rule, reason=one_line(reason))
    if kind != RunRuling.Kind.RELEASED:
        Run.objects.filter(pk=run_id).update(is_listed=False, is_kept_out=True, in_standings=False)
    _judge_again(run_id)
    return ruling


@transaction.atomic
def lift_ruling(run_id: UUID, kind: str, rule: str = "") -> bool:
    """Take a ruling back, and return whether there was one. Raises NoSuchRunError."""
    _lock(run_id)
    lifted, _ = RunRuling.objects.filter(run_id=run_id, kind=kind, rule=rule).delete()
    if lifted:
        _judge_again(run_id)
    return bool(lifted)


@transaction.atomic
def delete_run(run_id: UUID, by_owner: bool, reason: str) -> Tombstone:  # noqa: FBT001 -- a column
    """Delete a run with its bytes; its id stays, so that nobody sends it again.

    Later runs that were judged by it are judged again. Raises NoSuchRunError.
    """
    ClaimLink.objects.filter(run_id=run_id).delete()  # who uses it locks it before the upload
    _lock(run_id)
    tombstone = Tombstone.objects.create(run_id=run_id, by_owner=by_owner, reason=one_line(reason))
    runs_left.send(sender=Run, run_ids=[run_id])
    requeue(_judged_by(run_id))
    RunRuling.objects.filter(run_id=run_id).delete()
    CloudProof.objects.filter(pk=run_id).delete()
    _delete_bytes(run_id)
    return tombstone


@transaction.atomic
def merge_uploaders(names: Iterable[str], reason: str) -> str:
    """Judge these uploaders as one from now on, and return its name.

    Names are those of Run.uploader. Raises BadMergeError.
    """
    merged = sorted(set(names))
    if len(merged) < MERGED_MIN:
        raise BadMergeError("a merge is of two uploaders at least")
    known = dict(UploaderMerge.objects.select_for_update().values_list("uploader", "into"))
    merged = sorted({known.get(name, name) for name in merged})
    if any(not name.startswith((ACCOUNT, NETWORK)) for name in merged):
        raise BadMergeError("an uploader is an account or a network")
    into, *others = merged
    followers = [name for name, stands_for in known.items() if stands_for in others]
    UploaderMerge.objects.filter(uploader__in=followers).update(into=into)
    UploaderMerge.objects.bulk_create(
        UploaderMerge(uploader=name, into=into, reason=one_line(reason)) for name in others
    )
    _move(Run.objects.filter(uploader__in=others), uploader=into)
    return into


@transaction.atomic
def split_uploader(name: str) -> bool:
    """Judge an uploader apart again, and return whether it was merged.

    Of the one that others are judged as, all of them are split. No rule merges them again.
    """
    merges = UploaderMerge.objects.filter(Q(pk=name) | Q(into=name))
    names = list(merges.values_list("pk", flat=True))
    into = list(merges.values_list("into", flat=True).distinct())
    merges.delete()
    if names:
        _keep_apart(sorted({*names, *into}))
    for each in names:
        _move(_own_runs_of(each), uploader=each)
    return bool(names)


@transaction.atomic
def restore_uploaders(before: Iterable[tuple[str, str | None]]) -> None:
    """Judge these uploaders again as they were before a merge: as another, or as themselves.

    Nobody says by it that they are not one.
    """
    list(UploaderMerge.objects.select_for_update().values_list("pk"))
    for name, into in before:
        rows = UploaderMerge.objects.filter(pk=name)
        if into:
            rows.update(into=into)
        else:
            rows.delete()
        _move(_own_runs_of(name), uploader=into or name)


def _keep_apart(names: list[str]) -> None:
    """Note that a person split these, for the rules that look for clusters."""
    UploaderCluster.objects.filter(uploaders__overlap=names).update(
        state=UploaderCluster.State.SPLIT
    )
    UploaderCluster.objects.get_or_create(
        rule=UploaderCluster.Rule.BY_HAND,
        uploaders=names,
        defaults={
            "state": UploaderCluster.State.SPLIT, "evidence": {}, "found_at": database_now(),
        },
    )  # fmt: skip


def one_line(reason: str) -> str:
    """Return a reason as it is kept: printable, without breaks, as long as its column is."""
    words = " ".join(reason.split())
    return "".join(each for each in words if each.isprintable())[:REASON_CHARACTERS_MAX]


@receiver(keys_changed, sender=AgentKey)
def judge_runs_of_keys_again(keyids: Iterable[str], **_signal: object) -> None:
    """Judge the runs of keys again; those that a revoked key sent too late count no longer."""
    ids = list(keyids)
    requeue(Upload.objects.filter(key__in=ids))
    for key in AgentKey.objects.filter(pk__in=ids, compromised_since__isnull=False):
        late = Run.objects.filter(
            upload__key=key, upload__received_at__gte=key.compromised_since, is_kept_out=False
        )
        run_ids = list(late.values_list("pk", flat=True))
        runs_left.send(sender=Run, run_ids=run_ids)
        Run.objects.filter(pk__in=run_ids).update(is_kept_out=True, in_standings=False)


def _delete_bytes(run_id: UUID) -> None:
    Upload.objects.filter(pk=run_id).delete()
    ImportedFile.objects.filter(pk=run_id).delete()


def _lock(run_id: UUID) -> None:
    """Lock the stored bytes of a run, which a worker locks too before its rows.

    A published one has none; its row is locked.
    """
    rows = (
        Upload.objects.filter(pk=run_id),
        ImportedFile.objects.filter(pk=run_id),
        Run.objects.filter(pk=run_id, level=Level.PUBLISHED),
    )
    if not any(each.select_for_update(no_key=True).values_list("pk") for each in rows):
        raise NoSuchRunError(f"no upload, no import and no published run is {run_id}")


def _judge_again(run_id: UUID) -> None:
    runs_left.send(sender=Run, run_ids=[run_id])
    requeue(Upload.objects.filter(pk=run_id))
    for imported in ImportedFile.objects.defer("content").filter(pk=run_id):
        record_import(imported)
    if Run.objects.filter(pk=run_id, level=Level.PUBLISHED).exists():
        load_one_again(run_id)


def _judged_by(run_id: UUID) -> QuerySet[Upload]:
    """Return the uploads whose runs were judged by what an earlier run is."""
    run = Run.objects.select_related("upload").filter(pk=run_id, upload__isnull=False).first()
    if run is None or run.upload is None:
        return Upload.objects.none()
    received_at = run.upload.received_at
    named = Label.objects.filter(figures__run=run.slug).values("run")
    soon = Q(run__plan=run.plan_id, received_at__lte=received_at + BURST_PERIOD)
    later = Q(received_at__gte=received_at) & (soon | Q(run__machine=run.machine))
    judged = Upload.objects.filter(Q(run__in=named) | later).exclude(pk=run_id)
    return Upload.objects.filter(pk__in=judged.values("pk"))


def _own_runs_of(name: str) -> QuerySet[Run]:
    """Return the runs that are an uploader's without any merge."""
    kind, _, rest = name.partition(":")
    if f"{kind}:" == ACCOUNT:
        return runs_of_account(int(rest))
    return runs_of_network(rest)


def _move(runs: QuerySet[Run], *, uploader: str) -> None:
    run_ids = list(runs.values_list("pk", flat=True))
    Run.objects.filter(pk__in=run_ids).update(uploader=uploader)
    runs_left.send(sender=Run, run_ids=run_ids)

"""Decisions about uploaders: judge several as one, or apart again. The log never names them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from apps.moderation.models import Decision, Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.services.acts.runs import run_named
from apps.runs.clusters.services import settle_cluster
from apps.runs.models import Run, UploaderCluster, UploaderMerge
from apps.runs.rulings import merge_uploaders, restore_uploaders, split_uploader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.moderation.services.acts.act import Order

NAME_CHARACTERS = 12  # of a keyed hash: enough to tell decisions apart, too few to find a network


def merge(order: Order) -> Done:
    """Judge uploaders as one: those of a cluster, or of the runs in `given["runs"]`."""
    cluster = _cluster(order)
    names = sorted(cluster.uploaders) if cluster else _uploaders_of(order.given.get("runs", ""))
    if len(names) < len("ab"):
        raise DecisionError(_("Choose runs of two uploaders at least."))
    done = _done(names)
    before = _merges()
    if len({before.get(name, name) for name in names}) > 1:
        merge_uploaders(names, order.reason)
    if cluster:
        settle_cluster(cluster.pk, UploaderCluster.State.KEPT)
    moved = [name for name, into in _merges().items() if before.get(name) != into]
    pairs = [(name, before.get(name)) for name in sorted(moved)]
    touched = sorted({*names, *moved})
    return replace(done, details={**done.details, "names": touched, "before": pairs})


def undo_merge(decision: Decision) -> None:
    """Judge those who were merged by it as before it."""
    _check_is_last(decision)
    merged = [(name, None) for name in decision.details.get("merged", ())]  # in older rows
    restore_uploaders(decision.details.get("before", merged))
    _restore_states(decision)


def split(order: Order) -> Done:
    """Judge those apart who are judged as one: of a cluster, or with the uploader of a run."""
    cluster = _cluster(order)
    into = sorted(cluster.uploaders) if cluster else [run_named(order.subject_id).uploader]
    merged = UploaderMerge.objects.filter(Q(into__in=into) | Q(uploader__in=into))
    pairs = list(merged.order_by("uploader").values_list("uploader", "into"))
    if not pairs and not cluster:
        raise DecisionError(_("Its uploader is judged alone already."))
    done = _done(sorted({*into, *(name for pair in pairs for name in pair)}))
    for name, _into in pairs:
        split_uploader(name)
    if cluster:
        settle_cluster(cluster.pk, UploaderCluster.State.SPLIT)
    return replace(done, details={**done.details, "pairs": pairs})


def undo_split(decision: Decision) -> None:
    """Judge them as one again."""
    _check_is_last(decision)
    for pair in decision.details["pairs"]:
        merge_uploaders(pair, decision.reason)
    found = UploaderCluster.objects.filter(uploaders__overlap=decision.details["names"])
    by_hand = found.filter(rule=UploaderCluster.Rule.BY_HAND)
    by_hand.exclude(pk__in=decision.details["clusters"]).delete()
    _restore_states(decision)


def _check_is_last(decision: Decision) -> None:
    """Refuse to undo what a later decision about some of the same uploaders rests on."""
    later = Decision.objects.filter(
        action__in=(Decision.Action.MERGE, Decision.Action.SPLIT),
        pk__gt=decision.pk,
        undone_by__isnull=True,
        details__names__has_any_keys=decision.details["names"],
    )
    if later.exists():
        raise DecisionError(_("Take the later decision about it back first."))


def _merges() -> dict[str, str]:
    """Return who is judged as whom."""
    return dict(UploaderMerge.objects.values_list("uploader", "into"))


def _cluster(order: Order) -> UploaderCluster | None:
    """Return the cluster that an order names; None where it is about runs."""
    number = order.given.get("cluster", "")
    if not number:
        return None
    cluster = UploaderCluster.objects.filter(pk=number).first()
    if cluster is None or cluster.state != UploaderCluster.State.WAITING:
        raise DecisionError(_("That is so already."))
    return cluster


def _uploaders_of(slugs: str) -> list[str]:
    runs = Run.objects.filter(slug__in=slugs.split())
    return sorted({run.uploader for run in runs if run.uploader})


def _done(names: list[str]) -> Done:
    """What a decision about uploaders keeps: who, and what was thought of their clusters before."""
    clusters = UploaderCluster.objects.filter(uploaders__overlap=names)
    states = {str(pk): state for pk, state in clusters.values_list("pk", "state")}
    return Done(Subject.UPLOADERS, public_name(names), {"names": names, "clusters": states})


def _restore_states(decision: Decision) -> None:
    """Think of clusters what was thought before."""
    for pk, state in decision.details["clusters"].items():
        UploaderCluster.objects.filter(pk=pk).update(state=state)


def public_name(names: Iterable[str]) -> str:
    """Return a name for a group of uploaders that tells nothing about them."""
    joined = "\n".join(sorted(names))
    return salted_hmac("fsyncmark.uploaders", joined, algorithm="sha256").hexdigest()[
        :NAME_CHARACTERS
    ]

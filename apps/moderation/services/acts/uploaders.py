"""Decisions about uploaders: judge several as one, or apart again. The log never names them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from apps.moderation.models import Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.services.acts.runs import run_named
from apps.runs.clusters.services import settle_cluster
from apps.runs.models import Run, UploaderCluster, UploaderMerge
from apps.runs.rulings import merge_uploaders, split_uploader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order

NAME_CHARACTERS = 12  # of a keyed hash: enough to tell decisions apart, too few to find a network


def merge(order: Order) -> Done:
    """Judge uploaders as one: those of a cluster, or of the runs in `given["runs"]`."""
    cluster = _cluster(order)
    names = sorted(cluster.uploaders) if cluster else _uploaders_of(order.given.get("runs", ""))
    if len(names) < len("ab"):
        raise DecisionError(_("Choose runs of two uploaders at least."))
    done = _done(names)
    before = set(UploaderMerge.objects.values_list("uploader", flat=True))
    known = UploaderMerge.objects.filter(uploader__in=names).values_list("uploader", "into")
    if len({dict(known).get(name, name) for name in names}) > 1:
        merge_uploaders(names, order.reason)
    if cluster:
        settle_cluster(cluster.pk, UploaderCluster.State.KEPT)
    merged = set(UploaderMerge.objects.values_list("uploader", flat=True)) - before
    return replace(done, details={**done.details, "merged": sorted(merged)})


def undo_merge(decision: Decision) -> None:
    """Judge those apart again who were merged by it."""
    for name in decision.details["merged"]:
        split_uploader(name)
    _restore_clusters(decision)


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
    for pair in decision.details["pairs"]:
        merge_uploaders(pair, decision.reason)
    _restore_clusters(decision)


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


def _restore_clusters(decision: Decision) -> None:
    """Think of clusters what was thought before: a split by an undo is no person's opinion."""
    states = decision.details["clusters"]
    found = UploaderCluster.objects.filter(uploaders__overlap=decision.details["names"])
    found.filter(rule=UploaderCluster.Rule.BY_HAND).exclude(pk__in=states).delete()
    for pk, state in states.items():
        UploaderCluster.objects.filter(pk=pk).update(state=state)


def public_name(names: Iterable[str]) -> str:
    """Return a name for a group of uploaders that tells nothing about them."""
    joined = "\n".join(sorted(names))
    return salted_hmac("fsyncmark.uploaders", joined, algorithm="sha256").hexdigest()[
        :NAME_CHARACTERS
    ]

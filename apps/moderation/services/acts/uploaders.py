"""Decisions about uploaders: judge several as one, or apart again. The log never names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from apps.moderation.models import Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.services.acts.runs import run_named
from apps.runs.models import Run, UploaderMerge
from apps.runs.rulings import merge_uploaders, split_uploader

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order

NAME_CHARACTERS = 12  # of a keyed hash: enough to tell decisions apart, too few to find a network


def merge(order: Order) -> Done:
    """Judge the uploaders of several runs as one; `given["runs"]` are their addresses."""
    slugs = order.given.get("runs", "").split()
    runs = Run.objects.filter(slug__in=slugs)
    names = sorted({run.uploader for run in runs if run.uploader})
    if len(names) < len("ab"):
        raise DecisionError(_("Choose runs of two uploaders at least."))
    merge_uploaders(names, order.reason)
    return Done(Subject.UPLOADERS, public_name(names), {"names": names})


def undo_merge(decision: Decision) -> None:
    """Judge each of them by itself again."""
    merged = UploaderMerge.objects.filter(uploader__in=decision.details["names"])
    for name in sorted(merged.values_list("uploader", flat=True)):
        split_uploader(name)


def split(order: Order) -> Done:
    """Judge those apart who are judged as one with the uploader of a run."""
    into = run_named(order.subject_id).uploader
    merged = UploaderMerge.objects.filter(into=into).order_by("uploader")
    names = list(merged.values_list("uploader", flat=True))
    if not names:
        raise DecisionError(_("Its uploader is judged alone already."))
    for name in names:
        split_uploader(name)
    return Done(Subject.UPLOADERS, public_name([into, *names]), {"names": [into, *names]})


def undo_split(decision: Decision) -> None:
    """Judge them as one again."""
    merge_uploaders(decision.details["names"], decision.reason)


def public_name(names: Iterable[str]) -> str:
    """Return a name for a group of uploaders that tells nothing about them."""
    joined = "\n".join(sorted(names))
    return salted_hmac("fsyncmark.uploaders", joined, algorithm="sha256").hexdigest()[
        :NAME_CHARACTERS
    ]

"""What programs get of an imported output: what was read, and what speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import translation

from apps.intake.importers import without_measures
from apps.words.labels import english_text, sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.models import Label


def understood(document: dict[str, Any], labels: Iterable[Label]) -> dict[str, Any]:
    """Return a document with the labels of its run; where there are any, nothing is durable."""
    shown = without_measures(document)
    with translation.override("en"):
        found = [
            {
                "rule": label.rule,
                "text": english_text(label.rule),
                "detail": " ".join(sentences_of(label)),
            }
            for label in labels
        ]
    for job in shown["jobs"]:
        job["is_durable_single_writer"] = job["is_durable_single_writer"] and not found
    return {**shown, "labels": found}

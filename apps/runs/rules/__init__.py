"""The table of honesty rules: each id means the same for ever, a changed check is a new version.

A run passes, is labelled, or is put in quarantine. A label says what has to be known beside
figures that are believed, and may keep the run or its reads out of standings; quarantine is for
figures that cannot be what they say. Whatever is found, the run keeps its page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import Label, Outcome
from apps.runs.rules.rule import Kind, Rule
from apps.runs.rules.table import (
    behaviour,
    consistency,
    environment,
    freshness,
    identity,
    physics,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.rules.facts import RunFacts

TABLE: Final = (
    *freshness.RULES, *consistency.RULES, *identity.RULES, *environment.RULES, *physics.RULES,
    *behaviour.RULES,
)  # fmt: skip

RULES: Final = {rule.id: rule for rule in TABLE}


def judge(facts: RunFacts) -> list[Label]:
    """Return an unsaved label for every rule that finds something, in the order of the table."""
    found = ((rule, rule.check(facts)) for rule in TABLE if rule.check is not None)
    return [label_of(rule, detail) for rule, detail in found if detail is not None]


def label_of(rule: Rule, detail: str) -> Label:
    """Return the unsaved label of a rule that spoke."""
    return Label(
        rule=rule.id,
        rule_version=rule.version,
        outcome=rule.outcome,
        keeps_out=rule.keeps_out,
        text=rule.text,
        detail=detail,
    )


def outcome_of(labels: Iterable[Label]) -> Outcome:
    """Return what these labels of one run come to: the worst of them."""
    found = {label.outcome for label in labels}
    worst_first = (Outcome.QUARANTINE, Outcome.LABEL)
    return next((outcome for outcome in worst_first if outcome in found), Outcome.PASS)


__all__ = ["RULES", "TABLE", "Kind", "Rule", "judge", "label_of", "outcome_of"]

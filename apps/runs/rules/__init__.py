"""The table of honesty rules: each id means the same for ever, a changed check is a new version.

Each rule is one file in the folder of its kind: its identity, its words and its check. Pages list
rules, and the labels of a run, by kind, and of one kind those with the gravest consequence first.

A run passes, is labelled, or is put in quarantine. A label says what has to be known beside
figures that are believed, and may keep the run or its reads out of standings; quarantine is for
figures that cannot be what they say. Whatever is found, the run keeps its page.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Label, Outcome
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def _rules_in_folders() -> Iterator[Rule]:
    """Yield the rule of every file in the folders beside this one."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        is_in_folder = module.name.count(".") > __name__.count(".") + 1
        if is_in_folder and not module.ispkg:
            yield import_module(module.name).RULE


TABLE: Final = tuple(sorted(_rules_in_folders(), key=lambda rule: rule.sort_key))
RULES: Final = {rule.id: rule for rule in TABLE}


def judge(facts: RunFacts, *, released: Collection[str] = ()) -> list[Label]:
    """Return an unsaved label for every rule that finds something, in the order of the table.

    Labels of `released` rules keep nothing out.
    """
    findings = ((rule, rule.find(facts)) for rule in TABLE)
    return [
        label_of(rule, figures, is_released=rule.id in released)
        for rule, figures in findings
        if figures is not None
    ]


def label_of(rule: Rule, figures: Figures, *, is_released: bool = False) -> Label:
    """Return the unsaved label of a rule with the figures of its finding.

    A moderator may have released the run from the rule.
    """
    return Label(
        rule=rule.id,
        rule_version=rule.version,
        outcome=Outcome.LABEL if is_released else rule.outcome,
        keeps_out=KeepsOut.NOTHING if is_released else rule.keeps_out,
        figures=figures,
        is_released=is_released,
    )


def outcome_of(labels: Iterable[Label]) -> Outcome:
    """Return the outcome of a run with these labels: the worst of them."""
    outcomes = {label.outcome for label in labels}
    worst_first = (Outcome.QUARANTINE, Outcome.LABEL)
    return next((outcome for outcome in worst_first if outcome in outcomes), Outcome.PASS)


__all__ = ["RULES", "TABLE", "Rule", "RuleKind", "judge", "label_of", "outcome_of"]

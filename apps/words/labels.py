"""What a label says, in the language in force: the words of its rule, with the label's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext

from apps.runs.rules import RULES
from apps.runs.rules.identity import network_elsewhere, placement_conflict, unlisted_for_plan
from apps.words.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.figures import Figures
    from apps.runs.rules import Rule

_CONFLICTS: Final = {
    **placement_conflict.RULE.cases,
    **unlisted_for_plan.RULE.cases,
    **network_elsewhere.RULE.cases,
}


class LabelLike(Protocol):
    """A label, or as much of one as its words need."""

    @property
    def rule(self) -> str: ...

    @property
    def rule_version(self) -> int: ...

    @property
    def figures(self) -> Figures | None: ...


def english_text(rule_id: str) -> str:
    """Return the few words on the label of a rule; its id where the rule is gone."""
    rule = RULES.get(rule_id)
    return rule.text if rule else rule_id


def text_of(label: LabelLike) -> str:
    """Return the few words on a label."""
    return gettext(english_text(label.rule))


def sentences_of(label: LabelLike) -> list[str]:
    """Return what the rule found.

    Empty if another version of the rule found it: figures mean what their version says, and the
    run is judged again soon.
    """
    rule = RULES.get(label.rule)
    if rule is None or label.figures is None or label.rule_version != rule.version:
        return []
    return findings(rule, label.figures)


def remedy_of(label: LabelLike) -> str:
    """Return what can be done about what a label says; nothing where its rule is gone."""
    rule = RULES.get(label.rule)
    return gettext(rule.remedy) if rule else ""


def why_of(rule: Rule) -> str:
    """Return when a rule speaks and why, with the figures that it judges by."""
    return gettext(rule.why).format(**rule.why_figures)


def findings(rule: Rule, figures: Figures) -> list[str]:
    """Return what a rule found, from its figures; why it speaks where it has none."""
    if not rule.finding and not rule.cases:
        return [why_of(rule)]
    return sentences(figures, words=rule.finding, cases=rule.cases)


def conflict_sentences(conflicts: Iterable[Figures]) -> list[str]:
    """Return in what claim and machine disagree, as the run keeps it."""
    return [each for conflict in conflicts for each in sentences(conflict, cases=_CONFLICTS)]

"""Rules beside what the tables know of them: how many runs carry each, and the floors in force."""

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from apps.drives.models import LadderClass
from apps.runs.ladder.floors import Floor, floors
from apps.runs.models import Label
from apps.runs.rules import TABLE, Rule, RuleKind
from apps.runs.rules.physics import faster_than_medium, reads_from_cache

OF_READS = reads_from_cache.RULE.id
WITH_FLOORS = frozenset({faster_than_medium.RULE.id, OF_READS})  # whose threshold is a table


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule, and how many runs carry its label."""

    rule: Rule
    runs: int


@dataclass(frozen=True, slots=True)
class FloorRow:
    """A floor, and its figure in force. Latencies in nanoseconds."""

    floor: Floor
    floor_ns: int  # as the ladder in the database has it


def rules_by_kind() -> dict[RuleKind, list[RuleRow]]:
    """Every rule in the order of the table, by kind: one query."""
    carried = _labels().values("rule").annotate(runs=Count("run"))
    runs = dict(carried.values_list("rule", "runs"))
    by_kind: dict[RuleKind, list[RuleRow]] = {}
    for rule in TABLE:
        by_kind.setdefault(rule.kind, []).append(RuleRow(rule, runs.get(rule.id, 0)))
    return by_kind


def runs_with(rule: Rule) -> int:
    """How many runs carry the label of a rule: one query."""
    return _labels().filter(rule=rule.id).count()


def _labels() -> QuerySet[Label]:
    """The labels of runs on lists that somebody measured: made-up examples are counted nowhere."""
    return Label.objects.filter(run__is_example=False, run__is_listed=True).order_by()


def floor_rows() -> list[FloorRow]:
    """Every floor, in the order of the ladder: one query."""
    stated_ns = dict(LadderClass.objects.values_list("slug", "floor_ns"))
    return [
        FloorRow(floor, stated_ns.get(floor.id) or floor.floor_ns) for floor in floors().values()
    ]

"""Distrusts published records as uploads are distrusted: what physics and their mount say of them.

A record that was mounted without barriers, or whose mean commit is quicker than its medium allows,
gets the label that an upload would get, is called durable nowhere and counts in no standing. The
same holds for a record that says of itself why it may not count (`is_kept_out`), without a label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apps.drives.expected_class import CLOUD_SSD, possible_classes
from apps.plans.models import StorageKind
from apps.runs.imported.judgement import below_floor, call_none_durable, without_barriers
from apps.runs.ladder.floors import CLOUD_LOCAL, floor_of, floors
from apps.runs.rules import RULES, label_of, outcome_of
from apps.runs.rules.environment.storage import barriers_off
from apps.runs.rules.physics import faster_than_medium
from apps.runs.rules.run_facts import ruling_figures

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from apps.runs.ladder.floors import Floor
    from apps.runs.models import Label, Measurement, Run, RunRuling


CONSUMER: Final = "consumer"  # the segment of a family


def judge_record(
    fields: Mapping[str, Any],
    *,
    run: Run,
    measurement: Measurement,
    rulings: Mapping[str, RunRuling],
    released: Collection[str],
) -> list[Label]:
    """Return the unsaved labels of a record, and tell its unsaved run and measurement of them.

    `rulings` are what was decided about the run, by kind; `released` the rules that do not hold.
    """
    options = fields["workload"]["extra"].get("mount_options", "").split(",")
    findings = (
        (barriers_off.RULE, without_barriers(options)),
        (faster_than_medium.RULE, below_floor([measurement], floor=floor_of_published(run))),
    )
    labels = [
        label_of(rule, figures, is_released=rule.id in released)
        for rule, figures in findings
        if figures is not None
    ]
    if not all(label.is_released for label in labels):
        call_none_durable([measurement])
    labels += [label_of(RULES[kind], ruling_figures(rulings[kind])) for kind in rulings]
    for label in labels:
        label.run = run
    run.is_listed = not rulings
    run.outcome = outcome_of(labels)
    run.is_kept_out = fields["is_kept_out"] or any(label.keeps_run_out for label in labels)
    return labels


def floor_of_published(run: Run) -> Floor:
    """Return the shortest commit of a published run's medium.

    Of a machine in a cloud it is that of a local disk, unless the disk is known to lie behind a
    network. Of a consumer drive whose protection no document states it is that of drives without:
    an article shows no label beside a figure that leads a board, as half the weight of an upload.
    """
    family = run.drive_family
    if family is not None and family.segment == CONSUMER and (classes := possible_classes(family)):
        return floors()[classes[-1]]
    is_network = run.plan is not None and run.plan.storage_kind == StorageKind.NETWORK
    floor = floor_of(run.expected_class, [run.drive_family])
    is_unnamed = run.drive_family is None and floor.id == CLOUD_SSD
    return floors()[CLOUD_LOCAL] if is_unnamed and not is_network else floor

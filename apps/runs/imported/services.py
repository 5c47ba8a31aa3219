"""Makes runs of level Imported from outputs of benchmarks: shown, and never ranked.

apps.intake.importers reads an output when it arrives and stores what it understood beside the
bytes. This module makes rows of that, the same rows every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from apps.plans.held import UNSEEN_NAME
from apps.plans.models import Provider
from apps.plans.naming import provider_slug_of
from apps.plans.placement import PlacementClaim
from apps.plans.services import listed_plan_of
from apps.runs.imported.facts import FILESYSTEM
from apps.runs.imported.figures import latencies_of
from apps.runs.imported.judgement import family_of_claim, floor_of_family, judge_output
from apps.runs.ladder.classes import class_of
from apps.runs.models import Citation, ImportedFile, Label, Latency, Level, Measurement, Run
from apps.runs.rules import RULES, label_of, outcome_of
from apps.runs.rules.run_facts import ruling_figures
from apps.runs.services import rulings_of
from apps.runs.trust.ownership import uploader_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from apps.drives.models import DriveFamily

KERNEL_CHARACTERS_MAX: Final = 128  # of the columns
CPU_CHARACTERS_MAX: Final = 128
FILESYSTEM_CHARACTERS_MAX: Final = 64
TITLE_CHARACTERS_MAX: Final = 300
WARNING: Final = "Nobody signed it, and it is never ranked."


@transaction.atomic
def record_import(imported: ImportedFile) -> Run:
    """Make the run of an imported file; rows that were made of it before are replaced."""
    document = imported.document
    Run.objects.filter(pk=imported.run_id).delete()
    family = family_of_claim(imported.claimed_drive)
    run = _run(imported, family)
    rulings, released = rulings_of(imported.run_id)
    floor = floor_of_family(family)
    judged = judge_output(document, run=run, floor=floor, released=released)
    labels = [*judged.labels, *(label_of(RULES[k], ruling_figures(rulings[k])) for k in rulings)]
    run.measured_class_id = _measured_class(judged.headline_first)
    run.outcome = outcome_of(labels)
    run.is_kept_out = any(label.keeps_run_out for label in labels)
    run.is_listed = not rulings
    run.save(force_insert=True)
    Citation.objects.create(
        run=run,
        title=_title(imported),
        machine_label=_machine(run),
        notes=" ".join(document["notes"]),
        warning=WARNING,
    )
    Measurement.objects.bulk_create(judged.headline_first)
    Latency.objects.bulk_create(
        latency
        for job, measurement in zip(document["jobs"], judged.measurements, strict=True)
        for latency in latencies_of(job, measurement=measurement)
    )
    for label in labels:
        label.run = run
    Label.objects.bulk_create(labels)
    return run


def record_imported() -> int:
    """Make the runs of all imported files again; returns how many there are."""
    files = ImportedFile.objects.defer("content").order_by("received_at", "run_id")
    count = 0
    for imported in files.iterator():
        record_import(imported)
        count += 1
    return count


def show_names(files: QuerySet[ImportedFile], *, is_seen: bool = True) -> int:
    """Show names that the catalogue lacks, now that a person has read them, or hold them again.

    Returns how many outputs there are.
    """
    count = 0
    with transaction.atomic():
        for file in files.defer("content").select_for_update(no_key=True):
            file.names_seen = is_seen
            file.save(update_fields=("names_seen",))
            record_import(file)
            count += 1
    return count


def _run(imported: ImportedFile, family: DriveFamily | None) -> Run:
    """Return the run, with the plan and the drive that its sender named if the catalogue has them.

    Pages of the plan and the drive show it, but it counts in no standing, which only uploads and
    published runs do. No plan is made for it.
    """
    facts = imported.document["facts"]
    claim = PlacementClaim(provider=imported.claimed_provider, plan=imported.claimed_plan)
    plan = listed_plan_of(claim, day=imported.received_at.date())
    provider = provider_slug_of(imported.claimed_provider)
    is_known_provider = Provider.objects.filter(pk=provider).exists()
    return Run(
        id=imported.run_id,
        slug=str(imported.run_id),
        imported_file=imported,
        level=Level.IMPORTED,
        measured_at=None,  # a time in the output is by that machine's clock
        plan=plan,
        provider=plan.provider if plan else None,
        drive_family=family,
        claimed_provider=_shown(imported, imported.claimed_provider, is_known=is_known_provider),
        claimed_plan=_shown(imported, imported.claimed_plan, is_known=plan is not None),
        drive_reported=_shown(imported, imported.claimed_drive, is_known=family is not None),
        uploader=uploader_of(owner=None, network=imported.network),
        filesystem=facts.get(FILESYSTEM, "")[:FILESYSTEM_CHARACTERS_MAX],
        kernel=facts.get("kernel", "")[:KERNEL_CHARACTERS_MAX],
        cpu_model=facts.get("processor", "")[:CPU_CHARACTERS_MAX],
    )


def _title(imported: ImportedFile) -> str:
    tool, version = imported.document["tool"], imported.document["tool_version"]
    return f"Output of {tool} {version or 'of an unknown version'}"[:TITLE_CHARACTERS_MAX]


def _shown(imported: ImportedFile, name: str, *, is_known: bool) -> str:
    """Return a claimed name if it may be repeated in public: known, or read by a person."""
    return name if not name or is_known or imported.names_seen else UNSEEN_NAME


def _machine(run: Run) -> str:
    names = dict.fromkeys(filter(None, (run.claimed_provider, run.claimed_plan)))
    return " ".join(names)


def _measured_class(measurements: Sequence[Measurement]) -> str | None:
    """Return the ladder class of the mean commit, 1e9 / rate, of the first job with one writer."""
    for measurement in measurements:
        if measurement.is_durable_single_writer and measurement.rate_per_s:
            return class_of(round(1e9 / measurement.rate_per_s))
    return None

"""What the owner of a run can do next, by its level, its labels and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.runs.models import Level, Outcome
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.pages.run.selectors import RunDetails
    from apps.pages.run.verdict import RunVerdict
    from apps.runs.models import Run

SLOW_COMMIT_NS = 1_000_000  # from a millisecond on one writer commits less than 1,000 a second
SHORT_SUITE = "quick"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do, and where. A command stands as code."""

    text: str
    url: str = ""
    command: str = ""


def agent_command(options: str = "", *, folder: str = ".") -> str:
    """The command that measures a folder and sends the run here, by the agent that was fetched."""
    server = f"--server {settings.SITE_URL}"
    return " ".join(filter(None, ("./fsyncmark run", folder, server, options)))


def next_steps(details: RunDetails, verdict: RunVerdict | None) -> tuple[NextStep, ...]:
    """What makes sense for this run, the most pressing first."""
    run = details.run
    return (
        *level_steps(run),
        *naming_steps(run),
        *disk_steps(run, verdict),
        *standing_steps(details),
        *compare_steps(run),
        *deeper_steps(run),
    )


def level_steps(run: Run) -> Iterator[NextStep]:
    """How the run could reach a higher level."""
    if run.level == Level.SIGNED and run.outcome != Outcome.QUARANTINE:
        yield NextStep(
            _("Run it again while the machine is online: only witnessed runs count."),
            command=agent_command(),
        )
    elif run.level in {Level.IMPORTED, Level.PUBLISHED}:
        yield NextStep(
            _("Measure the same machine with the agent: that counts."),
            url=reverse("pages:measure"),
        )


def naming_steps(run: Run) -> Iterator[NextStep]:
    """What nobody has said about the machine yet."""
    if run.upload_id is None:
        return
    if run.plan is None:
        yield NextStep(
            _("Name provider and plan: the next run counts for them."),
            command=agent_command("--provider NAME --plan NAME"),
        )
    if run.drive_family_id is None and run.drive_reported:
        yield NextStep(_("Drives that nobody has named yet"), url=reverse("pages:unknown-drives"))


def disk_steps(run: Run, verdict: RunVerdict | None) -> Iterator[NextStep]:
    """What to try where commits are slow."""
    is_slow = verdict is not None and (verdict.p50_ns or 0) >= SLOW_COMMIT_NS
    plp = run.drive_family.plp if run.drive_family else ""
    if is_slow and plp != PowerLossProtection.FULL and run.upload_id is not None:
        yield NextStep(
            _("Try another disk of the same machine."),
            command=agent_command(folder="/path/on/the/other/disk"),
        )


def standing_steps(details: RunDetails) -> Iterator[NextStep]:
    """What the standing of its plan still lacks."""
    own, run = details.own, details.run
    if own is None or run.plan is None or not own.needs_runs or not run.in_standings:
        return
    yield NextStep(
        _("%(plan)s ranks from %(ranked_from)s uploaders on: %(n)s so far")
        % {"plan": run.plan.name, "ranked_from": RANKED_UPLOADERS_MIN, "n": own.n_uploaders},
        url=reverse("pages:plan", args=[run.plan_id]),
    )


def compare_steps(run: Run) -> Iterator[NextStep]:
    """What the run can be compared with."""
    compare = f"{reverse('pages:compare')}?on=run:{run.slug}"
    with_what = []
    if run.plan is not None and run.plan.is_listed and not run.plan_in_doubt:
        with_what.append((run.plan.name, f"plan:{run.plan_id}"))
    if run.drive_family is not None:
        with_what.append((run.drive_family.name, f"drive:{run.drive_family_id}"))
    for name, on in with_what:
        yield NextStep(_("Compare with %(name)s") % {"name": name}, url=f"{compare}&on={on}")
    if run.plan is None and run.drive_family is None:
        yield NextStep(_("Compare"), url=compare)


def deeper_steps(run: Run) -> Iterator[NextStep]:
    """What a longer suite would show."""
    if run.upload_id is not None and run.suite == SHORT_SUITE:
        yield NextStep(
            _("Measure more: several writers, latency limits, flushes."),
            command=agent_command("--suite standard"),
        )

"""What the owner of a run can do next, by its level, its labels and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.drives.models import PowerLossProtection
from apps.pages.show import words
from apps.runs.models import FlushVerdict, Level, Outcome
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN
from apps.words.labels import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.pages.run.selectors import RunDetails
    from apps.pages.run.verdict import RunVerdict
    from apps.runs.models import Run

SLOW_COMMIT_NS = 1_000_000  # from a millisecond on one writer commits less than 1,000 a second
SHORT_SUITE = "quick"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do: why, and where. A command stands as code."""

    title: str
    text: str
    url: str = ""
    link: str = ""
    command: str = ""


def agent_command(options: str = "", *, folder: str = ".") -> str:
    """The command that measures a folder and sends the run here, by the agent that was fetched."""
    server = f"--server {settings.SITE_URL}"
    return " ".join(filter(None, ("./fsyncmark run", folder, server, options)))


def next_steps(details: RunDetails, verdict: RunVerdict | None) -> tuple[NextStep, ...]:
    """What makes sense for this run, the most pressing first."""
    run = details.run
    return (
        *label_steps(details),
        *level_steps(run),
        *naming_steps(run),
        *flush_steps(run, verdict),
        *standing_steps(details),
        *compare_steps(run),
        *deeper_steps(run),
    )


def label_steps(details: RunDetails) -> Iterator[NextStep]:
    """What keeps the run out of standings."""
    for label in details.labels:
        if not label.keeps_run_out:
            continue
        text = _(
            "“%(label)s” keeps this run out of every standing. Its rule says what it means, where "
            "its threshold lies, and what to change before you measure again."
        )
        if label.outcome == Outcome.QUARANTINE:
            text = _(
                "“%(label)s”: the figures cannot be what they say. Its rule says how that comes "
                "about and what to do; a new run is judged for itself."
            )
        yield NextStep(
            title=_("See what keeps it out"),
            text=text % {"label": text_of(label)},
            url=reverse("pages:rule", args=[label.rule]),
            link=_("The rule"),
        )


def level_steps(run: Run) -> Iterator[NextStep]:
    """How the run could reach a higher level."""
    if run.level == Level.SIGNED and run.outcome != Outcome.QUARANTINE:
        yield NextStep(
            title=_("Run it again online"),
            text=_(
                "Only witnessed runs count. The agent asks for a challenge by itself while this "
                "site can be reached, and sends the result within the time that the challenge has."
            ),
            command=agent_command(),
        )
    elif run.level == Level.IMPORTED:
        yield NextStep(
            title=_("Measure it with the agent"),
            text=_(
                "An output that was given in is shown and never ranked. The agent takes a minute, "
                "signs what it measured, and the run can count."
            ),
            url=reverse("pages:measure"),
            link=_("Measure yours"),
        )
    elif run.level == Level.PUBLISHED:
        yield NextStep(
            title=_("Do you have the same machine?"),
            text=_(
                "These figures are from an article. A run of your own counts in standings, and "
                "shows whether the article still holds."
            ),
            url=reverse("pages:measure"),
            link=_("Measure yours"),
        )


def naming_steps(run: Run) -> Iterator[NextStep]:
    """What nobody has said about the machine yet."""
    if run.upload_id is None:
        return
    if run.plan is None:
        yield NextStep(
            title=_("Say what you rent"),
            text=_(
                "This run names no plan, so it stands for none. With the names of the provider and "
                "of the plan the next one counts for both, and gets a cost."
            ),
            command=agent_command("--provider NAME --plan NAME"),
        )
    if run.drive_family_id is None and run.drive_reported:
        yield NextStep(
            title=_("Help to name the drive"),
            text=_("“%(drive)s” is in no family of drives yet, so the run counts for none.")
            % {"drive": run.drive_reported},
            url=reverse("pages:unknown-drives"),
            link=_("Drives that nobody has named"),
        )


def flush_steps(run: Run, verdict: RunVerdict | None) -> Iterator[NextStep]:
    """What to look into where commits are slow, or quicker than they should be."""
    if run.flush_verdict == FlushVerdict.SUSPICIOUS:
        yield NextStep(
            title=_("Look at the write cache"),
            text=_(
                "Something does not fit commits that survive a power cut. The reasons stand below; "
                "a mount option or the hypervisor may be answering in place of the drive."
            ),
            url="#flushes",
            link=_("The reasons"),
        )
    is_slow = verdict is not None and (verdict.p50_ns or 0) >= SLOW_COMMIT_NS
    plp = run.drive_family.plp if run.drive_family else ""
    if is_slow and plp != PowerLossProtection.FULL and run.upload_id is not None:
        yield NextStep(
            title=_("Try another place on the same machine"),
            text=_(
                "Half of all commits take a millisecond or more. Another filesystem or another "
                "disk of this machine may do better: name one of its folders."
            ),
            command=agent_command(folder="/path/on/the/other/disk"),
        )


def standing_steps(details: RunDetails) -> Iterator[NextStep]:
    """What the standing of its plan still lacks."""
    own, run = details.own, details.run
    if own is None or run.plan is None or not own.needs_runs or not run.in_standings:
        return
    yield NextStep(
        title=_("Find somebody with the same plan"),
        text=_(
            "%(plan)s has %(uploaders)s so far; it is ranked from %(uploaders_min)s on, whoever "
            "they are."
        )
        % {
            "uploaders_min": RANKED_UPLOADERS_MIN,
            "plan": run.plan.name,
            "uploaders": words.count(own.n_uploaders, "uploader"),
        },
        url=reverse("pages:plan", args=[run.plan_id]),
        link=_("Its page, to send on"),
    )


def compare_steps(run: Run) -> Iterator[NextStep]:
    """What the run can be compared with."""
    compare = f"{reverse('pages:compare')}?on=run:{run.slug}"
    if run.plan is not None and run.plan.is_listed and not run.plan_in_doubt:
        yield NextStep(
            title=_("Put it beside its plan"),
            text=_(
                "Whether this machine is faster or slower than others of %(plan)s, with intervals "
                "and how many were measured."
            )
            % {"plan": run.plan.name},
            url=f"{compare}&on=plan:{run.plan_id}",
            link=_("Compare with the plan"),
        )
    if run.drive_family is not None:
        yield NextStep(
            title=_("Put it beside its drive"),
            text=_("What others measured with %(drive)s, in any machine.")
            % {"drive": run.drive_family.name},
            url=f"{compare}&on=drive:{run.drive_family_id}",
            link=_("Compare with the drive"),
        )
    if run.plan is None and run.drive_family is None:
        yield NextStep(
            title=_("Put it beside another"),
            text=_("A plan that you may rent, a drive that you may buy, or an earlier run."),
            url=compare,
            link=_("Compare"),
        )


def deeper_steps(run: Run) -> Iterator[NextStep]:
    """What a longer suite would show."""
    if run.upload_id is not None and run.suite == SHORT_SUITE:
        yield NextStep(
            title=_("Look deeper"),
            text=_(
                "The quick suite times single commits. The standard one adds several writers, "
                "useful IOPS below a latency limit, and what a flush has to do."
            ),
            command=agent_command("--suite standard"),
        )

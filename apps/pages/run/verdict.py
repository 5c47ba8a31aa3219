"""The sentence at the top of a run: what a reader should take away, in two figures."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import PowerLossProtection
from apps.pages.run.selectors import RunDetails
from apps.pages.show import phrases, units, words
from apps.pages.show.dates import plain
from apps.pages.show.table.rows import is_out, run_name
from apps.rankings.advice.stand_ins import COMMITS
from apps.rankings.advice.work import Work
from apps.runs.models import Measurement, Run
from apps.runs.sides import COMMIT_SIDES
from apps.stats.figures import significant
from apps.words.labels import remedy_of, sentences_of, text_of
from apps.words.workloads import workload_title

REASONS: dict[str, Promise] = {
    PowerLossProtection.FULL: gettext_lazy(
        "Its drive has power-loss protection, so it may answer a flush before the flash is "
        "programmed."
    ),
    PowerLossProtection.PARTIAL: gettext_lazy(
        "Its drive protects only data at rest, so each sync waits for its medium."
    ),
    PowerLossProtection.NONE: gettext_lazy(
        "Its drive has no power-loss protection, so each sync waits for its medium."
    ),
}


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What the run says. Latencies in nanoseconds; the rate is durable commits per second."""

    p50_ns: int | None  # None where neither commits nor syncs were timed
    p99_ns: int | None
    is_sync: bool  # the latencies are of syncs alone, not of whole commits
    rate_per_s: float | None
    reason: str
    work: Work | None = None  # beside a commit of PostgreSQL; None where nobody compared them
    is_kept_out: bool = False  # then nothing is said of durability

    @property
    def is_bound(self) -> bool:
        """Whether a session of PostgreSQL commits at most as often: its commit is as much work."""
        return self.work in (Work.SAME, Work.LESS)


def work_of(workload: str) -> Work | None:
    """What a workload does beside a commit of PostgreSQL, by the one table of stand-ins."""
    return next((stand_in.work for stand_in in COMMITS if stand_in.workload == workload), None)


def verdict_of(details: RunDetails) -> RunVerdict | None:
    """The verdict of a run that measured durable commits of one writer; else nothing."""
    headline, latency = details.headline, details.latency
    if headline is None or not headline.is_durable_single_writer:
        return None
    plp = details.run.drive_family.plp if details.run.drive_family else ""
    if latency is not None and latency.side not in COMMIT_SIDES:
        latency = None
    is_kept_out = details.run.is_kept_out
    return RunVerdict(
        p50_ns=latency.p50_ns if latency else None,
        p99_ns=latency.p99_ns if latency else None,
        is_sync=latency is not None and latency.side == "sync",
        rate_per_s=headline.rate_per_s,
        reason="" if is_kept_out else str(REASONS.get(plp, "")),
        work=None if is_kept_out else work_of(headline.workload),
        is_kept_out=is_kept_out,
    )


def warnings_of(details: RunDetails) -> tuple[str, ...]:
    """That a run does not count, each reason in its sentences, and what to do about the first."""
    labels = (*details.labels_that_keep_it_out, *details.labels_against_its_plan)
    if not labels:  # a published record may say in its own warning why it does not count
        return (_("This run does not count."),) if details.run.is_kept_out else ()
    heading = _("This run does not count for its plan.")
    if details.labels_that_keep_it_out:
        heading = _("This run does not count.")
    found = [phrases.join_sentences(sentences_of(label)) or text_of(label) for label in labels]
    return (heading, *found, remedy_of(labels[0]))


def summary_of(details: RunDetails, verdict: RunVerdict | None) -> str:
    """The run in one plain sentence, for search engines, previews and badges."""
    name = run_name(details.run)
    if labels := details.labels_that_keep_it_out or details.labels_against_its_plan:
        reasons = phrases.join_facts([text_of(label) for label in labels])
        text = _("%(name)s: a run that does not count: %(reasons)s")
        if not details.labels_that_keep_it_out:
            text = _("%(name)s: a run that does not count for its plan: %(reasons)s")
        return text % {"name": name, "reasons": reasons}
    level = str(words.level_words(details.run.shown_level).word).lower()
    if verdict is None or verdict.rate_per_s is None:
        return _("%(name)s: one %(level)s run") % {"name": name, "level": level}
    parts = [_("%(rate)s durable commits/s") % {"rate": significant(verdict.rate_per_s)}]
    percentiles = (("p50", verdict.p50_ns), ("p99", verdict.p99_ns))
    for percentile, latency_ns in percentiles:
        if latency_ns is not None:
            figures = {"name": percentile, "time": units.latency(latency_ns)}
            parts.append(
                _("%(name)s of the sync %(time)s") % figures
                if verdict.is_sync
                else _("%(name)s %(time)s") % figures
            )
    return _("%(name)s: %(figures)s, 1 run, %(level)s") % {
        "name": name,
        "figures": phrases.join_facts(parts),
        "level": level,
    }


def thing_of(run: Run) -> str:
    """What a run is of: its name, and its drive where the name is not that of the drive."""
    name = run_name(run)
    drive = run.drive_family.name if run.drive_family else run.drive_reported
    if not drive or drive == name:
        return name
    return _("%(name)s, %(drive)s") % {"name": name, "drive": drive}


def day_of(run: Run) -> str:
    """The day of a run in words."""
    return plain(run.measured_at, run.slug)


def title_of(run: Run, headline: Measurement | None) -> str:
    """The title of a run: what it measured, its day and its workload, so that no two are alike.

    That of a run that does not count carries no figure.
    """
    sentence = {"thing": thing_of(run), "day": day_of(run)}
    if headline is None:
        title = _("%(thing)s, %(day)s") % sentence
    elif headline.is_durable_single_writer and headline.rate_per_s and not is_out(run):
        rate = {"rate": significant(headline.rate_per_s)}
        title = _("%(thing)s, %(day)s: %(rate)s durable commits/s") % {**sentence, **rate}
    else:
        workload = {"workload": workload_title(headline.workload, headline.title)}
        title = _("%(thing)s, %(day)s: %(workload)s") % {**sentence, **workload}
    return words.made_up_title(title) if run.is_example else title


def quotation_of(details: RunDetails, verdict: RunVerdict | None, address: str) -> str:
    """The run as a sentence to quote: figures, workload, interval, n, level, date and address."""
    run, headline = details.run, details.headline
    if headline is None or headline.rate_per_s is None:
        return ""
    low, high = headline.rate_per_s_low, headline.rate_per_s_high
    interval = (
        phrases.in_brackets(f"{significant(low)}\u2013{significant(high)}") if low and high else ""
    )
    return _("%(summary)s%(interval)s, %(workload)s v%(version)s, %(day)s. %(address)s") % {
        "summary": summary_of(details, verdict),
        "interval": interval,
        "workload": headline.workload,
        "version": headline.version,
        "day": day_of(run),
        "address": address,
    }

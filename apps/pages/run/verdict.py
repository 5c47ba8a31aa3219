"""The answer at the top of a run, its title, and the sentences by which others name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import PowerLossProtection
from apps.pages.draw.axis import NS_PER_S
from apps.pages.run.selectors import is_sync_a_part, latency_of
from apps.pages.run.workloads import ARRIVALS
from apps.pages.show import phrases, units, words
from apps.pages.show.answer import Answer, latency_sentence
from apps.pages.show.charts import side_name
from apps.pages.show.dates import plain
from apps.pages.show.table.rows import is_out, run_name
from apps.rankings.advice.stand_ins import COMMITS
from apps.rankings.advice.work import Work
from apps.runs.sides import BEFORE_THE_SYNC, COMMIT_SIDES, SYNC
from apps.stats.figures import significant
from apps.words import confidence
from apps.words.labels import remedy_of, sentences_of, text_of
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from django.utils.functional import Promise

    from apps.pages.run.selectors import RunDetails
    from apps.pages.show.facts.fact import Fact
    from apps.runs.models import Latency, Measurement, Run

_NO_PLP = gettext_lazy("No power-loss protection: each sync waits for the medium.")
REASONS: Final[dict[str, Promise]] = {
    PowerLossProtection.FULL: gettext_lazy(
        "Power-loss protection: the drive can acknowledge a flush from its cache."
    ),
    PowerLossProtection.PARTIAL: _NO_PLP,
    PowerLossProtection.NONE: _NO_PLP,
}


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What the run says. Latencies in nanoseconds; the rate is durable commits per second."""

    p50_ns: int | None  # None where neither commits nor syncs were timed
    p99_ns: int | None
    is_sync: bool  # the latencies are of syncs alone, not of whole commits
    rate_per_s: float | None
    work: Work | None = None  # beside a commit of PostgreSQL; None where nobody compared them
    is_kept_out: bool = False  # then nothing is said of durability
    is_part: bool = False  # the syncs take but a part of the time of the commits
    write: Latency | None = None  # of the writes, where neither commits nor syncs were timed


def work_of(workload: str) -> Work | None:
    """What a workload does beside a commit of PostgreSQL, by the one table of stand-ins."""
    return next((stand_in.work for stand_in in COMMITS if stand_in.workload == workload), None)


def verdict_of(details: RunDetails) -> RunVerdict | None:
    """The verdict of a run that measured durable commits of one writer; else nothing."""
    headline, latency = details.headline, details.latency
    if headline is None or not headline.is_durable_single_writer:
        return None
    write = latency if latency is not None and latency.side in BEFORE_THE_SYNC else None
    if latency is not None and latency.side not in COMMIT_SIDES:
        latency = None
    return RunVerdict(
        p50_ns=latency.p50_ns if latency else None,
        p99_ns=latency.p99_ns if latency else None,
        is_sync=latency is not None and latency.side == SYNC,
        rate_per_s=headline.rate_per_s,
        work=None if details.run.is_kept_out else work_of(headline.workload),
        is_kept_out=details.run.is_kept_out,
        is_part=is_sync_a_part(latency, headline.rate_per_s),
        write=write,
    )


def answer_of(details: RunDetails, verdict: RunVerdict | None) -> Answer:
    """What the page of a run opens with; that it does not count comes before all else."""
    run, headline = details.run, details.headline
    rate = headline.rate_per_s if headline else None
    return Answer(
        sentence=sentence_of(details, verdict),
        sure=confidence.line_of_run(run, has_figure=bool(rate)),
        figure=significant(rate) if rate else "",
        unit=unit_of(verdict),
    )


def sentence_of(details: RunDetails, verdict: RunVerdict | None) -> str:
    """The sentence of the answer."""
    if labels := details.labels_that_keep_it_out:
        return _("This run does not count: %(reason)s.") % {"reason": text_of(labels[0])}
    if details.run.is_kept_out:  # a published record says in its own warning why
        return _("This run does not count.")
    if labels := details.labels_against_its_plan:
        reason = {"reason": text_of(labels[0])}
        return _("This run does not count for its plan: %(reason)s.") % reason
    if details.headline is None:
        return _("No measurement: the run was stopped before the first one ended.")
    if verdict is None:
        return _other_work_in_words(details.headline)
    return _commits_in_words(verdict)


def _other_work_in_words(measurement: Measurement) -> str:
    """Why the figure of a measurement is none of durable commits."""
    if measurement.operation == "read":
        return _("Reads were timed, not commits.")
    if measurement.operation == "transaction":
        return _("Whole transactions were timed, not single commits.")
    if measurement.operation == "write" and measurement.sync in ("", "none"):
        return _("Nothing was synced: no write was durable.")
    if (measurement.queue_depth or 1) > 1:
        return _("Many writes were in flight: no single commit was timed.")
    return _("No durable commit was timed.")


def _commits_in_words(verdict: RunVerdict) -> str:
    """How long commits take; where neither they nor their syncs were timed, how long writes do."""
    if verdict.is_part and verdict.rate_per_s:
        mean = units.latency(NS_PER_S / verdict.rate_per_s)
        return _("One commit takes %(mean)s on average.") % {"mean": mean}
    if verdict.write is not None:
        return latency_sentence(_("writes"), verdict.write.p50_ns, verdict.write.p99_ns)
    return _latencies_in_words(verdict)


def _latencies_in_words(verdict: RunVerdict) -> str:
    what = _("syncs") if verdict.is_sync else _("commits")
    return latency_sentence(what, verdict.p50_ns, verdict.p99_ns)


def unit_of(verdict: RunVerdict | None) -> str:
    """What the figure of the answer counts; nothing that is kept out is called durable."""
    is_durable = verdict is not None and not verdict.is_kept_out
    return _("durable commits/s") if is_durable else _("operations/s")


def notes_of(details: RunDetails, verdict: RunVerdict | None) -> tuple[str, ...]:
    """Below the answer: what it bounds, and why the drive is as quick as it is."""
    if verdict is None or verdict.is_kept_out:
        return ()
    bound = ""
    if verdict.work in (Work.SAME, Work.LESS):
        bound = _("One PostgreSQL session commits at most that often here.")
    plp = details.run.drive_family.plp if details.run.drive_family else ""
    return tuple(note for note in (_part_of(verdict), bound, str(REASONS.get(plp, ""))) if note)


def _part_of(verdict: RunVerdict) -> str:
    """How long the syncs take, where the answer is of commits of which they are but a part."""
    return _latencies_in_words(verdict) if verdict.is_part else ""


def workload_answer(measurement: Measurement, search: Fact | None) -> Answer:
    """What the page of one workload opens with."""
    rate, latency = measurement.rate_per_s, latency_of(measurement)
    figure, unit = (significant(rate), _("operations/s")) if rate else ("", "")
    if measurement.is_durable_single_writer and rate and not is_out(measurement.run):
        unit = _("durable commits/s")
    sentence = latency_sentence(
        _("operations"), latency.p50_ns if latency else None, latency.p99_ns if latency else None
    )
    if search is not None:
        figure, unit, sentence = str(search.value), "", str(ARRIVALS)
    return Answer(
        sentence=sentence,
        sure=confidence.line_of_run(measurement.run, has_figure=bool(figure)),
        figure=figure,
        unit=unit,
    )


def warnings_of(details: RunDetails) -> tuple[str, ...]:
    """Why a run does not count, each reason in its sentences, and what to do about the first."""
    labels = (*details.labels_that_keep_it_out, *details.labels_against_its_plan)
    found = [phrases.join_sentences(sentences_of(label)) for label in labels]
    return tuple(each for each in (*found, *map(remedy_of, labels[:1])) if each)


def summary_of(details: RunDetails, verdict: RunVerdict | None) -> str:
    """The run in one plain sentence, for search engines, previews and badges."""
    name = run_name(details.run)
    if details.labels_that_keep_it_out or details.labels_against_its_plan:
        return phrases.with_name(name, sentence_of(details, verdict))
    facts = [*figures_of(verdict), confidence.basis_of_run(details.run)]
    return phrases.with_name(name, phrases.join_facts(facts))


def figures_of(verdict: RunVerdict | None) -> list[str]:
    """The rate of durable commits with its percentiles; nothing where there is none."""
    if verdict is None or verdict.rate_per_s is None:
        return []
    facts = [rate_words(verdict.rate_per_s)]
    for percentile, latency_ns in (("p50", verdict.p50_ns), ("p99", verdict.p99_ns)):
        if latency_ns is not None:
            side = f"{side_name('sync')} " if verdict.is_sync else ""
            facts.append(f"{side}{percentile} {units.latency(latency_ns)}")
    return facts


def rate_words(rate_per_s: float) -> str:
    """A rate with its unit."""
    return f"{significant(rate_per_s)} {_('durable commits/s')}"


def title_of_work(measurement: Measurement) -> str:
    """The plain name of a workload."""
    return workload_title(measurement.workload, measurement.title)


def thing_of(run: Run) -> str:
    """What a run is of: its name, and its drive where the name does not say it."""
    return phrases.join_facts((run_name(run), drive_beside(run)))


def drive_beside(run: Run) -> str:
    """The drive of a run; nothing where the name of the run says it, or its provider with that."""
    drive = run.drive_family.name if run.drive_family else run.drive_reported
    said = f"{run.provider.name} {run_name(run)}" if run.provider else run_name(run)
    return "" if phrases.is_said(drive, said) else drive


def day_of(run: Run) -> str:
    """The day of a run in words."""
    return plain(run.measured_at, run.slug)


def title_of(run: Run, headline: Measurement | None) -> str:
    """The title of a run: what it measured, its day and its workload, so that no two are alike.

    That of a run that does not count carries no figure.
    """
    title = phrases.join_facts((thing_of(run), day_of(run)))
    if headline is not None:
        has_figure = headline.is_durable_single_writer and headline.rate_per_s and not is_out(run)
        what = rate_words(headline.rate_per_s or 0) if has_figure else title_of_work(headline)
        title = phrases.with_name(title, what)
    return words.made_up_title(title) if run.is_example else title


def quotation_of(details: RunDetails, verdict: RunVerdict | None, address: str) -> str:
    """The run as a sentence to quote: figures, workload, interval, n, level, date and address."""
    run, headline = details.run, details.headline
    if headline is None or headline.rate_per_s is None:
        return ""
    low, high = headline.rate_per_s_low, headline.rate_per_s_high
    samples = f"{significant(low)}\u2013{significant(high)}" if low and high else ""
    facts = (
        summary_of(details, verdict) + (phrases.in_brackets(samples) if samples else ""),
        f"{headline.workload} v{headline.version}",
        day_of(run),
        address,
    )
    return phrases.join_facts(facts)

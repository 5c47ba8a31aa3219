"""The verdict on commits a second of one session, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import phrases, standings
from apps.rankings.advice.verdicts import Judgement, Verdict
from apps.stats.figures import significant
from apps.stats.standings.confidence import Confidence
from apps.words.advice import doubt_words
from apps.words.confidence import WORDS
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from datetime import datetime

    from apps.rankings.models import Standing


def verdict_sentence(word: str, *, least_per_s: float) -> str:
    """A verdict, in a word, on so many commits a second of one session."""
    sentence = _("At %(least)s commits/s of one session: %(word)s.")
    return sentence % {"least": significant(least_per_s), "word": word.lower()}


def commit_sentence(
    judged: Standing, judgement: Judgement, newest: datetime | None, *, least_per_s: float
) -> str:
    """The verdict on a standing that was judged by commits of one session, with its figures."""
    words = {
        Verdict.PASSES: _("yes"),
        Verdict.MAY: _(WORDS[Confidence.BORDERLINE]),
        Verdict.FAILS: _("no"),
    }
    of = standings.figures_of(judged, newest)
    workload = workload_title(judged.workload, judged.workload_title)
    facts = phrases.join_facts((f"{of['rate']} /s", workload, of["n"], of["interval"], of["when"]))
    why = doubt_words(judgement.doubt) if judgement.verdict is Verdict.MAY else ""
    return phrases.join_sentences(
        (
            verdict_sentence(words[judgement.verdict], least_per_s=least_per_s),
            f"{phrases.join_clauses((facts, why))}{_('.')}",
        )
    )

"""The texts that stand in tables and in stored rows: which ones a catalogue has to hold.

A template or a module marks its own texts. The words of rules, of workloads and of
cited sources are values: this module lists them, `apps.pages.show.phrases` translates them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from django.conf import settings

from apps.drives.media import NAMES
from apps.pages.show import words
from apps.plans.catalogue import PLANS_FILE, PRICES_FILE
from apps.plans.regions import GROUPS
from apps.runs.imported.services import WARNING
from apps.runs.models import FlushVerdict, Level
from apps.runs.published.services import RESULTS_FILE, WORKLOADS_FILE, published_workloads
from apps.runs.rules import TABLE
from apps.runs.rules.rule import ThresholdBasis
from apps.wire.judgement import JUDGEMENT_FILE, judgement
from apps.wire.problems import ON_A_PAGE
from apps.words import decisions
from apps.words.device_doubts import DEVICE_DOUBTS
from apps.words.facts import texts_of_note, texts_of_sentences, texts_of_work
from apps.words.flush_reasons import REASONS
from apps.words.sentences import JOINTS, UNITS
from apps.words.workloads import english_words, known_workloads

Text = str | tuple[str, str]
AnyText = TypeVar("AnyText", str, Text)
RESULT_TEXTS: Final = ("warning", "confidence_reason")  # of a published result; notes stay English
NOTES: Final = ((PLANS_FILE, "storage_desc"), (PRICES_FILE, "includes"))
REGIONS: Final = ((PLANS_FILE, "regions"), (PRICES_FILE, "region"))  # a code needs no translation
AREAS: Final = frozenset({"worldwide", "others"})  # the names among them that are one word
CHOICES: Final = (FlushVerdict, Level)
RULE_TEXTS: Final = ("text", "why", "remedy", "consequence")


def catalogue_texts() -> Iterator[tuple[str, Text]]:
    """Every such text with the file that it comes from: a text, or its forms for one and more."""
    for table in words.TABLES:
        yield from (("apps/pages/show/words.py", text) for text in table.texts())
    for of_decisions in (decisions.ROLES, decisions.DONE, decisions.SUBJECTS):
        yield from (("apps/moderation/models.py", text) for text in of_decisions.values())
    for level in words.LEVELS.values():
        yield from (("apps/pages/show/words.py", text) for text in (level.word, level.explanation))
    yield from (("apps/pages/show/words.py", forms) for forms in words.NOUNS.values())
    yield from (("apps/plans/regions.py", name) for name in GROUPS.values())
    for workload in sorted(set(known_workloads())):
        if each := english_words(workload):
            names = (*texts_of_work(each.title), *texts_of_work(each.short))
            yield from _texts_of("apps/words/workloads.py", (*names, each.note))
    for choices in CHOICES:
        yield from (("apps/runs/models.py", str(label)) for label in choices.labels)
    yield from _rules_refusals_and_floors()
    yield from _stored()
    yield from _catalogue()


def _rules_refusals_and_floors() -> Iterator[tuple[str, Text]]:
    for rule in TABLE:
        for name in RULE_TEXTS:
            yield f"apps/runs/rules/{rule.kind}", getattr(rule, name)
        yield from _texts_of(f"apps/runs/rules/{rule.kind}", (rule.finding, *rule.cases.values()))
    yield from _texts_of("apps/runs/rules/rule.py", (each.value for each in ThresholdBasis))
    yield from _texts_of("apps/words/flush_reasons.py", REASONS.values())
    yield from _texts_of("apps/words/sentences.py", (*JOINTS.values(), *UNITS.values()))
    media = (text for name in NAMES.values() for text in texts_of_note(name))
    yield from _texts_of("apps/drives/media.py", media)
    yield from _texts_of("apps/words/device_doubts.py", DEVICE_DOUBTS.values())
    yield from _texts_of("apps/wire/problems.py", (kind.title for kind in ON_A_PAGE))
    for floor in judgement().floors:
        yield from ((_address(JUDGEMENT_FILE), text) for text in (floor.name, floor.reason))


def _texts_of(file: str, texts: Iterable[AnyText]) -> Iterator[tuple[str, AnyText]]:
    yield from ((file, text) for text in texts if text)


def _stored() -> Iterator[tuple[str, Text]]:
    """What workers write into rows: names of classes."""
    yield from ((_address(JUDGEMENT_FILE), rung.name) for rung in judgement().classes)


def _catalogue() -> Iterator[tuple[str, Text]]:
    """Notes of plans and prices, regions, titles and warnings of published results."""
    for path, column in NOTES:
        yield from _notes(path, column)
    for path, column in REGIONS:
        notes = _notes(path, column)
        yield from ((file, name) for file, name in notes if " " in name or name in AREAS)
    for entry in published_workloads().values():
        texts = (*texts_of_work(entry["title"]), *texts_of_work(entry["short"]))
        yield from _texts_of(_address(WORKLOADS_FILE), texts)
    yield "apps/runs/imported/services.py", WARNING
    for line in RESULTS_FILE.read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        for member in RESULT_TEXTS:
            yield from _texts_of(_address(RESULTS_FILE), texts_of_sentences(result[member] or ""))


def _notes(path: Path, column: str) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        notes = {row[column] for row in csv.DictReader(file)}
    for note in sorted(notes):
        yield from _texts_of(_address(path), texts_of_note(note))


def _address(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR))

"""Filters for texts of tables and stored rows: each in the language of the page."""

from django import template

from apps.pages.show import charts, phrases
from apps.runs.models import Label, Run
from apps.words import facts as catalogue_facts
from apps.words import flush_reasons, labels
from apps.words.catalogue import EVIDENCE

register = template.Library()


@register.filter
def translate(text: object) -> str:
    """One text that a catalogue holds; what is not in it stays as it is."""
    return phrases.translate(str(text))


@register.filter
def in_words(note: str) -> str:
    """A note of a plan, a price or regions."""
    return catalogue_facts.note_in_words(note)


@register.filter
def sentences_in_words(text: str) -> str:
    """What a reader of a cited result has to know."""
    return catalogue_facts.sentences_in_words(text)


@register.simple_tag
def facts(*facts: object) -> str:
    """Facts one after the other, with the comma of the language; empty ones are left out."""
    return phrases.join_facts(facts)


@register.filter
def side(name: str) -> str:
    """What was timed, in one word."""
    return charts.side_name(name)


@register.filter
def label_text(label: Label) -> str:
    """The few words on a label."""
    return labels.text_of(label)


@register.filter
def label_finding(label: Label) -> str:
    """What the rule of a label found in the run."""
    return phrases.join_sentences(labels.sentences_of(label))


@register.filter
def reason_sentences(run: Run) -> list[str]:
    """What the flush verdict of a run rests on."""
    return flush_reasons.reason_sentences(run.flush_reasons)


@register.filter
def evidence(name: str) -> str:
    """What a figure rests on, in a word; a kind newer than this page keeps its own name."""
    return str(EVIDENCE.get(name, name))

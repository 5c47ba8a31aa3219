"""Filters for texts that come from tables and stored rows: told in the language of the page."""

from django import template

from apps.pages import said

register = template.Library()


@register.filter
def told(text: object) -> str:
    """One text that a catalogue holds; what is not in it stays as it is."""
    return said.told(str(text))


@register.filter
def told_sentences(text: object) -> str:
    """A stored text of several sentences."""
    return said.told_sentences(str(text))

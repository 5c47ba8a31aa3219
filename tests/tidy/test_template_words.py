"""No template says a word past the catalogue: each stands in a translating tag."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tidy.files import repository_files, text_of
from tests.tidy.template_words import ENGLISH_PLURAL, words_said

# Templates whose words are not marked yet. An entry that is clean fails the test: take it out.
NOT_YET: frozenset[str] = frozenset()
FOR_DEVELOPERS = Path("templates", "pages", "styleguide")  # in English alone, and marked so


def templates() -> list[Path]:
    return [
        path
        for path in repository_files()
        if path.is_relative_to("templates")
        and path.suffix == ".html"
        and not path.is_relative_to(FOR_DEVELOPERS)
    ]


def test_no_template_says_a_word_that_is_not_translated() -> None:
    found = {str(path): words_said(text_of(path)) for path in templates()}
    said = {name: words for name, words in found.items() if words and name not in NOT_YET}
    clean = [name for name in NOT_YET if not found.get(name)]
    assert not said, "\n".join(f"{name}: {text}" for name, words in said.items() for text in words)
    assert not clean, f"take out of NOT_YET: {clean}"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("<p>Some words</p>", ["Some words"]),
        ("<p>{% translate 'Some' %} words</p>", ["… words"]),
        ('<a title="Some words">{{ name }}</a>', ["Some words"]),
        ('<a aria-label="All of {{ name }}"></a>', ["All of …"]),
        ('{{ x|default:"not stated" }}', ["not stated"]),
        ("{{ n }} time{{ n|pluralize }}", [ENGLISH_PLURAL, "… time …"]),
        ('{% include "a/b.html" with what="Plan" %}', ["Plan"]),
        ("<b>{% if a %}yes{% endif %}</b>", ["yes"]),
    ],
)
def test_words_are_found(template: str, said: list[str]) -> None:
    assert words_said(template) == said


@pytest.mark.parametrize(
    "template",
    [
        "{% blocktranslate %}Some <b>words</b>{% endblocktranslate %}",
        '{% translate "Some words" %}{% comment %}Some words{% endcomment %}{# words #}',
        '<p class="some words" id="x">p99 {{ x }} ms</p>',
        "<code>some words</code><pre>more of them</pre><script>let it = 1</script>",
        '{{ x|default:_("not stated") }}{% include "a/b.html" with kind="plan" t=_("Plan") %}',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ],
)
def test_what_is_not_said_is_no_word(template: str) -> None:
    assert words_said(template) == []

"""The indentation of a template says what is inside what, for HTML and for the tags of Django."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from tests.tidy.files import text_of
from tests.tidy.test_templates import templates

INDENT = 2
VOID = frozenset({"base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"})
AS_IT_IS = frozenset({"pre", "textarea", "script", "style", "%comment"})
BETWEEN = frozenset({"elif", "else", "empty", "plural"})
WITH_END = frozenset({
    "block", "blocktranslate", "comment", "for", "if", "ifchanged", "keep", "partialdef", "series",
    "with",
})  # fmt: skip
TOKEN = re.compile(
    r"""
      \{%\s*(?P<tag>\w+).*?%\} | \{\#.*?\#\} | \{\{.*?\}\} | <!.*?>
    | <(?P<end>/?)(?P<element>[a-z][\w-]*)
      (?:\{%.*?%\} | \{\{.*?\}\} | "(?:\{%.*?%\} | [^"])*" | [^>"])* >
    """,
    re.DOTALL | re.VERBOSE,
)


class Opener(NamedTuple):
    """A tag that is open: its name (after % one of Django), line of its end, indentation."""

    name: str
    line: int
    indent: int
    is_first: bool  # on its line


def opened(token: re.Match[str]) -> str:
    """Return the name of what a token opens, or nothing."""
    if tag := token["tag"]:
        return f"%{tag}" if tag in WITH_END else ""
    is_alone = token["element"] in VOID or token[0].endswith("/>")
    return "" if token["end"] or is_alone else token["element"] or ""


def closed(token: re.Match[str], stack: list[Opener]) -> int | None:
    """Return the place in the stack of what a token closes or divides, or None."""
    tag = token["tag"] or ""
    if tag in BETWEEN:
        names = {"%if", "%for", "%ifchanged", "%blocktranslate"}
    elif tag.startswith("end"):
        names = {f"%{tag.removeprefix('end')}"}
    else:
        names = {token["element"]} if token["end"] else set()
    return max((at for at, opener in enumerate(stack) if opener.name in names), default=None)


def tokens_of(text: str) -> list[re.Match[str]]:
    """Return the tags of a template, without those in a text that stands as it is."""
    tokens, end = [], 0
    while token := TOKEN.search(text, end):
        tokens.append(token)
        end = token.end()
        name = opened(token)
        if name in AS_IT_IS:
            end = text.index(f"{{% end{name[1:]}" if name[0] == "%" else f"</{name}", end)
    return tokens


def misplaced(text: str) -> list[str]:
    """Return what is wrong with the indentation of a template, by line.

    A line stands two spaces inside the line of the innermost opener. What closes or divides a tag
    of an earlier line begins its line, and so does what another line closes.
    """
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    tokens = tokens_of(text)
    stack: list[Opener] = []
    wrong = []
    end = 0  # of the last token
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip())
        begin = starts[number - 1] + indent
        is_inside_a_tag = begin < end or (stack and stack[-1].name in AS_IT_IS)
        expected = stack[-1].indent + INDENT if stack else 0
        while tokens and tokens[0].start() < starts[number]:
            token = tokens.pop(0)
            end = token.end()
            is_first = token.start() == begin
            if (at := closed(token, stack)) is not None:
                opener = stack[at]
                del stack[at + (token["tag"] in BETWEEN) :]
                is_text = opener.name in AS_IT_IS  # whose last line break would be shown
                if opener.line != number and not is_text and not (is_first and opener.is_first):
                    wrong.append(f"{number}: {token[0]} of line {opener.line} begins no line")
                if is_first:
                    expected = opener.indent
            if name := opened(token):
                last = number + token[0].count("\n")
                stack.append(Opener(name, last, expected, is_first))
        if line.strip() and not is_inside_a_tag and indent != expected:
            wrong.append(f"{number}: {indent} spaces, not {expected}")
    return wrong


def test_lines_stand_inside_what_they_are_in() -> None:
    wrong = {str(path): misplaced(text_of(path)) for path in templates()}
    assert not {name: lines for name, lines in wrong.items() if lines}


def test_what_is_misplaced_is_seen() -> None:
    assert not misplaced("<ul>\n  {% for a in b %}\n    <li>{{ a }}</li>\n  {% endfor %}\n</ul>\n")
    assert misplaced("<p>\n<b>x</b>\n</p>") == ["2: 0 spaces, not 2"]
    assert misplaced("<p>\n  text</p>") == ["2: </p> of line 1 begins no line"]
    assert misplaced("{% if a %}\n  b{% else %}\n  c\n{% endif %}") == [
        "2: {% else %} of line 1 begins no line"
    ]

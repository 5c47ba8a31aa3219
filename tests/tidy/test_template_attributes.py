"""What templates ask of things exists: Django shows nothing where a name leads nowhere.

A name after a point must be an attribute of some class of `apps/`, or a key, a keyword or an
attribute that is set there. Which class it is nobody can tell without rendering the page; a name
that was changed in the class alone is found.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from tests.tidy.files import text_of, with_suffix
from tests.tidy.test_templates import ALLAUTHS

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMENT: Final = re.compile(r"{% comment %}.*?{% endcomment %}", re.DOTALL)
TAG: Final = re.compile(r"{[{%](.*?)[%}]}", re.DOTALL)
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
CHAIN: Final = re.compile(r"[A-Za-z_]\w*((?:\.\w+)+)")
# Of Django: loops, matches of addresses, groups of {% regroup %}, mappings, forms and fields.
DJANGOS: Final = frozenset(
    {
        "counter", "first", "last", "parentloop", "resolver_match", "view_name", "grouper", "items",
        "visible_fields", "hidden_fields", "non_field_errors", "errors", "widget_type",
        "use_fieldset", "id_for_label", "auto", "help_text", "label",
    }
)  # fmt: skip


def names_of(node: ast.AST) -> Iterator[str]:
    """The names by which something can be reached that a piece of Python makes."""
    match node:
        case ast.ClassDef():
            for each in node.body:
                match each:
                    case ast.AnnAssign(target=ast.Name(id=name)) | ast.FunctionDef(name=name):
                        yield name
                    case ast.Assign():
                        yield from (target.id for target in each.targets if hasattr(target, "id"))
        case ast.Constant(value=str(text)) if text.isidentifier():
            yield text
        case ast.keyword(arg=str(name)):
            yield name
        case ast.Attribute(attr=name, ctx=ast.Store()):
            yield name


def known_names() -> set[str]:
    """Every name that a class, a key or a keyword of the site has."""
    modules = (path for path in with_suffix(".py") if path.parts[0] == "apps")
    return {
        name
        for path in modules
        for node in ast.walk(ast.parse(text_of(path)))
        for name in names_of(node)
    }  # fmt: skip


def names_asked_for(text: str) -> set[str]:
    """The names after a point in the tags and variables of a template."""
    tags = (QUOTED.sub('""', tag) for tag in TAG.findall(COMMENT.sub("", text)))
    chains = (chain for tag in tags for chain in CHAIN.findall(tag))
    return {name for chain in chains for name in chain.split(".") if name and not name.isdigit()}


def test_a_name_that_nothing_has_is_found() -> None:
    text = "{% if row.gone %}{{ row.name|rate:'a.b' }}{{ rows.0.at }}{% endif %}"
    assert names_asked_for(text) == {"gone", "name", "at"}


def test_templates_ask_for_names_that_something_has() -> None:
    known = known_names() | DJANGOS
    templates = (
        path
        for path in with_suffix(".html", ".xml")
        if path.parts[0] == "templates" and path.parts[1] not in ALLAUTHS
    )
    lost = {
        f"{path}: {name.removesuffix('_id')}"
        for path in templates
        for name in names_asked_for(text_of(path))
        if name.removesuffix("_id") not in known
    }  # fmt: skip
    assert not lost

"""Templates are laid out: no line runs out of the window, and none holds a page's whole logic."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tidy.files import compare_with_allowed, repository_files, text_of

LINE_CHARACTERS_MAX = 140
LINES_MAX = 250
BRANCHES_MAX = 26  # what one must hold in mind; a part of the page, or its view, takes the rest
BRANCH = re.compile(r"\{% (?:if|elif|for|with) ")
ROOMS = Path("templates/pages")
# Folders whose templates allauth asks for by its own names, and hands what it likes.
ALLAUTHS = ("account", "accounts", "allauth", "mfa", "socialaccount", "usersessions")
INCLUDE = re.compile(r"\{% include \"([^\"]+)\"(.*?) %\}")
CLASS = re.compile(r"class=\"((?:{%.*?%}|{{.*?}}|[^\"])*)\"", re.DOTALL)
TEMPLATE_TAG = re.compile(r"{%.*?%}", re.DOTALL)
TEMPLATE_VALUE = re.compile(r"{{.*?}}")
REFERENCE = re.compile(r"[\"'](?:templates/)?((?:pages|parts|files)/[\w/]+\.(?:html|xml))")


def templates() -> list[Path]:
    return [
        path
        for path in repository_files()
        if path.is_relative_to("templates") and path.suffix == ".html"
    ]


def test_lines_are_short() -> None:
    found = {
        str(path): sum(len(line) > LINE_CHARACTERS_MAX for line in text_of(path).splitlines())
        for path in templates()
    }
    compare_with_allowed("template_line_characters", {name: n for name, n in found.items() if n})


def test_templates_are_short() -> None:
    lines = {str(path): text_of(path).count("\n") for path in templates()}
    too_long = {name: size for name, size in lines.items() if size > LINES_MAX}
    compare_with_allowed("template_lines", too_long)


def test_templates_decide_little() -> None:
    branches = {str(path): len(BRANCH.findall(text_of(path))) for path in templates()}
    too_many = {name: n for name, n in branches.items() if n > BRANCHES_MAX}
    compare_with_allowed("template_branches", too_many)


def test_every_part_says_what_it_is() -> None:
    """A page has its title; a part begins with a sentence, and with the names that it is given."""
    silent = [
        str(path)
        for path in templates()
        if path.is_relative_to("templates/pages") or path.is_relative_to("templates/parts")
        if not any(tag in text_of(path) for tag in ("{% comment %}", "{% extends "))
    ]
    assert not silent


def test_a_room_shows_its_own_parts_and_those_that_all_share() -> None:
    strange = [
        f"{path}: {other}"
        for path in templates()
        if path.is_relative_to(ROOMS)
        for other in REFERENCE.findall(text_of(path))
        if other.startswith("pages/") and Path(other).parts[1] != path.parts[2]
    ]
    assert not strange


def test_every_template_is_used_and_a_shared_one_by_several() -> None:
    users: dict[str, set[str]] = {}
    for path in repository_files():
        if path.suffix in (".py", ".html") and not path.is_relative_to("tests"):
            for name in REFERENCE.findall(text_of(path)):
                users.setdefault(name, set()).add(str(path))
    names = {
        str(path.relative_to("templates"))
        for path in templates()
        if len(path.parts) > len(("t", "x")) and path.parts[1] not in ALLAUTHS
    }
    unused = sorted(names - users.keys())
    assert not unused
    alone = sorted(
        name for name in names
        if name.startswith("parts/") and len(users[name]) == 1
        and not (only := next(iter(users[name]))).startswith(("templates/parts/", "templates/base"))
        and not only.endswith(".py")
    )  # fmt: skip
    assert not alone


# Sections of one page, or of the two pages of one kind, that read more names than a line can hold.
SECTIONS = {
    "pages/advisor/answer.html",
    "pages/boards/compare_bar.html",
    "pages/boards/filters.html",
    "pages/boards/left_out.html",
    "pages/compare/head.html",
    "pages/compare/measures.html",
    "pages/compare/measures/pair.html",
    "pages/coverage/list.html",
    "pages/things/figures/best.html",
    "pages/things/folds/months.html",
    "pages/things/folds/others.html",
    "pages/things/folds/runs.html",
}


def test_a_part_is_handed_the_names_that_it_reads() -> None:
    """What is included sees nothing else, so that a reader knows where its names come from."""
    ambient = {
        name
        for path in templates()
        for name, names in INCLUDE.findall(text_of(path))
        if not names.endswith(" only")
    }
    assert not ambient - SECTIONS, "hand the names over, and say `only`"
    assert not SECTIONS - ambient, "a section that is handed its names"


def test_every_class_has_a_rule_or_is_found_by_a_script() -> None:
    sources = [path for path in repository_files() if path.is_relative_to("static")]
    known = "\n".join(text_of(path) for path in sources if path.suffix in (".css", ".js"))
    names = {
        name
        for path in templates()
        for value in CLASS.findall(text_of(path))
        for name in TEMPLATE_TAG.sub(" ", TEMPLATE_VALUE.sub("{", value)).split()
        if "{" not in name
    }
    assert names
    assert not {name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", known)}

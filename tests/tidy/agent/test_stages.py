"""The agent's source lies in stages, the way of a run; each imports only what comes before it."""

from __future__ import annotations

import graphlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tests.tidy.files import text_of, with_suffix

SOURCE = Path("agent/src")
# from the ground up; what stands in one line is one stage
STAGES = (
    ("enumeration", "error", "exit_code", "hex", "text", "units"),
    ("sys",),
    ("wire",),
    ("probe",),
    ("plan",),
    ("disk",),
    ("analysis",),  # asked by the engine between two passes
    ("engine",),
    ("judgement",),
    ("report", "delivery"),
    ("cli",),
    ("verbs",),
    ("lib",),
    ("main",),
)
FILES_MAX = 15
TESTS_BEGIN = re.compile(r"^\s*#\[cfg\((?:all\()?test\b", re.MULTILINE)
COMMENT = re.compile(r"//.*")
USE = re.compile(r"\buse\s+([^;]+);")
PATH = re.compile(r"(?<![\w:])(?:crate|super|self)(?:::\w+)+")
CHILD = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?mod (\w+);", re.MULTILINE)

Module: TypeAlias = tuple[str, ...]


def modules() -> dict[Module, str]:
    """The code of each module, by its path in the crate, without its unit tests."""
    code = {}
    for path in with_suffix(".rs"):
        if SOURCE not in path.parents or path.name in {"tests.rs", "interleavings.rs"}:
            continue
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = parts[:-1] if parts[-1] == "mod" else parts
        code[name] = COMMENT.sub("", TESTS_BEGIN.split(text_of(path), maxsplit=1)[0])
    return code


def leaves(tree: str) -> Iterator[str]:
    """Each path of a use tree: `a::{b, c::d}` names `a::b` and `a::c::d`."""
    head, brace, rest = tree.partition("{")
    if not brace:
        yield tree.partition(" as ")[0].strip()
        return
    depth, branch = 0, ""
    for letter in rest.rpartition("}")[0] + ",":
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            yield from (head.strip() + leaf for leaf in leaves(branch.strip()) if branch.strip())
            branch = ""
        else:
            branch += letter


def resolve(path: str, importer: Module, known: dict[Module, str]) -> Module | None:
    """The module that a path leads to; None where it leads out of the crate."""
    first, *rest = path.split("::")
    base = () if importer == ("lib",) else importer
    if first == "crate":
        base = ()
    elif first == "super":
        base = base[:-1]
    elif first != "self":
        return None
    while rest and rest[0] == "super":
        base, rest = base[:-1], rest[1:]
    full = base + tuple(rest)
    while full not in known and full:
        full = full[:-1]
    return full or ("lib",)


def imports(importer: Module, code: str, known: dict[Module, str]) -> set[Module]:
    """The modules that a module names: in a use, by a path in its code, as a child."""
    paths = [leaf for use in USE.findall(code) for leaf in leaves(" ".join(use.split()))]
    paths += PATH.findall(USE.sub("", code))
    children = CHILD.findall(code)
    paths += [f"self::{child}" for child in children if re.search(rf"\b{child}::\w", code)]
    found = {resolve(path, importer, known) for path in paths}
    return {module for module in found if module is not None and module != importer}


def graph() -> dict[Module, set[Module]]:
    known = modules()
    return {module: imports(module, code, known) for module, code in known.items()}


def stage(module: Module) -> int:
    return next(place for place, names in enumerate(STAGES) if module[0] in names)


def spelled(module: Module) -> str:
    return "::".join(module)


def test_every_part_of_the_source_is_a_stage() -> None:
    named = {name for names in STAGES for name in names}
    assert {module[0] for module in modules()} == named


def test_no_stage_imports_a_later_one() -> None:
    found = [
        f"{spelled(importer)} imports {spelled(other)}"
        for importer, others in sorted(graph().items())
        for other in sorted(others)
        if stage(other) > stage(importer)
    ]
    assert not found


def test_no_modules_import_each_other_in_a_circle() -> None:
    try:
        graphlib.TopologicalSorter(graph()).prepare()
    except graphlib.CycleError as error:
        circle = " -> ".join(spelled(module) for module in reversed(error.args[1]))
        raise AssertionError(circle) from None


def test_no_folder_of_the_source_is_crowded() -> None:
    count = Counter(path.parent for path in with_suffix(".rs") if SOURCE in path.parents)
    assert {str(folder): files for folder, files in count.items() if files > FILES_MAX} == {}


def test_a_use_is_read_however_it_is_written() -> None:
    known = dict.fromkeys((("plan",), ("plan", "fio"), ("sys", "clock"), ("lib",)), "")
    tree = "crate::{plan::{self, fio::{job, size as bytes}}, sys::clock::Clock}"
    assert list(leaves(tree)) == [
        "crate::plan::self",
        "crate::plan::fio::job",
        "crate::plan::fio::size",
        "crate::sys::clock::Clock",
    ]
    code = "use super::{Choice, fio};\nuse std::io;\nfn f() { crate::sys::clock::now() }\n"
    assert imports(("plan", "fio"), code, known) == {("plan",), ("sys", "clock")}

"""Words that must not stand in the repository, and those that must."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.tidy.files import ROOT, repository_files, text_of, with_suffix

# in pieces, so that this file does not break its own rule
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"), ("files", "pythonhosted", "org"), ("registry", "npmjs", "org"),
        ("static", "crates", "io"), ("index", "crates", "io"), ("proxy", "golang", "org"),
        ("repo1", "maven", "org"), ("deb", "debian", "org"), ("registry", "yarnpkg", "com"),
    )
]  # fmt: skip
OUTSIDE = f"..{Path('/shared')}"
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
EXCUSE = re.compile(r"#\s*(?P<kind>noqa|type:\s*ignore)(?P<rest>.*)")
CODES = re.compile(r"^(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|\[[a-z-]+(?:,\s*[a-z-]+)*\])")
LOCK_FILES = {"Cargo.lock"}  # cargo writes the name of its registry into every entry


def offenders(words: list[str]) -> list[str]:
    return [
        f"{path}: {word}"
        for path in repository_files()
        if path.name not in LOCK_FILES
        for word in words
        if word in text_of(path)
    ]


def test_no_file_names_the_host_of_a_registry() -> None:
    assert not offenders(REGISTRY_HOSTS)


def test_no_file_reaches_outside_the_repository() -> None:
    assert not offenders([OUTSIDE])


def test_no_uv_lock_is_committed() -> None:
    assert Path("uv.lock") not in repository_files()


def test_nothing_is_left_for_later() -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in with_suffix(
            ".py", ".rs", ".js", ".css", ".html", ".sh", ".toml", ".yaml", ".yml"
        )
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if UNFINISHED.search(line)
    ]
    assert not found


def test_every_python_module_says_what_it_is_for() -> None:
    silent = [
        str(path)
        for path in with_suffix(".py")
        if text_of(path).strip() and not ast.get_docstring(ast.parse(text_of(path)))
    ]
    assert not silent


def test_every_rust_module_says_what_it_is_for() -> None:
    silent = [str(path) for path in with_suffix(".rs") if not text_of(path).startswith("//!")]
    assert not silent


def test_every_exception_to_a_check_gives_its_codes_and_its_reason() -> None:
    """`# noqa: S310  why` and `# type: ignore[code]  why`."""
    unexplained = []
    for path in with_suffix(".py"):
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            match = EXCUSE.search(line)
            if match is None or path == Path("tests/tidy/test_words.py"):
                continue
            codes = CODES.match(match["rest"])
            if codes is None or len(match["rest"][codes.end() :].strip(" #-:")) < len("why"):
                unexplained.append(f"{path}:{number}: {line.strip()}")
    assert not unexplained


def test_the_root_holds_what_readers_look_for() -> None:
    wanted = ["LICENSE", "run", "manage.py", "pyproject.toml", ".ci/run", "rust-toolchain.toml"]
    assert not [name for name in wanted if not (ROOT / name).is_file()]

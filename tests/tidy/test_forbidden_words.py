"""Words that must not stand in the repository, and those that must."""

from __future__ import annotations

import ast
import re
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

from tests.tidy.files import ROOT, repository_files, text_of, with_suffix

# From which registry or mirror somebody installs is theirs: a file that names one fails elsewhere.
# SHA-256 of each name: a list of the names themselves would break its own rule.
REGISTRY_HOSTS = {
    "a4aa2ac280bb8d1a0ce7a1be5a7bfb10292b49fe9435ad5cff19f421f3c70e41",
    "c899567ee906851741bf7f3bde17a33777859ff9f53ff54d6f0ea54cf31ad636",
    "0dc11026ac75c015aaa1deafff4a7a54ef6d0cf6b3c7f9b1d2c8f3502929aa9e",
    "3d01f3609be82d98eeedcd977fae947ee6da479acbfd5d19619bda2184977921",
    "eb7e11c7f9ecbcf48099060ec1c8c593134ff031f587e07be17293b2a3a0ee36",
    "00a7dc5a0cc388586b8665846e7d8ae94a6dd096f2aa1aa3b4aab4ac484f998a",
    "43c04ed1dabe979b9c552549bf0ab023abd3e1cc6d5ff7f42cfa2296b0973a67",
    "e680c440a2e92079ab1bf7a927e8d3920f1bcd173c0487e28e020110b2e59efc",
    "70bb4000cd2fab03af01fed086c6bf3c2c970f8b8b8001c311028ec3b80e775a",
}
HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
OUTSIDE = f"..{Path('/shared')}"
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
EXCUSE = re.compile(r"#\s*(?P<kind>noqa|type:\s*ignore)(?P<rest>.*)")
CODES = re.compile(r"^(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|\[[a-z-]+(?:,\s*[a-z-]+)*\])")
LOCK_FILES = {"Cargo.lock"}  # cargo writes the name of its registry into every entry


def registry_hosts(text: str) -> set[str]:
    """The names of registries in a text, be they a part of a longer name or not."""
    found = set()
    for match in HOST.finditer(text.lower()):
        labels = match[0].split(".")
        names = {
            ".".join(labels[first:last])
            for first in range(len(labels))
            for last in range(first + 2, len(labels) + 1)
        }
        found |= {name for name in names if sha256(name.encode()).hexdigest() in REGISTRY_HOSTS}
    return found  # fmt: skip


def test_no_file_names_the_host_of_a_registry() -> None:
    texts = {path: text_of(path) for path in repository_files() if path.name not in LOCK_FILES}
    named = {str(path): found for path, text in texts.items() if (found := registry_hosts(text))}
    assert not named


def test_a_registry_is_found_in_an_address_of_its_files() -> None:
    host = b64decode("cHlwaS5vcmc=").decode()
    assert registry_hosts(f"see https://{host.upper()}/simple, not example.org") == {host}


def test_no_file_reaches_outside_the_repository() -> None:
    assert not [str(path) for path in repository_files() if OUTSIDE in text_of(path)]


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


def test_a_docstring_names_its_subject() -> None:
    """Whoever reads "The same as ..." has to know what was said before."""
    opening = f'"""The {"same"} '
    assert not [str(path) for path in with_suffix(".py") if opening in text_of(path)]


def test_every_rust_module_says_what_it_is_for() -> None:
    silent = [str(path) for path in with_suffix(".rs") if not text_of(path).startswith("//!")]
    assert not silent


def test_every_exception_to_a_check_gives_its_codes_and_its_reason() -> None:
    """`# noqa: S310  why` and `# type: ignore[code]  why`."""
    unexplained = []
    for path in with_suffix(".py"):
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            match = EXCUSE.search(line)
            if match is None or path == Path("tests/tidy/test_forbidden_words.py"):
                continue
            codes = CODES.match(match["rest"])
            if codes is None or len(match["rest"][codes.end() :].strip(" #-:")) < len("why"):
                unexplained.append(f"{path}:{number}: {line.strip()}")
    assert not unexplained


def test_the_root_holds_what_readers_look_for() -> None:
    wanted = ["LICENSE", "run", "manage.py", "pyproject.toml", ".ci/run", "rust-toolchain.toml"]
    assert not [name for name in wanted if not (ROOT / name).is_file()]

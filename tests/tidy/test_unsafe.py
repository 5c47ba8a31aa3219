"""Unsafe Rust stays where it can be read in one sitting, and each of it says why it is sound."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tidy.files import text_of, with_suffix

# the system's interface; and a test that counts allocations, which needs an allocator of its own
HOMES = (Path("agent/src/sys"), Path("agent/tests/no_allocation.rs"))
COMMENT = re.compile(r"//.*")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
UNSAFE = re.compile(r"\bunsafe\b(?!\s*fn\b)")
PERMISSION = re.compile(r"#!?\[(?:allow|expect)\([^)]*\bunsafe_code\b")
REASON = "// SAFETY:"
REASON_LINES_ABOVE = 6


def code_of(path: Path) -> list[str]:
    """The lines of a file without comments and texts."""
    return [COMMENT.sub("", TEXT.sub('""', line)) for line in text_of(path).splitlines()]


def is_home(path: Path) -> bool:
    return any(path == home or home in path.parents for home in HOMES)


def test_unsafe_code_is_nowhere_else() -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in with_suffix(".rs")
        if not is_home(path)
        for number, line in enumerate(code_of(path), start=1)
        if re.search(r"\bunsafe\b", line) or PERMISSION.search(line)
    ]
    assert not found


def test_the_crate_denies_it_by_default() -> None:
    assert 'unsafe_code = "deny"' in text_of(Path("agent/Cargo.toml"))


def test_each_unsafe_block_says_why_it_is_sound() -> None:
    found = []
    homes = [path for path in with_suffix(".rs") if is_home(path)]
    assert homes, "the homes have moved"
    for path in homes:
        lines = text_of(path).splitlines()
        for number, line in enumerate(code_of(path)):
            above = lines[max(0, number - REASON_LINES_ABOVE) : number]
            reason = any(REASON in other for other in above)
            if UNSAFE.search(line) and not reason:
                found.append(f"{path}:{number + 1}: {line.strip()}")
    assert not found

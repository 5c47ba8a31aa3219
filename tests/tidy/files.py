"""The files of the repository as git knows them, new ones included."""

from __future__ import annotations

import functools
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = ROOT / "tests" / "tidy" / "allowed.toml"


@functools.cache
def repository_files() -> tuple[Path, ...]:
    """Every file that is committed or could be, relative to the root, without what was deleted."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    paths = sorted({Path(name) for name in listed.stdout.split("\0") if name})
    return tuple(path for path in paths if (ROOT / path).is_file())


def with_suffix(*suffixes: str) -> list[Path]:
    """The files that end so, migrations and what others wrote left out."""
    return [
        path
        for path in repository_files()
        if path.suffix in suffixes and not {"migrations", "vendor"} & set(path.parts)
    ]


def text_of(path: Path) -> str:
    """The content of a text file; empty for anything else."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def compare_with_allowed(rule: str, found: dict[str, int]) -> None:
    """Fail on what breaks a rule and is not in allowed.toml, and on what is there and need not be.

    `found` maps each offender to its size; an entry allows that size and no more, so the list can
    only shrink.
    """
    allowed: dict[str, int] = tomllib.loads(ALLOWED.read_text(encoding="utf-8")).get(rule, {})
    new = [f"{name}: {size}" for name, size in found.items() if size > allowed.get(name, 0)]
    stale = [
        f"{name}: allowed {size}, is {found.get(name, 'gone')}"
        for name, size in allowed.items()
        if found.get(name, 0) < size
    ]
    assert not new, f"{rule}:\n" + "\n".join(new)
    assert not stale, f"shrink {ALLOWED.name}, {rule}:\n" + "\n".join(stale)

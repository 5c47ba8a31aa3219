"""The agent without one of its guards: built of a copy of its sources with other words in them.

What is shipped is not touched, and has no switch. The copy is one program, in which the variable
WEAKENED names the guard that is gone. Cargo builds it with the libraries of the Rust tests, once,
and again where a source has changed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest import mock

from agent import static_build
from apps.config.one_machine.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

COPY: Final = ROOT / "build" / "weakened-agent"  # the suites lie beside the sources
SOURCES: Final = ("Cargo.toml", "Cargo.lock", "build.rs", "src", "data", "benches")
NAME: Final = "weakened"
ASKS: Final = """
pub(crate) fn weakened(guard: &str) -> bool {
    std::env::var("WEAKENED").is_ok_and(|less| less == guard)
}
"""
FOLLOWS: Final = """let answer = request.content_type(envelope::CONTENT_TYPE).send(envelope);
        let to = answer.as_ref().ok().and_then(|answer| answer.headers().get("location").cloned());
        match to.filter(|_| LESS) {
            Some(to) => {
                let again = self.agent.post(to.to_str().expect("an address"));
                self.body(again.content_type(envelope::CONTENT_TYPE).send(envelope))
            }
            None => self.body(answer),
        }"""
# By guard: the file, what stands there, and what stands in the copy. LESS: the guard is gone.
GUARDS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "filters of texts": (
        ("text.rs", "    let spaced: String = text.chars().map",
         "    if LESS { return text.to_owned() }\n    let spaced: String = text.chars().map"),
        ("text.rs", "    let kept = text.chars()",
         "    if LESS { return text.to_owned() }\n    let kept = text.chars()"),
    ),
    "ids of runs": (
        ("verbs/withdraw.rs", "if is_run_id(&run_id) {", "if is_run_id(&run_id) || LESS {"),
    ),
    "one server": (
        ("delivery/server/connection.rs",
         "self.body(request.content_type(envelope::CONTENT_TYPE).send(envelope))", FOLLOWS),
    ),
    "end of answers": (
        ("delivery/server/answer.rs", ".limit(ANSWER_BYTES_MAX)",
         ".limit(if LESS { u64::MAX } else { ANSWER_BYTES_MAX })"),
    ),
    "own successor": (
        ("verbs/key/rotate.rs", "standing.replaced_by.as_deref() == Some(new)",
         "standing.replaced_by.as_deref().is_some_and(|heard| LESS || heard == new)"),
    ),
    "secret keys": (
        ("delivery/server/client.rs", "&statements::key_statement(key), key);",
         "&if LESS { key.to_bytes().to_vec() } else { statements::key_statement(key) }, key);"),
    ),
    "links of pages": (  # before and while it is written
        ("report/output_file.rs", "    !is_own_output(path) && ",
         "    !LESS && !is_own_output(path) && "),
        ("report/output_file.rs", "let flags = if is_own_output(path) {",
         "let flags = if is_own_output(path) || LESS {"),
    ),
    "modes of keys": (
        ("delivery/key.rs", "if mode & 0o077 != 0 {", "if mode & 0o077 != 0 && !LESS {"),
    ),
    "owners of keys": (("delivery/key.rs", "if owner != me {", "if owner != me && !LESS {"),),
    "links to keys": (
        ("delivery/key.rs", "link.is_symlink() && link.uid() != me",
         "link.is_symlink() && !LESS && link.uid() != me"),
    ),
}  # fmt: skip


@contextlib.contextmanager
def agent_without(guard: str) -> Iterator[Path]:
    """The agent without one of GUARDS; gives its path."""
    assert guard in GUARDS
    with mock.patch.dict(os.environ, WEAKENED=guard):
        yield built()


@cache
def built() -> Path:
    """The weakened agent, built unless it is there."""
    COPY.mkdir(parents=True, exist_ok=True)
    target = static_build.target_directory()
    with (COPY / "lock").open("w") as lock:  # by one of several workers
        fcntl.flock(lock, fcntl.LOCK_EX)
        write_sources()
        command = [static_build.cargo(), "build", "--quiet", "--locked", "--bin", NAME]
        environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
        done = subprocess.run(
            command, check=False, cwd=COPY / "agent", env=environment, capture_output=True,
            text=True,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target / "debug" / NAME


def write_sources() -> None:
    """Write the copy; a file that is as it was stays, so that cargo builds nothing anew."""
    if not (COPY / "apps").is_symlink():
        (COPY / "apps").symlink_to(ROOT / "apps")
    changes = [
        (f"src/{file}", old, new.replace("LESS", f'crate::weakened("{guard}")'))
        for guard, all_of_it in GUARDS.items()
        for file, old, new in all_of_it
    ]
    changes.append(("Cargo.toml", '[[bin]]\nname = "fsyncmark"', f'[[bin]]\nname = "{NAME}"'))
    changes.append(("src/lib.rs", "mod enumeration;\n", f"mod enumeration;\n{ASKS}"))
    for path in files():
        name = path.relative_to(static_build.CRATE).as_posix()
        content = path.read_bytes().decode(errors="surrogateescape")
        for _, old, new in (change for change in changes if change[0] == name):
            assert content.count(old) == 1, f"{name} has another guard than {old}"
            content = content.replace(old, new)
        write(COPY / "agent" / name, content.encode(errors="surrogateescape"))


def files() -> list[Path]:
    """The files that the agent is built of."""
    found = [static_build.CRATE / name for name in SOURCES]
    inside = [each for folder in found if folder.is_dir() for each in folder.rglob("*")]
    return [each for each in (*found, *inside) if each.is_file()]


def write(path: Path, content: bytes) -> None:
    """Write a file unless it holds that already."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

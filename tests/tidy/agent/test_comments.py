"""Comments of the agent are as wide as its code, which rustfmt keeps but for comments."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.tidy.files import text_of, with_suffix

AGENT = Path("agent")
WIDTH: int = tomllib.loads(text_of(AGENT / "rustfmt.toml"))["max_width"]


def comments_wider_than_the_code() -> list[str]:
    """Each as file, line and width."""
    return [
        f"{path}:{number}: {len(line)}"
        for path in with_suffix(".rs")
        if AGENT in path.parents
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if line.lstrip().startswith("//") and len(line) > WIDTH
    ]


def test_no_comment_is_wider_than_the_code() -> None:
    assert WIDTH > 0
    assert not comments_wider_than_the_code()

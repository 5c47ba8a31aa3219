"""Feeds mutated outputs to the importers, guided by coverage: python -m tests.intake.importers.fuzz

Takes libFuzzer's options; fuzz.sh gives it the fixtures to begin with. Whatever comes in, the only
answers are a reading that keeps its promises and UnreadableError.
"""

from __future__ import annotations

import json
import math
import sys

import atheris

with atheris.instrument_imports(include=["apps.intake.importers", "apps.wire.reading"]):
    from apps.intake.importers import UnreadableError, as_document, read_output
    from apps.intake.importers.limits import (
        EXCERPT_CHARACTERS_MAX,
        NAME_CHARACTERS_MAX,
        VALUE_MAX,
    )
    from apps.intake.importers.text import plain_text

UNSAFE = frozenset("<>&\"'`=\x00\n\r")


def check(raw: bytes) -> None:
    """Read one input and hold the answer against what importers promise."""
    try:
        document = as_document(read_output(raw))
    except UnreadableError:
        return
    lines = plain_text(raw).count("\n") + 1
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["jobs"]
    for job in document["jobs"]:
        assert not UNSAFE & set(job["name"])
        assert len(job["name"]) <= 2 * NAME_CHARACTERS_MAX
        for name, figure in job["figures"].items():
            assert math.isfinite(figure["value"]), name
            assert 0 <= figure["value"] < VALUE_MAX * 1024**4, name
            assert 1 <= figure["line"] <= lines, name
            assert len(figure["text"]) <= 2 * EXCERPT_CHARACTERS_MAX, name
            assert any(c.isdigit() for c in figure["text"]), name


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()

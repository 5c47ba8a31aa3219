"""What is frozen since 1.0.0: the schema, and the definition of every suite under its version.

Results that are signed and stored name them for ever. No digest here is ever changed: whoever needs
another member or another workload makes a new version beside it, run.v2.schema.json or
standard.v2.json, and adds its digest. The tag wire-1.0.0 is the commit that froze them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

WIRE = Path(__file__).parents[2] / "apps" / "wire"
FROZEN = {
    "run.v1.schema.json":
        "7f23c317e6ea2b915165a271fda7eeb06ad9d8b9a1c551848c993ce01a670519",
    "suites/deep.v1.json":
        "ca16286bbc59d638d2d1be38b3fcd8a918297316de35e553d4f023e8362790a4",
    "suites/quick.v1.json":
        "86d1803e5d6cea5d00ec2ab18e1980005da13315fccd4d0989f732ff4a4d8b87",
    "suites/standard.v1.json":
        "bfe77d252d5905f8e9093a812b1558784cd9aad1d96618ffa4f0590acd4f18da",
}  # fmt: skip


def test_nothing_that_is_frozen_has_changed() -> None:
    files = [*WIRE.glob("*.schema.json"), *(WIRE / "suites").glob("*.json")]
    found = {
        str(path.relative_to(WIRE)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    assert {name: found.get(name) for name in FROZEN} == FROZEN
    assert found.keys() == FROZEN.keys(), "a new version: add its digest here"

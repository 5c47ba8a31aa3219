"""What is frozen: the schema of version 1, and the definition of every suite under its version.

Results that are signed and stored name them for ever. Whoever must change one of these files makes
a new version beside it: run.v2.schema.json, standard.v2.json.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

WIRE = Path(__file__).parents[2] / "apps" / "wire"
FROZEN = {
    "run.v1.schema.json":
        "88313ac22c9caaa8a1237036973e1f3725b752a9ccf4ee491c570be77bda1aa6",
    "suites/deep.v1.json":
        "27136b38981d82d0d2872dafb5e11797de1685731378df3707c9d541010924d5",
    "suites/quick.v1.json":
        "4078ba29e7c41edf81d3daa009913f0adb99d5cac6ec511215d22cb5a1165b10",
    "suites/standard.v1.json":
        "12ec423c0c55557132bb068ae3a11617d97a85d68996caf8ca7f1564f44a6215",
}  # fmt: skip


def test_nothing_that_is_frozen_has_changed() -> None:
    files = [*WIRE.glob("*.schema.json"), *(WIRE / "suites").glob("*.json")]
    found = {
        str(path.relative_to(WIRE)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    assert {name: found.get(name) for name in FROZEN} == FROZEN
    assert found.keys() == FROZEN.keys(), "a new version: add its digest here"

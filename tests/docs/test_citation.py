"""CITATION.cff says of the software what its other files say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_version_and_the_licence_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    said = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert said["version"] == project["version"]
    assert said["license"] == project["license"]
    assert said["cff-version"] == "1.2.0"
    assert {"message", "title", "authors:"} <= {*said, *lines}  # what the format asks for

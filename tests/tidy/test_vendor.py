"""What others wrote and we serve is exactly what they published, as versions.toml says."""

from __future__ import annotations

import hashlib
import re
import tomllib
from typing import Any

from tests.tidy.files import ROOT, repository_files

VENDOR = ROOT / "static" / "vendor"
# The comment of the file itself: one inside a text of the script is of no file that is served.
SOURCE_MAP = re.compile(rb"^//[#@] sourceMappingURL", re.MULTILINE)


def vendored() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tomllib.loads((VENDOR / "versions.toml").read_text("utf-8"))[
        "file"
    ]
    return listed


def test_each_vendored_file_has_its_hash() -> None:
    for entry in vendored():
        digest = hashlib.sha256((VENDOR / entry["file"]).read_bytes()).hexdigest()
        assert digest == entry["sha256"], entry["file"]


def test_each_vendored_file_is_listed_with_version_and_licence() -> None:
    known = {"versions.toml"}
    for entry in vendored():
        assert entry["package"]
        assert entry["version"]
        assert (VENDOR / entry["licence_file"]).is_file()
        known |= {entry["file"], entry["licence_file"]}
    there = {
        str(path.relative_to("static/vendor"))
        for path in repository_files()
        if path.is_relative_to("static/vendor")
    }
    assert there == known


def test_no_vendored_script_points_to_a_source_map_that_is_not_served() -> None:
    for entry in vendored():
        if entry["file"].endswith(".js"):
            script = (VENDOR / entry["file"]).read_bytes()
            assert not SOURCE_MAP.search(script), entry["file"]

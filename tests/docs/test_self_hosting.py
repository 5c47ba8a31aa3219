"""The guide to self-hosting names every setting and process that there is."""

from __future__ import annotations

import re
from pathlib import Path

from apps.config.processes import PROCESSES

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "self-hosting.md").read_text()


def test_every_setting_has_its_row_and_no_other() -> None:
    settings = (ROOT / "apps" / "config" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"(\w+)"', settings))
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", GUIDE, re.MULTILINE)) == read


def test_every_process_is_explained_and_started() -> None:
    for process in PROCESSES:
        assert f"| `{process.name}` |" in GUIDE
        assert f"PROCESS_ROLE={process.role.value} " in GUIDE


def test_every_variable_of_the_compose_file_is_a_setting() -> None:
    example = (ROOT / "docker" / "example.env").read_text()
    for name in re.findall(r"^([A-Z_]+)=", example, re.MULTILINE):
        assert name == "POSTGRES_PASSWORD" or f"| `{name}` |" in GUIDE

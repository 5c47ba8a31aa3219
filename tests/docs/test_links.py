"""Every relative link in a Markdown file leads to something that is in the repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import resolve

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "apps", ROOT / "agent", ROOT / "docker")
    for path in folder.glob("*.md")
)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = [target for target in LINK.findall(text) if "://" not in target]
    missing = [
        target
        for target in targets
        if not target.startswith("/") and not (page.parent / target.partition("#")[0]).exists()
    ]
    assert not missing
    for target in targets:
        if target.startswith("/"):  # of a text that the site shows
            assert resolve(target)


def test_every_folder_of_apps_is_on_the_map() -> None:
    apps = {path.name for path in (ROOT / "apps").iterdir() if (path / "__init__.py").exists()}
    readme = (ROOT / "README.md").read_text()
    assert set(re.findall(r"^  (\w+)/", readme, re.MULTILINE)) == apps
    table = (ROOT / "apps" / "README.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == apps


def test_every_command_of_the_readme_is_a_command_of_run() -> None:
    helped = set(re.findall(r"^\./run (\w+)", (ROOT / "run").read_text(), re.MULTILINE))
    readme = (ROOT / "README.md").read_text()
    told = set(re.findall(r"(?:^|`)\./run (\w+)", readme, re.MULTILINE))
    assert told <= helped

"""Pages as a site shows them that hands out no agent, whatever was built beside the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import Settings


@pytest.fixture(autouse=True)
def _without_an_agent(settings: Settings, tmp_path: Path) -> None:
    settings.AGENT_DIST = tmp_path / "nothing"

"""The door as its own tests use it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make
from tests.intake.conftest import Door


@pytest.fixture
def door(client: Client) -> Door:
    return Door(client)


@pytest.fixture
def agent(db: None) -> make.Agent:
    """An agent whose key is enrolled."""
    agent = make.Agent()
    agent.enrolled()
    return agent


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers the bell: what is stored is looked at as it was stored."""
    monkeypatch.setattr("apps.intake.views.ring_doorbell", lambda: None)

"""The sentence of the advisor says no more of the first plan than is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apps.rankings.models import Standing
from tests.pages.advisor.test_advisor import answer, plan_with

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_surest_is_not_called_the_cheapest_and_what_nobody_knows_is_said(
    client: Client,
) -> None:
    few: dict[str, Any] = {"n_uploaders": 2, "n_machines": 2, "needs_runs": True}
    plan_with("Likely", 9_000, month=5, **few)
    assert "Likely is the cheapest that reaches it." in answer(client, "?rate=2000")
    plan_with("Firm", 9_000, month=100, n_uploaders=9, n_machines=9)
    assert "Firm is the surest that reaches it." in answer(client, "?rate=2000")
    Standing.objects.all().delete()
    many = {"n_uploaders": 9, "n_machines": 9}
    flushed: dict[str, Any] = {"workload": "direct-16k-fdatasync", **many}
    plan_with("Bare", 9_000, month=1, plp="none", **flushed)
    plan_with("Unsaid", 9_000, month=80, plp="unknown", **flushed)
    said = answer(client, "?software=zfs-slog&rate=100")
    assert "Nobody knows whether Unsaid reaches it." in said

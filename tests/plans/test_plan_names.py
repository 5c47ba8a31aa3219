"""A plan by its name: with its provider, where that is a company."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.plans.models import HOME_PROVIDER, UNLISTED_PROVIDER
from apps.plans.naming import base_name
from tests import make
from tests.pages.site import measured_run, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_plan_for_rent_is_named_with_its_provider() -> None:
    plan = make.plan(provider=make.provider(slug="acme", name="Acme"), name="AX102")
    assert plan.full_name == "Acme AX102"


@pytest.mark.parametrize("stand_in", [HOME_PROVIDER, UNLISTED_PROVIDER])
def test_a_machine_that_nobody_rents_out_has_its_own_name(client: Client, stand_in: str) -> None:
    """The provider is a stand-in, whose name is no part of any machine's."""
    owner = make.provider(slug=stand_in, name="Stand-in")
    plan = make.plan(provider=owner, name="Under the desk", is_listed=False)
    run = measured_run(plan=plan, provider=owner)
    assert plan.full_name == "Under the desk"
    for address in (f"/plans/{plan.slug}/", f"/runs/{run.slug}/"):
        assert "Stand-in Under the desk" not in " ".join(text(client, address).split())


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("AX102 + 15.36 TB NVMe DC drive", "AX102"),
        ("m5.xlarge + EBS gp3 128 GiB", "m5.xlarge"),
        ("c6i + disk + another", "c6i"),
        ("AX102", ""),
        ("C++", ""),
        ("AX102-U", ""),
    ],
)
def test_a_name_says_what_is_added_to_which_plan(name: str, base: str) -> None:
    assert base_name(name) == base

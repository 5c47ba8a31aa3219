"""Which measured plan stands for one that nobody measured."""

from __future__ import annotations

import pytest

from apps.pages.show.nearest import Kinship, family_of, kinship
from tests import make


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("CCX33", "ccx"),
        ("AX162-S", "ax"),
        ("m6id.4xlarge", "m6id"),
        ("i4i.large", "i4i"),
        ("n1-standard-16", "n1-standard"),
        ("c3-8", "c3"),
        ("Cloud VPS 10", "cloud vps"),
        ("Shared", "shared"),
    ],
)
def test_a_family_is_a_name_without_its_size(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.django_db
def test_plans_are_the_nearer_the_more_their_names_say() -> None:
    own = make.provider(slug="own")
    plan = make.plan(provider=own, name="AX102")
    others = {
        "AX102 + 2 TB": Kinship.VARIANT,
        "AX41-NVMe": Kinship.FAMILY,
        "CCX13": Kinship.PROVIDER,
    }
    found = {
        name: kinship(plan, make.plan(provider=own, slug=f"own-{place}", name=name))
        for place, name in enumerate(others)
    }
    assert found == others
    assert kinship(plan, make.plan(slug="else", name="AX102")) is Kinship.NONE

"""Every address is asked what its description allows and what it forbids, on the real server.

Schemathesis makes the requests out of the OpenAPI document and judges the answers: no fault of
ours, no status, media type, header or member that is not described, nothing refused that is
allowed, nothing taken that is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import (
    missing_required_header,
    positive_data_acceptance,
)

from apps.api.openapi.description import openapi_document
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from tests.support.live_site import LiveSite, Scenes

SCHEMA: Final = schemathesis.openapi.from_dict(openapi_document())
OPERATIONS: Final = sum(len(path) for path in openapi_document()["paths"].values())
EXAMPLES: Final = 300  # of all operations together
EXAMPLES_A_DAY: Final = 10_000
REQUESTS_A_QUOTA: Final = 400  # all examples come from one network


@pytest.fixture
def catalogue(shared_site: LiveSite, scenes: Scenes) -> LiveSite:
    scenes.show(store_catalogue)
    return shared_site


def with_examples(most: int) -> settings:
    return settings(
        max_examples=most // OPERATIONS + 1,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        deadline=None,
        derandomize=True,
    )


def ask(case: Any, site: LiveSite) -> None:
    is_door = case.method.upper() != "GET"
    excluded = [positive_data_acceptance, missing_required_header] if is_door else []
    case.call_and_validate(base_url=site.url, excluded_checks=excluded)


@SCHEMA.parametrize()
@with_examples(EXAMPLES)
def test_every_address_answers_as_described(case: Any, catalogue: LiveSite) -> None:
    ask(case, catalogue)

"""Every address is asked what its description allows and what it forbids, on the real server.

Schemathesis makes the requests out of the OpenAPI document and judges the answers: no fault of
ours, no status, media type, header or member that is not described, nothing taken that is
forbidden, and nothing refused that is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
import schemathesis
from django.conf import settings as site_settings
from hypothesis import HealthCheck, Phase, settings
from redis import Redis
from schemathesis.specs.openapi.checks import missing_required_header, positive_data_acceptance

from apps.api.openapi.description import openapi_document
from tests.support.catalogue import store_catalogue
from tests.support.live_site import LiveSite, Scenes

if TYPE_CHECKING:
    from apps.config.one_machine.product import Product

pytestmark = pytest.mark.xdist_group("fuzzed")  # one worker fills the tables once
N_OPERATIONS: Final = sum(len(path) for path in openapi_document()["paths"].values())
EXAMPLES: Final = 300  # of all operations together
EXAMPLES_A_DAY: Final = 10_000
REQUESTS_OF_A_QUOTA: Final = 500  # all examples come from one network
REFUSED: Final = ["400", "403", "404", "405", "409", "411", "413", "415", "422", "429"]
# What the catalogue has: no schema says which slugs there are.
KNOWN: Final = {
    "provider": "hetzner",
    "plan": "hetzner-cax41",
    "drive": "micron-7500-pro",
    "workload": "commit-8k",
    "ladder_class": "nvme-plp",
}


def described(*, is_thorough: bool = False) -> Any:
    """Return what Schemathesis makes of the description; thorough: with the ends of each range."""
    schema = schemathesis.openapi.from_dict(openapi_document())
    schema.config.phases.coverage.enabled = is_thorough
    schema.config.checks.negative_data_rejection.expected_statuses = REFUSED
    return schema


def examples(total: int) -> settings:
    """Return how many examples an operation gets."""
    return settings(
        max_examples=total // N_OPERATIONS + 1,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )


@pytest.fixture
def catalogue(shared_site: LiveSite, scenes: Scenes) -> LiveSite:
    """The site with the catalogue, for those who read."""
    scenes.show(store_catalogue)
    return shared_site


@pytest.fixture
def door(live_processes: Product, all_scenes: Scenes) -> LiveSite:
    """The site over whatever its tables hold, and more where something is taken in."""
    all_scenes.spoil()
    return LiveSite(live_processes)


def ask(case: Any, site: LiveSite) -> None:
    """Send one request and judge its answer."""
    query = case.query
    is_allowed = case.meta is not None and case.meta.generation.mode.is_positive
    if is_allowed:
        query.pop("cursor", None)  # it comes out of an answer
        query.update({name: KNOWN[name] for name in KNOWN.keys() & query.keys()})
    excluded = [missing_required_header]
    if case.method != "GET" or case.path == "/api/v1/advice":
        excluded.append(positive_data_acceptance)  # what it means decides, not its form alone
    case.call_and_validate(base_url=site.url, excluded_checks=excluded)


@described().include(method="GET").parametrize()  # type: ignore[untyped-decorator]  # theirs
@examples(EXAMPLES)
def test_every_address_answers_as_described(case: Any, catalogue: LiveSite) -> None:
    ask(case, catalogue)


@described().exclude(method="GET").parametrize()  # type: ignore[untyped-decorator]  # theirs
@examples(EXAMPLES)
def test_the_door_refuses_as_described(case: Any, door: LiveSite) -> None:
    ask(case, door)


asked: Final[list[str]] = []


def ask_without_end(case: Any, site: LiveSite) -> None:
    """Ask as somebody whose quota is always new."""
    asked.append(case.path)
    if len(asked) % REQUESTS_OF_A_QUOTA == 0:
        valkey = Redis.from_url(site_settings.CACHES["default"]["LOCATION"])
        prefix = site_settings.CACHES["default"]["KEY_PREFIX"]
        for key in valkey.scan_iter(f"{prefix}:*quota:*"):
            valkey.delete(key)
    ask(case, site)


@pytest.mark.daily
@described(is_thorough=True).include(method="GET").parametrize()  # type: ignore[untyped-decorator]  # theirs
@examples(EXAMPLES_A_DAY)
def test_every_address_answers_as_described_at_length(case: Any, catalogue: LiveSite) -> None:
    ask_without_end(case, catalogue)


@pytest.mark.daily
@described(is_thorough=True).exclude(method="GET").parametrize()  # type: ignore[untyped-decorator]  # theirs
@examples(EXAMPLES_A_DAY)
def test_the_door_refuses_as_described_at_length(case: Any, door: LiveSite) -> None:
    ask_without_end(case, door)

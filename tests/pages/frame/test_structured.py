"""What a page says of itself to programs: a Dataset as search engines ask for one."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from apps.pages.frame.structured import DateRange
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

# https://developers.google.com/search/docs/appearance/structured-data/dataset
DESCRIPTION_CHARACTERS = (50, 5_000)
NEWEST = datetime(2026, 11, 1, 23, tzinfo=UTC)


def dataset(client: Client, address: str) -> dict[str, Any]:
    (block,) = re.findall(
        r'<script type="application/ld\+json">(.*?)</script>', text(client, address)
    )
    found: dict[str, Any] = json.loads(block)
    assert found["@type"] == "Dataset"
    return found


@pytest.fixture
def site() -> dict[str, str]:
    """A plan, its provider, a drive and a run, and the boards; each with a page of figures."""
    run = measured_run(measured_at=NEWEST)
    plan = plan_at(2_000, "Quick", newest_run_slug=run.slug)
    make.provider_standing(best=plan)
    family = make.drive_family(name="Disk")
    make.standing(drive_family=family, is_durable_single_writer=True, newest_run_slug=run.slug)
    boards = {name: f"/{name}/" for name in ("plans", "drives", "providers")}
    return {
        "plan": f"/plans/{plan.plan_id}/",
        "provider": "/providers/acme/",
        "drive": f"/drives/{family.slug}/",
        "run": f"/runs/{run.slug}/",
        **boards,
    }


NAMES = ("plan", "provider", "drive", "run", "plans", "drives", "providers")


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_says_what_search_engines_ask_for(
    client: Client, site: dict[str, str], name: str
) -> None:
    found = dataset(client, site[name])
    shortest, longest = DESCRIPTION_CHARACTERS
    assert shortest <= len(found["description"]) <= longest
    assert found["name"]
    assert found["url"] == found["identifier"]
    assert found["license"].startswith("https://creativecommons.org/publicdomain/zero/")
    assert found["creator"].keys() == {"@type", "name", "url"}
    assert found["includedInDataCatalog"]["@type"] == "DataCatalog"
    units = {each["unitText"] for each in found["variableMeasured"]}
    assert units == {"1/s", "ns"}
    assert found["measurementTechnique"].endswith("/method/")


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_is_of_the_day_of_its_newest_run(
    client: Client, site: dict[str, str], name: str
) -> None:
    found = dataset(client, site[name])
    assert found["dateModified"] == "2026-11-01"
    assert found["temporalCoverage"].endswith("2026-11-01")


@pytest.mark.parametrize("name", NAMES)
def test_every_file_of_a_dataset_is_there_in_the_form_that_it_names(
    client: Client, site: dict[str, str], name: str
) -> None:
    files = dataset(client, site[name])["distribution"]
    assert files[0]["encodingFormat"] == "application/json"
    assert [each["encodingFormat"] for each in files[1:]] == ["text/csv"] * name.endswith("s")
    for each in files:
        path = re.sub(r"^https?://[^/]+", "", each["contentUrl"])
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["Content-Type"].startswith(each["encodingFormat"])


def test_examples_make_no_board_look_fresh(client: Client) -> None:
    run = measured_run(measured_at=NEWEST)
    plan_at(2_000, "Quick", evidence=Evidence.EXAMPLE, newest_run_slug=run.slug)
    assert "dateModified" not in dataset(client, "/plans/")


def test_a_dataset_covers_its_days() -> None:
    assert DateRange(date(2026, 1, 1), NEWEST).coverage == "2026-01-01/2026-11-01"
    assert DateRange(NEWEST.date(), NEWEST).coverage == "2026-11-01"
    assert DateRange(None, NEWEST).coverage == "2026-11-01"

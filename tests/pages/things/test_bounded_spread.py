"""However many run it, the page of a plan draws a bounded part, which was made before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.pages.things.selectors.spread import machine_spread
from apps.rankings.models import Standing, StandingSpread
from apps.rankings.standings import spread as spreads
from tests import make
from tests.pages.measured import counted, stand
from tests.pages.things.test_spread import part, words

if TYPE_CHECKING:
    from django.test import Client

    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan() -> Plan:
    return make.plan(name="X1", slug="acme-x1")


def test_the_words_say_how_many_of_all_are_drawn(
    client: Client, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreads, "UPLOADERS_MAX", 6)
    runs = [counted(1_000 + 10 * n, uploader=n, plan=plan) for n in range(20)]
    stand([*runs, counted(3_000, uploader=11, machine=2, plan=plan)])
    section = part(words(client, "/plans/acme-x1/"), "machines")
    assert "20 uploaders: 1,000\u20131,825 /s, 21 machines: 1,000\u20133,000 /s" in section
    assert section.count('class="machine-dot') == 5 + 1  # and the key of those that are far
    shown = "4 / 20 uploaders, 5 / 21 machines"
    assert f'<p class="fine">Shown: {shown}</p>' in section
    assert re.findall(r'<th scope="row"> (\d+) ', section) == ["1", "7", "13", "20"]


def test_where_all_are_drawn_nothing_is_said_of_it(client: Client, plan: Plan) -> None:
    stand([counted(1_000 + n, uploader=n, plan=plan) for n in range(9)])
    assert "Shown:" not in part(words(client, "/plans/acme-x1/"), "machines")


def test_kinds_of_storage_are_numbered_on(plan: Plan) -> None:
    stand(
        counted(rate + n, uploader=rate + n, plan=plan) for rate in (200, 9_000) for n in range(7)
    )
    cell = list(Standing.objects.filter(plan=plan))
    for lead in cell:
        spread = machine_spread(lead, cell)
        assert [each.number for each in spread.uploaders] == list(range(1, 15))
        assert (spread.n_uploaders, spread.n_machines) == (14, 14)
        faster, slower = spread.uploaders[:7], spread.uploaders[7:]
        assert min(each.rate_per_s for each in faster) > max(each.rate_per_s for each in slower)
        assert [each.is_other_kind for each in (faster[0], slower[0])] == [
            lead.variant == 2, lead.variant == 1,
        ]  # fmt: skip
        assert [each.n_runs for each in spread.lottery] == [7]


def test_no_run_is_read_for_it(plan: Plan) -> None:
    family = make.drive_family(slug="d")
    stand(counted(1_000 + n, uploader=n, plan=plan, drive_family=family) for n in range(30))
    for lead in Standing.objects.all():
        with CaptureQueriesContext(connection) as queries:
            assert machine_spread(lead, [lead]).n_uploaders == 30
        asked = " ".join(each["sql"] for each in queries)
        assert len(queries) == 1
        assert "runs_" not in asked
        assert "rankings_standingrun" not in asked


def test_a_page_stands_without_what_an_earlier_version_did_not_store(
    client: Client, plan: Plan
) -> None:
    runs = [counted(1_000 + n, uploader=n, plan=plan) for n in range(9)]
    stand(runs)
    StandingSpread.objects.all().delete()
    page = words(client, "/plans/acme-x1/")
    assert "1,004" in page
    assert 'id="machines"' not in page
    stand(runs)
    assert 'id="machines"' in words(client, "/plans/acme-x1/")

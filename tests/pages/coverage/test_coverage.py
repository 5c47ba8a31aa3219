"""Coverage: what is measured, by whom too few, what is old, and the command for the rest."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from apps.interest.kinds import PLAN
from apps.interest.models import DailyInterest
from apps.pages.coverage.selectors import ROWS_A_PAGE, CoverageQuery, read_coverage
from apps.plans.models import HOME_PROVIDER, Plan, Provider
from apps.rankings.models import Evidence
from apps.runs.models import Level, Run
from tests import make
from tests.pages.reading.kits.places import offer
from tests.pages.site import text, unmarked

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def plan(name: str, *, owner: str = "acme", **fields: Any) -> Plan:
    provider = Provider.objects.get_or_create(slug=owner, defaults={"name": owner.title()})[0]
    return make.plan(
        **{"provider": provider, "slug": f"{owner}-{name.lower()}", "name": name, **fields}
    )


def measured(of: Plan, *, days: int = 3, **fields: Any) -> None:
    """Give a plan a standing whose newest run is so many days old."""
    at = NOW - timedelta(days=days)
    run = make.run(plan=of, provider=of.provider, measured_at=at)
    make.measurement(run=run)
    make.standing(
        plan=of, newest_run_slug=run.slug, is_durable_single_writer=True,
        **{"n_uploaders": 3, "n_machines": 5, **fields},
    )  # fmt: skip


def cells(page: str, name: str) -> list[int]:
    """The numbers in the row of a provider: nobody, articles, few, ranked, old."""
    head = re.search(rf'<th scope="row">\s*(<a[^>]*>)?{name}', page)
    assert head
    row = page[head.start() :]
    found = re.findall(
        r"<td>\s*(?:<a[^>]*><span[^>]*>[^<]*</span>([\d,]+)</a>|<span class=\"dim\">(0)</span>)",
        row[: row.index("</tr>")],
    )
    return [int((number or zero).replace(",", "")) for number, zero in found]


def list_in(page: str) -> str:
    """Return the list of the page, without the matrix below it."""
    return page[page.index('id="list"') :].partition('id="counts"')[0]


@pytest.fixture
def acme() -> None:
    measured(plan("Ranked"))
    measured(plan("Old"), days=400)
    measured(plan("Few"), n_uploaders=1, n_machines=2, needs_runs=True, tier=None)
    make.standing(plan=plan("Cited"), evidence=Evidence.PUBLISHED, is_durable_single_writer=True)
    make.standing(plan=plan("Example"), evidence=Evidence.EXAMPLE, is_durable_single_writer=True)
    make.standing(plan=plan("Reads"), workload="randread-4k-qd32")
    plan("Fresh", kind="cloud")


@pytest.mark.usefixtures("acme")
def test_each_plan_is_counted_in_its_state(client: Client) -> None:
    page = text(client, "/coverage/")
    assert cells(page, "Acme") == [3, 1, 1, 2, 1]
    assert cells(page, "All") == [3, 1, 1, 2, 1]
    said = " ".join(page.split())
    assert "Acme</a>: 3 of 7 have no durable commits of one writer." in said
    assert "figure at all" not in said


@pytest.mark.parametrize(
    ("days", "n"),
    [((400,), 1), ((400, 500), 1), ((400, 3), 0), ((400, None), 0), ((None,), 0), ((), 0)],
)
def test_what_was_last_measured_long_ago_is_old_whoever_says_it(
    client: Client, days: tuple[int | None, ...], n: int
) -> None:
    """Where one source states no day, nobody knows that all are old."""
    of = plan("Cited")
    make.standing(plan=of, evidence=Evidence.PUBLISHED, is_durable_single_writer=True)
    family = make.drive_family(vendor="Maker")
    make.standing(drive_family=family, evidence=Evidence.PUBLISHED, is_durable_single_writer=True)
    article = {"plan": of, "provider": of.provider, "drive_family": family, "in_standings": False}
    for each in days:
        at = None if each is None else NOW - timedelta(days=each)
        make.measurement(run=make.run(level=Level.PUBLISHED, measured_at=at, **article))
    # Neither other work nor what is made up says anything of durable commits.
    other = make.run(level=Level.PUBLISHED, measured_at=NOW, **article)
    make.measurement(run=other, workload="randread-4k-qd32", is_durable_single_writer=False)
    make.measurement(run=make.run(is_example=True, measured_at=NOW, plan=of))
    assert cells(text(client, "/coverage/"), "Acme") == [0, 1, 0, 0, n]
    assert cells(text(client, "/coverage/?of=drives"), "Maker") == [0, 1, 0, 0, n]
    listed = list_in(text(client, "/coverage/?state=stale"))
    assert (">Cited<" in listed) == bool(n)


def test_without_a_day_the_month_of_the_article_counts() -> None:
    of = plan("Cited")
    make.standing(plan=of, evidence=Evidence.PUBLISHED, is_durable_single_writer=True)
    cited = {"level": Level.PUBLISHED, "in_standings": False, "measured_at": None, "plan": of}
    make.measurement(run=make.run(slug="smalldatum-hetz-16k-fsync-r1", **cited))  # 2026-01
    for now, n in (((2026, 12), 0), ((2027, 1), 0), ((2027, 2), 1)):
        found = read_coverage(CoverageQuery(), now=datetime(*now, 15, tzinfo=UTC))
        assert found.sums.stale == n, now


def lists_of_cells(client: Client, query: str) -> list[tuple[int, str]]:
    """Each number of the matrix with the list that it leads to."""
    matrix = text(client, f"/coverage/{query}").split('id="counts"')[1]
    found = re.findall(r'<td>\s*<a href="([^"]*)"[^>]*><span[^>]*>[^<]*</span>([\d,]+)</a>', matrix)
    return [(int(n.replace(",", "")), html.unescape(url)) for url, n in found]


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize("query", ["", "?kind=cloud", "?of=drives", "?of=drives&kind=sata"])
def test_each_cell_leads_to_a_list_of_just_what_it_counts(client: Client, query: str) -> None:
    """A board would not do: it also has what is on no list, and what was published beside a run."""
    cited = Plan.objects.get(slug="acme-ranked")
    make.standing(plan=cited, evidence=Evidence.PUBLISHED, is_durable_single_writer=True)
    measured(plan("Unlisted", slug="acme-unlisted", is_listed=False))
    for name, vendor, interface in (
        ("One", "Maker", "sata"), ("Two", "Maker", "nvme"), ("Of a Maker", "Other", "sata")
    ):  # fmt: skip
        family = make.drive_family(name=name, vendor=vendor, interface=interface)
        make.standing(
            drive_family=family, is_durable_single_writer=True, evidence=Evidence.PUBLISHED
        )
    leads = lists_of_cells(client, query)
    assert leads
    for n, address in leads:
        assert address.startswith("/coverage/")
        assert address.endswith("#list")
        shown = list_in(text(client, address.removesuffix("#list")))
        assert shown.count('<div class="what taps">') == n, address


@pytest.mark.usefixtures("acme")
def test_lists_have_the_shortest_addresses(client: Client) -> None:
    addresses = [address for _n, address in lists_of_cells(client, "")]
    assert "/coverage/?owner=acme&state=ranked#list" in addresses
    assert "/coverage/?owner=acme&state=few#list" in addresses
    assert "/coverage/?owner=acme&state=stale#list" in addresses
    assert "/coverage/?owner=acme#list" in addresses


def test_what_is_looked_for_most_is_measured_next(client: Client) -> None:
    for name in ("First", "Wanted"):
        plan(name)
    page = " ".join(text(client, "/coverage/").split())
    said = "2 of 2 have no durable commits of one writer."
    assert f'<a href="/coverage/?owner=acme#list">Acme</a>: {said}' in page
    DailyInterest.objects.create(day=NOW.date(), kind=PLAN, slug="acme-wanted", n=1)
    page = " ".join(text(client, "/coverage/").split())
    assert f'<a href="/plans/acme-wanted/">Wanted</a>: {said}' in page
    assert page.index(">Wanted<", page.index('id="list"')) < page.index(">First<")


@pytest.mark.parametrize("query", ["?state=few", "?page=2"])
def test_of_a_list_of_other_things_the_owner_is_measured_next(client: Client, query: str) -> None:
    for place in range(ROWS_A_PAGE + 1):
        plan(f"P{place:02}")
    measured(plan("Few"), n_uploaders=1, n_machines=2, needs_runs=True, tier=None)
    for slug, n in (
        ("acme-few", 1),
        *((f"acme-p{place:02}", 2) for place in range(ROWS_A_PAGE + 1)),
    ):
        DailyInterest.objects.create(day=NOW.date(), kind=PLAN, slug=slug, n=n)
    page = " ".join(text(client, f"/coverage/{query}").split())
    assert '<a href="/coverage/?owner=acme#list">Acme</a>:' in page


def test_the_answer_counts_what_nobody_measured(client: Client) -> None:
    measured(plan("Few"), n_uploaders=1, n_machines=2, needs_runs=True, tier=None)
    measured(plan("Ranked"))
    plan("Fresh")
    page = " ".join(text(client, "/coverage/").split())
    assert "1 of 3 have no durable commits of one writer." in page


def test_each_owner_has_its_turn_and_the_smallest_plan_goes_first(client: Client) -> None:
    plan("Big", vcpus=8)
    plan("Small", vcpus=2)
    plan("Managed", vcpus=1, kind="managed")
    plan("Other", owner="zenith", vcpus=4)
    listed = list_in(text(client, "/coverage/"))
    places = [listed.index(f">{name}</a>") for name in ("Small", "Other", "Big", "Managed")]
    assert places == sorted(places)


def test_owners_of_whom_nothing_is_measured_are_folded(client: Client) -> None:
    measured(plan("Known"))
    plan("Fresh", owner="zenith")
    page = text(client, "/coverage/")
    matrix, _, fold = page[page.index('id="counts"') :].partition('<details class="bare">')
    assert "Acme" in matrix
    assert "Zenith" not in matrix
    assert '<a href="/coverage/?owner=zenith#list">Zenith</a>' in fold
    assert "In turn: the smallest plan of each provider." in page


def test_large_numbers_have_a_comma_everywhere(client: Client) -> None:
    make.provider(slug="acme", name="Acme")
    Plan.objects.bulk_create(
        Plan(slug=f"acme-{place}", name=f"P{place}", provider_id="acme", kind="cloud")
        for place in range(1_001)
    )
    page = " ".join(text(client, "/coverage/").split())
    assert "1,001 of 1,001 have" in page
    assert '<span class="mono">1,001</span>' in page
    assert "1001" not in page


def test_an_empty_list_of_drives_leads_to_all_drives(client: Client) -> None:
    shown = list_in(text(client, "/coverage/?of=drives&state=stale"))
    assert '<a href="/coverage/?of=drives">All drives</a>' in " ".join(shown.split())
    assert "All plans" not in shown


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", {"Example", "Reads", "Fresh"}),
        ("?kind=cloud", {"Fresh"}),
        ("?state=few", {"Few"}),
        ("?state=stale", {"Old"}),
        ("?state=published", {"Cited"}),
        ("?state=ranked", {"Ranked", "Old"}),
        ("?owner=other", set()),
        ("?state=nonsense", {"Example", "Reads", "Fresh"}),
    ],
)
def test_the_list_holds_what_is_asked_for(client: Client, query: str, names: set[str]) -> None:
    page = text(client, f"/coverage/{query}")
    shown = list_in(page)
    found = set(re.findall(r"/plans/acme-\w+/\">(\w+)</a>", shown))
    assert found == names


@pytest.mark.usefixtures("acme")
def test_how_many_are_missing_to_rank_is_said(client: Client) -> None:
    page = " ".join(text(client, "/coverage/?state=few").split())
    assert "1 of the 7 uploaders that rank it" in page
    assert re.search(r'Measured <a href="/runs/[^"]+">2026-', page)


def test_the_command_measures_that_plan_whatever_it_is_called(client: Client) -> None:
    plan("AX 41'; rm -rf", slug="acme-ax-41")
    page = unmarked(text(client, "/coverage/"))
    assert "--provider acme --plan &#x27;AX 41&#x27;&quot;&#x27;&quot;&#x27;; rm -rf&#x27;" in page


def test_what_nobody_rents_is_not_counted(client: Client) -> None:
    plan("Mine", owner=HOME_PROVIDER)
    plan("Unit", storage_description="price component: one IOPS", is_component=True)
    plan("Own", is_listed=False)
    page = text(client, "/coverage/")
    assert "Nothing matches" in page
    for name in ("Mine", "Unit", "Own"):
        assert f">{name}<" not in page


def test_drives_are_counted_by_maker(client: Client) -> None:
    known = make.drive_family(name="Known", vendor="Maker", interface="sata")
    make.standing(drive_family=known, is_durable_single_writer=True, n_uploaders=3, n_machines=5)
    make.drive_family(name="Unmeasured", vendor="Maker", rated_rand_write_iops=400_000)
    make.drive_family(name="Virtual", vendor="Maker", kind="virtual")
    page = text(client, "/coverage/?of=drives")
    assert cells(page, "Maker")[:4] == [1, 0, 0, 1]
    shown = list_in(page)
    assert "Unmeasured" in shown
    assert "rated 400,000 random writes/s without a sync" in " ".join(shown.split())
    assert "Virtual" not in page
    assert "--plan" not in shown
    assert cells(text(client, "/coverage/?of=drives&kind=sata"), "Maker")[:4] == [0, 0, 0, 1]


def test_the_list_is_paged(client: Client) -> None:
    for place in range(30):
        plan(f"P{place:02}")
    page = text(client, "/coverage/?page=3")
    assert "P29" in list_in(page)
    assert "P00" not in list_in(page)
    assert "/coverage/#list" in page


def test_queries_do_not_grow_with_the_rows(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(40):
        measured(
            plan(f"P{place}", owner=f"owner-{place % 7}"), n_uploaders=1, n_machines=1,
            tier=None, needs_runs=True,
        )  # fmt: skip
        make.drive_family()
    with django_assert_max_num_queries(6):
        text(client, "/coverage/?state=few")
    with django_assert_max_num_queries(6):
        text(client, "/coverage/?of=drives")


@pytest.mark.parametrize("query", ["?owner=%00", "?page=x&state=%00", f"?owner={'x' * 5000}"])
def test_strange_addresses_are_answered(client: Client, query: str) -> None:
    plan("P")
    assert client.get(f"/coverage/{query}").status_code == 200


def test_what_can_be_rented_says_what_it_costs_and_leads_to_its_kit(
    client: Client, tmp_path: Path, settings: Settings
) -> None:
    offer(tmp_path / "dist", settings)
    rented = plan("Hourly", owner="hetzner", kind="cloud", arch="x86_64")
    make.price(plan=rented, amount="0.0088", period="hour", region="fsn1")
    make.price(plan=plan("Monthly", kind="cloud"))
    DailyInterest.objects.create(day=NOW.date(), kind=PLAN, slug="hetzner-hourly", n=3)
    listed = list_in(text(client, "/coverage/"))
    assert listed.count('href="/measure/?plan=') == 1
    place = listed.index('href="/measure/?plan=hetzner-hourly"')
    assert "€0.01" in listed[place : place + 300]
    assert "Looked for 3 times in a year" in listed[:place]
    settings.AGENT_DIST = tmp_path / "nothing"
    assert "Rent it" not in list_in(text(client, "/coverage/"))


def test_who_measured_last_is_one_link_away(client: Client) -> None:
    few = plan("Few")
    measured(few, n_uploaders=2, tier=None)
    listed = list_in(text(client, "/coverage/?state=few"))
    run = Run.objects.get(plan=few)
    assert f'<a href="/runs/{run.slug}/">2026-11-18</a>' in listed
    assert "2 of the 7 uploaders that rank it" in listed

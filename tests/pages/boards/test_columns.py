"""Columns of the boards: chosen by the reader, ordered by any of them, and exported as they are."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from apps.pages.boards.exports import EXPORT_ROWS_MAX
from apps.pages.show.table.columns import OFFERED, USUAL
from apps.plans.models import Plan
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.site import measured_run, plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

# What the board could show, how many things, the page of a row that is asked for, once more under
# its own workload, the rows, and what waits: how many, which, and their prices.
QUERIES_MAX = 8
NEWEST = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def three() -> list[Standing]:
    """Three plans of which A is best in every figure, B in between, and C worst."""
    found = []
    for place, name in enumerate("ABC"):
        run = make.run(measured_at=NEWEST - timedelta(days=place))
        worse = place + 1
        standing = plan_at(
            9_000 / worse, name, p50_ns=100_000 * worse, p99_ns=200_000 * worse,
            p999_ns=300_000 * worse, rate_per_s_low=8_900 / worse,
            rate_per_s_high=(8_900 + 100 * worse**2) / worse, interval_is="samples",
            n_uploaders=30 - place, n_machines=60 - place, n_runs=90 - place, tier=worse,
            rank_low=worse, rank_high=worse, region_group=("africa", "asia", "europe")[place],
            drive_names=f"Drive {name}", plp=("full", "none", "partial")[place],
            newest_run_slug=run.slug, cost_per_billion=Decimal(worse), currency="EUR",
        )  # fmt: skip
        price = make.price(plan=standing.plan, amount=Decimal(10 * worse))
        Standing.objects.filter(pk=standing.pk).update(price=price)
        Plan.objects.filter(pk=standing.plan_id).update(
            kind=("cloud", "dedicated", "vps")[place], cpu=f"CPU {name}", vcpus=8 - place,
            ram_gb=64 - place, storage_kind=("hdd", "local-nvme", "network")[place],
            arch=("arm64", "riscv64", "x86_64")[place],
        )  # fmt: skip
        found.append(standing)
    return found


def order_on(page: str) -> str:
    """The initials of the rows, in order."""
    return "".join(re.findall(r'class="called"[^>]*>\s*<a href="[^"]+">([^<])</a>', page))


SAME_IN_ALL = {"level", "provider"}  # among equals the rate decides, whichever way round


@pytest.mark.parametrize("column", OFFERED["plans"])
@pytest.mark.usefixtures("three")
def test_any_column_orders_the_board_both_ways(client: Client, column: str) -> None:
    page = text(client, f"/plans/?sort={column}&cols=rate,{column}")
    heads = re.findall(r'aria-sort="(\w+)">\s*<a id="sort-(\w+)"\s+href="([^"]+)"', page)
    ((direction, name, turned),) = heads
    assert name == column
    assert order_on(page) == "ABC"
    page = text(client, turned.replace("&amp;", "&"))
    assert f"sort=-{column}" in turned
    ((other, _, _),) = re.findall(r'aria-sort="(\w+)">\s*<a id="sort-(\w+)"\s+href="([^"]+)"', page)
    assert {direction, other} == {"ascending", "descending"}
    assert order_on(page) == ("ABC" if column in SAME_IN_ALL else "CBA")


NAMES = ("ax41", "AX102", "CCX3", "ccx13", "Cx", "cx 2 TB", "m7i.large", "m07i.xlarge")  # in order


def names_on(page: str) -> list[str]:
    """The names of the rows, in order."""
    return re.findall(r'class="called"[^>]*>\s*<a href="[^"]+">([^<]+)</a>', page)


def test_names_order_a_board_as_people_read_them(client: Client) -> None:
    for place, name in enumerate((*NAMES[::2], *NAMES[1::2])):
        ranks = {"tier": 1, "rank_low": 1, "rank_high": 2} if place % 3 else {}
        standing = plan_at(1_000 + place, f"P{place}", **ranks)
        Plan.objects.filter(pk=standing.plan_id).update(name=name)
    page = text(client, "/plans/?sort=name")
    assert names_on(page) == list(NAMES)
    ((direction, turned),) = re.findall(
        r'aria-sort="(\w+)">\s*<a id="sort-name"\s+href="([^"]+)"', page
    )
    assert (direction, turned) == ("ascending", "/plans/?sort=-name")
    page = text(client, turned)
    assert names_on(page) == list(reversed(NAMES))
    assert re.search(r'aria-sort="descending">\s*<a id="sort-name"', page)
    assert [row["name"] for row in export(client, "/plans.csv?sort=name")] == list(NAMES)
    rows = client.get("/plans.json?sort=-name").json()["rows"]
    assert [row["name"] for row in rows] == list(reversed(NAMES))


def test_of_one_name_the_faster_row_comes_first_both_ways(client: Client) -> None:
    plan_at(10, "B")
    plan = plan_at(1_000, "A", region_group="asia").plan
    for rate, region in ((3_000.0, "europe"), (2_000.0, "africa")):
        make.standing(
            plan=plan, rate_per_s=rate, region_group=region, is_durable_single_writer=True
        )
    for sort, order in (("name", "AAAB"), ("-name", "BAAA")):
        page = text(client, f"/plans/?workload=commit-8k&sort={sort}")
        assert order_on(page) == order
        keys = re.findall(r'class="row"\s+id="acme-a-[^"]+-(\w+)"', page)
        assert keys == ["europe", "africa", "asia"]


def test_names_order_providers_and_drives_too(client: Client) -> None:
    for place, name in enumerate(("beta 10", "Beta 9", "alpha")):
        provider = make.provider(slug=f"p{place}", name=name)
        best = make.standing(plan=make.plan(provider=provider), is_durable_single_writer=True)
        make.provider_standing(best=best, provider=provider)
        family = make.drive_family(name=name)
        make.standing(drive_family=family, is_durable_single_writer=True)
    for board in ("/providers/", "/drives/"):
        assert names_on(text(client, f"{board}?sort=name")) == ["alpha", "Beta 9", "beta 10"]
        assert names_on(text(client, f"{board}?sort=-name")) == ["beta 10", "Beta 9", "alpha"]


def test_what_is_not_known_comes_last_both_ways(client: Client) -> None:
    plan_at(3_000, "A", p99_ns=None)
    plan_at(2_000, "B", p99_ns=1_000)
    plan_at(1_000, "C", p99_ns=2_000)
    assert order_on(text(client, "/plans/?sort=p99")) == "BCA"
    assert order_on(text(client, "/plans/?sort=-p99")) == "CBA"


@pytest.mark.usefixtures("three")
def test_columns_stand_in_the_order_of_the_board_whatever_the_address_says(client: Client) -> None:
    page = text(client, "/plans/?cols=machines,cpu,rate,tape")
    assert re.findall(r'<a id="sort-(\w+)"', page) == ["name", "rate", "p99", "machines", "cpu"]
    assert "CPU A" in page
    answer = client.get("/plans/?cols=cpu&cols=rate&plp=")
    assert answer.headers["Location"] == "/plans/?cols=rate,cpu"
    answer = client.get("/plans/", {"cols": ["rate", "cost"]})
    assert answer.headers["Location"] == "/plans/"


@pytest.mark.usefixtures("three")
def test_three_columns_leave_the_picture_and_more_take_its_place(client: Client) -> None:
    assert 'class="field"' in text(client, "/plans/?cols=rate,p50,p99").split("<table")[1]
    page = text(client, "/plans/?cols=rate,p50,p99,p999").split("<table")[1].split("</table>")[0]
    assert 'class="field' not in page
    assert "60 machines / 30 uploaders" in page.replace("\u00a0", " ")  # n is still said


def test_a_tier_is_said_once_above_its_rows(client: Client) -> None:
    for rate, name, tier in ((9_000, "A", 1), (8_900, "B", 1), (100, "C", 2)):
        plan_at(rate, name, tier=tier)
    plan_at(5_000, "D", needs_runs=True)
    lines = r'class="tier" role="row">\s*<td[^>]*><span>([^<]+)</span>'
    assert re.findall(lines, text(client, "/plans/?workload=commit-8k")) == [
        "Tier 1",
        "Tier 2",
        "Not ranked: too few uploaders, or too far apart, or not the storage that most got",
    ]
    for sort in ("p99", "cost", "-uploaders"):  # the order begins anew there, and says so
        page = text(client, f"/plans/?workload=commit-8k&sort={sort}")
        (line,) = re.findall(lines, page)
        assert line.startswith("Not ranked: ")
        assert page.index(line) < page.index(">D</a>")
        assert all(page.index(line) > page.index(f">{name}</a>") for name in "ABC")
    assert re.findall(lines, text(client, "/plans/?workload=commit-8k&sort=name")) == []
    assert re.findall(lines, text(client, "/plans/")) == []  # rows of several boards
    for board in ("workload=commit-8k&", ""):
        page = text(client, f"/plans/?{board}sort=-rate")
        assert re.findall(r'class="place">(\d+)<', page) == ["3", "2", "1"]


def test_published_rows_have_neither_tier_nor_place(client: Client) -> None:
    plan_at(100, "A", evidence=Evidence.PUBLISHED)
    for address in ("/plans/", "/plans/?workload=commit-8k"):
        page = text(client, address)
        assert 'class="tier"' not in page
        assert 'class="place"' not in page


def asked_rows(page: str) -> list[str]:
    """The keys of the rows that an address names."""
    return re.findall(r'class="row asked"\s+id="([^"]+)"', page)


def test_a_row_is_found_on_its_page_by_its_key(client: Client) -> None:
    for place in range(60):
        plan_at(5_000 - place, f"P{place:02}", workload="commit-8k-fsync", region_group="asia")
    key = "acme-p57-commit-8k-fsync-measured-asia"
    page = text(client, f"/plans/?row={key}")
    assert asked_rows(page) == [key]
    assert "Page 4 of 4, 60 in all" in page
    assert asked_rows(text(client, f"/plans/?sort=-rate&row={key}")) == [key]
    assert f'href="/plans/?row={key}#{key}"' in page
    assert "asked" not in text(client, "/plans/?row=gone")


def test_keys_of_the_page_and_of_the_database_agree(client: Client) -> None:
    plan = make.plan(name="X")
    for changes in (
        {}, {"version": 2}, {"region_group": "asia"}, {"variant": 1, "n_variants": 2},
        {"variant": 2, "n_variants": 2, "region_group": "europe", "version": 3},
    ):  # fmt: skip
        make.standing(plan=plan, is_durable_single_writer=True, **changes)
    page = text(client, "/plans/?workload=commit-8k")
    keys = re.findall(r'class="row[^"]*"\s+id="([^"]+)"', page)
    assert len(set(keys)) == 5
    for key in keys:
        assert asked_rows(text(client, f"/plans/?row={key}")) == [key]


def export(client: Client, address: str) -> list[dict[str, str]]:
    answer = client.get(address)
    assert answer.status_code == 200
    body = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]  # streamed
    return list(csv.DictReader(io.StringIO(body)))


@pytest.mark.usefixtures("three")
def test_files_hold_the_rows_columns_and_order_of_the_page(client: Client) -> None:
    state = "?sort=-p99&cols=p99,price,region,measured&cores=7"
    assert order_on(text(client, f"/plans/{state}")) == "BA"
    rows = export(client, f"/plans.csv{state}")
    kept = Standing.objects.filter(plan__vcpus__gte=7).order_by("-p99_ns")
    assert [row["p99_ns"] for row in rows] == [str(each.p99_ns) for each in kept]
    assert [row["name"] for row in rows] == ["B", "A"]
    assert [Decimal(row["price_month"]) for row in rows] == [20, 10]
    assert rows[1]["price_currency"] == "EUR"
    assert rows[1]["measured_on"] == "2026-11-01"
    assert rows[1]["n_uploaders"] == "30"
    assert rows[1]["interval_is"] == "samples"
    assert rows[1]["newest_run"].startswith("http")
    assert rows[1]["price_day"] == "2026-11-01"
    assert "rate_per_s" not in rows[0]
    document = client.get(f"/plans.json{state}").json()
    assert document["page"].endswith("/plans/?cores=7&cols=p99,price,region,measured&sort=-p99")
    assert [row["p99_ns"] for row in document["rows"]] == [each.p99_ns for each in kept]
    assert document["total"] == 2
    assert document["rows_max"] == EXPORT_ROWS_MAX


@pytest.mark.usefixtures("three")
def test_the_links_to_the_files_follow_the_filters_and_forget_the_page(client: Client) -> None:
    page = text(client, "/plans/?plp=full&page=1&needs=2&sort=p99&row=x")
    for form in ("csv", "json"):
        assert f'href="/plans.{form}?plp=full&amp;sort=p99&amp;row=x"' in page


def test_a_file_of_the_page_of_a_row_has_what_that_page_has(client: Client) -> None:
    ours = plan_at(900, "Ours").plan
    plan_at(800, "Theirs", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    make.standing(
        plan=ours, workload="direct-16k-fsync", is_durable_single_writer=True, rate_per_s=70.0
    )
    for key, names in (
        ("acme-theirs-direct-16k-fsync-published", ["Ours", "Theirs"]),  # speaks for its plan
        ("acme-ours-direct-16k-fsync-measured", ["Ours", "Theirs"]),
        ("acme-ours-commit-8k-measured", ["Ours", "Theirs"]),
    ):
        page = text(client, f"/plans/?row={key}")
        link = re.search(r'href="(/plans\.csv[^"]+)"', page)
        assert link is not None
        rows = export(client, link[1])
        assert [row["name"] for row in rows] == names == names_on(page)
        assert asked_rows(page) == [key]


def test_a_board_is_not_sorted_by_what_no_row_of_it_has(client: Client) -> None:
    plan_at(900, "Aa", p99_ns=None)
    plan_at(800, "Bb", p99_ns=None, p50_ns=300)
    page = text(client, "/plans/?cols=rate,p50,p99")
    assert re.findall(r'<a id="sort-(\w+)"', page) == ["name", "rate", "p50"]
    assert '<option value="p99"' not in page
    assert re.findall(r"<th[^>]*>\s*<span>p99</span>", page)
    plan_at(700, "Cc", p99_ns=5_000)
    assert re.findall(r'<a id="sort-(\w+)"', text(client, "/plans/?cols=rate,p50,p99")) == [
        "name", "rate", "p50", "p99",
    ]  # fmt: skip


def test_a_file_has_all_pages(client: Client) -> None:
    for place in range(60):
        plan_at(5_000 - place, f"P{place:02}")
    rows = export(client, "/plans.csv?page=2")
    assert [row["name"] for row in rows] == [f"P{place:02}" for place in range(60)]
    assert [row["position"] for row in rows] == [str(place + 1) for place in range(60)]


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@cmd", "\t=1"])
def test_a_name_does_not_become_a_formula(client: Client, name: str) -> None:
    standing = plan_at(1_000, "Evil")
    Plan.objects.filter(pk=standing.plan_id).update(name=name)
    (row,) = export(client, "/plans.csv")
    assert row["name"] == name.replace(name.lstrip(), f"'{name.lstrip()}")  # before the sign
    assert client.get("/plans.json").json()["rows"][0]["name"] == name


def test_other_lists_have_files_too(client: Client) -> None:
    best = plan_at(2_000, "Quick", cost_per_billion=Decimal(9), currency="EUR")
    make.provider_standing(best=best, cheapest=best)
    family = make.drive_family(name="Disk", rated_rand_write_iops=100_000)
    make.standing(drive_family=family, is_durable_single_writer=True, rate_per_s=250.0)
    run = measured_run(plan=best.plan, provider=best.plan and best.plan.provider)
    (provider,) = export(client, "/providers.csv")
    assert (provider["name"], provider["cost_per_billion"]) == ("Acme", "9.0000")
    (drive,) = export(client, "/drives.csv")
    assert (drive["rated_random_writes_per_s"], drive["rate_per_s"]) == ("100000", "250.0")
    assert ">400 a commit<" in text(client, "/drives/")
    (row,) = export(client, "/runs.csv?provider=acme")
    assert row["run"] == run.slug
    assert export(client, "/runs.csv?provider=nobody") == []
    assert client.get("/runs.json").json()["rows"][0]["run"] == run.slug


def many(count: int) -> None:
    for place in range(count):
        standing = plan_at(
            5_000 - place, f"P{place:03}", region_group=("asia", "europe")[place % 2],
            cost_per_billion=Decimal(place + 1), currency="EUR",
        )  # fmt: skip
        price = make.price(plan=standing.plan)
        Standing.objects.filter(pk=standing.pk).update(price=price)
        make.provider_standing(
            best=standing, provider=make.provider(name=f"Owner {place}"), cheapest=standing
        )
        make.standing(plan=standing.plan, workload="commit-8k-fsync", is_durable_single_writer=True)
        family = make.drive_family(name=f"F{place}")
        make.standing(drive_family=family, is_durable_single_writer=True)
        waiting = make.plan(name=f"W{place}")
        make.price(plan=waiting)
        measured_run(plan=standing.plan)


ADDRESSES = [
    "/plans/",
    "/plans/?row=acme-p003-commit-8k-measured-europe&sort=-cost",
    "/plans/?price_max=100&currency=USD&sort=price&q=p&provider=acme",
    f"/plans/?cols={','.join(OFFERED['plans'])}&workload=commit-8k",
    "/plans/?row=acme-p003-commit-8k-fsync-measured",
    f"/providers/?cols={','.join(OFFERED['providers'])}&sort=cost",
    f"/drives/?cols={','.join(OFFERED['drives'])}&sort=rated",
    "/runs/?level=witnessed",
    "/plans.csv?sort=measured", "/providers.json", "/drives.csv", "/runs.csv",
]  # fmt: skip


def test_many_rows_cost_no_more_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many(12)
    for address in ADDRESSES:
        with django_assert_max_num_queries(QUERIES_MAX):
            answer: Any = client.get(address)
            if answer.streaming:
                b"".join(answer.streaming_content)


def test_the_usual_columns_can_be_shown() -> None:
    for board, names in USUAL.items():
        assert set(names) <= set(OFFERED[board])

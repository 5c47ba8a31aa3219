"""Boards: order, filters, groups, pages, and what is said of a row."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.plans.models import Plan, PriceKind
from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.boards.build import words_of
from tests.pages.site import plan_at, text, volume_for_8_cents

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ILLUSTRATIVE_CHIP = '<span class="chip warn">illustrative</span>'


def test_measured_and_published_rows_are_never_one_group(client: Client) -> None:
    plan_at(900, "Mine")
    plan_at(5_000, "Theirs", evidence=Evidence.PUBLISHED)
    page = text(client, "/plans/?workload=commit-8k")
    assert page.index("Mine") < page.index("Theirs")
    assert page.count('class="group"') == 2
    assert "Sorted, not ranked." in page


def about_in(page: str, name: str) -> str:
    """What the marks of rows say under a name, the first that says anything."""
    found = re.search(rf"<dt>{name}</dt>\s*<dd>(.*?)</dd>", page, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def names_in(page: str, *names: str) -> list[str]:
    """The names in the order in which the board shows them."""
    board = page[page.index("<table") :]
    return sorted(names, key=board.index)


@pytest.mark.parametrize(
    ("sort", "order"),
    [("rate", ["Aa", "Bb", "Cc"]), ("p99", ["Bb", "Aa", "Cc"]), ("cost", ["Cc", "Bb", "Aa"])],
)
def test_the_board_is_sorted_best_first_and_unknown_last(
    client: Client, sort: str, order: list[str]
) -> None:
    plan_at(3_000, "Aa", p99_ns=2_000_000)
    plan_at(2_000, "Bb", p99_ns=1_000_000, cost_per_billion=Decimal(9), currency="EUR")
    plan_at(1_000, "Cc", p99_ns=None, cost_per_billion=Decimal(3), currency="EUR")
    page = text(client, f"/plans/?sort={sort}")
    assert names_in(page, "Aa", "Bb", "Cc") == order
    assert page.count("aria-sort=") == 1


def test_what_has_no_figure_of_the_order_stands_behind_every_class_of_work(client: Client) -> None:
    plan_at(9_000, "Silent", p99_ns=None)
    plan_at(2_000, "Timed", p99_ns=2_000_000)
    plan_at(1_000, "Heavy", workload="commit-8k-fsync", p99_ns=1_000_000)
    page = text(client, "/plans/?sort=p99")
    assert names_in(page, "Silent", "Timed", "Heavy") == ["Timed", "Heavy", "Silent"]
    assert page.index("Overwrite with a data sync, p99: not stated") < page.index(">Silent<")
    assert names_in(text(client, "/plans/?sort=-p99"), "Silent", "Timed", "Heavy") == [
        "Timed", "Heavy", "Silent",
    ]  # fmt: skip
    assert "Provider: not stated" not in text(client, "/plans/?sort=provider")


def test_costs_in_several_currencies_are_sorted_by_the_euro(client: Client) -> None:
    store_rates(
        [
            Rate(date(2026, 10, 29), "USD", Decimal(2)),  # not the newest day
            Rate(date(2026, 10, 30), "USD", Decimal("1.1")),
            Rate(date(2026, 10, 30), "JPY", Decimal(176)),
        ]
    )
    plan_at(1_000, "Dollar", cost_per_billion=Decimal(10), currency="USD")  # 9.09 euros
    plan_at(1_000, "Euro", cost_per_billion=Decimal(9), currency="EUR")
    plan_at(1_000, "Yen", cost_per_billion=Decimal(880), currency="JPY")  # 5 euros
    plan_at(1_000, "Strange", cost_per_billion=Decimal(1), currency="XTS")  # no rate
    page = text(client, "/plans/?sort=cost")
    assert names_in(page, "Dollar", "Euro", "Strange", "Yen") == [
        "Yen", "Euro", "Dollar", "Strange",
    ]  # fmt: skip


def places_in(page: str) -> list[str]:
    """The positions that the rows of a page have, in order."""
    return re.findall(r'<span class="place">(\d+)</span>', page)


def test_filters_narrow_the_board(client: Client) -> None:
    plan_at(1_000, "Kept", plp="full")
    plan_at(1_000, "Dropped", plp="none")
    page = text(client, "/plans/?plp=full")
    assert "Kept" in page
    assert "Dropped" not in page[page.index("<table") :]
    assert "<b>1</b> result" in " ".join(page.split())


def test_finding_looks_at_plan_provider_and_drive(client: Client) -> None:
    plan_at(1_000, "AX102")
    assert "AX102" in text(client, "/plans/?q=acme ax")
    assert "Nothing matches" in text(client, "/plans/?q=nobody")


def test_a_form_with_open_fields_leads_to_the_short_address(client: Client) -> None:
    answer = client.get("/plans/?provider=&plp=full&sort=")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/plans/?plp=full"


def test_htmx_gets_the_board_alone_and_caches_keep_them_apart(client: Client) -> None:
    plan_at(1_000, "Kept")
    part = client.get("/plans/", headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert 'id="board"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_going_back_in_the_history_gets_the_whole_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/plans/", headers=headers).content.decode()


def test_a_plan_that_nobody_measured_needs_runs_and_has_no_drawn_claim(client: Client) -> None:
    waiting = make.plan(name="EX44", storage_description="2 x 512 GB NVMe")
    make.price(plan=waiting, amount=Decimal("39.00"), valid_from=date(2025, 8, 1))
    page = text(client, "/plans/")
    needs = page[page.index("Waiting for a first run") :]
    assert "EX44" in needs
    assert "€39.00 /mo" in needs
    assert "<svg" not in needs[: needs.index("</details>")]


def test_a_machine_as_its_owner_named_it_does_not_need_runs(client: Client) -> None:
    make.plan(name="My box", is_listed=False)
    assert "My box" not in text(client, "/plans/")


def test_what_needs_runs_is_paged(client: Client) -> None:
    owner = make.provider(name="Owner")
    for place in range(45):
        make.plan(provider=owner, name=f"Plan {place:03}", slug=f"owner-{place:03}")
    page = text(client, "/plans/?needs=3")
    assert "Plan 044" in page
    assert "Plan 020" not in page
    assert "Page 3 of 3, 45 in all" in page


def test_a_page_beyond_the_last_is_the_last(client: Client) -> None:
    plan_at(1_000, "Kept")
    assert "Kept" in text(client, "/plans/?page=77")


def test_numbers_go_on_over_pages_and_start_anew_in_each_group(client: Client) -> None:
    for place in range(20):
        plan_at(1_000 - place, f"P{place:02}")
    plan_at(1, "Last", evidence=Evidence.PUBLISHED)
    page = text(client, "/plans/?page=2")
    assert places_in(page) == ["19", "20"]
    assert "P19" in page
    assert ">Last<" in page


def test_a_stale_price_is_grey_and_its_mark_says_so(client: Client) -> None:
    standing = plan_at(1_000, "Old", cost_per_billion=Decimal(9), currency="EUR")
    assert standing.plan
    standing.price = make.price(plan=standing.plan, valid_from=date(2024, 3, 6))
    standing.save()
    page = text(client, "/plans/")
    assert "2024-03-06, old" in about_in(page, "Price")
    assert "cell-main soft old" in page


def test_a_warning_stands_behind_the_mark_of_its_row_which_warns(client: Client) -> None:
    plan_at(1_000, "One", warnings=["Illustrative."], is_illustrative=True)
    plan_at(2_000, "Two")
    page = text(client, "/plans/?workload=commit-8k")
    assert page.count("Illustrative.") == 1
    assert about_in(page, "Note") == "Illustrative."
    assert re.findall(r'<details class="(about[^"]*)"', page) == ["about", "about warns"]
    assert page.count(ILLUSTRATIVE_CHIP) == 1


def test_a_figure_that_is_no_sample_is_not_marked_as_one(client: Client) -> None:
    plan_at(1_000, "One", filesystems=["ext4", "xfs"])
    assert ILLUSTRATIVE_CHIP not in text(client, "/plans/")


def test_a_provider_shows_its_fastest_plan_and_its_cheapest(client: Client) -> None:
    fast = plan_at(9_000, "Quick", cost_per_billion=Decimal(90), currency="EUR")
    cheap = plan_at(1_000, "Frugal", cost_per_billion=Decimal(3), currency="EUR")
    assert cheap.plan
    cheap.price = make.price(plan=cheap.plan)
    cheap.save()
    make.provider_standing(best=fast, cheapest=cheap, n_plans=2)
    page = text(client, "/providers/")
    assert 'class="under" title="Quick"' in page
    assert "Frugal" in page
    assert "€3.00" in page


def test_a_provider_without_figures_needs_runs(client: Client) -> None:
    make.plan(provider=make.provider(name="Quiet Ltd"))
    page = text(client, "/providers/")
    assert "Quiet Ltd" in page[page.index("Waiting for a first run") :]


def test_one_price_of_a_month_stands_everywhere_and_the_hour_below_it(client: Client) -> None:
    """Where a plan is listed by the hour and by the month, the month is what it is billed by."""
    plan = make.plan(slug="acme-capped", name="Capped")
    for amount, period, region in (("0.0088", "hour", "fsn1"), ("5.99", "month", "DE; FI")):
        make.price(plan=plan, amount=Decimal(amount), period=period, region=region)
    waiting = words_in(client, "/plans/").split('id="needs"')[1]
    assert "€5.99 /mo" in waiting
    assert "/h<" not in waiting
    hourly = make.plan(slug="acme-hourly", name="Hourly")
    price = make.price(plan=hourly, amount=Decimal("1.444162"), period="hour")
    waiting = words_in(client, "/plans/?q=hourly").split('id="needs"')[1]
    assert "€1,054 /mo" in waiting
    assert "€1.444 /h" not in waiting  # its page says how it is listed
    make.standing(
        plan=hourly, is_durable_single_writer=True, price=price, currency="EUR",
        cost_per_billion=Decimal(57),
    )  # fmt: skip
    board = words_in(client, "/plans/")
    assert board.index("€1,054 /mo") < board.index("€1.444 /h")
    assert board.count("€1.444 /h") == 1  # behind the mark
    page = words_in(client, "/plans/acme-hourly/")
    assert page.index("€1,054 /mo") < page.index("€1.444 /h")


def words_in(client: Client, address: str) -> str:
    """A page with its white space in order."""
    return " ".join(text(client, address).split())


# --- the three lines of a row ---


def test_p99_stands_below_the_rate_unless_it_has_a_column(client: Client) -> None:
    plan_at(900, "Aa", p99_ns=145_000)
    page = words_of(client, "/plans/")
    assert '<span class="cell-note">p99 <span class="fig">145' in page
    assert 'id="sort-p99"' in page
    chosen = words_of(client, "/plans/?cols=rate,p99")
    assert '<span class="cell-note">p99' not in chosen
    by_p99 = words_of(client, "/plans/?sort=p99")
    assert by_p99.count('class="now"') == 1
    assert 'aria-sort="ascending"' in by_p99


def test_without_any_p99_nobody_can_sort_by_it(client: Client) -> None:
    plan_at(900, "Aa", p99_ns=None)
    assert "sort-p99" not in words_of(client, "/plans/")


def test_a_price_that_does_not_hold_any_more_is_one_that_was(client: Client) -> None:
    standing = plan_at(900, "Aa", cost_per_billion=Decimal("2.76"), currency="EUR")
    price = make.price(plan=standing.plan, amount=Decimal(199), kind=PriceKind.SUPERSEDED)
    Standing.objects.filter(pk=standing.pk).update(price=price)
    page = words_of(client, "/plans/")
    assert '<span class="was">was</span> €2.76' in page
    assert "superseded" in page


def test_a_volume_costs_what_the_advisor_takes_for_it(client: Client) -> None:
    volume_for_8_cents()
    for address in ("/plans/", "/providers/", "/plans/?cols=rate,price"):
        page = words_of(client, address)
        assert "$7.52 /mo" in page  # 100 GB are 94 GiB
        assert "100 GB" in page
        assert "no price" not in page
    assert "The price is without a server." in words_of(client, "/plans/")


def test_a_volume_without_a_list_price_has_none(client: Client) -> None:
    standing = plan_at(900, "Disk")
    Plan.objects.filter(pk=standing.plan_id).update(kind="volume", drive_gb=None)
    assert "no price" in words_of(client, "/plans/")

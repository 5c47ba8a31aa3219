"""Every filter of the boards keeps exactly the rows that it says, and offers what rows have."""

from __future__ import annotations

import html
import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.show.table.rows import key_of
from apps.plans.models import HOME_PROVIDER, UNLISTED_PROVIDER, Plan, Price, Provider
from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.boards.build import facts, names_on, options, priced, singles_on, words_of
from tests.pages.site import plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> tuple[Standing, Standing]:
    """A small cloud plan and a large dedicated one."""
    fast = make.ladder_class(slug="nvme-plp", name="NVMe with PLP")
    slow = make.ladder_class(slug="network", name="Network volume")
    small = plan_at(
        1_000, "Small", p99_ns=3_000_000, n_uploaders=2, n_machines=2, plp="none",
        region_group="asia", ladder_class=slow,
    )  # fmt: skip
    large = plan_at(
        9_000, "Large", p99_ns=400_000, n_uploaders=7, n_machines=12, plp="full",
        region_group="europe", ladder_class=fast,
    )  # fmt: skip
    facts(small, kind="cloud", storage_kind="network", arch="arm64", vcpus=2, ram_gb=4)
    facts(large, kind="dedicated", storage_kind="local-nvme", arch="x86_64", vcpus=32, ram_gb=128)
    return small, large


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("", {"Small", "Large"}),
        ("kind=dedicated", {"Large"}),
        ("storage=network", {"Small"}),
        ("media=nvme-plp", {"Large"}),
        ("arch=arm64", {"Small"}),
        ("plp=none", {"Small"}),
        ("region=europe", {"Large"}),
        ("cores=2", {"Small", "Large"}),
        ("cores=3", {"Large"}),
        ("ram=128", {"Large"}),
        ("ram=129", set()),
        ("p99_ms=0.4", {"Large"}),
        ("p99_ms=0.39", set()),
        ("p99_ms=3", {"Small", "Large"}),
        ("uploaders=3", {"Large"}),
        ("machines=12", {"Large"}),
        ("evidence=published", set()),
        ("evidence=measured&kind=cloud", {"Small"}),
        ("kind=not-stated", set()),
    ],
)
@pytest.mark.usefixtures("two")
def test_a_filter_keeps_what_it_says(client: Client, asked: str, kept: set[str]) -> None:
    page = text(client, f"/plans/?{asked}")
    assert names_on(page) == kept
    assert f"<b>{len(kept)}</b>" in page
    assert ("Nothing matches" in page) == (not kept)


def test_prices_are_bounded_in_a_currency_by_the_bank_s_newest_rates(client: Client) -> None:
    store_rates(
        [
            Rate(date(2026, 10, 29), "USD", Decimal(4)),  # not the newest day
            Rate(date(2026, 10, 30), "USD", Decimal("1.25")),
        ]
    )
    priced("Euro", "40", "EUR")
    priced("Dollar", "60", "USD")  # 48 euros
    priced("Hourly", "0.1", "EUR", Price.Period.HOUR)  # 73 euros a month
    priced("Strange", "1", "XTS")  # no rate: nobody can say
    plan_at(1_000, "Unpriced")
    page = text(client, "/plans/?price_max=48")
    assert names_on(page) == {"Euro", "Dollar"}
    said = "The bounds are converted by the ECB rates of 2026-10-30; rows keep their own currency."
    assert said in " ".join(page.split())
    assert '<details class="more" id="more" open>' in text(client, "/plans/?currency=USD")
    assert names_on(text(client, "/plans/?price_max=47.99")) == {"Euro"}
    assert names_on(text(client, "/plans/?price_min=60&currency=USD")) == {"Dollar", "Hourly"}
    assert names_on(text(client, "/plans/?price_min=41&price_max=73")) == {"Dollar", "Hourly"}


def test_what_waits_is_narrowed_by_what_is_known_of_it(client: Client) -> None:
    plan_at(1_000, "Done")
    for name, amount in (("Cheap", "5"), ("Dear", "500")):
        plan = make.plan(name=name, slug=f"x-{name.lower()}", kind="vps", vcpus=4)
        make.price(plan=plan, amount=Decimal(amount), currency="EUR")

    def waiting(asked: str) -> set[str]:
        page = text(client, f"/plans/?{asked}")
        found = page.split('id="needs"')[1] if 'id="needs"' in page else ""
        return {name for name in ("Cheap", "Dear") if f">{name}<" in found}

    assert waiting("") == waiting("workload=commit-8k") == {"Cheap", "Dear"}
    assert waiting("price_max=10") == {"Cheap"}
    dear = Plan.objects.get(slug="x-dear")
    make.price(plan=dear, amount=Decimal(4), currency="EUR", term_months=24)
    make.price(plan=dear, amount=Decimal(3), currency="EUR", valid_from=date(2020, 1, 1))
    assert waiting("price_max=10") == {"Cheap"}  # what the row shows is what is filtered
    assert waiting("kind=vps&cores=4") == {"Cheap", "Dear"}
    assert waiting("cores=5") == set()
    assert waiting("uploaders=1") == set()  # only runs show it


@pytest.mark.usefixtures("two")
def test_only_what_has_rows_can_be_chosen(client: Client) -> None:
    other = plan_at(5, "Other", workload="commit-8k-fsync", region_group="oceania", plp="partial")
    facts(other, kind="vps", storage_kind="network", arch="arm64")
    page = text(client, "/plans/")
    assert options(page, "region") == ["europe", "asia", "oceania"]  # which leads to the other
    assert options(page, "kind") == ["dedicated", "vps"]
    assert options(page, "storage") == ["local-nvme", "network"]
    assert options(page, "media") == ["nvme-plp", "network"]
    assert options(page, "plp") == ["full", "partial", "none"]
    assert options(page, "arch") == ["arm64", "x86_64"]
    assert options(page, "cores") == ["2", "4", "8", "16", "32"]
    assert options(page, "uploaders") == ["2", "3", "5"]
    assert options(page, "provider") == []  # one alone is no choice
    assert options(page, "evidence") == []
    assert options(page, "p99_ms")


@pytest.mark.parametrize("kind", ["vps", "cloud"])
def test_a_virtual_machine_is_one_kind_by_either_name(client: Client, kind: str) -> None:
    for name, of in (("Vee", "vps"), ("Cee", "cloud"), ("Metal", "dedicated")):
        facts(plan_at(900, name), kind=of)
    waits = make.plan(provider=Provider.objects.get(slug="acme"), slug="acme-w", kind="cloud")
    page = text(client, f"/plans/?kind={kind}")
    assert names_on(page) == {"Vee", "Cee"}
    assert waits.name in page.split('id="needs"')[1]
    assert options(page, "kind") == ["dedicated", "vps"]
    assert re.search(r'<option value="vps"\s+selected>\s*VPS or cloud instance\s*</option>', page)


@pytest.mark.usefixtures("two")
def test_what_is_on_can_be_taken_off_one_by_one(client: Client) -> None:
    page = text(client, "/plans/?kind=cloud&plp=none&cols=rate,p99&sort=p99&page=3")
    tokens = page.split('class="tokens taps"')[1].split("</ul>")[0]
    assert re.findall(r'href="([^"]+)"', tokens) == [
        "/plans/?kind=vps&amp;cols=rate,p99&amp;sort=p99",
        "/plans/?plp=none&amp;cols=rate,p99&amp;sort=p99",
        "/plans/?cols=rate,p99&amp;sort=p99",
    ]
    assert '<details class="more" id="more" open>' in page
    assert '<details class="more" id="more">' in text(client, "/plans/?plp=none")


def test_a_board_of_one_workload_has_its_rows_alone(client: Client) -> None:
    for name in ("A", "B", "C"):
        plan_at(100, f"Theirs{name}", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    plan_at(100, "Reads", workload="read-4k-floor", is_durable_single_writer=False)
    plan_at(100, "Ours")
    page = text(client, "/plans/")
    assert names_on(page) == {"Ours", "TheirsA", "TheirsB", "TheirsC"}
    words = " ".join(page.split())
    assert re.search('what a WAL does</a> <span class="fig">1<', words)
    assert re.search('16 KiB page, O_DIRECT, fsync</a> <span class="fig">3<', words)
    assert names_on(text(client, "/plans/?workload=commit-8k")) == {"Ours"}
    assert names_on(text(client, "/plans/?workload=read-4k-floor")) == {"Reads"}
    assert names_on(text(client, "/plans/?q=theirsb")) == {"TheirsB"}
    assert names_on(text(client, "/plans/?q=theirsb&workload=commit-8k")) == set()


def test_evidence_stays_apart_and_published_comes_after_measured(client: Client) -> None:
    for name, evidence in (
        ("Mine", Evidence.MEASURED), ("Theirs", Evidence.PUBLISHED), ("Pretend", Evidence.EXAMPLE),
    ):  # fmt: skip
        plan_at(100, f"{name}1", evidence=evidence)
        plan_at(100, f"{name}2", evidence=evidence)
    page = text(client, "/plans/?workload=commit-8k")
    order = ["Mine1", "Mine2", "Theirs1", "Theirs2"]
    assert sorted(order, key=page.index) == order
    assert page.count('class="group"') == 2
    page = text(client, "/plans/?workload=commit-8k&evidence=example")
    assert names_on(page) == {"Pretend1", "Pretend2"}
    assert "Sorted, not ranked." not in page


@pytest.mark.parametrize("asked", ["", "provider=acme&sort=cost", "plp=none"])
def test_what_is_made_up_stands_back_while_anything_else_passes(client: Client, asked: str) -> None:
    pretended = plan_at(9_000, "Pretend", evidence=Evidence.EXAMPLE, plp="none")
    assert names_on(text(client, f"/plans/?{asked}")) == {"Pretend"}
    theirs = {"workload": "direct-16k-fsync", "plp": "none"}
    plan_at(100, "Theirs", evidence=Evidence.PUBLISHED, **theirs)
    plan_at(900, "Other", evidence=Evidence.EXAMPLE, **theirs)
    page = text(client, f"/plans/?{asked}")
    assert names_on(page) == {"Theirs"}
    assert "<b>1</b> result" in " ".join(page.split())
    link = re.search(r'<a href="([^"]+)">made-up example \((\d)\)', page)
    assert link is not None
    assert link[2] == "2"
    assert names_on(text(client, html.unescape(link[1]))) == {"Other", "Pretend"}
    assert names_on(text(client, f"/plans/?row={key_of(pretended)}")) == {
        "Other", "Pretend", "Theirs",
    }  # fmt: skip
    assert [row["name"] for row in client.get(f"/plans.json?{asked}").json()["rows"]] == ["Theirs"]
    # Nobody measured a plan of which only something made up is known.
    assert "Pretend" in text(client, "/plans/").split('id="needs"')[1]
    pinned = text(client, "/plans/?workload=direct-16k-fsync")
    assert names_on(pinned) == {"Theirs"}
    assert ">made-up example (1)<" in " ".join(pinned.split())
    assert names_on(text(client, "/plans/?workload=commit-8k")) == {"Pretend"}


@pytest.mark.parametrize("address", ["/plans/", "/providers/"])
def test_filters_never_lead_to_what_is_made_up(client: Client, address: str) -> None:
    for name in ("A", "B"):
        pretended = plan_at(900, name, evidence=Evidence.EXAMPLE)
        facts(pretended, arch="arm64", kind="cloud")
    pretended = plan_at(900, "C", evidence=Evidence.EXAMPLE, workload="direct-16k-fsync")
    facts(pretended, arch="arm64")
    plan_at(900, "Theirs", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    page = words_of(client, f"{address}?arch=arm64")
    assert "Nothing matches" in page
    assert names_on(page) == set()
    n_made_up = 3 if address == "/plans/" else 1
    link = re.search(rf'<a href="([^"]+)">made-up example \({n_made_up}\)', page)
    assert link is not None
    assert len(names_on(text(client, html.unescape(link[1])))) == n_made_up
    page = words_of(client, f"{address}?kind=cloud&workload=direct-16k-fsync")
    assert "made-up example (" not in page  # there is not even one of this workload


def test_what_is_chosen_stays_chosen_where_no_row_has_it(client: Client) -> None:
    other = make.plan(provider=make.provider(slug="other", name="Other Ltd"))
    make.standing(plan=other, is_durable_single_writer=True, evidence=Evidence.EXAMPLE)
    plan_at(900, "Theirs", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    page = words_of(client, "/plans/?provider=other")
    assert names_on(page) == set()
    assert '<option value="other" selected>Other Ltd</option>' in tight(page)


def of_home(name: str, *, slug: str = HOME_PROVIDER, **changes: object) -> Standing:
    """A standing of a machine of somebody at home, or of another stand-in."""
    provider = Provider.objects.get_or_create(slug=slug, defaults={"name": slug.title()})[0]
    plan = make.plan(provider=provider, slug=f"{slug}-{name.lower()}", name=name, is_listed=False)
    return make.standing(plan=plan, **{"is_durable_single_writer": True, **changes})


@pytest.mark.parametrize("form", ["plans", "providers"])
def test_machines_that_nobody_rents_out_stand_back(client: Client, form: str) -> None:
    theirs = {"evidence": Evidence.PUBLISHED}
    plan_at(100, "Rented", workload="direct-16k-fsync", **theirs)
    of_home("Mine", workload="direct-16k-fdatasync", region_group="asia", **theirs)
    of_home("Mine2", workload="direct-16k-fdatasync", **theirs)
    mine = of_home("Mine3", workload="direct-16k-fsync", **theirs)
    of_home("Reads", workload="read-4k-floor", is_durable_single_writer=False)
    of_home("Pretend", workload="direct-16k-fsync", evidence=Evidence.EXAMPLE)
    of_home("Claimed", workload="direct-16k-fsync", slug=UNLISTED_PROVIDER, **theirs)
    address, one = f"/{form}/", {"Rented"} if form == "plans" else {"Acme"}
    page = words_of(client, address)
    assert names_on(page) == one  # and most figures are of another workload, at home
    # Nothing of people at home is offered by itself.
    assert singles_on(page) == {"direct-16k-fsync": 1}
    link = re.search(r"""<a href="([^"]+)">machine of one's own \(3\)""", page)
    assert link is not None
    assert html.unescape(link[1]) == "/plans/?provider=home"
    assert names_on(text(client, html.unescape(link[1]))) == {"Mine", "Mine2", "Mine3"}
    assert ">provider not listed (1)<" in page
    assert names_on(text(client, "/plans/?provider=unlisted")) == {"Claimed"}
    rows = client.get(f"/{form}.json").json()["rows"]
    assert {row["name"] for row in rows} == one
    kept = text(client, f"/plans/?row={key_of(mine)}")
    assert names_on(kept) == {"Rented", "Mine", "Mine2", "Mine3", "Claimed"}
    pinned = text(client, f"/plans/?row={key_of(mine)}&workload=direct-16k-fsync")
    assert names_on(pinned) == {"Rented", "Mine3", "Claimed"}
    assert "own (" not in kept
    assert "own (" not in words_of(client, "/plans/?kind=home")
    nothing = words_of(client, f"{address}?q=mine2")
    assert "Nothing matches" in nothing
    assert "own (1)<" in nothing


def test_a_row_that_leads_to_its_own_work_counts_what_is_left_out_of_that(client: Client) -> None:
    plan_at(100, "Rented", workload="direct-16k-fsync", evidence=Evidence.PUBLISHED)
    named = plan_at(900, "Reader", workload="read-4k-floor", is_durable_single_writer=False)
    of_home("Mine", workload="direct-16k-fsync")
    of_home("Mine2", workload="read-4k-floor", is_durable_single_writer=False)
    of_home("Mine3", workload="read-4k-floor", is_durable_single_writer=False)
    page = words_of(client, f"/plans/?row={key_of(named)}")
    assert names_on(page) == {"Reader"}
    assert "own (2)<" in page


def test_words_of_what_is_chosen_are_not_those_of_machines_that_nobody_rents_out(
    client: Client,
) -> None:
    plan_at(100, "Rented")
    of_home("Mine", ladder_class=make.ladder_class(slug="optane", name="Optane NVMe"))
    assert "Optane" not in text(client, "/plans/?media=optane")


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ("region=mars", ["region=mars"]),
        ("sort=zzz&cores=many", ["sort=zzz", "cores=many"]),
        ("price_max=1.000,5&p99_ms=2", ["price_max=1.000,5"]),
        ("region=asia&sort=-p99&cores=0&price_min=0&currency=USD&ram=2", []),
    ],
)
def test_a_condition_that_is_not_understood_is_named(
    client: Client, asked: str, lost: list[str]
) -> None:
    plan_at(100, "Ours")
    page = words_of(client, f"/plans/?{asked}")
    assert re.findall("“([^“]+)” is not understood", page) == lost


@pytest.mark.parametrize("address", ["/drives/", "/providers/"])
def test_other_boards_have_filters_of_their_own(client: Client, address: str) -> None:
    for name, plp in (("One", "full"), ("Two", "none")):
        owned = make.plan(provider=make.provider(name=f"{name} Ltd"))
        make.standing(plan=owned, plp=plp, is_durable_single_writer=True, n_uploaders=3)
        family = make.drive_family(name=f"{name} SSD", plp=plp)
        make.standing(drive_family=family, plp=plp, is_durable_single_writer=True, n_uploaders=3)
    kept = names_on(text(client, f"{address}?plp=full&uploaders=2"))
    assert len(kept) == 1
    assert next(iter(kept)).startswith("One")
    assert names_on(text(client, f"{address}?uploaders=4")) == set()


def test_protection_that_nobody_states_is_unknown_whichever_way_a_row_says_it(
    client: Client,
) -> None:
    for plp in ("", "unknown", "none", "partial", "full"):
        plan_at(1_000, f"PLP-{plp or 'blank'}", plp=plp)
    assert names_on(text(client, "/plans/?plp=unknown")) == {"PLP-blank", "PLP-unknown"}
    assert names_on(text(client, "/plans/?plp=none")) == {"PLP-none"}

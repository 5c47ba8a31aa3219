"""The advisor's page: the answer with everything it rests on, and questions that make no sense."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.pages.advisor.forms import AdviceForm, short_query
from apps.plans.models import Plan, Provider
from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from apps.rankings.advice.lottery import store_lotteries
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import main, text, tight

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
FIELDS = sorted(AdviceForm.base_fields)


@pytest.fixture(autouse=True)
def rates() -> None:
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])


def answer(client: Client, query: str = "") -> str:
    """The page without line breaks, so that sentences can be read in it."""
    return " ".join(text(client, f"/advisor/{query}").split())


def plan_with(
    name: str, rate: float, *, month: int | None = 39, plan: dict[str, Any] | None = None, **of: Any
) -> Plan:
    """Return a priced plan of Acme with a ranked standing at a rate."""
    owner = Provider.objects.get_or_create(slug="acme", defaults={"name": "Acme"})[0]
    made = make.plan(
        provider=owner, slug=f"acme-{name.lower()}", name=name,
        **{"kind": "cloud", "regions": "fsn1", "storage_kind": "local-nvme", **(plan or {})},
    )  # fmt: skip
    if month is not None:
        make.price(plan=made, amount=Decimal(month), valid_from=date(2026, 11, 1))
    fields = {
        "rate_per_s_low": rate * 0.9, "rate_per_s_high": rate * 1.1, "interval_is": "uploaders",
        "n_uploaders": 4, "n_machines": 6, "n_runs": 9, "p99_ns": 400_000, "p50_ns": 150_000,
        "is_durable_single_writer": True,
        "newest_run_slug": make.run(measured_at=datetime(2026, 9, 1, tzinfo=UTC)).slug,
    }  # fmt: skip
    make.standing(plan=made, rate_per_s=rate, **{**fields, **of})
    return made


def head_of(page: str) -> str:
    """The answer: its sentence, its figure, and how sure it is."""
    return tight(page[page.index('<div class="answer">') : page.index("</section>")])


def row_of(page: str, name: str) -> str:
    """The row of a plan, with what stands behind its mark."""
    row = page[page.index(f'id="plan-acme-{name.lower()}"') :]
    return tight(row[: row.index("</tr>")])


def word_of(page: str, name: str) -> tuple[str, str]:
    """The word of a plan and its margin, as its row shows them."""
    found = re.search(r'<b>([^<]+)</b><span class="cell-note">([^<]*)</span>', row_of(page, name))
    assert found
    return found[1], found[2]


def test_the_sentence_names_the_cheapest_with_its_price_margin_and_basis(client: Client) -> None:
    plan_with("Dear", 9_000, month=90)
    cheap = plan_with("Cheap", 6_135, month=39)
    page = answer(client, "?rate=5000")
    head = head_of(page)
    assert "Cheap is the cheapest for 5,000/s." in head
    assert "\u20ac39.00" in head
    assert "Firm: at least 1.1 times what you need, 4 uploaders" in head
    row = row_of(page, "Cheap")
    for said in ("\u20ac39.00", "2026-11-01", "6,135", "5,522\u20136,749", "4 uploaders"):
        assert said in row, said
    assert "2026-09-01" in row
    assert f'href="/runs/{cheap.standings.get().newest_run_slug}/"' in row


def test_each_row_has_its_word_margin_and_shape(client: Client) -> None:
    plan_with("Sure", 9_000)
    plan_with("Near", 5_200)
    plan_with("Article", 90_000, evidence=Evidence.PUBLISHED)
    plan_with("Slow", 800)
    plan_with("Far", 800, needs_runs=True)
    plan_with("Unsaid", 9_000, plan={"regions": ""})
    make.plan(name="Nobody", kind="cloud")
    page = answer(client, "?rate=5000&region=fsn1")
    words = {
        name: word_of(page, name) for name in ("Sure", "Article", "Near", "Unsaid", "Far", "Slow")
    }
    assert words == {
        "Sure": ("Firm", "1.6\u00d7"),
        "Article": ("Likely", "16\u00d7"),
        "Near": ("Borderline", "0.94\u00d7"),
        "Unsaid": ("Borderline", "1.6\u00d7"),
        "Far": ("Unlikely", "0.14\u00d7"),
        "Slow": ("Firm: fails", "0.18\u00d7"),
    }
    for state in ("firm", "borderline", "unlikely", "fails"):
        assert f'class="shape {state}"' in page
    assert "720 syncs a second can be counted on, 5,000 are needed." in page
    assert "Whether it is offered in fsn1 is not stated." in page
    assert "Nobody" in page[page.index("Which were not measured with such work?") :]


def test_every_assumption_is_said_and_leads_to_its_field(client: Client) -> None:
    plan_with("Sure", 9_000)
    page = answer(client, "?rate=5000&p99=2&currency=USD")
    assumed = page[page.index('<dl class="assumed">') : page.index("Send it to a colleague")]
    for said in ("low end", "p99.9 of all their commits", "730 hours", "VAT", "2026-10-30"):
        assert said in assumed, said
    fields = set(re.findall(r'href="#(ask-\w+)"', assumed))
    assert len(fields) == 8
    for field in fields:
        assert f'id="{field}"' in page
    assert "39.00 EUR at 1 EUR = 1.2500 USD" in page


def test_a_p99_is_typical_and_no_promise(client: Client) -> None:
    plan_with("Quick", 9_000)
    assert word_of(answer(client, "?rate=5000"), "Quick") == ("Firm", "1.6\u00d7")
    page = answer(client, "?rate=5000&p99=2")
    assert word_of(page, "Quick") == ("Likely", "1.1\u00d7")
    assert "half of the uploaders saw a slower p99 than this" in page.lower()
    assert 'class="limit p99" x1="71.68%"' in page  # 2 ms: 4.3 decades of 6


@pytest.mark.parametrize(("amount", "unit"), [("2", "ms"), ("2000", "us"), ("0.002", "s")])
def test_a_p99_in_any_unit_is_the_same(client: Client, amount: str, unit: str) -> None:
    plan_with("Quick", 9_000)
    assert "2 ms are allowed." in answer(client, f"?rate=5000&p99={amount}&p99_unit={unit}")


def test_articles_answer_where_nobody_measured_and_it_is_said(client: Client) -> None:
    plan_with("Cited", 9_000, workload="fallocated-8k-fsync", evidence=Evidence.PUBLISHED, n_runs=1)
    page = answer(client, "?rate=5000")
    assert "1 published run" in head_of(page)
    assert "“overwrite, fdatasync” was not measured: “new file, fsync” stands for it." in page
    plan_with("Measured", 9_500)
    page = answer(client, "?rate=5000")
    assert "4 uploaders" in head_of(page)
    assert "Cited" in page


def test_what_its_article_calls_illustrative_is_marked_so(client: Client) -> None:
    chip = '<span class="chip warn">illustrative</span>'
    shown: dict[str, Any] = {"workload": "fallocated-8k-fsync", "evidence": Evidence.PUBLISHED}
    plan_with("Cited", 9_000, **shown)
    assert chip not in answer(client, "?rate=5000")
    plan_with(
        "Sampled", 9_000, **shown, warnings=["Illustrative: a sample run."], is_illustrative=True
    )
    page = answer(client, "?rate=5000")
    row = page[page.index('id="plan-acme-sampled"') :]
    assert chip in row[: row.index("</th>")]


def test_made_up_figures_answer_nothing(client: Client) -> None:
    plan_with("Example", 9_000, evidence=Evidence.EXAMPLE)
    page = answer(client, "?rate=5000")
    assert "The 1 plan in question was not measured with such work." in page
    assert "9,000" not in page


def test_an_empty_site_says_what_is_missing(client: Client) -> None:
    page = answer(client)
    assert "No listed plan is left" in page
    assert "<table" not in page


def test_the_shipped_catalogue_answers_the_journey(client: Client) -> None:
    load_catalogue()
    page = answer(client, "?rate=5000&p99=2")
    assert "AX102 + 15.36 TB NVMe DC drive is the cheapest for 5,000/s within 2" in head_of(page)
    assert "Borderline: at least 1.2 times what you need, 1 published run" in head_of(page)
    row = page[page.index('id="plan-hetzner-ax102-15-36') :]
    row = row[: row.index("</tr>")]
    for said in (
        "8,306\u201310,842",
        "1 published run, 2025-11-11",
        "2025-11-01",
        "Hetzner AX102 Review",
    ):
        assert said in row, said


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("rate=", "rate", "Write a number, such as 5000."),
        ("rate=abc", "rate", "Write a number, such as 5000."),
        ("rate=0", "rate", "From 1 to 10,000,000."),
        ("rate=-5", "rate", "From 1 to 10,000,000."),
        ("rate=1000000000000", "rate", "From 1 to 10,000,000."),
        (f"rate={'9' * 24}", "rate", "From 1 to 10,000,000."),
        (f"rate={'9' * 500}", "rate", "Write a number, such as 5000."),
        ("rate=2,5", "rate", "Write a number, such as 5000."),
        (f"budget={'9' * 24}", "budget", "More than 0, 1,000,000,000 at most."),
        ("p99=2&p99_unit=weeks", "p99_unit", "Choose one of the list."),
        ("p99=fast", "p99", "Write a number, such as 0.5."),
        ("p99=0", "p99", "More than 0, a minute at most."),
        ("p99=1e999999", "p99", "More than 0, a minute at most."),
        ("p99=NaN", "p99", "Write a number"),
        ("budget=-1", "budget", "More than 0, "),
        ("budget=0.345", "budget", "Write a number, such as 49.90."),
        ("rate=1.000", "rate", "“1.000” can be read in two ways. Write 1000 or 1."),
        ("p99=12.500", "p99", "“12.500” can be read in two ways. Write 12500 or 12.5."),
        ("rate=1.000.000", "rate", "Write a number, such as 5000."),
        ("currency=QQQ", "currency", "Choose one of the list."),
        ("software=oracle", "software", "Choose one of the list."),
        ("sessions=0", "sessions", "From 1 to 10,000."),
        ("capacity_gb=-1", "capacity_gb", "From 0 to "),
        ("ram_gb=999999999", "ram_gb", "From 0 to "),
        ("vcpus=x", "vcpus", "Write a number, such as 8."),
        ("region=atlantis", "region", "We know no such region."),
        ("kind=castle", "kind", "Choose one of the list."),
        ("provider=nobody", "provider", "Choose one of the list."),
    ],
)
def test_a_mistake_is_said_beside_its_field_and_nothing_is_lost(
    client: Client, query: str, field: str, says: str
) -> None:
    page = answer(client, f"?{query}&budget=77" if "budget" not in query else f"?{query}&p99=77")
    beside = page[page.index(f'id="wrong-{field}"') :]
    assert says in beside[: beside.index("</p>")]
    assert "The question cannot be read" in page
    assert 'value="77"' in page
    assert "<table" not in page


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    asked=st.dictionaries(
        st.sampled_from(FIELDS),
        st.one_of(
            st.integers(-(10**30), 10**30).map(str),
            st.decimals(allow_nan=True, allow_infinity=True).map(str),
            st.text(max_size=80),
            st.sampled_from(
                ["0", "1e9", "-0", "0x10", "١٢", "१२३", "1_000", "NaN", "\x00", "true"]
            ),
        ),
        max_size=6,
    )
)
def test_whatever_is_asked_is_answered_or_refused_with_words(
    client: Client, asked: dict[str, str]
) -> None:
    page = client.get("/advisor/", asked, follow=True)
    assert page.status_code == 200
    shown = page.content.decode()
    assert 'id="verdict-title"' in shown or "The question cannot be read" in shown


def test_an_address_is_as_short_as_can_be(client: Client) -> None:
    long = "rate=5000&p99=&budget=&software=commits&currency=EUR&sessions=1&p99_unit=ms&region=&x=1"
    moved = client.get(f"/advisor/?{long}")
    assert moved.status_code == 302
    assert moved.headers["Location"] == "/advisor/?rate=5000"
    assert client.get("/advisor/?rate=").status_code == 200  # a mistake is shown, not sent away
    assert 'id="answer-link">http' in text(client, "/advisor/?rate=5000")


def test_htmx_gets_the_answer_and_the_complaints(client: Client) -> None:
    plan_with("Quick", 9_000)
    headers = {"HX-Request": "true"}
    part = client.get("/advisor/?rate=abc&p99=", headers=headers).content.decode()
    assert "<html" not in part
    assert 'id="wrong-rate" hx-swap-oob="true">Write a number' in part
    assert 'id="wrong-p99" hx-swap-oob="true"></p>' in part
    good = client.get("/advisor/?rate=5000", headers=headers).content.decode()
    assert 'id="wrong-rate" hx-swap-oob="true"></p>' in good
    assert "Quick is the cheapest for 5,000/s." in good
    assert 'id="question" hx-swap-oob="true">Durable commits, 5,000/s, any price<' in good


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("ram_gb=64", {"Big"}),
        ("vcpus=16", {"Big"}),
        ("ram_gb=16&vcpus=4", {"Big", "Small"}),
        ("budget=50", {"Small"}),
        ("provider=other", {"Elsewhere"}),
        ("provider=other&provider=acme", {"Big", "Small", "Elsewhere"}),
    ],
)
def test_what_is_asked_beside_the_rate_decides(client: Client, query: str, left: set[str]) -> None:
    plan_with("Small", 9_000, month=40, plan={"ram_gb": Decimal(16), "vcpus": 4})
    plan_with("Big", 9_000, month=90, plan={"ram_gb": Decimal(64), "vcpus": 16})
    other = Provider.objects.create(slug="other", name="Other")
    elsewhere = {"provider": other, "ram_gb": Decimal(1), "vcpus": 1}
    made = make.plan(slug="other-e", name="Elsewhere", regions="fsn1", kind="cloud", **elsewhere)
    make.price(plan=made, amount=Decimal(70))
    make.standing(
        plan=made, rate_per_s=9_000, rate_per_s_low=8_000, is_durable_single_writer=True,
        n_uploaders=3, n_machines=5,
    )  # fmt: skip
    page = answer(client, f"?rate=5000&{query}")
    firm = set(re.findall(r'class="shape firm".*?<a href="[^"]+">(\w+)</a>', page))
    assert firm == left


def test_protection_is_asked_for_by_the_reader_too(client: Client) -> None:
    plan = plan_with("Drive", 9_000)
    drive = make.drive_family(plp="none")
    for uploader in range(7):
        run = make.run(
            plan=plan, provider=plan.provider, drive_family=drive, uploader=f"u{uploader}"
        )
        make.measurement(run=run, rate_per_s=9_000)
    store_lotteries([plan.slug])
    assert word_of(answer(client, "?rate=5000"), "Drive")[0] == "Firm"
    page = answer(client, "?rate=5000&plp=true")
    assert word_of(page, "Drive") == ("Firm: fails", "")
    assert "0% of the uploaders got a drive with power-loss protection." in page


def test_the_api_answers_the_same(client: Client) -> None:
    plan_with("Quick", 9_000, plan={"ram_gb": Decimal(64), "vcpus": 16})
    plan_with("Slow", 90)
    query = (
        "?rate=5000&p99=2&budget=50&software=postgresql&region=fsn1&kind=cloud&ram_gb=32&vcpus=8"
        "&provider=acme&sessions=4&currency=USD"
    )
    page = answer(client, query)
    link = re.search(r'href="(/api/v1/advice\?[^"]+)"', page)
    assert link
    body = client.get(link[1].replace("&amp;", "&")).json()
    assert body["currency"] == "USD"
    assert [each["plan"] for each in body["results"]] == ["acme-quick", "acme-slow"]
    assert body["results"][0]["headroom"] == pytest.approx(9_000 * 0.9 * 0.7 / 5_000)
    assert body["results"][0]["measured_on"] == "2026-09-01"
    make.provider(slug="other", name="Other")
    several = client.get("/api/v1/advice?rate=5000&providers=acme,other").json()
    assert several["n_plans"] == 2
    assert client.get("/api/v1/advice?rate=5000&providers=a;b").status_code == 400


def test_a_price_that_is_not_known_and_one_that_is_old_are_said(client: Client) -> None:
    plan_with("Free", 9_000, month=None)
    assert "Free does 5,000/s; its price is not known." in answer(client, "?rate=5000")
    old = plan_with("Old", 9_000, month=None)
    make.price(plan=old, amount=Decimal(10), valid_from=date(2024, 1, 1))
    page = answer(client, "?rate=5000")
    assert "2024-01-01" in page
    assert "2024-01-01, old" in row_of(page, "Old")


def test_presets_are_links_that_answer(client: Client) -> None:
    load_catalogue()
    page = main(client, "/advisor/")
    presets = page[page.index('class="presets') : page.index("</nav>")]
    links = re.findall(r'href="(/advisor/\?[^"]+)"', presets)
    assert len(links) == 4
    for link in links:
        shown = main(client, link.replace("&amp;", "&"))
        assert "The question cannot be read" not in shown
        presets = shown[shown.index('class="presets') : shown.index("</nav>")]
        assert 'aria-current="true"' in presets


def test_queries_and_weight_do_not_grow_with_the_rows(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for place in range(60):
        plan = plan_with(f"P{place}", 1_000 + 200 * place, month=10 + place)
        run = make.run(plan=plan, provider=plan.provider, drive_family=make.drive_family())
        make.measurement(run=run)
    with django_assert_max_num_queries(6):
        page = text(client, "/advisor/?rate=5000&p99=2&region=fsn1&plp=true")
    assert page.count('class="row"') <= 70


def test_only_what_is_known_stays_in_a_short_address() -> None:
    asked = Client().get("/advisor/?rate=7&rate=8&unknown=1&provider=").wsgi_request.GET
    assert short_query(asked) == "rate=7&rate=8"

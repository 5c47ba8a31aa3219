"""Questions in words lead to boards, guides and comparisons, on a fresh installation."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest
from django.utils.translation import override

from apps.drives.models import DriveFamily
from apps.pages.compare.views import said_of
from apps.pages.frame.questions import QUESTIONS
from apps.pages.search.query import read_query
from apps.pages.search.results import ResultGroup
from apps.pages.search.views import find
from apps.pages.urls import INDEXES
from apps.plans.models import PriceKind
from apps.rankings.choice import headline
from apps.rankings.models import Standing
from apps.rankings.selectors import REAL_COMMITS
from apps.stats.figures import significant
from tests.pages.site import main, plan_at, tight
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
PROVIDERS = {"hetzner": "hetzner", "netcup": "netcup", "google cloud": "google-cloud"}
AX102 = "plan:hetzner-ax102-15-36-tb-nvme-dc-drive"
# What is asked, and where the first answers lead, in this order.
ASKED = {
    "best nvme for etcd": ["/guides/etcd/", "/drives/?storage=nvme"],
    "best consumer nvme for etcd": [
        "/guides/etcd/?q=consumer",
        "/drives/?segment=consumer&storage=nvme",
    ],
    "fastest ssd": ["/drives/"],
    "postgres on hetzner": ["/guides/oltp/", "/plans/?provider=hetzner"],
    "mysql on digitalocean": ["/plans/?provider=digitalocean", "/guides/oltp/"],
    "etcd aws": ["/guides/etcd/", "/plans/?provider=aws"],
    "postgres": ["/guides/oltp/"],
    "zfs slog": ["/guides/zfs-slog/"],
    "sqlite": ["/guides/oltp/"],
    "wal": ["/guides/oltp/"],
    "fastest vps": ["/plans/?kind=vps"],
    "most commits per euro": ["/plans/?sort=cost"],
    "cheapest plan under 10 euro": ["/plans/?price_max=10&sort=cost"],
    "vps under $10": ["/plans/?kind=vps&price_max=10&currency=USD&sort=cost"],
    "fastest server under 100 euro": ["/plans/?price_max=100"],
    "5000/s under 2ms": ["/advisor/?rate=5000&p99=2"],
    "5,000 a second": ["/advisor/?rate=5000"],
    "how much was CCX33 in 2025": ["/plans/hetzner-ccx33/#prices"],
    "what did a plan cost last year": ["/plans/?sort=price"],
    "fastest ssd for rocksdb": ["/drives/", "/guides/oltp/"],
    "990 pro postgres 500 commits/s": [
        "/advisor/?software=postgresql&rate=500",
        "/guides/oltp/?q=Samsung+990+PRO&rate=500#standings",
    ],
    "nvme under 100 euro": ["/drives/?storage=nvme"],
    "plp": ["/drives/?plp=full"],
    "hdd": ["/drives/?media=hdd"],
    "vultr nvme": ["/plans/?provider=vultr"],
    "p99 under 1 ms": ["/advisor/?rate=1000&p99=1"],
    "hetzner vs ovh": ["/compare/?on=plan:hetzner-ax162-s&on=plan:ovhcloud-c3-8"],
    "nvme vs sata": ["/compare/?on=drive:intel-ssd-750&on=drive:samsung-pm863-pm863a"],
    "cheap vps for mysql": ["/plans/?kind=vps&sort=cost"],
    "cheapest dedicated server": ["/plans/?kind=dedicated&sort=cost"],
    "990 pro postgres": ["/guides/oltp/?q=Samsung+990+PRO#standings", "/guides/oltp/"],
    "samsng 990 pro for postgres": ["/guides/oltp/?q=Samsung+990+PRO#standings"],
    "ccx33 vs ax102": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "ccx33 against ax102": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "CCX33 or AX102?": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "CCX33 AX102": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "pg_test_fsync": ["/import/"],
    "fio": ["/import/"],
    "yabs": ["/import/"],
    "pgbench": ["/import/"],
    "what is fsync": ["/method/#durable-commit"],
    "compare ccx33 and ax102": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "990 pro versus pm9a3": ["/compare/?on=drive:samsung-990-pro&on=drive:samsung-pm9a3"],
    "AWS, Google and Hetzner for a small Postgres": [
        "/advisor/?software=postgresql&rate=200&provider=aws&provider=google-cloud&provider=hetzner",
        "/guides/oltp/?rate=200",
    ],
    "what did the CCX33 cost last year": ["/plans/hetzner-ccx33/#prices"],
    "hetzner ccx33 price 2025": ["/plans/hetzner-ccx33/#prices"],
    "what does a 990 pro cost": ["/drives/samsung-990-pro/"],
    "what does a cx23 cost?": ["/plans/hetzner-cx23/#prices"],
    "5k commits/s p99 under 500 us": ["/advisor/?rate=5000&p99=0.5"],
    "5000 commits/s under 2 ms": ["/advisor/?rate=5000&p99=2"],
    "0.7 us": ["/lies/#668-ns"],
    "can 0.7 \u00b5s be true?": ["/lies/#668-ns"],
    "0.7 \u03bcs": ["/lies/#668-ns"],
    "700 ns": ["/lies/#668-ns"],
    "is 0.7 microseconds possible": ["/lies/#668-ns"],
}
ASKED_IN_CHINESE = {
    "\u6700\u597d\u7684 NVMe \u7ed9 etcd": ["/guides/etcd/", "/drives/?storage=nvme"],
    "CCX33 \u53bb\u5e74\u591a\u5c11\u94b1": ["/plans/hetzner-ccx33/#prices"],
    "0.7 \u5fae\u79d2\u53ef\u80fd\u5417": ["/lies/#668-ns"],
    "CCX33 \u5bf9\u6bd4 AX102": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "CCX33\u548cAX102\u5bf9\u6bd4": [f"/compare/?on=plan:hetzner-ccx33&on={AX102}"],
    "\u4e09\u661f990 PRO\u9002\u5408Postgres\u5417\uff1f": [
        "/guides/oltp/?q=Samsung+990+PRO#standings"
    ],
    "\u6700\u4fbf\u5b9c\u7684\u72ec\u7acb\u670d\u52a1\u5668": ["/plans/?kind=dedicated&sort=cost"],
}
# Names, in which words of the grammar stand too, and what asks for nothing that a list knows.
NOT_ASKED = [
    "ax102", "hetzner", "hetzner volume", "google cloud", "netcup vps 500", "samsung ssd 990 pro",
    "hyperdisk balanced", "faster than", "VPS 500 G12", "raspberry pi", "samsung pm9a3 fsync",
]  # fmt: skip


def answers(text: str, language: str = "en") -> list[ResultGroup]:
    with override(language):
        results = find(read_query(text), INDEXES, said_of)
    return [group for group in results.groups if group.kind == "answer"]


def things(text: str, language: str = "en") -> list[str]:
    """Everything below all heads, by its address."""
    with override(language):
        groups = find(read_query(text), INDEXES, said_of).groups
    return [line.url for group in groups for line in group.lines]


def test_questions_lead_to_boards_guides_and_comparisons_of_the_shipped_catalogue() -> None:
    store_catalogue()
    for text, urls in ASKED.items():
        assert [each.url for each in answers(text)][: len(urls)] == urls, text
    for text, urls in ASKED_IN_CHINESE.items():
        found = [each.url for each in answers(text, "zh-hans")]
        assert found[: len(urls)] == [f"/zh-hans{url}" for url in urls], text
    for text in NOT_ASKED:
        assert answers(text) == [], text


def test_a_question_over_several_providers_has_a_row_of_each(client: Client) -> None:
    store_catalogue()
    asked = quote_plus("AWS Google Hetzner small Postgres")
    page = html.unescape(main(client, f"/search/?q={asked}"))
    first = tight(page[page.index('<section class="kind"') :].partition("</section>")[0])
    address = "/advisor/?software=postgresql&rate=200&provider=aws&provider=google-cloud"
    assert f'<a href="{address}&provider=hetzner" data-hit>PostgreSQL, 200 commits/s</a>' in first
    rows = first.split('<li class="hit')[1:]
    assert [re.findall(r">(AWS|Google Cloud|Hetzner), ", row)[0] for row in rows] == [
        "AWS", "Google Cloud", "Hetzner",
    ]  # fmt: skip
    for row in rows:
        assert "no price" in row or " a month" in row
        assert re.search(r"Likely: (at least )?[\d.]+ times what you need, \d published run", row)
        assert '<a href="/runs/' in row  # the source
        assert '<svg role="img"' in row  # its mark on the ruler


def test_a_guide_brings_its_own_best_with_its_p99() -> None:
    store_catalogue()
    best = answers("best nvme for etcd")[0].results[0]
    assert (best.url, best.unit) == ("/drives/micron-7500-pro/", "p99")
    assert best.value.startswith("163")
    assert best.sure.startswith("Likely: p99 at 2% of 10")
    for each in answers("best consumer nvme for etcd")[0].results:
        family = DriveFamily.objects.get(slug=each.key)
        assert (family.segment, family.interface) == ("consumer", "nvme")
    own = answers("990 PRO for Postgres")[0].results[0]
    assert own.url == "/drives/samsung-990-pro/"
    assert own.sure.startswith("Borderline: 0.61 times what you need")
    slog = answers("best ssd for zfs slog")[0].results
    assert slog[0].url == "/drives/samsung-pm9a3/"
    assert not [each for each in slog if each.sure.startswith(("Firm: fails", "Unlikely"))]


def test_an_answer_says_what_it_is_of_as_people_say_it() -> None:
    store_catalogue()
    assert answers("fastest consumer nvme")[0].head == "consumer NVMe drives, fastest"
    chinese = answers("consumer nvme", "zh-hans")[0].head
    assert chinese.startswith("\u6d88\u8d39\u7ea7 NVMe")
    vps = answers("cheapest vps")[0]
    assert vps.head == "Plans: VPS or cloud instance, cost of a billion commits"
    assert vps.results[0].url == "/plans/hetzner-cx23/"  # a VPS by another name
    need = answers("5000 commits/s p99 under 2 ms")[0].results
    assert need[0].sure.endswith("at 70% load")
    assert any("superseded" in row.under for row in need)
    named = answers("CCX33 AX102")[0].results[1]
    assert named.reason == "AX102 + 15.36 TB NVMe DC drive stands for AX102"


def test_what_a_question_names_is_found_without_its_other_words() -> None:
    store_catalogue()
    for asked, url in {
        "samsung pm9a3 fsync": "/drives/samsung-pm9a3/",
        "ax41 fsync": "/plans/hetzner-ax41-nvme/",
        "what did cx22 cost last year": "/plans/hetzner-cx23/",
        "ebs gp3 fsync latency": "/plans/aws-ebs-gp3/",
        "how to measure fsync": "/measure/",
        "sasmung 990": "/drives/samsung-990-pro/",
        "hezner": "/providers/hetzner/",
    }.items():
        assert things(asked)[0] == url, asked
    for asked, url in {
        "\u963f\u91cc\u4e91": "/providers/alibaba-cloud/",
        "\u50b2\u817e": "/drives/intel-optane-ssd-900p/",
        "\u4e09\u661f 990 PRO": "/drives/samsung-990-pro/",
    }.items():
        assert things(asked, "zh-hans")[0] == f"/zh-hans{url}", asked


def test_a_question_that_nobody_measured_leads_to_what_is_written_or_nearest() -> None:
    store_catalogue()
    assert things("ext4 vs xfs")[0].startswith("/method/#")
    (raid,) = things("is RAID1 slower")
    assert raid == "/plans/aws-c8gb-2xlarge-8-x-ebs-gp3-raid-10/"


def cheapest_at_hetzner() -> str:
    rows = REAL_COMMITS.filter(plan__provider="hetzner", is_illustrative=False)
    by_plan: dict[str, list[Standing]] = {}
    for row in rows.select_related("price"):
        by_plan.setdefault(row.plan_id or "", []).append(row)
    leads = [lead for each in by_plan.values() if (lead := headline(each))]
    costs = [
        lead.cost_per_billion
        for lead in leads
        if lead.cost_per_billion and lead.price and lead.price.kind != PriceKind.SUPERSEDED
    ]
    return f"\u20ac{min(costs):.2f}"


def rate_of(**things: str) -> str:
    lead = headline(REAL_COMMITS.filter(**things))
    assert lead
    return significant(lead.rate_per_s)


def test_every_question_of_home_has_its_answer_in_the_first_screen(client: Client) -> None:
    """Each is asked through the search: where it leads, and the figure that stands there."""
    store_catalogue()
    ax102 = rate_of(plan="hetzner-ax102-15-36-tb-nvme-dc-drive")
    figures = {
        "/plans/?provider=hetzner&sort=cost": cheapest_at_hetzner(),
        "/guides/oltp/?q=Samsung+990+PRO#standings": rate_of(drive_family="samsung-990-pro"),
        "/advisor/?rate=5000&p99=2": ax102,
        "/lies/#668-ns": "668 ns",
        f"/compare/?on=plan:hetzner-ccx33&on={AX102}": ax102,
        "/uploads/": "Where is my run?",
    }
    assert [each.url for each in QUESTIONS] == list(figures)
    offered = html.unescape(main(client, "/search/"))
    for question in QUESTIONS:
        assert f'href="{question.url}"' in offered
        page = html.unescape(main(client, f"/search/?q={quote_plus(str(question.text))}"))
        first = tight(page[page.index('<section class="kind"') :].partition("</section>")[0])
        assert f'href="{question.url}"' in first, question.text
        assert figures[question.url] in first, question.text
        assert client.get(question.url).status_code == 200


def test_the_questions_of_home_are_answered_in_chinese_too() -> None:
    store_catalogue()
    for question in QUESTIONS:
        with override("zh-hans"):
            text, url = str(question.text), question.url
        assert re.search("[\u4e00-\u9fff]", text)
        assert answers(text, "zh-hans")[0].url == url, text


def test_a_comparison_says_what_was_measured_of_each(client: Client) -> None:
    plan_at(1_000, "CCX33", workload="randread", is_durable_single_writer=False)
    plan_at(10_318, "AX102")
    page = main(client, "/search/?q=ccx33+vs+ax102")
    first = page[page.index('<section class="kind"') :].partition("</section>")[0]
    ccx33, ax102 = first.split('<li class="hit')[1:]
    assert "CCX33" in ccx33
    assert "Nobody has measured this." in ccx33
    assert "AX102" in ax102
    assert "10,318" in ax102
    # a side that names nothing makes no comparison
    assert answers("ccx33 vs nothing-like-it") == []


def test_a_question_without_a_figure_says_so(client: Client) -> None:
    page = main(client, "/search/?q=best+nvme")
    assert "Nobody has measured this." in page


def test_a_comparison_says_what_its_page_says(client: Client) -> None:
    store_catalogue()
    for asked in ("CCX33 or AX102", "gp3 vs io2", "which is faster, intel p5520 or pm9a3"):
        compared = answers(asked)[0]
        assert compared.url.startswith("/compare/?on=")
        page = tight(html.unescape(main(client, compared.url)))
        for line in compared.says:
            assert line in page, asked


def test_a_word_of_the_method_is_explained_before_things_that_have_it() -> None:
    store_catalogue()
    first, second = answers("what is PLP")
    assert (first.url, second.url) == ("/method/#plp", "/drives/?plp=full")
    assert first.says[0].startswith("Power-loss protection: ")
    assert answers("what is p99")[0].url == "/method/#p99"
    assert answers("\u4ec0\u4e48\u662f PLP", "zh-hans")[0].url == "/zh-hans/method/#plp"


def test_a_sync_that_is_too_quick_leads_to_the_case_of_a_sync() -> None:
    store_catalogue()
    first, second = answers("0.7 \u00b5s fsync: can it be?")
    assert (first.url, second.url) == ("/lies/#memory", "/lies/#668-ns")
    assert "1 run of ours" in first.says[0]


def test_the_prices_of_a_provider_a_year_ago_are_dated_and_sourced() -> None:
    store_catalogue()
    for asked in ("hetzner price last year", "what did a hetzner plan cost last year"):
        (answer,) = answers(asked)
        assert answer.url == "/providers/hetzner/"
        first = answer.results[0]
        assert re.match(r"20\d\d-\d\d-\d\d: \u20ac[\d.]+ /mo, [\d.]+ times as much, ", first.under)
        assert re.match(r"20\d\d-\d\d-\d\d: \u20ac[\d.]+ /mo, ", first.reason)


def test_what_nobody_knows_brings_no_machine_of_somebody_else() -> None:
    store_catalogue()
    (guide,) = answers("sqlite on a raspberry pi sd card")
    assert guide.says[0] == "Nothing matches: raspberry pi sd card"
    assert not guide.results
    first = answers("cheapest postgres hosting")[0]
    assert first.url == "/plans/?sort=cost"
    assert first.says == ("Not list prices of today: AX162-S (superseded).",)


def test_ones_own_upload_leads_to_the_pages_that_take_it() -> None:
    assert things("my own upload")[:3] == ["/uploads/", "/measure/", "/import/"]
    assert things("how do I upload my fio result")[0] == "/import/"
    found = things("\u4e0a\u4f20\u6211\u7684\u7ed3\u679c", "zh-hans")
    assert "/zh-hans/import/" in found[:3]

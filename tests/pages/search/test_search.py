"""The search: what it finds first in the shipped catalogue, and what it withstands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from apps.drives.models import DriveFamily, DriveName
from apps.pages.search.query import QUERY_CHARACTERS_MAX, read_query
from apps.pages.search.results import results_of
from apps.pages.search.selectors.things import search_things
from apps.plans.models import Plan, Provider
from apps.rankings.models import Evidence
from apps.runs.services import record_run
from tests import make
from tests.pages.site import main, measured_run, plan_at, published_run, text, tight
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

# What people type, and what must come first: kind and slug.
WANTED = {
    # plans as they are called
    "ax102": "plan hetzner-ax102",
    "AX102": "plan hetzner-ax102",
    "hetzner ax102": "plan hetzner-ax102",
    "Hetzner AX41-NVMe": "plan hetzner-ax41-nvme",
    "ax41 nvme": "plan hetzner-ax41-nvme",
    "ax41": "plan hetzner-ax41-nvme",
    "ccx33": "plan hetzner-ccx33",
    "CCX63": "plan hetzner-ccx63",
    "cax41": "plan hetzner-cax41",
    "i4i.large": "plan aws-i4i-large",
    "aws i4i.large": "plan aws-i4i-large",
    "gp3": "plan aws-ebs-gp3",
    "ebs gp3": "plan aws-ebs-gp3",
    "io2 block express": "plan aws-ebs-io2-block-express",
    "c3d-standard-30-lssd": "plan google-cloud-c3d-standard-30-lssd",
    "hyperdisk balanced": "plan google-cloud-hyperdisk-balanced",
    "linode 4gb": "plan akamai-linode-linode-4gb-g6-standard-2",
    "g6-standard-2": "plan akamai-linode-linode-4gb-g6-standard-2",
    "b3-16": "plan ovhcloud-b3-16",
    "Standard_L8s_v3": "plan microsoft-azure-standard-l8s-v3",
    "VPS 500 G12": "plan netcup-vps-500-g12",
    # spelt otherwise
    "ccx 33": "plan hetzner-ccx33",
    "ccx-33": "plan hetzner-ccx33",
    "AX 102": "plan hetzner-ax102",
    "ax 41 nvme": "plan hetzner-ax41-nvme",
    "i4i large": "plan aws-i4i-large",
    "i4ilarge": "plan aws-i4i-large",
    "l8s v3": "plan microsoft-azure-standard-l8s-v3",
    "azure l8s v3": "plan microsoft-azure-standard-l8s-v3",
    "gcp c3d-standard-30": "plan google-cloud-c3d-standard-30-lssd",
    "ovh b3-16": "plan ovhcloud-b3-16",
    "  ax102  ": "plan hetzner-ax102",
    "\uff21\uff38\uff11\uff10\uff12": "plan hetzner-ax102",  # full-width letters
    # with typos
    "hetzer ax102": "plan hetzner-ax102",
    "hezner ccx33": "plan hetzner-ccx33",
    "hetzner ccx3": "plan hetzner-ccx33",
    "hyperdisk balancd": "plan google-cloud-hyperdisk-balanced",
    # providers
    "hetzner": "provider hetzner",
    "Hetzner": "provider hetzner",
    "hetzer": "provider hetzner",
    "aws": "provider aws",
    "amazon": "provider aws",
    "gcp": "provider google-cloud",
    "google cloud": "provider google-cloud",
    "azure": "provider microsoft-azure",
    "digital ocean": "provider digitalocean",
    "digitalocen": "provider digitalocean",
    "ovh": "provider ovhcloud",
    "linode": "provider akamai-linode",
    "scaleway": "provider scaleway",
    "scalway": "provider scaleway",
    "vultr": "provider vultr",
    "oracle": "provider oracle-cloud",
    "latitude.sh": "provider latitude-sh",
    "netcup": "provider netcup",
    "contabo": "provider contabo",
    # drives
    "990 pro": "drive samsung-990-pro",
    "samsung 990 pro": "drive samsung-990-pro",
    "Samsung 990 PRO 2TB": "drive samsung-990-pro",
    "samsng 990 pro": "drive samsung-990-pro",
    "samsung 990pro": "drive samsung-990-pro",
    "970 evo": "drive samsung-970-evo",
    "970 evo plus": "drive samsung-970-evo-plus",
    "micron 7500 pro": "drive micron-7500-pro",
    "micron 7500": "drive micron-7500-pro",
    "micorn 7450 max": "drive micron-7450-max",
    "crucal mx500": "drive crucial-mx500",
    "mx 500": "drive crucial-mx500",
    "p5800x": "drive intel-optane-dc-p5800x",
    "optane p5800x": "drive intel-optane-dc-p5800x",
    "wd black sn850x": "drive wd-black-sn850x",
    "sn850x": "drive wd-black-sn850x",
    "kingston dc600m": "drive kingston-dc600m",
    "pm9a3": "drive samsung-pm9a3",
    # what drives call themselves, and how shops number them
    "MZ-V9P2T0": "drive samsung-990-pro",
    "mz-v9p1t0bw": "drive samsung-990-pro",
    "MZ-77E1T0B": "drive samsung-870-evo",
    "MZVL2512HCJQ-00B00": "drive samsung-pm9a1-pm9a1a",
    "SAMSUNG MZVL2512HCJQ-00B00": "drive samsung-pm9a1-pm9a1a",
    "MTFDKCC15T3TGP-1BK1DABYY": "drive micron-7500-pro",
    "CT1000T500SSD8": "drive crucial-t500",
    "SSDPE2KX040T8": "drive intel-dc-p4510",
    "Samsung SSD 990 PRO 2TB": "drive samsung-990-pro",
}
HOSTILE = [
    "", " ", "%", "%%%", "_", "'; DROP TABLE plans_plan; --", "\\", "(", "[a-", "a{1,", "*+?", "^$",
    "\x00", "a\x00b", "x" * 10_000, "ax102 " * 2_000, "\u202eabc\u202c", "\u05e9\u05dc\u05d5\u05dd",
    "\u063a\u0631\u0641\u0629", "\u56fa\u6001\u786c\u76d8 990", "\u963f\u91cc\u4e91", "\U0001f4be",
    "\u0661\u0662\u0663",
    "<script>alert(1)</script>", "&amp;", "a b c d e f g h i j k l m", "\ud7ff", "-" * 500, "\t\n",
]  # fmt: skip


def first_of(query: str) -> str:
    hits = search_things(read_query(query))
    return f"{hits[0].kind} {hits[0].key}" if hits else "nothing"


def test_the_wanted_thing_comes_first_in_the_shipped_catalogue() -> None:
    store_catalogue()
    assert len(WANTED) > 60
    wrong = {
        query: f"{found} instead of {wanted}"
        for query, wanted in WANTED.items()
        if (found := first_of(query)) != wanted
    }
    assert wrong == {}
    named = results_of(read_query("ax102"), search_things(read_query("ax102")), ())
    assert named.only
    assert named.only.lead.title == "AX102 + 15.36 TB NVMe DC drive"
    assert named.only.lead.figure
    assert round(named.only.lead.figure.rate_per_s) == 10_318
    # beside it stands nothing that merely shares letters
    assert {hit.key for hit in search_things(read_query("ax102"))} <= {
        "hetzner-ax102", "hetzner-ax102-15-36-tb-nvme-dc-drive",
    }  # fmt: skip
    assert first_of("zzzzqqqq") == "nothing"


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_is_typed_is_answered(client: Client, query: str) -> None:
    plan_at(1_000, "AX102")
    for address in ("/search/", "/search/?as=list"):
        answer = client.get(
            address, {"q": query, "as": "list"} if "as=" in address else {"q": query}
        )
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "<script>alert" not in page
        assert len(page) < 60_000


def test_a_long_query_is_cut_and_what_cannot_be_seen_is_left_out() -> None:
    assert len(read_query("x" * 10_000).text) == QUERY_CHARACTERS_MAX
    assert read_query("a\x00x\u202e102").text == "a x 102"
    assert read_query("%_*").words == ()


def test_names_in_other_scripts_are_found_as_they_are(client: Client) -> None:
    owner = Provider.objects.create(slug="aliyun-1", name="\u963f\u91cc\u4e91")
    make.plan(provider=owner, slug="aliyun-1-x", name="\u8ba1\u7b97\u578b c9i")
    assert "\u8ba1\u7b97\u578b c9i" in text(client, "/search/?q=\u8ba1\u7b97")
    assert "/providers/aliyun-1/" in text(client, "/search/?q=\u963f\u91cc")


def test_a_hit_shows_what_it_is_known_for(client: Client) -> None:
    plan_at(
        6_135, "AX102", rate_per_s_low=5_900.0, rate_per_s_high=6_400.0, n_uploaders=4,
        n_machines=6, newest_run_slug=make.run(slug="newest").slug,
    )  # fmt: skip
    page = " ".join(text(client, "/search/?q=ax102").split())
    assert "6,135" in page
    assert "5,900\u20136,400" in page
    assert "4 uploaders" in page
    assert "Firm" not in page  # nothing is needed of it
    assert '<a href="/runs/newest/">2025-06-15, over a year old</a>' in page
    assert ">AX102</a>" in tight(page).split('class="only"')[1]


def test_a_plan_that_nobody_measured_leads_to_its_measured_variant(client: Client) -> None:
    plain = plan_at(1, "AX102", evidence=Evidence.EXAMPLE).plan
    assert plain
    make.plan(provider=plain.provider, slug="acme-ax102-2-tb", name="AX102 + 2 TB")
    plan_at(10_318, "AX102-15-tb")
    Plan.objects.filter(slug="acme-ax102-15-tb").update(name="AX102 + 15 TB")
    other = Provider.objects.create(slug="other", name="Other")
    make.plan(provider=other, slug="other-ax102", name="AX102 + 9 TB")  # no base of its own
    page = tight(main(client, "/search/?q=acme+ax102"))
    assert '<a class="button" href="/plans/acme-ax102-15-tb/">AX102 + 15 TB</a>' in page
    assert "Nobody measured AX102 itself; this variant does 10,318 commits/s." in page
    hits = page[page.index("<h2") :]
    addresses = re.findall(r'class="hit-name" href="([^"]+)"', hits)
    assert addresses == [
        "/plans/acme-ax102/", "/plans/acme-ax102-15-tb/", "/plans/acme-ax102-2-tb/",
    ]  # fmt: skip
    assert hits.count('variant">') == 2
    options = text(client, "/search/?q=acme+ax102&as=list")
    assert re.findall(r'data-href="(/plans/[^"]+)"', options)[0] == "/plans/acme-ax102-15-tb/"
    assert 'href="/plans/other-ax102/"' in main(client, "/search/?q=other+ax102")


def test_a_plan_with_figures_of_its_own_leads_before_its_variants(client: Client) -> None:
    plan_at(6_135, "AX102")
    plan_at(10_318, "AX102-15-tb")
    Plan.objects.filter(slug="acme-ax102-15-tb").update(name="AX102 + 15 TB")
    page = tight(main(client, "/search/?q=ax102"))
    assert '<a class="button" href="/plans/acme-ax102/">AX102</a>' in page
    assert "Nobody measured AX102 itself" not in page


def test_made_up_figures_are_not_what_a_plan_is_known_for(client: Client) -> None:
    plan_at(6_135, "AX102", evidence=Evidence.EXAMPLE)
    page = text(client, "/search/?q=ax102")
    assert "6,135" not in page
    assert "Nobody has measured this." in page


def test_what_has_other_figures_is_not_called_unmeasured(client: Client) -> None:
    reads = plan_at(55_742, "CCX33", workload="mix-4k-read", is_durable_single_writer=False)
    sample = {
        "evidence": Evidence.PUBLISHED,
        "warnings": ["Illustrative: a sample run."],
        "is_illustrative": True,
    }
    optane = make.standing(
        drive_family=make.drive_family(slug="p5800x", name="P5800X"),
        rate_per_s=142_800.0, is_durable_single_writer=True, **sample,
    )  # fmt: skip
    make.run(plan=reads.plan)
    make.run(drive_family=optane.drive_family)
    for asked, address in (("ccx33", f"/plans/{reads.plan_id}/"), ("p5800x", "/drives/p5800x/")):
        page = main(client, f"/search/?q={asked}")
        assert "142,800" not in page
        assert "Nobody has measured this." not in page
        assert "No durable commits of one writer yet." in page
        assert f'<a href="{address}">What else was measured?</a>' in page
    assert "Nobody has measured this." in main(client, "/search/?q=acme")
    make.run(provider=reads.plan and reads.plan.provider)
    assert "Nobody has measured this." not in main(client, "/search/?q=acme")


def test_measured_figures_go_before_published_ones(client: Client) -> None:
    standing = plan_at(9_999, "AX102", evidence=Evidence.PUBLISHED)
    make.standing(plan=standing.plan, rate_per_s=4_321, is_durable_single_writer=True)
    page = text(client, "/search/?q=ax102")
    assert "4,321" in page
    assert "9,999" not in page


def test_a_provider_is_known_for_its_fastest_plan(client: Client) -> None:
    best = plan_at(9_000, "Quick")
    plan_at(10, "Slow")
    make.provider_standing(best=best)
    page = text(client, "/search/?q=acme")
    assert "fastest: Quick" in page
    assert page.index("/providers/acme/") < page.index("/plans/acme-quick/")


def test_a_part_number_says_why_it_found_the_drive(client: Client) -> None:
    DriveFamily.objects.create(
        slug="samsung-990-pro", name="Samsung 990 PRO", vendor="Samsung", kind="ssd", source="x",
        match="^Samsung[ _]+SSD[ _]+990[ _]+PRO",
    )  # fmt: skip
    assert "Shops call it MZ-V9P2T0." in text(client, "/search/?q=MZ-V9P2T0")
    page = text(client, "/search/?q=Samsung+SSD+990+PRO+with+Heatsink+2TB")
    assert "It reports itself as" in page


def test_a_reported_name_leads_to_its_family_or_to_the_unknown(client: Client) -> None:
    record_run(upload=make.upload(witnessed=True, state="done"))
    name = DriveName.objects.get()
    name.family = None
    name.save()
    assert f"/drives/unknown/{name.key}/" in text(client, f"/search/?q={name.model}")
    name.family = make.drive_family(slug="known")
    name.save()
    assert "/drives/known/" in text(client, f"/search/?q={name.model}")


@pytest.mark.parametrize(
    "typed", ["{slug}", " {slug} ", "https://site.example/zh-hans/runs/{slug}/", "/runs/{slug}"]
)
@pytest.mark.parametrize("is_uploaded", [True, False])
def test_the_id_or_address_of_a_run_leads_to_it(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries,
    typed: str, *, is_uploaded: bool,
) -> None:  # fmt: skip
    run = measured_run() if is_uploaded else published_run()
    asked = quote(typed.format(slug=run.slug))
    with django_assert_max_num_queries(2):
        page = main(client, f"/search/?q={asked}")
    assert "1 result" in page
    assert page.count(f'href="/runs/{run.slug}/"') == 2  # the hit, and the button
    assert "Nothing matches" not in page
    assert f'data-href="/runs/{run.slug}/"' in text(client, f"/search/?as=list&q={asked}")


def test_an_id_of_no_run_and_a_key_lead_to_the_uploads(client: Client) -> None:
    lost = "01a1fd8e-317e-759e-a28d-334284863af5"
    for asked in (lost, "ab" * 32):
        page = main(client, f"/search/?q={asked}")
        assert f'href="/uploads/?q={asked}"' in page
        assert "Nobody has measured this" not in page
    plan_at(1_000, "AX102")
    assert "/plans/acme-ax102/" in main(client, "/search/?q=acme-ax102")


def test_what_nobody_knows_leads_on(client: Client) -> None:
    page = text(client, "/search/?q=QX7-900ZZ")
    assert "Nothing matches" in page
    assert "/drives/unknown/" in page
    assert "/measure/" in page
    assert "/drives/unknown/" not in main(client, "/search/?q=nobody")


def test_htmx_gets_the_results_alone_and_the_field_its_list(client: Client) -> None:
    plan_at(1_000, "AX102")
    part = client.get("/search/?q=ax", headers={"HX-Request": "true"}).content.decode()
    assert 'id="results"' in part
    assert "<html" not in part
    options = text(client, "/search/?q=ax&as=list")
    assert "<html" not in options
    assert 'role="option"' in options
    assert 'data-href="/plans/acme-ax102/"' in options


def test_the_short_list_is_short_and_keeps_the_first_of_each_kind(client: Client) -> None:
    owner = Provider.objects.create(slug="ax-hosting", name="AX Hosting")
    for place in range(30):
        make.plan(provider=owner, slug=f"ax-hosting-ax{place}", name=f"AX{place}")
        make.drive_family(slug=f"ax-{place}", name=f"AX {place}")
    options = text(client, "/search/?q=ax&as=list")
    assert options.count('role="option"') == 8
    for kind in ("providers/", "drives/", "plans/"):
        assert f'data-href="/{kind}' in options

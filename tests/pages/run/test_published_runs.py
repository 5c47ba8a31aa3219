"""Pages of published runs: where the figure stands, and what keeps one out of the standings."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.runs.models import Citation
from tests.pages.site import text
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def catalogue() -> None:
    store_catalogue()


def flat(client: Client, slug: str, *, language: str = "") -> str:
    return " ".join(text(client, f"{language}/runs/{slug}/").split())


def test_a_page_says_where_its_figure_stands(client: Client) -> None:
    page = flat(client, "smalldatum-dell-16k-fsync-r1")
    assert "bench/arc/dec25.fio.300secs/dell32/o.ext4.dell32.secs300.1" in page
    assert ">Source</a>: <code" in page
    assert ">sync (usec): min=416, max=4018, avg=891.07</code>" in page
    assert "The rate is computed" not in page


def test_the_line_to_search_for_has_the_figure_of_the_page(client: Client) -> None:
    page = flat(client, "tanel-990pro-8k-open-sync")
    assert ">185.095 ops/sec</code>" in page


def test_a_run_of_one_sample_shows_and_quotes_no_interval(client: Client) -> None:
    page = flat(client, "duzlov-optane-m10-zfs-scale")
    assert "5,944" in page
    assert "5,944\u2013" not in page
    assert "Samples, a second" not in page


def test_what_is_published_in_a_repository_is_a_source(client: Client) -> None:
    assert "A source of the last five years." in flat(client, "duzlov-optane-m10-zfs-scale")


def test_a_title_names_its_drive_once_and_the_page_its_badge_once(client: Client) -> None:
    page = flat(client, "pboros-gp2-16k-odirect")
    heading = page.split("<h1>")[1].split("</h1>")[0]
    assert "EBS gp2" in heading
    assert "with" not in heading
    assert page.count("Badge, quotation, JSON") == 1


def test_a_source_without_an_address_is_searched_itself(client: Client) -> None:
    page = flat(client, "fourmedia-nvme-4k-fsync")
    assert '<code lang="en">nvme 4K-fsync 21800' in page
    assert ">Source</a>" not in page


def test_a_medium_confidence_says_which_step_lies_between(client: Client) -> None:
    page = flat(client, "shan-samsung-sm863-240gb")
    assert "The rate is computed from the printed bandwidth." in page
    assert "速率由打印的带宽算出。" in flat(client, "shan-samsung-sm863-240gb", language="/zh-hans")


def test_what_is_faster_than_its_medium_says_so_first(client: Client) -> None:
    page = flat(client, "anarazel-adata-sx8200pnp-2tb-xfs-dsync")
    verdict = page.split('<div class="answer">')[1].split("<dl")[0]
    assert "This run does not count: faster than durable media" in verdict
    assert "the floor is 150 µs (NVMe SSD without power-loss protection)" in verdict
    assert "nothing was synced" not in verdict


def test_what_its_own_record_keeps_out_says_so_and_why(client: Client) -> None:
    page = flat(client, "mvm2347-hdd-4k-fdatasync")
    verdict = page.split('<div class="answer">')[1].split("<dl")[0]
    assert "This run does not count." in verdict
    assert "durable commits" not in verdict
    assert "A short run. The rate is computed from the printed latency." in page
    assert "20 writes only; the rate is 1 / median." in page


def test_boards_hold_the_new_workloads_and_none_that_is_out(client: Client) -> None:
    board = text(client, "/drives/?workload=fio-4k-direct-odsync-overwrite")
    assert "WD Black SN850" in board
    assert "ADATA XPG SX8200 Pro" not in board


def test_a_sync_that_is_but_a_part_of_a_commit_is_told_from_the_whole(client: Client) -> None:
    page = text(client, "/runs/smalldatum-hetz-16k-fdatasync-r2/")
    answer = page.split('<div class="answer">')[1].split("</div>")[0]
    assert "One commit takes 36.8" in answer
    assert "Half of all syncs finish within 9.79" in page.replace(answer, "")
    assert "1 / rate 36.8" in page  # by which it is beside its class
    assert "One commit takes" not in text(client, "/runs/webp-ax102-fio-fsync-8k/")


def test_where_the_writes_alone_were_timed_the_answer_is_of_them(client: Client) -> None:
    run = Citation.objects.filter(
        run__measurements__workload="fio-8k-osync-fdatasync-direct",
        run__measurements__latencies__side="completion",
    ).first()
    assert run is not None
    page = text(client, f"/runs/{run.run.slug}/")
    answer = page.split('<div class="answer">')[1].split("</div>")[0]
    assert "Half of all writes finish within" in answer
    assert "Only the rate is known" not in page


def test_a_name_that_says_the_drive_says_it_once(client: Client) -> None:
    page = flat(client, "shan-intel-dc-s3700-400gb")
    assert "Intel DC S3700 400GB, " in page
    assert "<span>with Intel DC S3700" not in page


def test_figures_of_other_hosts_stand_beside_that_of_one(client: Client) -> None:
    page = flat(client, "providerbench-ccx13-nbg1-q3")
    assert "p50 of 10 hosts" in page
    assert "270\u2013850 µs" in page
    assert '<b class="fig">1,670</b>' in page  # of 0.60 ms, which carries no fourth digit


def test_a_drive_that_the_name_says_is_not_said_again(client: Client) -> None:
    page = flat(client, "shoal-titan-970evo-x7-4k-overwrite")
    heading = page.split("<h1>")[1].split("</h1>")[0]
    assert heading.count("970 EVO") == 1
    chinese = flat(client, "shoal-titan-970evo-x7-4k-overwrite", language="/zh-hans")
    assert ", 2026" not in chinese.split("<h1>")[1].split("</h1>")[0]

"""What the three addresses answer: figures, states, headers, and few queries."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.http import http_date

from apps.badges.drawing.badge import Tone
from apps.badges.drawing.theme import SHEET_HASH
from apps.drives.models import DriveFamily
from apps.plans.models import HOME_PROVIDER, Plan
from apps.rankings.models import Evidence, Standing
from apps.runs.models import KeepsOut, Label, Level, Outcome, Run, Upload
from apps.runs.rules import RULES
from tests import make

pytestmark = pytest.mark.django_db

QUERIES_MAX = 2
QUERIES_OF_A_RUN_MAX = 3  # its price is that of its plan
MONTH = f"{make.NOON:%B %Y}"
MON = f"{make.NOON:%b %Y}"
NOBODYS_UUID = "01890a5d-ac96-774b-bcce-b302099a8057"
READS = {"operation": "read", "is_durable_single_writer": False}


@pytest.fixture
def family() -> DriveFamily:
    return make.drive_family(slug="micron-7500-pro", name="Micron 7500 PRO", plp="full")


@pytest.fixture
def plan() -> Plan:
    hetzner = make.provider(slug="hetzner", name="Hetzner")
    return make.plan(slug="hetzner-ax102", provider=hetzner, name="AX102")


def measured_run(**facts: Any) -> Run:
    """Return a run with a headline figure."""
    run = make.run(**facts)
    make.measurement(
        run=run, rate_per_s=10_318.05, rate_per_s_low=8_306.0, rate_per_s_high=10_842.0
    )
    return run


def standing(**facts: Any) -> Standing:
    """Make a standing of 1,130 commits a second by seven uploaders."""
    many = {"n_runs": 19, "n_machines": 9, "n_uploaders": 7}
    return make.standing(
        **{"rate_per_s": 1_130.4, "is_durable_single_writer": True, **many, **facts}
    )


def words(content: bytes) -> tuple[str, str]:
    """Return what is drawn and what is read aloud."""
    root = ET.fromstring(content)  # noqa: S314 -- our own answer
    drawn = " | ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    return drawn, root.attrib["aria-label"]


def get(client: Client, kind: str, slug: str) -> tuple[str, str]:
    answer = client.get(reverse(f"badges:{kind}", args=[slug]))
    assert answer.status_code == 200
    return words(answer.content)


def test_a_witnessed_run(client: Client, plan: Plan, family: DriveFamily) -> None:
    now = timezone.now()
    run = measured_run(plan=plan, drive_family=family, measured_at=now)
    for side, p50_ns in (("write", 9_000), ("sync", 80_000), ("commit", 89_000)):
        make.latency(measurement=run.measurements.get(), side=side, p50_ns=p50_ns)
    drawn, spoken = get(client, "run", run.slug)
    remark = f"commits/s (8,306\u201310,842) · commit-8k · 1 run, witnessed · {now:%b %Y}"
    assert drawn == f"Hetzner AX102 | 10,318 | {remark}"
    assert spoken == (
        "Fsyncmark, Hetzner AX102: 10,318 durable commits a second (8 KiB overwrite, fdatasync "
        "after each); from 8,306 to 10,842 between samples; half of all commits within 89 µs; "
        f"a drive with power-loss protection; 1 run, witnessed, {now:%B %Y}."
    )


def test_the_headline_comes_before_other_commits_and_commits_before_reads(client: Client) -> None:
    run = make.run(drive_reported="QEMU HARDDISK")
    make.measurement(run=run, workload="read-4k-floor", rate_per_s=9, **READS)
    make.measurement(run=run, workload="commit-8k-fsync", rate_per_s=8)
    assert get(client, "run", run.slug)[0].startswith("QEMU HARDDISK | 8.00 | commits/s")
    make.measurement(run=run, rate_per_s=7)
    assert get(client, "run", run.slug)[0].startswith("QEMU HARDDISK | 7.00 | commits/s")


def test_a_run_without_a_plan_is_named_by_its_drive(client: Client, family: DriveFamily) -> None:
    run = measured_run(drive_family=family, drive_reported="MTFDKCC15T3TGP")
    assert get(client, "run", run.slug)[0].startswith("Micron 7500 PRO |")


@pytest.mark.parametrize(
    ("plp", "said"),
    [
        ("full", "a drive with power-loss protection"),
        ("partial", "a drive without power-loss protection"),
        ("none", "a drive without power-loss protection"),
        ("unknown", ""),
    ],
)
def test_a_badge_calls_protected_only_what_keeps_acknowledged_writes(
    client: Client, plp: str, said: str
) -> None:
    drive = make.drive_family(slug=f"drive-{plp}", plp=plp)
    standing(drive_family=drive, plp=plp)
    run = measured_run(drive_family=drive)
    for kind, slug in (("drive", drive.slug), ("run", run.slug)):
        _, spoken = get(client, kind, slug)
        assert ("power-loss protection" in spoken) is bool(said)
        assert said in spoken


def test_a_run_that_only_reads_says_reads(client: Client) -> None:
    run = make.run(level=Level.SIGNED)
    make.measurement(run=run, workload="mix-4k-read", rate_per_s=27_400, **READS)
    drawn, spoken = get(client, "run", run.slug)
    assert drawn == f"unnamed machine | 27,400 | reads/s · mix-4k-read · 1 run, signed · {MON}"
    assert "each on average" not in spoken


def test_a_published_run_says_published(client: Client) -> None:
    run = make.run(slug="webp-ax41-fio", level=Level.PUBLISHED, measured_at=None)
    fio = make.measurement(run=run, workload="fallocated-8k-fsync", rate_per_s=187.15)
    make.latency(measurement=fio, side="completion", p50_ns=7_000)
    make.citation(run=run, warning="An Illustrative table.")
    drawn, spoken = get(client, "run", "webp-ax41-fio")
    assert drawn.endswith("187 | commits/s · fallocated-8k-fsync · 1 run, published · undated")
    assert "5.34 ms each on average" in spoken
    assert spoken.endswith("published, date not stated. An Illustrative table.")


def test_what_its_article_calls_illustrative_is_no_figure(
    client: Client, plan: Plan, family: DriveFamily
) -> None:
    run = make.run(slug="sample", plan=plan, level=Level.PUBLISHED, measured_at=None)
    make.measurement(run=run, rate_per_s=142_800.0)
    make.citation(run=run, warning="Illustrative: a sample run.", is_illustrative=True)
    drawn, spoken = get(client, "run", "sample")
    assert drawn == "Hetzner AX102 | illustrative"
    assert spoken.endswith("its source calls its figures illustrative.")
    sample = {
        "evidence": Evidence.PUBLISHED,
        "warnings": ["Illustrative: a sample run."],
        "is_illustrative": True,
    }
    standing(drive_family=family, rate_per_s=142_800.0, **sample)
    assert get(client, "drive", family.slug)[0] == "Micron 7500 PRO | no commit rate yet"


def test_an_excluded_run_says_so_at_the_same_address(client: Client) -> None:
    run = measured_run()
    make.label(run=run, rule="unusual-clock")
    assert "excluded" not in get(client, "run", run.slug)[0]
    make.label(run=run, rule="memory-filesystem", keeps_out=KeepsOut.RUN)
    drawn, spoken = get(client, "run", run.slug)
    assert drawn.endswith(f"commits/s · commit-8k · excluded from standings · {MON}")
    assert spoken.endswith("excluded from standings: in memory.")


def test_of_several_reasons_the_gravest_is_named(client: Client) -> None:
    run = measured_run()
    for rule, outcome in (
        ("burst", Outcome.LABEL),
        ("seed-proof", Outcome.QUARANTINE),
        ("barriers-off", Outcome.LABEL),
        ("memory-filesystem", Outcome.LABEL),
    ):
        make.label(run=run, rule=rule, outcome=outcome, keeps_out=KeepsOut.RUN)
    reason = f"excluded from standings: {RULES['seed-proof'].text}."
    assert get(client, "run", run.slug)[1].endswith(reason)
    Label.objects.filter(run=run, outcome=Outcome.QUARANTINE).delete()
    assert get(client, "run", run.slug)[1].endswith(
        "excluded from standings: mounted without barriers."
    )


def test_a_run_without_a_rate(client: Client, plan: Plan) -> None:
    run = make.run(plan=plan)
    make.measurement(run=run, rate_per_s=None)
    assert get(client, "run", run.slug)[0] == "Hetzner AX102 | no rate stated"


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (Upload.State.RECEIVED, "measuring"),
        (Upload.State.RETRY, "measuring"),
        (Upload.State.POISON, "set aside"),
    ],
)
def test_an_upload_that_is_no_run_yet(client: Client, state: str, text: str) -> None:
    upload = make.upload(state=state)
    answer = client.get(reverse("badges:run", args=[upload.run_id]))
    assert words(answer.content)[0] == f"fsyncmark | {text}"
    assert answer["Cache-Control"] == "public, max-age=60"


def test_a_plan_stands_by_its_measured_runs(client: Client, plan: Plan) -> None:
    run = make.run(plan=plan)
    published = {"evidence": Evidence.PUBLISHED, "workload": "fallocated-8k-fsync"}
    standing(plan=plan, rate_per_s=9.0, **published)
    interval = {"rate_per_s_low": 1_020, "rate_per_s_high": 1_300, "interval_is": "uploaders"}
    standing(plan=plan, newest_run_slug=run.slug, **interval)
    drawn, spoken = get(client, "plan", plan.slug)
    remark = f"commits/s (1,020\u20131,300) · commit-8k · 7 uploaders · {MON}"
    assert drawn == f"Hetzner AX102 | 1,130 | {remark}"
    assert "from 1,020 to 1,300 between uploaders" in spoken
    assert f"19 runs by 7 uploaders, witnessed, {MONTH}" in spoken


def test_a_plan_that_nobody_measured_shows_what_was_published(client: Client, plan: Plan) -> None:
    published = {"plan": plan, "evidence": Evidence.PUBLISHED, "n_runs": 2}
    standing(workload="randwrite-4k-fsync", rate_per_s=5.0, **published)
    standing(workload="fallocated-8k-fsync", rate_per_s=10_318.05, **published)
    unsynced = {"workload": "mix-4k-write", "is_durable_single_writer": False}
    standing(rate_per_s=194_400.0, **unsynced, **published)
    drawn, _ = get(client, "plan", plan.slug)
    assert drawn == (
        "Hetzner AX102 | 10,318 | commits/s · fallocated-8k-fsync · 2 runs, published · undated"
    )


@pytest.mark.parametrize(("fast", "slow", "shown"), [(8, 3, "9,000"), (3, 8, "700")])
def test_of_several_kinds_of_storage_the_one_that_most_got_is_shown(
    client: Client, plan: Plan, fast: int, slow: int, shown: str
) -> None:
    for variant, rate, uploaders in ((2, 700.0, slow), (1, 9_000.0, fast)):
        standing(plan=plan, variant=variant, n_variants=2, rate_per_s=rate, n_uploaders=uploaders)
    drawn, _ = get(client, "plan", plan.slug)
    assert drawn == f"Hetzner AX102 | {shown} | commits/s · commit-8k · 8 uploaders · undated"


def test_of_several_regions_the_best_documented_is_shown_and_named(
    client: Client, plan: Plan
) -> None:
    for group, rate, uploaders in (("asia", 9_000.0, 2), ("europe", 700.0, 8), ("", 800.0, 7)):
        standing(plan=plan, region_group=group, rate_per_s=rate, n_uploaders=uploaders)
    drawn, spoken = get(client, "plan", plan.slug)
    assert drawn == ("Hetzner AX102 · Europe | 700 | commits/s · commit-8k · 8 uploaders · undated")
    assert spoken.startswith("Fsyncmark, Hetzner AX102 · Europe: 700 durable commits a second")


def test_a_name_that_leaves_no_room_for_its_region_stands_alone(client: Client) -> None:
    google = make.provider(slug="google", name="Google Cloud")
    name = "Hyperdisk Balanced 500 GiB, 3,000 IOPS"
    standing(plan=make.plan(slug="hyper", provider=google, name=name), region_group="europe")
    assert get(client, "plan", "hyper")[0].startswith(f"{name} |")


def test_a_plan_without_a_commit_rate(client: Client, plan: Plan) -> None:
    assert get(client, "plan", plan.slug)[0] == "Hetzner AX102 | no commit rate yet"


def test_a_machine_of_ones_own_is_named_alone(client: Client) -> None:
    home = make.provider(slug=HOME_PROVIDER, name="Home")
    make.plan(slug="home-nas", provider=home, name="my <nas> & more", is_listed=False)
    assert get(client, "plan", "home-nas")[0].startswith("my <nas> & more |")


def test_a_name_that_leaves_no_room_for_its_provider_stands_alone(client: Client) -> None:
    google = make.provider(slug="google", name="Google Cloud")
    name = "Hyperdisk Balanced 500 GiB, 3,000 IOPS"
    make.plan(slug="google-hyperdisk", provider=google, name=name)
    assert get(client, "plan", "google-hyperdisk")[0].startswith(f"{name} |")


def test_a_drive_family(client: Client, family: DriveFamily) -> None:
    standing(drive_family=family, plp="full")
    drawn, spoken = get(client, "drive", family.slug)
    assert drawn == "Micron 7500 PRO | 1,130 | commits/s · commit-8k · 7 uploaders · undated"
    assert "a drive with power-loss protection" in spoken


def test_an_upload_has_one_address_as_its_run_will(client: Client) -> None:
    run_id = make.upload().run_id
    assert get(client, "run", str(run_id))[0] == "fsyncmark | measuring"
    for spelling in (run_id.hex, str(run_id).upper()):
        assert get(client, "run", spelling)[0] == "fsyncmark | not found"


@pytest.mark.parametrize("kind", ["run", "plan", "drive", "provider"])
@pytest.mark.parametrize("slug", ["nobody", "%00", "<script>", "x" * 200, NOBODYS_UUID, "é"])
def test_an_unknown_address_is_a_grey_picture(client: Client, kind: str, slug: str) -> None:
    answer = client.get(f"/badge/{kind}/{slug}.svg")
    assert answer.status_code == 200
    assert words(answer.content) == (
        "fsyncmark | not found",
        "Fsyncmark: nothing is known under this address.",
    )
    assert answer["Cache-Control"] == "public, max-age=60"


def test_headers_let_everybody_embed_it_and_it_nothing(client: Client) -> None:
    run = measured_run()
    answer = client.get(reverse("badges:run", args=[run.slug]), headers={"accept-encoding": "gzip"})
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Content-Security-Policy"] == (
        f"default-src 'none'; style-src '{SHEET_HASH}'; sandbox"
    )
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Cache-Control"] == (
        "public, max-age=300, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800"
    )
    assert answer["Last-Modified"] == http_date(make.NOON.timestamp())
    assert answer["ETag"].startswith('"')
    assert "Cookie" not in answer.get("Vary", "")
    assert not answer.has_header("X-Frame-Options")
    assert not answer.cookies
    assert b"style" not in answer.content


def test_a_client_that_has_the_picture_gets_304(client: Client) -> None:
    run = measured_run()
    url = reverse("badges:run", args=[run.slug])
    first = client.get(url)
    again = client.get(url, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert again["ETag"] == first["ETag"]
    assert again["Content-Security-Policy"] == first["Content-Security-Policy"]
    assert again["Access-Control-Allow-Origin"] == "*"


def test_a_label_changes_the_picture_of_an_old_run_for_every_client(client: Client) -> None:
    run = measured_run()
    url = reverse("badges:run", args=[run.slug])
    first = client.get(url)
    make.label(run=run, rule="floor", keeps_out=KeepsOut.RUN)
    for condition in (
        {"if-none-match": first["ETag"]},
        {"if-modified-since": first["Last-Modified"]},
    ):
        answer = client.get(url, headers=condition)
        assert answer.status_code == 200
        assert b"excluded from standings" in answer.content


def test_head_answers_without_a_body_and_post_is_refused(client: Client, plan: Plan) -> None:
    url = reverse("badges:plan", args=[plan.slug])
    head = client.head(url)
    assert (head.status_code, head.content) == (200, b"")
    assert head["ETag"] == client.get(url)["ETag"]
    assert client.post(url).status_code == 405


def test_few_queries(
    client: Client, plan: Plan, family: DriveFamily, django_assert_max_num_queries: Any
) -> None:
    run = measured_run(plan=plan, drive_family=family)
    make.latency(measurement=run.measurements.get())
    standing(plan=plan)
    standing(drive_family=family)
    best = standing(plan=plan, workload="commit-4k")
    make.provider_standing(best=best)
    for kind, slug, queries in (
        ("run", run.slug, QUERIES_OF_A_RUN_MAX),
        ("run", NOBODYS_UUID, QUERIES_MAX),
        ("plan", plan.slug, QUERIES_MAX),
        ("drive", family.slug, QUERIES_MAX),
        ("provider", plan.provider_id, QUERIES_MAX),
    ):
        with django_assert_max_num_queries(queries):
            client.get(reverse(f"badges:{kind}", args=[slug]))


def test_an_example_is_grey_and_has_no_level(client: Client, plan: Plan) -> None:
    for level in (Level.WITNESSED, Level.SIGNED):
        run = measured_run(plan=plan, is_example=True, level=level)
        drawn, spoken = get(client, "run", run.slug)
        assert drawn == f"Hetzner AX102 | 10,318 | commits/s · commit-8k · example, made up · {MON}"
        assert spoken.endswith("a made-up example, which nobody measured.")
        picture = client.get(reverse("badges:run", args=[run.slug])).content.decode()
        assert Tone.NOTHING in picture
        assert not {Tone.WITNESSED, Tone.SIGNED} & set(re.findall("#[0-9a-f]{6}", picture))
        assert level not in picture


def test_an_example_that_a_label_keeps_out_is_an_example_first(client: Client) -> None:
    run = measured_run(is_example=True)
    make.label(run=run, keeps_out=KeepsOut.RUN)
    assert get(client, "run", run.slug)[0].endswith(f"example, made up · {MON}")
    assert Tone.WITNESSED not in client.get(f"/badge/run/{run.slug}.svg").content.decode()


def test_a_plan_with_examples_alone_has_no_figure(client: Client, plan: Plan) -> None:
    standing(plan=plan, evidence=Evidence.EXAMPLE)
    assert get(client, "plan", plan.slug)[0] == "Hetzner AX102 | no commit rate yet"

"""The door for outputs of people: where one stands, then, once it is shared, its run."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.intake.importers.limits import OUTPUT_BYTES_MAX
from apps.plans.held import UNSEEN_NAME
from apps.runs.models import ImportedFile, Level, Run
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
FIXTURES = Path(__file__).parent / "importers" / "fixtures"
FIO = (FIXTURES / "fio-3.33-debian.fsync.json").read_bytes()


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


SHARED = {"save": "save", "consent": "cc0"}


def content_of(page: str) -> str:
    found = re.search(r'name="content" value="([^"]+)"', page)
    assert found
    return found[1]


def test_the_empty_page_asks_for_an_output(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/import/")
    assert answer.status_code == 200
    assert 'name="pasted"' in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.delete("/import/").status_code == 405


def test_a_pasted_output_is_shown_with_its_lines_before_it_is_stored(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    pasted = FIO.decode().replace("\n", "\r\n")  # as browsers send it
    # the time, the count of its network's readings; classes, marks and the story of the ladder
    with django_assert_num_queries(8):
        answer = client.post("/import/", {"pasted": pasted, "plan": "CCX33"})
    page = answer.content.decode()
    assert "7,014 durable commits/s, 1 / 143 µs" in text_of(page)
    assert "What was read: fio, 4 KiB write, fsync" in text_of(page)
    assert page.index("durable commits/s") < page.index("sync_p99_us")
    assert "sync_p99_us 305.152 191 &quot;99.000000&quot; : 305152," in text_of(page)
    assert base64.b64decode(content_of(page)) == FIO
    assert 'value="CCX33"' in page
    assert not ImportedFile.objects.exists()


def test_an_output_without_commits_says_so_before_it_is_stored(client: Client) -> None:
    raw = FIO.decode().replace('"fsync" : "1"', '"fsync" : "8"')
    assert raw != FIO.decode()
    page = text_of(client.post("/import/", {"pasted": raw}).content.decode())
    assert "No durable commits of one writer." in page
    assert "--fsync=1 --output-format=json" in page


def test_a_previewed_output_is_saved_byte_for_byte(client: Client) -> None:
    raw = FIO.decode().encode("utf-16")
    preview = client.post("/import/", {"file": SimpleUploadedFile("fio.json", raw)})
    content = content_of(preview.content.decode())
    shared = {"content": content, **SHARED, "provider": "Acme"}
    make.provider(slug="acme", name="Acme")
    answer = client.post("/import/", shared)
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{run.slug}/")
    assert bytes(ImportedFile.objects.get().content) == raw
    assert run.claimed_provider == "Acme"
    again = client.post("/import/", {"content": content, **SHARED})
    assert again["Location"] == answer["Location"]


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"pasted": " \n"}, 422, "Paste an output, or choose its file."),
        ({"pasted": "sysbench <b>1.0</b>"}, 422, "No output that is read here"),
        ({"pasted": "x" * (OUTPUT_BYTES_MAX + 1)}, 413, "more than 2,097,152 bytes"),
        ({**SHARED, "content": "%%"}, 422, "Paste an output, or choose its file."),
        ({**SHARED, "content": "é"}, 422, "Paste an output, or choose its file."),
        ({**SHARED, "content": base64.b64encode(b"no").decode()}, 422, "No output"),
    ],
)
def test_trouble_is_told_and_what_was_pasted_is_kept(
    client: Client, form: dict[str, str], status: int, words: str
) -> None:
    answer = client.post("/import/", form)
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page
    assert "<b>1.0</b>" not in page
    assert not ImportedFile.objects.exists()


def test_a_preview_takes_its_share_and_the_page_keeps_what_was_pasted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.intake.services.rate_limits.READINGS_PER_NETWORK", 2)
    preview = client.post("/import/", {"pasted": FIO.decode()})
    content = content_of(preview.content.decode())
    assert client.post("/import/", {"pasted": "no output"}).status_code == 422
    form = {"pasted": "fio <b>1</b>", "plan": "CCX33"}
    answer = client.post("/import/", form)
    page = text_of(answer.content.decode())
    assert answer.status_code == 429
    assert 3590 <= int(answer.headers["Retry-After"]) <= 3600
    assert "Too many requests. This network had 2 outputs read within an hour." in page
    assert "Try again in 60 minutes." in page
    assert "fio &lt;b&gt;1&lt;/b&gt;</textarea>" in answer.content.decode()
    saved = client.post("/import/", {"content": content, **SHARED})
    assert saved.status_code == 429
    assert content_of(saved.content.decode()) == content
    file = client.post("/import/", {"file": SimpleUploadedFile("fio.json", FIO)})
    assert "Choose the file again then." in text_of(file.content.decode())
    other = client.post("/import/", {"content": content, **SHARED}, REMOTE_ADDR="203.0.113.9")
    assert other.status_code == 302


def test_a_file_has_the_same_bound(client: Client) -> None:
    large = SimpleUploadedFile("fio.json", b"x" * (OUTPUT_BYTES_MAX + 1))
    assert client.post("/import/", {"file": large}).status_code == 413


def test_nothing_is_taken_from_other_sites() -> None:
    for prefix, language in (("", "en"), ("/zh-hans", "zh-Hans")):
        sent = {"Sec-Fetch-Site": "cross-site"} if prefix else {"Origin": "https://evil.example"}
        refused = Client().post(f"{prefix}/import/", {"pasted": FIO.decode()}, headers=sent)
        assert refused.status_code == 403
        assert f'<html lang="{language}"' in refused.content.decode()  # a page of ours


def test_words_of_the_output_are_shown_and_never_run(client: Client) -> None:
    evil = FIO.replace(b'"jobname" : "m"', b'"jobname" : "<script>x</script>"')
    evil = evil.replace(b'"iops" : 7013.698630,', b'"iops" : 7013.698630, "x": "<img src=y>",')
    preview = client.post("/import/", {"file": SimpleUploadedFile("f", evil)})
    saved = client.post("/import/", {"content": content_of(preview.content.decode()), **SHARED})
    for page in (preview, client.get(saved["Location"])):
        assert "<script>x" not in page.content.decode()
        assert "<img src=y>" not in page.content.decode()


@pytest.mark.parametrize(
    "name",
    ["fio-3.33-debian.fsync.json", "made/fio-3.33-four-jobs.json", "made/fio-3.33-fdatasync.txt",
     "made/fio-3.33-mixed-normal-and-json.txt", "yabs.json", "pg_test_fsync-15.txt",
     "made/pgbench-15-statements.txt"],
)  # fmt: skip
def test_the_run_of_each_kind_is_shown_with_its_figures(
    client: Client, name: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    content = base64.b64encode((FIXTURES / name).read_bytes()).decode()
    address = client.post("/import/", {"content": content, **SHARED})["Location"]
    run = Run.objects.get()
    assert run.level == Level.IMPORTED
    with django_assert_max_num_queries(7):
        page = text_of(client.get(address).content.decode())
    assert "1 imported run" in page
    assert "Imported" in page
    for job in ImportedFile.objects.get().document["jobs"]:
        for figure, found in job["figures"].items():
            assert f"{figure} {found['value']} {found['line']}" in page
    for measurement in run.measurements.all():
        key = f"{measurement.workload}-v{measurement.version}"
        assert client.get(f"{address}{key}/").status_code == 200
    assert client.get(f"/badge/run/{run.slug}.svg").status_code == 200
    assert client.get(f"/api/v1/runs/{run.slug}").json()["level"] == "imported"
    assert client.get("/runs/?level=imported&shape=all").status_code == 200


IN_MEMORY = (
    "tmpfs on /dev/shm type tmpfs (rw,relatime)\n"
    + (FIXTURES / "made/fio-3.33-tmpfs.txt").read_text()
)


def test_an_output_of_a_file_in_memory_is_called_durable_nowhere(client: Client) -> None:
    page = text_of(client.post("/import/", {"pasted": IN_MEMORY}).content.decode())
    assert "No durable commits of one writer. 315,000 operations/s: 4 KiB write, fsync" in page
    assert "The file lay on tmpfs." in page
    assert "Unknown: does not count" in page
    content = base64.b64encode(IN_MEMORY.encode()).decode()
    address = client.post("/import/", {"content": content, **SHARED})["Location"]
    run = Run.objects.get()
    assert (run.filesystem, run.outcome, run.measured_class_id) == ("tmpfs", "label", None)
    assert {label.rule for label in run.labels.all()} == {"faster-than-medium", "memory-filesystem"}
    page = text_of(client.get(address).content.decode())
    assert "This run does not count: " in page
    assert "By its rate a commit took 3.2 µs; the floor is 5 µs (any block device)." in page
    assert "315,000 operations/s Unknown: does not count" in page
    for claim in ("durable commits/s", "a second durable", "durable commits of one"):
        assert claim not in page
    badge = client.get(f"/badge/run/{run.slug}.svg").content.decode()
    assert "315,000 writes a second" in badge
    assert "excluded from standings: in memory" in badge


def test_a_claimed_drive_is_the_measure_of_what_is_previewed(client: Client) -> None:
    store_catalogue()
    says = "By its rate a commit took 142.6 µs"
    for drive, is_doubted in (("Samsung SSD 990 PRO 2TB", True), ("SAMSUNG MZQL2960", False)):
        answer = client.post("/import/", {"pasted": FIO.decode(), "drive": drive})
        assert (says in text_of(answer.content.decode())) is is_doubted


def test_fdatasync_stands_for_a_run_of_pg_test_fsync(client: Client) -> None:
    raw = (FIXTURES / "pg_test_fsync-15.txt").read_bytes()
    preview = client.post("/import/", {"pasted": raw.decode()}).content.decode()
    assert "10,779 durable commits/s, 1 / 92.8 µs" in text_of(preview)
    address = client.post("/import/", {"content": content_of(preview), **SHARED})["Location"]
    assert "10,779 durable commits/s" in client.get(address).content.decode()
    first = Run.objects.get().measurements.first()
    assert first is not None
    assert (first.workload, first.sync) == ("pg-test-fsync-2", "fdatasync")


SLOW = FIO.replace(b'"iops" : 7013.698630,', b'"iops" : 187.150000,')


def test_an_output_is_placed_beside_what_did_the_same_work(client: Client) -> None:
    store_catalogue()
    page = client.post("/import/", {"pasted": SLOW.decode()}).content.decode()
    says = text_of(page)
    assert "Not enough for PostgreSQL at 1,000 commits/s." in says
    assert "Nearest: Samsung PM9A1 / PM9A1a 187/s, " in says
    assert "187 durable commits/s, 1 / 5.34 ms, p50 " in says
    assert "Unlikely: 0.19 times what you need, nobody signed it" in says
    assert 'aria-label="your run, 5.34\u202fms, 1 / rate, +metadata"' in page
    assert '<a href="/drives/samsung-pm9a1-pm9a1a/">Samsung PM9A1 / PM9A1a</a>' in page
    assert not ImportedFile.objects.exists()
    assert not Run.objects.exclude(level=Level.PUBLISHED).exists()
    just = SLOW.replace(b"187.150000", b"1200.000000")
    says = text_of(client.post("/import/", {"pasted": just.decode()}).content.decode())
    assert "Borderline for PostgreSQL at 1,000 commits/s." in says  # the sentence follows the word
    assert "Borderline: 1.2 times what you need" in says


def test_a_file_that_fio_overwrites_is_an_overwrite(client: Client) -> None:
    store_catalogue()
    of_data = SLOW.replace(b'"fsync" : "1"', b'"overwrite" : "1", "fdatasync" : "1"')
    page = client.post("/import/", {"pasted": of_data.decode()}).content.decode()
    assert 'aria-label="your run, 5.34\u202fms, 1 / rate, data"' in page


def test_a_figure_that_does_not_count_is_not_the_answers_colour(client: Client) -> None:
    page = client.post("/import/", {"pasted": FIO.replace(b"7013.69", b"800000.69").decode()})
    assert "does not count" in page.content.decode()
    assert '<p class="answer-figure out">' in page.content.decode()
    counted = client.post("/import/", {"pasted": SLOW.decode()}).content.decode()
    assert '<p class="answer-figure">' in counted


def test_htmx_gets_the_answer_or_the_trouble_alone(client: Client) -> None:
    htmx = {"HX-Request": "true"}
    answer = client.post("/import/", {"pasted": FIO.decode()}, headers=htmx).content.decode()
    assert answer.lstrip().startswith('<div class="wrap split" id="stand"')
    assert "<html" not in answer
    trouble = client.post("/import/", {"pasted": "sysbench"}, headers=htmx)
    assert trouble.status_code == 422
    assert trouble.content.decode().strip().startswith('<p class="import-trouble">')


def test_nothing_is_stored_without_consent(client: Client) -> None:
    content = base64.b64encode(FIO).decode()
    answer = client.post("/import/", {"content": content, "save": "save"})
    assert answer.status_code == 422
    assert "Tick the box above to share it" in answer.content.decode()
    assert content_of(answer.content.decode()) == content
    assert not ImportedFile.objects.exists()


def test_a_name_that_the_catalogue_lacks_is_asked_about_once(client: Client) -> None:
    owner = make.provider(slug="acme", name="Acme")
    make.plan(provider=owner, slug="acme-ax102", name="AX102")
    shared = {"content": base64.b64encode(FIO).decode(), **SHARED, "provider": "acme"}
    answer = client.post("/import/", {**shared, "plan": "AX1O2"})
    page = answer.content.decode()
    assert answer.status_code == 422
    asked = "Do you mean AX102? Not in the catalogue. Share again to keep it as typed."
    assert asked in text_of(page)
    assert not ImportedFile.objects.exists()
    typed = re.search(r'name="as_typed" value="([^"]*)"', page)
    assert typed
    kept = client.post("/import/", {**shared, "plan": "AX1O2", "as_typed": typed[1]})
    assert kept.status_code == 302
    assert ImportedFile.objects.get().claimed_plan == "AX1O2"
    assert Run.objects.get().claimed_plan == UNSEEN_NAME  # until a person has read it


def test_a_plan_and_a_drive_of_the_catalogue_are_those_of_the_run(client: Client) -> None:
    owner = make.provider(slug="acme", name="Acme")
    plan = make.plan(provider=owner, slug="acme-ax102", name="AX102")
    family = make.drive_family(name="Vendor 990 PRO")
    content = base64.b64encode(FIO).decode()
    claim = {"plan": "AX102", "drive": "vendor 990 pro"}  # only one provider has such a plan
    answer = client.post("/import/", {"content": content, **SHARED, **claim})
    assert answer.status_code == 302
    run = Run.objects.get()
    assert (run.plan, run.drive_family, run.claimed_provider) == (plan, family, "Acme")


def test_names_of_the_catalogue_complete_the_fields(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    store_catalogue()
    for query, name in (
        ("of=provider&provider=hetz", "Hetzner"),
        ("of=plan&plan=cax41", "CAX41"),
        ("of=plan&provider=hetzner&plan=cax", "CAX41"),
        ("of=drive&drive=pro+990", "Samsung 990 PRO"),
    ):
        with django_assert_max_num_queries(1):
            assert f'<option value="{name}"' in client.get(f"/import/names/?{query}").text
    assert "<option" not in client.get("/import/names/?of=plan&provider=aws&plan=cax41").text
    for query in ("", "of=secret", "of=plan&plan=no+such%00plan"):
        assert "<option" not in client.get(f"/import/names/?{query}").text


ETCD_CHECK = (
    (FIXTURES / "fio-3.33-debian.fdatasync.json")
    .read_bytes()
    .replace(b'"4k"', b'"2300"')
    .replace(b'"io_bytes" : 2097152', b'"io_bytes" : 1177600')
)


def test_the_check_of_etcd_is_answered_for_etcd(client: Client) -> None:
    page = client.post("/import/", {"pasted": ETCD_CHECK.decode()}).content.decode()
    says = text_of(page)
    assert "etcd: Likely, at a p99 of at most 10 ms." in says
    assert '<a href="/guides/etcd/">Is it fit for etcd?</a>' in page
    assert "PostgreSQL" not in says.partition("Nearest")[0].partition("Where does your")[2]
    slow = ETCD_CHECK.replace(b'"iops" : 6168.674699,', b'"iops" : 12.000000,')
    says = text_of(client.post("/import/", {"pasted": slow.decode()}).content.decode())
    assert "etcd: Unlikely at a p99 of at most 10 ms." in says  # too few, whatever the p99


def test_a_median_of_syncs_that_fill_a_commit_is_the_mark(client: Client) -> None:
    page = client.post("/import/", {"pasted": FIO.decode()}).content.decode()
    assert re.search(r'aria-label="your run, [^"]*, sync p50, \+metadata"', page)


def test_why_an_output_does_not_count_is_said_at_once(client: Client) -> None:
    raw = (FIXTURES / "made" / "fio-3.33-fdatasync.txt").read_text()
    page = client.post("/import/", {"pasted": raw}).content.decode()
    first = text_of(page.partition('id="understood"')[0])
    assert "fio counts no fsync here, so the syncs were fdatasync" in first
    assert "Percentiles of" not in first
    assert "--output-format=json" in first

"""Facts of the catalogue in words: each text once, figures and names as they are."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from django.utils.translation import override
from hypothesis import example, given
from hypothesis import strategies as st

from apps.plans.catalogue import PLANS_FILE, PRICES_FILE
from apps.runs.published.services import RESULTS_FILE, published_workloads
from apps.words.facts import (
    note_in_words,
    sentences_in_words,
    sentences_of,
    texts_of_note,
    texts_of_sentences,
    texts_of_work,
    work_in_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# How many texts the catalogue may need: a new one needs a reason, not another way to say it.
TEXTS_OF_NOTES_MAX = 45
TEXTS_OF_WORK_MAX = 75
TEXTS_OF_WARNINGS_MAX = 30


@pytest.mark.parametrize(
    ("note", "texts", "chinese"),
    [
        ("2 x 480 GB local NVMe; data lost on stop", ["local NVMe", "data lost on stop"],
         "2 x 480 GB 本地 NVMe\uff1b停机后数据丢失"),
        ("160 GB local storage; HIGHFREQUENCY", ["local storage"],
         "160 GB 本地存储\uff1bHIGHFREQUENCY"),
        ("NVMe, about 7.68 TB in total", ["NVMe, about {0} in total"], "NVMe\uff0c合计约 7.68 TB"),
        ("1,000 x 0.08 + 875 x 0.04; excl. tax", ["excl. tax"],
         "1,000 x 0.08 + 875 x 0.04\uff1b不含税"),
        ("new orders since 2026-06-15", ["new orders since {0}"], "2026-06-15 起的新订单"),
        ("2 x 960 GB SSD", [], "2 x 960 GB SSD"),
        ("60 IOPS/GB; up to 9,000 IOPS", ["up to {0}"], "60 IOPS/GB\uff1b最高 9,000 IOPS"),
        ("us-east-1; others", ["us-east-{0}", "others"], "us-east-1\uff1b其他"),
    ],
)  # fmt: skip
def test_a_note_is_put_together_of_its_facts(note: str, texts: list[str], chinese: str) -> None:
    assert list(texts_of_note(note)) == texts
    assert note_in_words(note) == note
    with override("zh-hans"):
        assert note_in_words(note) == chinese


@pytest.mark.parametrize(
    ("name", "texts", "chinese"),
    [
        ("Overwrite, fdatasync: what a WAL does", ["overwrite", "what a WAL does"],
         "覆盖写\uff0cfdatasync\uff1aWAL 的做法"),
        ("etcd's check, 2,300 bytes", ["etcd's check", "{0} bytes"], "etcd 的检查\uff0c2,300 字节"),
        ("New file, fsync (fio's default)", ["new file", "fio's default"],
         "新文件\uff0cfsync\uff08fio 的默认方式\uff09"),
        ("Raw device, 4 KiB, flush (diskinfo)", ["raw device", "flush"],
         "裸设备\uff0c4 KiB\uff0c刷盘\uff08diskinfo\uff09"),
        ("InnoDB's doublewrite, 64 pages", ["InnoDB's doublewrite", "{0} pages"],
         "InnoDB 的 doublewrite\uff0c64 页"),
        ("16 KiB page, O_DIRECT, fsync", ["page"], "16 KiB 页\uff0cO_DIRECT\uff0cfsync"),
        ("Geekbench 6", [], "Geekbench 6"),
    ],
)  # fmt: skip
def test_a_name_of_work_is_put_together_of_its_facts(
    name: str, texts: list[str], chinese: str
) -> None:
    assert list(texts_of_work(name)) == texts
    assert work_in_words(name) == name
    with override("zh-hans"):
        assert work_in_words(name) == chinese


@given(st.text(st.characters(exclude_categories=["C"])))
@example("{0} 5 {7}")
@example("%(n)s 3 GB; ; b")
@example("A: , B (")
@example(" 1 2 3 4 5 6 7 8 9 10 11 ")
def test_what_strangers_wrote_stays_as_it_is(text: str) -> None:
    assert note_in_words(text) == work_in_words(text) == sentences_in_words(text) == text
    with override("zh-hans"):
        assert bool(note_in_words(text)) == bool(work_in_words(text)) == bool(text)


def test_sentences_of_a_warning_are_said_one_after_the_other() -> None:
    warning = (
        "The 668 ns are no media latency: fio's clock starts after the submission. A short run."
    )
    assert sentences_in_words(warning) == warning
    assert len(sentences_of(warning)) == 2
    with override("zh-hans"):
        assert sentences_in_words(warning) == (
            "668 ns 不是介质延迟\uff1afio 在提交请求之后才开始计时。运行时间短。"
        )


def test_the_catalogue_says_the_same_in_the_same_words() -> None:
    notes = {
        text
        for path, column in ((PLANS_FILE, "storage_desc"), (PRICES_FILE, "includes"))
        for row in _rows(path)
        for text in texts_of_note(row[column])
    }
    works = {
        text
        for entry in published_workloads().values()
        for name in (entry["title"], entry["short"])
        for text in texts_of_work(name)
    }
    warnings = {
        text
        for line in RESULTS_FILE.read_text(encoding="utf-8").splitlines()
        for text in texts_of_sentences(json.loads(line)["warning"] or "")
    }
    assert 0 < len(notes) <= TEXTS_OF_NOTES_MAX
    assert 0 < len(works) <= TEXTS_OF_WORK_MAX
    assert 0 < len(warnings) <= TEXTS_OF_WARNINGS_MAX


def test_a_result_that_may_lead_no_board_says_why() -> None:
    results = map(json.loads, RESULTS_FILE.read_text(encoding="utf-8").splitlines())
    assert not [each["id"] for each in results if each["is_kept_out"] and not each["warning"]]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)

"""Sentences about figures: what each place writes, and every sentence of rules and verdict."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

import pytest
from django.utils.translation import override

from apps.drives.media import Medium
from apps.runs.figures import Figures, hundredths, tenths
from apps.runs.models import Label
from apps.runs.rules import RULES, TABLE
from apps.words.flush_reasons import REASONS, reason_sentences
from apps.words.labels import conflict_sentences, sentences_of, text_of
from apps.words.sentences import sentences

# A value for a place, by how it is written there; of what Python formats itself any number will do.
VALUES: dict[str, Any] = {
    "": "name", "list": ["one", "two"], "and": ["one", "two"], "word": "name", "class": "hdd",
    "medium": Medium.HDD, "unit": "operations", "reason": "the wrong disk",
    ".12": "0123456789abcdef",
}  # fmt: skip
EVERY = [
    (rule.id, words) for rule in TABLE for words in (rule.finding, *rule.cases.values()) if words
]
EVERY += [("verdict", words) for words in REASONS.values()]


def written(words: str, value: Any) -> str:
    (said,) = sentences({"value": value}, words=words, cases={"some": "some words"})
    return said


@pytest.mark.parametrize(
    ("words", "value", "said"),
    [
        ("{value}", "commit-8k", "commit-8k"),
        ("{value:,}", 12_345, "12,345"),
        ("{value:.12}", "0123456789abcdef", "0123456789ab"),
        ("{value:reason}", "Our mistake.\nThe wrong disk", "Our mistake. The wrong disk"),
        ("{value:us}", 8_000, "8"),
        ("{value:us}", 1_234_560, "1,234.6"),
        ("{value:us0}", 1_234_560, "1,235"),
        ("{value:us1}", 8_000, "8.0"),
        ("{value:tenths}", 35, "3.5"),
        ("{value:hundredths}", 100, "1.00"),
        ("{value:percent}", 101, "10.1"),
        ("{value:percent}", 100, "10"),
        ("{value:of_1000}", 999, "0.999"),
        ("{value:gib}", 6 << 30, "6.0"),
        ("{value:minute}", 1_750_000_000, "2025-06-15 15:06"),
        ("{value:class}", "optane", "Optane NVMe"),
        ("{value:class}", "a class of the ladder alone", "a class of the ladder alone"),
        ("{value:unit}", "operations", "operations"),
        ("{value:unit}", "elapsed", "ns"),
        ("{value:medium}", "sata-flash", "SATA SSD"),
        ("{value:word}", "some", "some words"),
        ("{value:word}", "none", "none"),
        ("{value:list}", ["a", "some"], "a, some words"),
        ("{value:list}", [{"case": "some"}, "b"], "some words, b"),
        ("{value:and}", ["read", "write"], "read and write"),
    ],
)
def test_a_place_says_how_its_figure_is_written(words: str, value: Any, said: str) -> None:
    assert written(words, value) == said


def test_a_ready_reason_is_in_the_language_of_the_page() -> None:
    with override("zh-hans"):
        assert written("{value:reason}", "It is not the plan that it names") == "不是它所写的套餐"


@pytest.mark.parametrize(("count", "said"), [(0, "0 flushes"), (1, "1 flush"), (2, "2 flushes")])
def test_words_agree_with_the_count(count: int, said: str) -> None:
    assert sentences({"count": count}, words=("{count} flush", "{count} flushes"), cases={}) == [
        said
    ]


def test_a_rounded_figure_is_what_is_written_with_so_many_digits() -> None:
    for value in (0.25, 0.35, 2.675, 101.25, 9.95):
        assert f"{tenths(value) / 10:.1f}" == f"{value:.1f}"
        assert f"{hundredths(value) / 100:.2f}" == f"{value:.2f}"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_sentence_can_be_written_in_every_language(language: str) -> None:
    with override(language):
        for rule_id, words in EVERY:
            for text in (words,) if isinstance(words, str) else words:
                places = {name: spec for _, name, spec, _ in Formatter().parse(text) if name}
                figures = {name: VALUES.get(spec or "", 7) for name, spec in places.items()}
                figures["count"] = 7
                (said,) = sentences(figures, words=words, cases={VALUES["unit"]: words})
                assert not re.search(r"[{}]", said), (rule_id, said)
                is_english = language == "en" or said == words
                assert is_english or re.search(r"[\u3400-\u9fff]", said), (rule_id, said)


def test_a_rule_without_a_finding_says_why_it_speaks() -> None:
    rule = RULES["measured-offline"]
    label = Label(rule=rule.id, rule_version=rule.version, figures={})
    assert sentences_of(label) == [rule.why]


def test_a_label_of_another_version_says_no_figures_until_it_is_judged_again() -> None:
    rule = RULES["unusual-clock"]
    label = Label(rule=rule.id, rule_version=rule.version, figures={"source": "hpet"})
    assert sentences_of(label) == ["The clock source is hpet."]
    label.rule_version += 1
    assert (text_of(label), sentences_of(label)) == ("unusual clock", [])


def test_a_label_from_before_figures_were_kept_says_its_words_alone() -> None:
    rule = RULES["unusual-clock"]
    label = Label(rule=rule.id, rule_version=rule.version, figures=None)
    assert (text_of(label), sentences_of(label)) == ("unusual clock", [])


def test_a_rule_that_is_gone_is_called_by_its_id() -> None:
    label = Label(rule="gone", rule_version=1, figures={"n": 1})
    assert (text_of(label), sentences_of(label)) == ("gone", [])


def test_what_was_found_is_told_in_the_language_of_the_reader() -> None:
    drain: Figures = {"case": "drain", "times_tenths": 2030, "drain": "volatile"}
    conflict: Figures = {
        "case": "provider", "claim": "Hetzner", "teller": "metadata", "named": "aws",
    }  # fmt: skip
    assert conflict_sentences([conflict]) == [
        "The claim says Hetzner; the cloud's metadata names aws."
    ]
    with override("zh-hans"):
        (said,) = reason_sentences([drain])
        assert "203.0 倍" in said
        assert said.endswith("它清空了断电时会丢失的缓存。")
        (said,) = conflict_sentences([conflict])
        assert said.endswith("云的元数据写的是 aws。")

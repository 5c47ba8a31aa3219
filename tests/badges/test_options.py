"""The query of a badge: never an error, one spelling, and nobody's words in a cache."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from apps.badges.drawing.text import ALPHABET, NAME_CHARACTERS_MAX
from apps.badges.options import (
    QUERY_CHARACTERS_MAX,
    BadgeMetric,
    BadgeOptions,
    BadgeStyle,
    BadgeTheme,
    options_of,
)
from apps.config.edge.pages import key_of
from tests import make

SHIELDS_KEYS = {  # what services/endpoint-common.js of badges/shields accepts, and no other
    "schemaVersion", "label", "message", "color", "labelColor", "isError", "namedLogo", "logoSvg",
    "logoColor", "logoWidth", "style", "cacheSeconds",
}  # fmt: skip


@given(st.text(max_size=300))
def test_any_query_gives_options(query: str) -> None:
    options = options_of(query)
    assert ALPHABET.issuperset(options.label)
    assert len(options.label) <= NAME_CHARACTERS_MAX
    assert options_of(options.query) == options


@pytest.mark.parametrize(
    "query",
    [
        "style=shiny", "metric=iops", "theme=pink", "color=red", "logo=x", "cacheSeconds=1",
        "style=", "label=", "label=%20", "style=FLAT", "&&&=;", "%00", "style[]=flat",
        "label=" + "x" * QUERY_CHARACTERS_MAX,
    ],
)  # fmt: skip
def test_what_is_unknown_is_the_default(query: str) -> None:
    assert options_of(query) == BadgeOptions()
    assert options_of(query).query == ""


def test_one_question_has_one_spelling() -> None:
    first = options_of("style=flat&metric=p99&utm=1&theme=dark")
    assert first.query == options_of("metric=p99&style=gone&style=flat").query
    assert first == BadgeOptions(metric=BadgeMetric.P99, style=BadgeStyle.FLAT)


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("x=1", ""),
        ("style=axis&theme=dark&metric=fsync", ""),
        ("theme=light&style=flat&anything=" + "y" * 200, "style=flat&theme=light"),
    ],
)
def test_a_process_keeps_one_picture_of_all_spellings(query: str, same: str) -> None:
    path = "/badge/plan/ax102.svg"
    assert key_of("GET", path, query, {}) == key_of("GET", path, same, {})


@pytest.mark.parametrize(
    ("path", "query", "same"),
    [
        ("/embed/plan/ax102/", "x=1&size=480x160", ""),
        ("/embed/run/r.svg", "x=1&theme=dark&size=320x200", "size=320x200&theme=dark"),
        ("/embed/compare/", "on=plan:a&x=1&on=plan:b", "on=plan:a&on=plan:b"),
    ],
)
def test_a_process_keeps_one_card_of_all_spellings(path: str, query: str, same: str) -> None:
    assert key_of("GET", path, query, {}) == key_of("GET", path, same, {})
    assert key_of("GET", path, query, {}) != key_of("GET", path, f"{same}&theme=light", {})


def test_a_process_keeps_no_answer_about_any_address() -> None:
    assert key_of("GET", "/oembed", "url=http://testserver/plans/ax102/?x=1", {}) is None
    assert key_of("GET", "/embed/", "q=ax102", {}) != key_of("GET", "/embed/", "", {})


def test_a_process_keeps_no_picture_with_a_label() -> None:
    assert key_of("GET", "/badge/plan/ax102.svg", "label=mine", {}) is None
    assert key_of("GET", "/badge/plan/ax102.svg", "", {}) is not None
    assert key_of("GET", "/plans/", "label=mine", {}) is not None


@pytest.mark.django_db
@pytest.mark.parametrize("style", [*BadgeStyle, "no-such"])
@pytest.mark.parametrize("theme", BadgeTheme)
@pytest.mark.parametrize("metric", [*BadgeMetric, "no-such"])
def test_the_json_has_the_keys_of_shields_and_no_other(
    client: Client, style: str, theme: BadgeTheme, metric: str
) -> None:
    plan = make.standing(is_durable_single_writer=True).plan
    assert plan
    asked = {"style": style, "theme": theme.value, "metric": metric, "label": "my disk"}
    answer = client.get(f"/badge/plan/{plan.slug}.json", asked)
    document: dict[str, Any] = answer.json()
    assert set(document) <= SHIELDS_KEYS
    assert document["schemaVersion"] == 1
    assert document["label"] == "my disk"
    assert document["message"]
    is_known = style in {"flat", "flat-square", "for-the-badge"}
    assert document["style"] == (style if is_known else "flat")  # it says what is shown
    assert document["isError"] is False
    assert document["cacheSeconds"] == 300
    assert json.loads(answer.content) == document


@pytest.mark.django_db
def test_the_json_of_what_is_unknown_is_an_error(client: Client) -> None:
    document = client.get("/badge/plan/nobody.json").json()
    assert (document["isError"], document["message"]) == (True, "not found")


@pytest.mark.django_db
@pytest.mark.parametrize("style", BadgeStyle)
def test_a_label_is_shown_as_text_and_the_sentence_keeps_the_name(
    client: Client, style: BadgeStyle
) -> None:
    plan = make.standing(is_durable_single_writer=True).plan
    assert plan
    label = '"><script>alert(1)</script> & 硬'
    query = urlencode({"label": label, "style": style.value}, quote_via=quote)
    picture = client.get(f"/badge/plan/{plan.slug}.svg?{query}").content.decode()
    assert "<script" not in picture.lower()
    assert "&lt;script&gt;" in picture.lower()
    assert f"{plan.full_name}:" in picture

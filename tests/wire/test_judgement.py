"""The figures by which agent and server judge: read strictly, and consistent in themselves."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from msgspec import ValidationError, convert

from apps.wire.judgement import (
    JUDGEMENT_FILE,
    Range,
    StorageClass,
    judgement,
    read_judgement,
    thresholds,
)


def document() -> Any:
    return json.loads(JUDGEMENT_FILE.read_text(encoding="utf-8"))


def test_the_file_is_read_whole() -> None:
    stated = document()
    found = judgement()
    assert read_judgement(json.dumps(stated).encode()) == found
    assert [each.slug for each in found.classes] == [row["slug"] for row in stated["classes"]]
    assert [each.id for each in found.floors] == [row["id"] for row in stated["floors"]]
    figures = stated["thresholds"]
    missing, loads = thresholds().flushes.missing_per_commit_below, thresholds().useful_rate
    assert missing.value == figures["flushes"]["missing_per_commit_below"]["value"]
    assert [*loads.load_percents.value] == figures["useful_rate"]["load_percents"]["value"]


def test_every_figure_has_a_reason_that_is_a_sentence() -> None:
    stated = document()
    reasons = [
        entry["reason"] for group in stated["thresholds"].values() for entry in group.values()
    ]
    reasons += [row["reason"] for row in (*stated["classes"], *stated["floors"])]
    assert [each for each in reasons if not each.endswith(".")] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("surplus",), 1),
        (("thresholds",), []),
        (("thresholds", "flushes"), {}),
        (("thresholds", "flushes", "surplus"), {"value": 1, "reason": "None."}),
        (("thresholds", "flushes", "counted_per_commit_min", "value"), "0.5"),
        (("thresholds", "flushes", "counted_per_commit_min", "reason"), ""),
        (("thresholds", "drain", "flushes_min", "value"), True),
        (("thresholds", "useful_rate", "load_percents", "value"), [50, 80.0]),
        (("thresholds", "useful_rate", "load_percents", "value"), 50),
        (("thresholds", "surroundings", "memory_layers", "value"), [""]),
        (("classes", 0, "slug"), None),
        (("classes", 0, "claimed"), {"low_ns": 1}),
        (("classes", 0, "claimed"), 150),
        (("floors", 0, "floor_ns"), None),
        (("floors", 0, "read_floor_ns"), "fast"),
    ],
)
def test_what_is_missing_surplus_or_of_another_type_is_refused(
    path: tuple[Any, ...], value: object
) -> None:
    changed = document()
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ValidationError):
        read_judgement(json.dumps(changed).encode())


def test_flushes_are_missing_unclear_or_counted() -> None:
    flushes = thresholds().flushes
    missing, counted = flushes.missing_per_commit_below, flushes.counted_per_commit_min
    assert 0 < missing.value < counted.value < 1


def test_the_ladder_goes_from_fast_to_slow() -> None:
    classes = judgement().classes
    ranges = [(each.typical.low_ns, each.typical.high_ns) for each in classes]
    assert ranges == sorted(ranges)
    assert all(low <= high for low, high in ranges)
    assert len({each.slug for each in classes}) == len(classes)
    assert max(len(each.short_name) for each in classes) <= 22  # columns of the terminal


def test_what_was_measured_is_judged_by_and_the_claim_stands_apart() -> None:
    consumer = next(each for each in judgement().classes if each.slug == "nvme-no-plp")
    assert consumer.typical == consumer.measured == Range(200_000, 5_300_000)
    assert consumer.claimed == Range(200_000, 800_000)
    promised = next(each for each in judgement().classes if each.slug == "cloud-top")
    assert promised.measured is None
    assert promised.typical == promised.claimed


def test_a_class_without_a_range_is_none() -> None:
    row = document()["classes"][0] | {"measured": None, "claimed": None}
    with pytest.raises(ValueError, match="neither a measured nor a claimed range"):
        _ = convert(row, StorageClass).typical


def test_every_class_has_a_floor_below_what_is_typical_of_it() -> None:
    floors = {each.id: each for each in judgement().floors}
    assert len(floors) == len(judgement().floors)
    for each in judgement().classes:
        if each.slug != "pmem":  # its range is that of processor instructions, without a call
            assert floors[each.slug].floor_ns < each.typical.low_ns


def test_words_of_the_kernel_are_in_order_and_stand_once() -> None:
    found = thresholds().surroundings
    lists = (
        found.mount_flags_without_flushes, found.memory_layers, found.steady_clock_sources,
        found.clock_sources_without_system_call,
    )  # fmt: skip
    for words in lists:
        assert all(earlier < later for earlier, later in pairwise(words.value))
    assert {*lists[3].value} < {*lists[2].value}

"""Whatever fits the schema is normalised: a stranger's figures make no poison."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.runs.measurements import bandwidth_bytes_per_s
from apps.runs.models import Run, Upload
from apps.runs.services import record_run
from apps.wire.reading import NotStrictJsonError
from apps.wire.run import BadRunError, read_run
from tests import make
from tests.support.documents import EXTREMES, numbers_of, put, with_extremes

VALID = sorted((Path(__file__).parents[1] / "wire" / "v1" / "valid").glob("*.json"))

leaves = st.sampled_from(EXTREMES) | st.none() | st.booleans() | st.text(max_size=5)


@cache
def numbers_in(example: Path) -> list[tuple[str | int, ...]]:
    """The path of each number of an example, which has thousands and is drawn hundreds of times."""
    return list(numbers_of(json.loads(example.read_bytes())))


@given(data=st.data())
@settings(max_examples=300)
def test_reading_a_garbled_run_is_a_run_or_a_refusal(data: st.DataObject) -> None:
    example = data.draw(st.sampled_from(VALID))
    document = json.loads(example.read_bytes())
    for path in data.draw(st.lists(st.sampled_from(numbers_in(example)), min_size=1, max_size=5)):
        put(document, path, data.draw(leaves))
    with suppress(BadRunError, NotStrictJsonError):
        read_run(json.dumps(document).encode())


@pytest.mark.django_db
@given(data=st.data())
@settings(
    max_examples=60,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much, HealthCheck.too_slow,
    ],
)  # fmt: skip
def test_any_run_that_fits_the_schema_is_recorded(data: st.DataObject) -> None:
    """All examples share one transaction: recording again replaces the run."""
    example = data.draw(st.sampled_from(VALID))
    document = json.loads(example.read_bytes())
    document = with_extremes(data, document, numbers_in(example), changes_max=8)
    Upload.objects.all().delete()
    upload = make.upload(document)
    run = record_run(upload=upload)
    assert Run.objects.get() == run


def test_a_bandwidth_that_no_machine_has_is_no_figure() -> None:
    document = make.payload()
    document["workloads"][0].update(bytes=2**53 - 1, elapsed_ns=1)
    workload = read_run(make.as_bytes(document)).workloads[0]
    assert bandwidth_bytes_per_s(workload) is None

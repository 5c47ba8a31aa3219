"""What a workload is for is asked of its definition; names say the same to people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.run import workload_purposes
from apps.wire.suites import suites

if TYPE_CHECKING:
    from collections.abc import Callable

    from apps.wire.suites import WorkloadDefinition

WORKLOADS = {
    (each.id, each.version): each for suite in suites().values() for each in suite.workloads
}


@pytest.mark.parametrize(
    ("is_meant", "names"),
    [
        (workload_purposes.is_search, r"slo-.+"),
        (workload_purposes.has_several_writers, r".+-(writers|files)-\d+|group-commit-.+|.+-x\d+"),
        (workload_purposes.is_flush, r"empty-flush|drain-.+"),
        (workload_purposes.is_area, r"read-4k-area-.+"),
        (workload_purposes.compares_contents, r"write-64k-.+"),
        (workload_purposes.is_lasting, r"(sustained|precondition|steady)-.+"),
        (workload_purposes.is_filling, r"sustained-.+"),
        (workload_purposes.is_rounds, r"steady-.+"),
        (workload_purposes.is_probe, r"hiccup|empty-flush|(drain|read-4k-area|write-64k)-.+"),
    ],
)
def test_fields_tell_what_the_names_of_our_suites_say(
    is_meant: Callable[[WorkloadDefinition], bool], names: str
) -> None:
    chosen = {each.id for each in WORKLOADS.values() if is_meant(each)}
    assert chosen == {each.id for each in WORKLOADS.values() if re.fullmatch(names, each.id)}

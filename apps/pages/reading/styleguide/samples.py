"""Made-up figures for what the styleguide shows; each goes through a part of the pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from apps.pages.draw.trace import TraceFigures, draw_trace
from apps.pages.show.charts import (
    QuantileRow,
    RateChart,
    SideColumn,
    rate_chart,
)
from apps.pages.show.table.cells import cells_of
from apps.pages.show.table.choices import Option, Pick, Token
from apps.pages.show.table.columns import columns_shown
from apps.pages.show.table.groups import Group, make_group
from apps.pages.show.table.row import Row, RowCost, RowEvidence, RowFigures
from apps.pages.show.table.tiers import tier_line
from apps.plans.models import Price
from apps.plans.prices.currencies import EURO
from apps.rankings.models import Evidence
from apps.runs.models import Level, Measurement
from apps.wire.suites import HEADLINE_WORKLOAD

FIGURES: Final = TraceFigures(
    curve=[(0.01, 60_000), (0.5, 89_000), (0.9, 121_000), (0.99, 163_000), (0.9999, 1_710_000)],
    p50_ns=89_000,
    p99_ns=163_000,
    p9999_ns=1_710_000,
    plp="full",
    band_ns=(10_000, 50_000),
    sentence="p50 89 µs, p99 163 µs, p99.99 1.71 ms",
    rate_per_s=10_318.0,
    low=8_306.0,
    high=10_842.0,
)
ONLY_RATE: Final = TraceFigures(
    rate_per_s=864.0, low=858.0, high=870.0, plp="unknown", sentence="1.16 ms"
)
# A source that names two percentiles and no curve: what the page of a thing draws of it.
NO_CURVE: Final = replace(FIGURES, curve=(), p9999_ns=None, sentence="p50 89 µs, p99 163 µs")
PRICE: Final = Price(
    amount=Decimal(234),
    currency=EURO,
    period=Price.Period.MONTH,
    valid_from=date(2026, 11, 1),
    source="https://example.com/",
)
SAMPLE_NS: Final = 500_000_000
SAMPLES: Final = (5_180, 5_204, 5_177, 4_153, 5_190, 5_201)  # operations in each half second


def example_rows() -> tuple[Row, Row]:
    """Two rows of a board: one with every figure, one of which only a rate is known."""
    full = Row(
        key="example-full",
        name="An example",
        url="#parts",
        under="NVMe · PLP",
        figures=RowFigures(
            rate_per_s=10_318.0,
            is_commit=True,
            low=8_306.0,
            high=10_842.0,
            interval="slowest to fastest half second of one run",
            p50_ns=89_000,
            p99_ns=163_000,
        ),
        evidence=RowEvidence(level=Level.WITNESSED),
        trace=draw_trace(FIGURES),
        number=1,
        cost=RowCost(billion=Decimal("8.63"), currency=EURO, price=PRICE),
        on="plan:example-full",
    )
    bare = replace(
        full,
        key="example-rate",
        name="Only its rate is known",
        under="",
        number=None,
        figures=replace(
            full.figures, rate_per_s=864.0, low=858.0, high=870.0, p50_ns=None, p99_ns=None
        ),
        evidence=RowEvidence(level=Level.PUBLISHED),
        cost=RowCost(),
        trace=draw_trace(ONLY_RATE),
        on="plan:example-rate",
    )
    return full, bare


def example_alone() -> Row:
    """A row that stands alone, at the head of a page."""
    full, _bare = example_rows()
    return replace(full, trace=draw_trace(NO_CURVE))


def example_groups(key: str = "") -> tuple[Group, ...]:
    """A group of each evidence, in the usual columns; `key` sets ids of another copy apart."""
    full, bare = example_rows()
    columns = columns_shown("plans", "")
    made = (
        (Evidence.MEASURED, replace(full, tier_line=tier_line(1))),
        (Evidence.PUBLISHED, replace(bare, warning="Read what is said of a row here.", warns=True)),
        (Evidence.EXAMPLE, replace(full, key="example-made-up", on="plan:example-made-up")),
    )
    return tuple(
        make_group(
            workload=HEADLINE_WORKLOAD,
            title="",
            evidence=evidence,
            rows=[replace(row, key=f"{key}{row.key}", cells=cells_of(row, columns))],
        )
        for evidence, row in made
    )


def example_picks() -> tuple[Pick, ...]:
    """Two filters: one that is on, one that is not."""
    choices = (
        Option("full", "with", 12),
        Option("none", "without", 30),
    )
    anything = "any"
    return (
        Pick("sample-plp", "PLP", choices, "full", anything),
        Pick("sample-storage", "Storage", choices, "", anything),
    )


def example_tokens() -> tuple[Token, ...]:
    """What is on, as it stands below the filters."""
    return (Token("PLP", "with", "#filters-title"),)


def example_panel() -> dict[str, object]:
    """One workload with its curve, its rate over time, and the tables of both."""
    passes = [{"elapsed_ns": len(SAMPLES) * SAMPLE_NS, "rate_samples": list(SAMPLES)}]
    points = [list(point) for point in FIGURES.curve]
    chart: RateChart | None = rate_chart(Measurement(sample_ns=SAMPLE_NS, passes=passes))
    return {
        "title": "An example",
        "rate_id": "sample-rate",
        "rate": chart,
        "sides": (SideColumn("commit"),),
        "quantiles": (
            QuantileRow("p50", (FIGURES.p50_ns,)),
            QuantileRow("p99", (FIGURES.p99_ns,)),
            QuantileRow("p99.99", (FIGURES.p9999_ns,)),
        ),
        "sentence": FIGURES.sentence,
        "data": {
            "curves": [{"name": "commit", "role": "subject", "points": points}],
            "band": {"name": "", "low": 10_000, "high": 50_000},
        },
    }

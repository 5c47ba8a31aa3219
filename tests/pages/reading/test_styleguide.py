"""The styleguide and what it promises: contrast, colour blindness, every token shown."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from apps.pages.reading.styleguide.colours import (
    LINEAR_BELOW,
    Rgb,
    colours,
    contrast,
    linear,
    spaces,
)
from apps.pages.reading.styleguide.context import COLOUR_USES, TYPE_SCALE, contrasts
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

CSS = settings.BASE_DIR / "static" / "css"
TEXT_MIN = 4.5  # WCAG 2.2, 1.4.3
CONTROL_MIN = 3.0  # WCAG 2.2, 1.4.11
GROUNDS = ("bg", "band", "panel")
TEXTS = ("ink", "ink2", "dim", "hot", "cool")
# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
# Deficiency, IEEE TVCG 15 (2009) 1291-1298, table 1, severity 1.0; on linear RGB.
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
DATA = ("hot", "cool", "ink2")  # subject, second series, everything else
APART_MIN = 20.0  # CIE76; 2.3 is just noticeable, lines of two pixels need several times that
WHITE = (0.95047, 1.0, 1.08883)  # D65
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
       (0.0193339, 0.1191920, 0.9503041))  # fmt: skip


def times(matrix: tuple[Rgb, ...], colour: Rgb) -> Rgb:
    one, two, three = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return one, two, three


def lab(light: Rgb) -> Rgb:
    """CIELAB of linear sRGB, under D65."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in light)
    x, y, z = (
        part / white for part, white in zip(times(XYZ, (red, green, blue)), WHITE, strict=True)
    )
    fx, fy, fz = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: Rgb, other: Rgb) -> float:
    """Distance of two colours, CIE76."""
    pairs = zip(lab(one), lab(other), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def test_text_can_be_read_on_every_ground_in_both_themes() -> None:
    known = colours()
    for ground in GROUNDS:
        for name in TEXTS:
            light = contrast(known[name].light, known[ground].light)
            dark = contrast(known[name].dark, known[ground].dark)
            assert min(light, dark) >= TEXT_MIN, f"{name} on {ground}: {light:.2f}, {dark:.2f}"


def test_borders_of_controls_can_be_seen() -> None:
    known = colours()
    for theme in ("light", "dark"):
        edge, page = (getattr(known[name], theme) for name in ("edge", "bg"))
        assert contrast(edge, page) >= CONTROL_MIN


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)  # its known grey
    assert linear("#0a0a0a")[0] == pytest.approx(10 / 255 / 12.92)
    assert LINEAR_BELOW < 11 / 255


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("blindness", [None, *BLINDNESS])
def test_colours_of_data_stay_apart_for_the_colour_blind(theme: str, blindness: str | None) -> None:
    for one, other in combinations(DATA, 2):
        seen = [linear(getattr(colours()[name], theme)) for name in (one, other)]
        if blindness:
            seen = [times(BLINDNESS[blindness], each) for each in seen]
        assert apart(*seen) >= APART_MIN, f"{one} and {other}: {apart(*seen):.1f}"


def test_the_distance_of_colours_is_known() -> None:
    assert apart(linear("#000000"), linear("#ffffff")) == pytest.approx(100.0, abs=0.1)
    assert lab(linear("#ff0000")) == pytest.approx((53.24, 80.09, 67.20), abs=0.05)


def test_every_token_is_shown_and_explained() -> None:
    css = (CSS / "styleguide.css").read_text(encoding="utf-8")
    assert set(COLOUR_USES) == set(colours())
    for name in colours():
        assert f".swatch-{name} {{\n    background: var(--{name});" in css
    for name, _ in spaces():
        assert f".space-{name} {{" in css
    tokens = (CSS / "tokens.css").read_text(encoding="utf-8")
    sizes = re.findall(r"--size-(\w+): (?:clamp\(.* )?(\d+)px\)?;", tokens)
    assert {(name, int(pixels)) for name, pixels in sizes} == {
        (name, pixels) for name, pixels, _ in TYPE_SCALE
    }
    for name, _, _ in TYPE_SCALE:
        assert f".type-{name} {{" in css


@pytest.mark.django_db
def test_the_page_is_made_of_the_real_parts(client: Client) -> None:
    page = text(client, "/styleguide/")
    for part in ('class="level"', 'class="row"', 'class="box"', 'class="legend taps"', "trace-line",
                 'class="mark full"', 'class="note failed"', 'class="tier"', 'class="about warns"',
                 'class="pick on"', 'class="tokens taps"', 'data-chart="percentiles"',
                 'data-chart="rate"', "sample-focus", "htmx-request"):  # fmt: skip
        assert part in page, part
    for evidence in ("Measured", "Published", "Example"):
        assert re.search(rf'<b class="chip">\s*{evidence}', page), evidence
    assert page.count('class="figures') == 3  # contrast, quantiles, rate over time
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert page.count('class="swatch ') == len(colours())


@pytest.mark.django_db
def test_the_badge_is_that_of_a_plan_that_is_measured(client: Client) -> None:
    assert "there is no badge to show" in text(client, "/styleguide/")
    plan_at(1_000, "AX102")
    page = text(client, "/styleguide/")
    (picture,) = set(re.findall(r'class="badge"\s+src="([^"]+)"', page))
    assert "acme-ax102" in picture
    assert client.get(picture).status_code == 200


def test_contrast_is_computed_for_every_ground_and_theme() -> None:
    known = colours()
    (dim,) = [each for each in contrasts() if each.name == "dim"]
    assert len(dim.figures) == 2 * len(GROUNDS)
    assert dim.figures[0] == contrast(known["dim"].light, known["bg"].light)
    assert min(dim.figures) >= TEXT_MIN

"""A text of the terms never changes without a new number, and no version is lost."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import pytest

from apps.accounts.terms import TERMS_VERSION

DOCS: Final = Path(__file__).parents[2] / "docs"
ENDINGS: Final = (".md", ".zh-hans.md")
# SHA-256 of each version's English and Chinese, to twelve digits. A text that people agreed to is
# changed by a new version: raise TERMS_VERSION, keep the old text as docs/terms.NUMBER.md.
TEXTS: Final = {
    1: ("afc892820406", "8f1ccf8c09ea"),
}


@pytest.mark.parametrize("version", range(1, TERMS_VERSION + 1))
def test_each_version_is_kept_as_it_was_agreed_to(version: int) -> None:
    name = "terms" if version == TERMS_VERSION else f"terms.{version}"
    found = tuple(
        hashlib.sha256((DOCS / f"{name}{ending}").read_bytes()).hexdigest()[:12]
        for ending in ENDINGS
    )
    assert found == TEXTS[version]


def test_the_terms_name_their_version() -> None:
    assert f"Version {TERMS_VERSION}," in (DOCS / "terms.md").read_text("utf-8")
    assert f"版本 {TERMS_VERSION}\uff0c" in (DOCS / "terms.zh-hans.md").read_text("utf-8")

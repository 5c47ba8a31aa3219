"""The versions that a figure of this site depends on, read from where each of them is decided."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.rules import TABLE
from apps.runs.services import NORMALISER_VERSION
from apps.wire.suites import suites

AGENTS = Path("apps") / "runs" / "data" / "agents.json"
DIGEST_CHARACTERS = 12


class Version(NamedTuple):
    """One version: of what, and which."""

    name: str | Promise
    value: str


@cache
def newest_agent() -> str:
    """The version of the agent that this site hands out."""
    return list(_agents())[-1]


@cache
def versions() -> tuple[Version, ...]:
    """Every version that a reader may have to name."""
    defined = ", ".join(
        f"{suite.id} {suite.version} ({suite.sha256[:DIGEST_CHARACTERS]})"
        for suite in suites().values()
    )
    return (
        Version(_("Method"), str(METHOD_VERSION)),
        Version(_("Agent"), ", ".join(_agents())),
        Version(_("Wire format"), "fsyncmark.run/1"),
        Version(_("Suites"), defined),
        Version(_("Rules"), ", ".join(f"{rule.id} {rule.version}" for rule in TABLE)),
        Version(_("Normaliser"), NORMALISER_VERSION),
        Version("API", f"v1, {settings.SPECTACULAR_SETTINGS['VERSION']}"),
    )


def _agents() -> dict[str, object]:
    """The agents that were released, the newest last."""
    found: dict[str, object] = json.loads(
        (Path(settings.BASE_DIR) / AGENTS).read_text(encoding="utf-8")
    )
    return found

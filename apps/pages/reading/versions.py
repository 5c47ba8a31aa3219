"""The versions that a figure of this site depends on, read from where each of them is decided."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rankings.method_version import METHOD_VERSION
from apps.runs.rules import TABLE
from apps.runs.services import NORMALISER_VERSION
from apps.wire.suites import suites

AGENTS = Path("apps") / "runs" / "data" / "agents.json"
DIGEST_CHARACTERS = 12


class Version(NamedTuple):
    """One version: of what, which, and what changes when it does."""

    name: str | Promise
    value: str
    meaning: str | Promise


@cache
def versions() -> tuple[Version, ...]:
    """Every version that a reader may have to name."""
    agents = json.loads((Path(settings.BASE_DIR) / AGENTS).read_text(encoding="utf-8"))
    defined = ", ".join(
        f"{suite.id} {suite.version} ({suite.sha256[:DIGEST_CHARACTERS]})"
        for suite in suites().values()
    )
    return (
        Version(
            _("Method"),
            str(METHOD_VERSION),
            _("How figures become standings. It stands on every standing."),
        ),
        Version(_("Agent"), ", ".join(agents), _("Releases that this site knows.")),
        Version(
            _("Wire format"),
            "fsyncmark.run/1",
            _("What an upload may hold. A new field is a new version."),
        ),
        Version(
            _("Suites"),
            defined,
            _("Workloads that are run together, with the digest of their definition."),
        ),
        Version(
            _("Rules"),
            ", ".join(f"{rule.id} {rule.version}" for rule in TABLE),
            _("What each run is checked by. After a change stored runs are judged again."),
        ),
        Version(
            _("Normaliser"),
            NORMALISER_VERSION,
            _("How the bytes of an upload become rows. They can be made again at any time."),
        ),
        Version(
            _("API"),
            f"v1, {settings.SPECTACULAR_SETTINGS['VERSION']}",
            _("It only grows: what an answer holds today it holds tomorrow."),
        ),
    )

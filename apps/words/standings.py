"""The warnings beside the figures of a standing, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from apps.stats.standings.gates import RANKED_MACHINES_MIN, RANKED_UPLOADERS_MIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.rankings.models import Standing

# From how many on a standing is ranked, by the names that sentences have for it.
RANKED_FROM: Final[Mapping[str, int]] = {
    "uploaders": RANKED_UPLOADERS_MIN,
    "machines": RANKED_MACHINES_MIN,
}


def warnings_of(standing: Standing) -> list[str]:
    """Return the warnings of its sources, and whether its runs lie on several filesystems."""
    warnings = [_(warning) for warning in standing.warnings]
    if standing.filesystems:
        filesystems = _(", ").join(standing.filesystems)
        warnings.append(_("Taken over runs on %(filesystems)s.") % {"filesystems": filesystems})
    return warnings


def english_warning(standing: Standing) -> str:
    """Return the same as one text in English."""
    with override("en"):
        return " ".join(warnings_of(standing))

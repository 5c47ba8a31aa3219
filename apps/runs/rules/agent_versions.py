"""Which agent sends: one that is too old is refused, and told of a newer one where there is one.

It names itself in its User-Agent, `fsyncmark/VERSION`. Whoever sends with another program is asked
for nothing: what it sends is checked against the schema in any case.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings

from apps.runs.rules.agents import released_agents
from apps.wire import problems
from apps.wire.limits import AGENT_OLDEST
from apps.wire.problems import Refusal

# SemVer 2.0; what follows a hyphen comes before the version without it.
_VERSION: Final = r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})(-[0-9A-Za-z.-]{1,32})?"
_AGENT: Final = re.compile(rf"fsyncmark/{_VERSION}(?![0-9A-Za-z.-])")


def refuse_old_agent(user_agent: str) -> None:
    """Raise Refusal for an agent that is older than AGENT_OLDEST."""
    asking = _AGENT.match(user_agent)
    if asking is None or _order(asking) >= _order_of(AGENT_OLDEST):
        return
    raise Refusal(
        problems.AGENT_TOO_OLD,
        f"{asking[0]} asks, and {AGENT_OLDEST} is the oldest that is taken here. A newer one is at"
        f" {settings.SITE_URL}/measure/.",
    )


def newer_agent(user_agent: str) -> str | None:
    """Return the newest released version where the agent that asks is older."""
    asking = _AGENT.match(user_agent)
    released = [version for version, release in released_agents().items() if release.binaries]
    newest = max(released, key=_order_of, default=None)
    if asking is None or newest is None or _order(asking) >= _order_of(newest):
        return None
    return newest


def told_of_newer(user_agent: str) -> dict[str, object]:
    """Return the member of a receipt about it; none where nothing newer is known."""
    newest = newer_agent(user_agent)
    if newest is None:
        return {}
    return {"newer_agent": {"version": newest, "url": f"{settings.SITE_URL}/measure/"}}


def _order_of(version: str) -> tuple[int, int, int, bool]:
    found = re.fullmatch(_VERSION, version)
    if found is None:
        message = f"not a version of the agent: {version}"
        raise ValueError(message)
    return _order(found)


def _order(found: re.Match[str]) -> tuple[int, int, int, bool]:
    major, minor, patch, hyphen = found.groups()
    return int(major), int(minor), int(patch), hyphen is None

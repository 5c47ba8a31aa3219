"""A fixture on each side of every rule about what people decided."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from apps.accounts.models import AgentKey
from apps.runs.models import RunRuling
from tests import make
from tests.runs.rules.changes import silent, speaks

if TYPE_CHECKING:
    from collections.abc import Callable

    from apps.runs.models import Upload

A_SECOND = timedelta(seconds=1)


def ruled(kind: str, reason: str = "the wrong disk") -> Callable[[Upload], None]:
    """Return what decides about the run."""

    def before(upload: Upload) -> None:
        RunRuling.objects.create(run_id=upload.pk, kind=kind, reason=reason)

    return before


def revoked(after: timedelta) -> Callable[[Upload], None]:
    """Return what revokes the key of the run, in doubt since so long after it came."""

    def before(upload: Upload) -> None:
        AgentKey.objects.filter(pk=upload.key_id).update(
            state="revoked", revoked_at=make.NOON, compromised_since=upload.received_at + after
        )

    return before


def ruled_elsewhere(kind: str) -> Callable[[Upload], None]:
    """Return what decides about another run."""

    def before(_upload: Upload) -> None:
        RunRuling.objects.create(run_id=make.uuid7(), kind=kind, reason="the wrong disk")

    return before


DECISION = [
    speaks("revoked-key", "from that moment", before=revoked(timedelta(0))),
    silent("revoked-key", "a second earlier", before=revoked(A_SECOND)),
    *(
        case
        for kind in ("withdrawn", "hidden", "excluded")
        for case in (
            speaks(kind, "with a reason", before=ruled(kind)),
            speaks(kind, "without one", before=ruled(kind, "")),
            silent(kind, "another run", before=ruled_elsewhere(kind)),
        )
    ),
]

"""A fixture on each side of the threshold of every rule about how runs come in."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from apps.accounts.models import AgentKey
from apps.plans.services import place_claim
from apps.runs.models import Upload
from tests import make
from tests.runs.rules.changes import setting, silent, speaks

if TYPE_CHECKING:
    from collections.abc import Callable

A_DAY = timedelta(days=1)


def run_of(upload: Upload, **changes: Any) -> None:
    make.run(id=upload.pk, upload=upload, measured_at=upload.received_at, **changes)


def other_keys(count: int) -> Callable[[Upload], None]:
    """Return what stores runs of the same machine from the same network, each under its own key."""

    def before(upload: Upload) -> None:
        for _ in range(count):
            run_of(
                make.upload(received_at=upload.received_at - A_DAY, state=Upload.State.DONE),
                machine=make.payload()["machine"],
                uploader=f"network:{upload.network}",
            )

    return before


def new_keys(count: int, *, is_new: bool = True) -> Callable[[Upload], None]:
    """Return what stores runs of the same plan, each under a key of its own."""

    def before(upload: Upload) -> None:
        plan = place_claim(provider="Home", plan="Shed", device_name="")
        for _ in range(count):
            earlier = upload.received_at - timedelta(hours=23)
            stored = make.upload(received_at=earlier, state=Upload.State.DONE)
            run_of(stored, plan=plan)
        if not is_new:
            long_ago = upload.received_at - 2 * A_DAY
            AgentKey.objects.filter(pk=upload.key_id).update(first_seen=long_ago)

    return before


SHED = setting("claim", {"provider": "Home", "plan": "Shed", "region": None})


def asked(issued: int, abandoned: int) -> dict[str, int]:
    return {"challenges_issued": issued, "challenges_abandoned": abandoned}


BEHAVIOUR = [
    speaks("many-keys", "four", before=other_keys(3)),
    silent("many-keys", "three", before=other_keys(2)),
    speaks("new-keys-on-plan", "eleven", SHED, before=new_keys(10)),
    silent("new-keys-on-plan", "ten", SHED, before=new_keys(9)),
    silent("new-keys-on-plan", "a key that is known", SHED, before=new_keys(10, is_new=False)),
    speaks("abandoned-challenges", "four of ten", upload=asked(10, 4)),
    silent("abandoned-challenges", "three of ten", upload=asked(10, 3)),
    silent("abandoned-challenges", "all of nine", upload=asked(9, 9)),
]

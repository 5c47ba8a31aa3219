"""What tests of decisions share: runs that count, people, and what the server says of all runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User

from apps.accounts.models import Person
from apps.intake.services.work import drain
from apps.rankings.models import StandingRun
from apps.runs.models import Label, Level, Run
from tests import make
from tests.rankings.management.again import make_all_again

if TYPE_CHECKING:
    from uuid import UUID

A_DAY = timedelta(days=1)
KINDS = ("withdrawn", "hidden", "excluded")


def shown(**changes: Any) -> UUID:
    """Return a witnessed run that counts in its standing."""
    received_at = changes.get("received_at", make.NOON)
    issued = {"challenge_issued_at": received_at - timedelta(minutes=5)}
    upload = make.upload(make.payload(), witnessed=True, **{**issued, **changes})
    drain()
    return upload.pk


def person(*, known_since: Any = make.NOON - 30 * A_DAY) -> User:
    user = User.objects.create_user(f"person-{make.number()}", f"{make.number()}@example.org")
    Person.objects.create(user=user, verified_at=known_since)
    return user


def text_of(answer: Any) -> str:
    return str(answer.getvalue().decode())


def rows() -> list[str]:
    """What the server says of all runs that somebody sent."""
    runs = Run.objects.exclude(level=Level.PUBLISHED).order_by("pk").values_list(
        "pk", "level", "outcome", "in_standings", "is_listed", "is_kept_out", "uploader",
        "is_claimed",
    )  # fmt: skip
    labels = Label.objects.exclude(run__level=Level.PUBLISHED).order_by("run", "rule").values_list(
        "run", "rule", "outcome", "keeps_out", "figures", "is_released"
    )  # fmt: skip
    counted = StandingRun.objects.filter(run_id__in=[run[0] for run in runs])
    return [
        *map(str, runs),
        *map(str, labels),
        *sorted(map(str, set(counted.values_list("run_id")))),
    ]


def is_made_again_alike() -> bool:
    """Whether the runs are the same once they are dropped and made again of their bytes."""
    before = rows()
    make_all_again()
    return rows() == before

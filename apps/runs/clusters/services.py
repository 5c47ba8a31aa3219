"""Keeps what the nightly search found, and judges as one whom it may.

A copied run and a borrowed machine name are signs that a stranger can make. Merged by them, three
networks would take over the voices of three others instead of standing beside them, and sixty those
of any account. So a rule merges networks with networks and accounts with accounts only, and by a
sign of that kind only networks that came up at the same time. The rest waits for a person, apart.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Final

import structlog
from django.db import InterfaceError, OperationalError, transaction

from apps.accounts.clock import database_now
from apps.runs.clusters.finding import FoundCluster, find_all
from apps.runs.provenance import UploaderCluster
from apps.runs.rulings import merge_uploaders
from apps.runs.trust.ownership import ACCOUNT, NETWORK

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

Rule: Final = UploaderCluster.Rule
State: Final = UploaderCluster.State
# Of a sign that a stranger can make: whoever copies has to begin when the other one does.
SAME_TIME: Final = timedelta(days=7)
ACCOUNTS_MIN: Final = 3  # two may have met somebody else's network by chance
_BY_STRANGERS: Final = (Rule.MACHINE, Rule.ALIKE)

log = structlog.get_logger(__name__)


def find_clusters() -> int:
    """Look for clusters among recent runs, keep and merge the new ones, and return how many.

    Raises only if the database is not available: what a run holds must not stop the sweeper.
    """
    now = database_now()
    try:
        return sum(_keep(found, at=now) for found in find_all(at=now))
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("clusters not found")
        return 0


@transaction.atomic
def settle_cluster(pk: int, state: str) -> UploaderCluster:
    """Say what a person thinks of a cluster. Splitting is `rulings.split_uploader`.

    Raises UploaderCluster.DoesNotExist.
    """
    cluster = UploaderCluster.objects.select_for_update().get(pk=pk)
    cluster.state = state
    cluster.save(update_fields=("state",))
    return cluster


@transaction.atomic
def _keep(found: FoundCluster, *, at: datetime) -> bool:
    """Store a finding that is new, and merge what may be; return whether it was new."""
    names = list(found.uploaders)
    cluster, is_new = UploaderCluster.objects.get_or_create(
        rule=found.rule,
        uploaders=names,
        defaults={"evidence": found.evidence, "found_at": at},
    )
    if not is_new:
        return False
    smaller = UploaderCluster.objects.filter(rule=found.rule, state=State.WAITING)
    smaller.filter(uploaders__contained_by=names).exclude(pk=cluster.pk).delete()
    for group in _groups(found):
        if not _was_split(group):
            merge_uploaders(group, f"by the rule {found.rule}")
            cluster.is_merged = True
    cluster.save(update_fields=("is_merged",))
    log.info("cluster found", rule=found.rule, uploaders=len(names), merged=cluster.is_merged)
    return True


def _groups(found: FoundCluster) -> list[list[str]]:
    """Return who may be judged as one without a person."""
    networks = [each for each in found.uploaders if each.startswith(NETWORK)]
    accounts = [each for each in found.uploaders if each.startswith(ACCOUNT)]
    if found.rule == Rule.HOSTER and found.evidence["own_networks"] < len(networks):
        groups = []  # it may be how that plan is reached
    elif found.rule in _BY_STRANGERS:
        births = [found.first_seen[each] for each in networks]
        are_of_an_age = bool(births) and max(births) - min(births) <= SAME_TIME
        groups = [networks] if are_of_an_age else []
    else:
        groups = [networks, accounts if len(accounts) >= ACCOUNTS_MIN else []]
    return [group for group in groups if len(group) > 1]


def _was_split(names: Iterable[str]) -> bool:
    """Whether a person said of any two of these that they are two."""
    splits = UploaderCluster.objects.filter(state=State.SPLIT, uploaders__overlap=list(names))
    apart = [set(each) for each in splits.values_list("uploaders", flat=True)]
    return any({one, other} <= each for one, other in combinations(names, 2) for each in apart)

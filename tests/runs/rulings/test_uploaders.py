"""Whose runs are: of the network, the account, or the uploader that they are judged as."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.accounts.models import AgentKey
from apps.accounts.services import (
    KeyRefusedError,
    claim_key,
    release_key,
    restore_key,
    revoke_key,
    rotate_key,
)
from apps.intake.services.work import drain
from apps.rankings.models import CellMark
from apps.runs.models import Run, UploaderMerge
from apps.runs.rulings import BadMergeError, merge_uploaders, split_uploader
from tests import make
from tests.runs.rulings.sent_runs import A_DAY, is_made_again_alike, person, shown

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


def test_runs_of_a_claimed_key_are_its_owners_and_a_claim_lifts_none_that_is_there() -> None:
    agent, owner = make.Agent(), person()
    run_id = shown(agent=agent)
    claim_key(AgentKey.objects.get(pk=agent.keyid), owner)
    drain()
    run = Run.objects.get(pk=run_id)
    assert (run.uploader, run.is_claimed) == (f"account:{owner.pk}", False)
    AgentKey.objects.update(claimed_at=make.NOON - A_DAY)
    later = shown(agent=agent)
    assert Run.objects.get(pk=later).is_claimed
    release_key(AgentKey.objects.get(pk=agent.keyid))
    drain()
    run = Run.objects.get(pk=run_id)
    assert (run.uploader, run.is_claimed) == (f"network:{'1' * 32}", False)
    assert is_made_again_alike()


@pytest.mark.parametrize(("days", "is_claimed"), [(7, True), (6, False)])
def test_a_person_is_known_after_a_week(days: int, *, is_claimed: bool) -> None:
    agent, owner = make.Agent(), person(known_since=make.NOON - days * A_DAY)
    agent.enrolled()
    AgentKey.objects.update(owner=owner, claimed_at=make.NOON - 30 * A_DAY, state="claimed")
    run_id = shown(agent=agent)
    assert Run.objects.get(pk=run_id).is_claimed is is_claimed
    assert Run.objects.get(pk=run_id).uploader == f"account:{owner.pk}"


def test_a_person_who_is_not_verified_is_not_known() -> None:
    agent, owner = make.Agent(), person(known_since=None)
    agent.enrolled()
    AgentKey.objects.update(owner=owner, claimed_at=make.NOON - 30 * A_DAY, state="claimed")
    assert not Run.objects.get(pk=shown(agent=agent)).is_claimed


def test_a_rotated_key_keeps_its_runs_on_the_account() -> None:
    old, new, owner = make.Agent(), make.agent_key(), person()
    run_id = shown(agent=old)
    claim_key(AgentKey.objects.get(pk=old.keyid), owner)
    rotate_key(AgentKey.objects.get(pk=old.keyid), new)
    drain()
    assert Run.objects.get(pk=run_id).uploader == f"account:{owner.pk}"
    assert set(AgentKey.objects.filter(owner=owner)) == {new, AgentKey.objects.get(pk=old.keyid)}
    release_key(AgentKey.objects.get(pk=old.keyid))
    states = dict(AgentKey.objects.values_list("pk", "state"))
    assert states == {old.keyid: "rotated", new.pk: "anonymous"}
    revoke_key(AgentKey.objects.get(pk=old.keyid), None, None, "x")
    restore_key(AgentKey.objects.get(pk=old.keyid), None, "y")
    assert AgentKey.objects.get(pk=old.keyid).state == "rotated"


def test_a_claimed_key_has_one_owner() -> None:
    key, owner = make.agent_key(), person()
    claim_key(key, owner)
    claimed_at = claim_key(key, owner).claimed_at
    assert AgentKey.objects.get().claimed_at == claimed_at
    with pytest.raises(KeyRefusedError):
        claim_key(key, person())
    revoke_key(key, owner, None, "lost")
    restore_key(key, owner, "found")
    assert AgentKey.objects.get().state == "claimed"
    assert restore_key(key, owner, "again").state == "claimed"
    assert release_key(make.agent_key()).owner is None


def merged_world() -> tuple[str, str, str]:
    names = []
    for digit in "123":
        shown(network=digit * 32)
        names.append(f"network:{digit * 32}")
    return names[0], names[1], names[2]


def uploaders() -> set[str]:
    return set(Run.objects.values_list("uploader", flat=True))


def test_merged_uploaders_are_one_and_split_ones_are_two() -> None:
    one, two, three = merged_world()
    assert merge_uploaders([three, two], "born together") == two
    assert merge_uploaders([two, one], "the same again") == one
    assert uploaders() == {one}
    assert CellMark.objects.exists()
    drain()
    assert is_made_again_alike()
    assert split_uploader(three)
    assert uploaders() == {one, three}
    assert split_uploader(one)  # all that are judged as it
    assert uploaders() == {one, two, three}
    assert not split_uploader(two)
    assert is_made_again_alike()


def test_an_account_is_merged_and_split_with_its_keys_and_imports_with_their_network() -> None:
    agent, owner = make.Agent(), person()
    shown(agent=agent)
    claim_key(AgentKey.objects.get(pk=agent.keyid), owner)
    drain()
    account, network = f"account:{owner.pk}", f"network:{'2' * 32}"
    shown(network="2" * 32)
    merge_uploaders([account, network], "the same person")
    assert uploaders() == {account}
    split_uploader(network)
    assert uploaders() == {account, network}
    merge_uploaders([account, "account:0"], "older")
    assert uploaders() == {"account:0", network}
    split_uploader(account)
    assert uploaders() == {account, network}


@pytest.mark.parametrize(
    "merge",
    [
        lambda: merge_uploaders(["network:1"], "x"),
        lambda: merge_uploaders(["network:1", "network:1"], "x"),
        lambda: merge_uploaders(["network:1", "somebody"], "x"),
    ],
)
def test_a_merge_is_of_two_uploaders(merge: Callable[[], object]) -> None:
    with pytest.raises(BadMergeError):
        merge()
    assert not UploaderMerge.objects.exists()


def test_merging_what_is_merged_changes_nothing() -> None:
    merge_uploaders(["network:1", "network:2"], "first")
    assert merge_uploaders(["network:2", "network:1"], "again") == "network:1"
    assert UploaderMerge.objects.get().reason == "first"

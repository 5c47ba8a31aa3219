"""What people decide about runs and keys holds at once, and through a rebuild."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from apps.accounts.models import AgentKey, Person
from apps.accounts.services import (
    KeyRefusedError,
    claim_key,
    release_key,
    restore_key,
    revoke_key,
    rotate_key,
)
from apps.intake.services.work import drain
from apps.rankings.management.commands import rebuild
from apps.rankings.models import CellMark, StandingRun
from apps.rankings.services import refresh_all
from apps.runs.imported.services import record_imported
from apps.runs.models import Label, Level, Outcome, Run, RunRuling, Tombstone, Upload, UploaderMerge
from apps.runs.rulings import (
    BadMergeError,
    NoSuchRunError,
    delete_run,
    lift_ruling,
    merge_uploaders,
    rule_on_run,
    split_uploader,
)
from apps.runs.services import record_run
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

pytestmark = pytest.mark.django_db
FIXTURES = Path(__file__).parents[1] / "intake" / "importers" / "fixtures"
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
    uploads = rebuild.uploads_with_results()
    rebuild.drop_derived()
    for run_id in uploads:
        record_run(upload=Upload.objects.get(pk=run_id))
    record_imported()
    refresh_all()
    return rows() == before


def test_everything_that_was_decided_is_made_again_alike() -> None:
    store_catalogue()
    stolen, owned, owner = make.Agent(), make.Agent(), person()
    owned.enrolled()
    AgentKey.objects.update(owner=owner, claimed_at=make.NOON - A_DAY, state="claimed")
    ruled = {kind: shown(network=f"{place}" * 32) for place, kind in enumerate(KINDS)}
    shown(agent=stolen, received_at=make.NOON - A_DAY)
    shown(agent=stolen)
    mine, gone, merged = shown(agent=owned), shown(), shown(network="9" * 32)
    for kind, run_id in ruled.items():
        rule_on_run(run_id, kind, "the wrong disk")
    revoke_key(AgentKey.objects.get(pk=stolen.keyid), None, make.NOON, "stolen")
    delete_run(gone, by_owner=True, reason="mine")
    merge_uploaders([f"network:{'9' * 32}", f"network:{'1' * 32}"], "born together")
    drain()
    before = rows()
    assert Run.objects.get(pk=mine).is_claimed
    assert Run.objects.get(pk=merged).uploader == f"network:{'1' * 32}"
    assert Run.objects.filter(is_listed=False).count() == len(KINDS)
    assert Run.objects.filter(outcome=Outcome.QUARANTINE).exclude(level="published").count() == 1
    call_command("rebuild", stdout=StringIO())
    assert rows() == before
    assert not Run.objects.filter(pk=gone).exists()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_decided_holds_at_once_and_says_so(kind: str) -> None:
    run_id = shown()
    assert StandingRun.objects.filter(run_id=run_id).exists()
    rule_on_run(run_id, kind, "the wrong disk.\n")
    run = Run.objects.get(pk=run_id)
    assert (run.in_standings, run.is_listed, run.is_kept_out) == (False, False, True)
    assert CellMark.objects.exists()
    drain()
    assert not StandingRun.objects.filter(run_id=run_id).exists()
    label = Label.objects.get(run=run_id, rule=kind)
    assert (label.rule, label.keeps_out, label.figures["reason"]) == (kind, "run", "the wrong disk")
    assert is_made_again_alike()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_taken_back_leaves_nothing(kind: str) -> None:
    run_id = shown()
    before = rows()
    rule_on_run(run_id, kind, "first")
    rule_on_run(run_id, kind, "second")
    assert RunRuling.objects.get().reason == "second"
    assert lift_ruling(run_id, kind)
    assert not lift_ruling(run_id, kind)
    drain()
    assert rows() == before


@pytest.mark.parametrize("kind", KINDS)
def test_its_page_says_why_and_no_list_has_it(kind: str, client: Any) -> None:
    run_id = shown()
    assert str(run_id) in client.get("/runs/").content.decode()
    rule_on_run(run_id, kind, "the wrong disk")
    drain()
    page = client.get(f"/runs/{run_id}/")
    assert page.status_code == 200
    assert "the wrong disk" in page.content.decode()
    for address in ("/runs/", "/runs.csv", "/runs.json", "/runs.atom", "/api/v1/runs"):
        assert str(run_id) not in text_of(client.get(address)), address
    answer = client.get(f"/api/v1/runs/{run_id}").json()
    assert (answer["is_listed"], answer["in_standings"]) == (False, False)
    assert kind in [label["rule"] for label in answer["labels"]]


def test_a_released_rule_stays_on_the_page_and_keeps_nothing_out() -> None:
    memory = make.payload(env=make.environment(fs="tmpfs"))
    upload = make.upload(memory, witnessed=True)
    drain()
    rules = set(Label.objects.filter(keeps_out="run").values_list("rule", flat=True))
    assert rules == {"memory-filesystem"}
    rule_on_run(upload.pk, "released", "it is a battery-backed disk", "memory-filesystem")
    drain()
    run, label = Run.objects.get(), Label.objects.get(rule="memory-filesystem")
    assert (run.in_standings, run.is_listed) == (True, True)
    assert (label.is_released, label.keeps_out) == (True, "nothing")
    assert is_made_again_alike()


def test_released_figures_that_do_not_fit_are_witnessed_again() -> None:
    document = make.payload()
    document["workloads"][0]["bytes"] += 1
    upload = make.upload(document, witnessed=True)
    drain()
    broken = list(Label.objects.filter(outcome=Outcome.QUARANTINE).values_list("rule", flat=True))
    assert broken
    assert Run.objects.get().level == Level.SIGNED
    for rule in broken:
        rule_on_run(upload.pk, "released", "a known fault of this version", rule)
    drain()
    run = Run.objects.get()
    assert (run.level, run.outcome, run.in_standings) == (Level.WITNESSED, Outcome.LABEL, True)


def test_nobody_decides_about_what_nobody_sent() -> None:
    for decide in (
        lambda run_id: rule_on_run(run_id, "excluded", "x"),
        lambda run_id: lift_ruling(run_id, "excluded"),
        lambda run_id: delete_run(run_id, by_owner=False, reason="x"),
    ):
        with pytest.raises(NoSuchRunError):
            decide(make.uuid7())
    assert not RunRuling.objects.exists()


def test_a_deleted_run_leaves_its_id_and_its_reason() -> None:
    run_id = shown()
    delete_run(run_id, by_owner=True, reason="not\nmine")
    assert not Upload.objects.exists()
    assert not Run.objects.exists()
    stone = Tombstone.objects.get(pk=run_id)
    assert (stone.by_owner, stone.reason) == (True, "not mine")
    drain()
    assert not StandingRun.objects.filter(run_id=run_id).exists()
    assert is_made_again_alike()


def test_who_was_judged_by_a_deleted_run_is_judged_again() -> None:
    document = make.payload()
    yesterday = make.NOON - A_DAY
    first = make.upload(document, witnessed=True, received_at=yesterday)
    copy = make.upload(
        {**document, "run_id": str(make.uuid7()), "machine": "f" * 32}, witnessed=True
    )
    drain()
    assert Label.objects.filter(run=copy.pk, rule="copied-figures").exists()
    delete_run(first.pk, by_owner=True, reason="mine")
    drain()
    assert not Label.objects.filter(run=copy.pk, rule="copied-figures").exists()
    assert is_made_again_alike()


def test_runs_since_a_key_was_stolen_are_in_quarantine_and_earlier_ones_are_not() -> None:
    agent = make.Agent()
    before = shown(agent=agent, received_at=make.NOON - A_DAY)
    after = shown(agent=agent, received_at=make.NOON)
    key = AgentKey.objects.get(pk=agent.keyid)
    revoke_key(key, None, make.NOON, "stolen")
    assert not Run.objects.get(pk=after).in_standings  # at once
    drain()
    old, new = Run.objects.get(pk=before), Run.objects.get(pk=after)
    assert (old.level, old.in_standings) == (Level.WITNESSED, True)
    assert old.outcome != Outcome.QUARANTINE
    assert (new.outcome, new.in_standings) == (Outcome.QUARANTINE, False)
    assert is_made_again_alike()
    restore_key(key, None, "found again")
    drain()
    assert Run.objects.get(pk=after).in_standings
    assert AgentKey.objects.get(pk=agent.keyid).state == "anonymous"


def test_a_key_that_is_revoked_without_a_doubt_keeps_its_runs() -> None:
    agent = make.Agent()
    run_id = shown(agent=agent)
    revoke_key(AgentKey.objects.get(pk=agent.keyid), None, None, "machine sold")
    drain()
    assert Run.objects.get(pk=run_id).in_standings


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


def test_an_import_is_excluded_and_deleted_like_a_run(client: Any) -> None:
    output = (FIXTURES / "fio-3.33-debian.fsync.json").read_bytes()
    address = "/api/v1/imports"
    run_id = client.generic("POST", address, output, content_type="text/plain").json()["run_id"]
    rule_on_run(run_id, "excluded", "made up")
    run = Run.objects.get()
    assert (run.is_listed, run.is_kept_out, run.labels.get(rule="excluded").keeps_out) == (
        False, True, "run",
    )  # fmt: skip
    assert is_made_again_alike()
    lift_ruling(run_id, "excluded")
    assert Run.objects.get().is_listed
    delete_run(run_id, by_owner=False, reason="made up")
    assert not Run.objects.exists()
    assert client.get(f"/runs/{run_id}/").status_code == 410
    again = client.generic("POST", address, output, content_type="text/plain")
    assert again.status_code == 410

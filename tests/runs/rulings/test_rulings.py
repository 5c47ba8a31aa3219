"""What people decide about runs and keys holds at once, and through a rebuild."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.accounts.models import AgentKey
from apps.accounts.services import (
    restore_key,
    revoke_key,
)
from apps.intake.services.work import drain
from apps.rankings.models import CellMark, StandingRun
from apps.runs.models import Label, Level, Outcome, Run, RunRuling, Tombstone, Upload
from apps.runs.rulings import (
    NoSuchRunError,
    delete_run,
    lift_ruling,
    merge_uploaders,
    rule_on_run,
)
from tests import make
from tests.runs.rulings.sent_runs import (
    A_DAY,
    KINDS,
    is_made_again_alike,
    person,
    rows,
    shown,
    text_of,
)
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db
FIXTURES = Path(__file__).parents[2] / "intake" / "importers" / "fixtures"


@pytest.mark.usefixtures("few_published")
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
    assert label.figures
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

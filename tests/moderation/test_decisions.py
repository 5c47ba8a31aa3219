"""What moderators decide: each act, its undo, its row in the log, and what a rebuild makes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.accounts.models import AgentKey
from apps.accounts.services import revoke_key
from apps.intake.services.work import drain
from apps.moderation.models import BinnedRun, Decision, Subject
from apps.moderation.services.acts.act import DecisionError, Order
from apps.moderation.services.decisions import decide, undo
from apps.moderation.services.reports import empty_bin
from apps.rankings.models import CellMark, Standing
from apps.runs.models import CloudProof, Label, Run, RunRuling, Tombstone, Upload, UploaderMerge
from apps.runs.rulings import delete_run
from tests import make
from tests.rankings.management.again import make_all_again
from tests.support.accounts.people import claim, make_person
from tests.support.accounts.staff import REASON
from tests.support.sent import Agent

pytestmark = pytest.mark.django_db
A = Decision.Action


def sent_run(**changes: Any) -> Run:
    """Return a witnessed run that a worker has made of an upload, and computed."""
    upload = make.upload(witnessed=True, **changes)
    drain()
    return Run.objects.get(pk=upload.pk)


def order(by: User, action: str, subject: Subject, subject_id: str, **given: str) -> Order:
    return Order(action, subject, subject_id, REASON, by, given)


def decided(by: User, action: str, run: Run, **given: str) -> Decision:
    (made,) = decide([order(by, action, Subject.RUN, run.slug, **given)])
    return made


def taken_back(decision: Decision, by: User) -> Decision:
    (made,) = undo([decision.pk], by=by, reason="Our mistake.")
    return made


def test_an_excluded_run_is_out_at_once_and_stays_out(moderator: User) -> None:
    run = sent_run()
    assert Standing.objects.filter(counted__run_id=run.pk).exists()
    decided(moderator, A.EXCLUDE, run)
    run.refresh_from_db()
    assert (run.is_kept_out, run.in_standings) == (True, False)
    assert CellMark.objects.exists(), "standings are marked in the transaction of the decision"
    drain()
    assert not Standing.objects.filter(counted__run_id=run.pk).exists()
    make_all_again()
    run = Run.objects.get(pk=run.pk)
    assert run.is_kept_out
    assert not Standing.objects.filter(counted__run_id=run.pk).exists()


def test_an_exclusion_is_taken_back(moderator: User) -> None:
    run = sent_run()
    made = decided(moderator, A.EXCLUDE, run)
    drain()
    taken = taken_back(made, moderator)
    assert (taken.action, taken.undoes, taken.reason) == (A.UNDO, made, "Our mistake.")
    drain()
    run.refresh_from_db()
    assert not run.is_kept_out
    assert Standing.objects.filter(counted__run_id=run.pk).exists()


def test_what_was_decided_about_a_run_that_its_owner_deleted_stays(moderator: User) -> None:
    run = sent_run()
    made = decided(moderator, A.EXCLUDE, run)
    delete_run(run.pk, by_owner=True, reason="")
    with pytest.raises(DecisionError, match="no such run"):
        taken_back(made, moderator)


def test_nothing_is_taken_back_twice(moderator: User) -> None:
    made = decided(moderator, A.EXCLUDE, sent_run())
    taken_back(made, moderator)
    with pytest.raises(DecisionError):
        taken_back(made, moderator)


def test_a_decision_on_which_a_later_one_rests_stays(moderator: User) -> None:
    run = sent_run()
    first = decided(moderator, A.EXCLUDE, run)
    later = decided(moderator, A.RESTORE, run)
    with pytest.raises(DecisionError, match="later"):
        taken_back(first, moderator)
    taken_back(later, moderator)
    assert RunRuling.objects.filter(run_id=run.pk, kind="excluded").exists()
    taken_back(first, moderator)
    assert not RunRuling.objects.filter(run_id=run.pk).exists()


def test_a_bulk_of_which_one_cannot_be_done_does_nothing(moderator: User) -> None:
    run, other = sent_run(), sent_run()
    decided(moderator, A.EXCLUDE, other)
    with pytest.raises(DecisionError, match="already"):
        decide([order(moderator, A.EXCLUDE, Subject.RUN, each.slug) for each in (run, other)])
    assert not RunRuling.objects.filter(run_id=run.pk).exists()
    assert Decision.objects.count() == 1


def test_a_decision_needs_a_reason(moderator: User) -> None:
    run = sent_run()
    with pytest.raises(DecisionError, match="reason"):
        decide([Order(A.EXCLUDE, Subject.RUN, run.slug, "", moderator)])
    assert not RunRuling.objects.exists()


def test_a_rule_is_set_aside_for_one_run_alone(moderator: User) -> None:
    upload = make.upload()  # without a challenge: a label says so
    drain()
    run = Run.objects.get(pk=upload.pk)
    rule = Label.objects.filter(run=run).values_list("rule", flat=True)[0]
    made = decided(moderator, A.RELEASE, run, rule=rule)
    drain()
    assert Label.objects.get(run=run, rule=rule).is_released
    taken_back(made, moderator)
    drain()
    assert not Label.objects.get(run=run, rule=rule).is_released


def test_a_rule_that_did_not_speak_is_not_set_aside(moderator: User) -> None:
    with pytest.raises(DecisionError):
        decided(moderator, A.RELEASE, sent_run(), rule="steal")


def test_a_deleted_run_comes_back_out_of_the_bin(moderator: User) -> None:
    run = sent_run()
    before = Upload.objects.get(pk=run.pk)
    made = decided(moderator, A.DELETE, run)
    assert Tombstone.objects.get(pk=run.pk).by_owner is False
    assert not Upload.objects.filter(pk=run.pk).exists()
    taken_back(made, moderator)
    drain()
    after = Upload.objects.get(pk=run.pk)
    assert after.payload == before.payload
    assert after.envelope == before.envelope
    assert Run.objects.get(pk=run.pk).in_standings
    assert not Tombstone.objects.exists()
    assert not BinnedRun.objects.exists()


@pytest.mark.parametrize(("state", "comes_back"), [("holds", True), ("waiting", False)])
def test_what_a_provider_signed_comes_back_but_no_document_lies_in_the_bin(
    moderator: User, state: str, *, comes_back: bool
) -> None:
    run = sent_run()
    CloudProof.objects.create(
        run_id=run.pk, sent_sha256="0" * 64, provider="aws", received_at=make.NOON, state=state,
        document="" if comes_back else "an account", instance_type="t3.micro",
    )  # fmt: skip
    made = decided(moderator, A.DELETE, run)
    assert "an account" not in BinnedRun.objects.get().rows
    taken_back(made, moderator)
    found = CloudProof.objects.filter(pk=run.pk, instance_type="t3.micro", state="holds")
    assert found.exists() is comes_back


def test_a_bin_that_is_emptied_gives_nothing_back(moderator: User) -> None:
    made = decided(moderator, A.DELETE, sent_run())
    assert empty_bin() == 0
    BinnedRun.objects.update(binned_at=make.NOON)
    assert empty_bin() == 1
    with pytest.raises(DecisionError, match="bytes are gone"):
        taken_back(made, moderator)


def test_a_published_result_is_not_deleted_here(moderator: User) -> None:
    run = make.citation().run
    with pytest.raises(DecisionError, match="file"):
        decided(moderator, A.DELETE, run)


def test_a_key_is_revoked_and_believed_again(moderator: User) -> None:
    run = sent_run()
    assert run.upload
    key = run.upload.key
    about = (A.REVOKE_KEY, Subject.KEY, key.keyid)
    (made,) = decide([order(moderator, *about, compromised_since="2020-01-01")])
    drain()
    key.refresh_from_db()
    run.refresh_from_db()
    assert (key.state, run.outcome, run.in_standings) == ("revoked", "quarantine", False)
    taken_back(made, moderator)
    drain()
    key.refresh_from_db()
    run.refresh_from_db()
    assert (key.state, run.in_standings) == (AgentKey.State.ANONYMOUS, True)


def test_a_day_of_a_revocation_is_made_earlier_and_taken_back(moderator: User) -> None:
    owner, key = make_person(), make.agent_key()
    claim(key, owner)
    june = datetime(2025, 6, 1, tzinfo=UTC)
    revoke_key(key, owner, None, "sold")
    about = (A.REVOKE_KEY, Subject.KEY, key.keyid)
    (made,) = decide([order(moderator, *about, compromised_since="2025-06-01")])
    key.refresh_from_db()
    assert (key.compromised_since, key.revoked_reason) == (june, REASON)
    for later in ("", "2025-06-01", "2025-07-01"):
        with pytest.raises(DecisionError, match="already"):
            decide([order(moderator, *about, compromised_since=later)])
    taken_back(made, moderator)
    key.refresh_from_db()
    assert (key.state, key.compromised_since, key.revoked_reason) == ("revoked", None, "sold")


def test_what_an_owner_revoked_outlives_the_undo_of_a_moderators(moderator: User) -> None:
    owner, key = make_person(), make.agent_key()
    claim(key, owner)
    (made,) = decide([
        order(moderator, A.REVOKE_KEY, Subject.KEY, key.keyid, compromised_since="2025-06-01")
    ])  # fmt: skip
    july = datetime(2025, 7, 1, tzinfo=UTC)
    revoke_key(key, owner, july, "stolen")
    taken_back(made, moderator)
    key.refresh_from_db()
    assert (key.state, key.compromised_since, key.revoked_reason) == ("revoked", july, "stolen")


@pytest.mark.parametrize("url", ["", "http://example.org/lab", "javascript:alert(1)"])
def test_a_laboratory_has_a_set_up_behind_https(moderator: User, url: str) -> None:
    key = make.agent_key()
    with pytest.raises(DecisionError):
        decide([order(moderator, A.GRANT_LAB, Subject.KEY, key.keyid, setup_url=url)])


def test_a_laboratory_is_granted_and_withdrawn(moderator: User) -> None:
    key, url = make.agent_key(), "https://example.org/lab"
    (granted,) = decide([order(moderator, A.GRANT_LAB, Subject.KEY, key.keyid, setup_url=url)])
    key.refresh_from_db()
    assert key.lab_setup_url == url
    (withdrawn,) = decide([order(moderator, A.WITHDRAW_LAB, Subject.KEY, key.keyid)])
    taken_back(withdrawn, moderator)
    taken_back(granted, moderator)
    key.refresh_from_db()
    assert key.lab_setup_url == ""


def test_uploaders_are_judged_as_one_and_apart(moderator: User) -> None:
    runs = [sent_run(agent=Agent(), network=str(n) * 32) for n in (2, 3)]
    slugs = " ".join(run.slug for run in runs)
    (merged,) = decide([order(moderator, A.MERGE, Subject.UPLOADERS, "", runs=slugs)])
    uploaders = set(Run.objects.values_list("uploader", flat=True))
    assert len(uploaders) == 1
    assert "network:" not in f"{merged.subject_id}{merged.reason}"
    split = decided(moderator, A.SPLIT, runs[0])
    assert not UploaderMerge.objects.exists()
    taken_back(split, moderator)
    assert UploaderMerge.objects.count() == 1
    taken_back(merged, moderator)
    assert len(set(Run.objects.values_list("uploader", flat=True))) == 2


def test_uploaders_of_one_network_are_one_already(moderator: User) -> None:
    runs = " ".join(sent_run().slug for _ in range(2))
    with pytest.raises(DecisionError, match="two uploaders"):
        decide([order(moderator, A.MERGE, Subject.UPLOADERS, "", runs=runs)])


def test_what_is_left_as_it_is_leaves_the_queue(moderator: User) -> None:
    made = decided(moderator, A.KEEP, sent_run())
    assert (made.role, made.by) == ("moderator", moderator)
    taken_back(made, moderator)
    assert Decision.objects.count() == 2

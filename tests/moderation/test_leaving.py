"""What leaves with an account: also what a moderator could take back."""

from __future__ import annotations

import pytest

from apps.accounts.models import AgentKey
from apps.intake.services.work import drain
from apps.moderation.leaving import delete_person
from apps.moderation.models import BinnedRun, Decision, Subject
from apps.moderation.services.acts.act import DecisionError, Order
from apps.moderation.services.decisions import decide, undo
from apps.runs.models import Run, Tombstone, Upload
from tests import make
from tests.support.accounts.people import claim, make_person
from tests.support.accounts.staff import REASON, make_staff

pytestmark = pytest.mark.django_db


def deleted_run(agent: make.Agent) -> Decision:
    """Return the decision that put a run of an agent into the bin."""
    upload = make.upload(agent=agent, witnessed=True)
    drain()
    run = Run.objects.get(pk=upload.pk)
    order = Order(Decision.Action.DELETE, Subject.RUN, run.slug, REASON, make_staff())
    return decide([order])[0]


@pytest.mark.parametrize("with_runs", [True, False])
def test_the_bin_is_emptied_of_runs_that_go_with_their_owner(*, with_runs: bool) -> None:
    person, own, others = make_person(), make.Agent(), make.Agent()
    mine, theirs = deleted_run(own), deleted_run(others)
    claim(AgentKey.objects.get(pk=own.keyid), person)
    delete_person(person, with_runs=with_runs)
    assert BinnedRun.objects.count() == (1 if with_runs else 2)
    assert Tombstone.objects.count() == 2
    undo([theirs.pk], by=make_staff(), reason="Our mistake.")
    assert Upload.objects.get().key_id == others.keyid
    if with_runs:
        with pytest.raises(DecisionError, match="bytes are gone"):
            undo([mine.pk], by=make_staff(), reason="Our mistake.")

"""The undo of a merge leaves everything as it was, or is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.intake.services.work import drain
from apps.moderation.models import Decision, Subject
from apps.moderation.services.acts.act import DecisionError, Order
from apps.moderation.services.decisions import decide, undo
from apps.runs.models import Run, UploaderCluster, UploaderMerge
from tests import make
from tests.support.accounts.staff import REASON
from tests.support.sent import Agent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db
A = Decision.Action
ONE, TWO, THREE = (f"network:{str(number) * 32}" for number in (1, 2, 3))


def run_of(network: str) -> Run:
    upload = make.upload(witnessed=True, agent=Agent(), network=network.partition(":")[2])
    drain()
    return Run.objects.get(pk=upload.pk)


def merged(by: User, *runs: Run) -> Decision:
    slugs = " ".join(run.slug for run in runs)
    (made,) = decide([Order(A.MERGE, Subject.UPLOADERS, "", REASON, by, {"runs": slugs})])
    return made


def split(by: User, run: Run) -> Decision:
    (made,) = decide([Order(A.SPLIT, Subject.RUN, run.slug, REASON, by)])
    return made


def pairs() -> dict[str, str]:
    return dict(UploaderMerge.objects.values_list("uploader", "into"))


def uploaders(*runs: Run) -> list[str]:
    return [Run.objects.get(pk=run.pk).uploader for run in runs]


def test_who_followed_another_before_a_merge_follows_it_again(moderator: User) -> None:
    one, two, three = (run_of(each) for each in (ONE, TWO, THREE))
    merged(moderator, two, three)
    made = merged(moderator, two, one)
    assert pairs() == {TWO: ONE, THREE: ONE}
    undo([made.pk], by=moderator, reason="")
    assert pairs() == {THREE: TWO}
    assert uploaders(one, two, three) == [ONE, TWO, TWO]
    assert not UploaderCluster.objects.exists(), "an undo is nobody's opinion"


def test_a_merge_stays_while_a_later_split_of_some_of_it_stands(moderator: User) -> None:
    one, two, three = (run_of(each) for each in (ONE, TWO, THREE))
    first = merged(moderator, two, three)
    merged(moderator, two, one)
    later = split(moderator, three)
    with pytest.raises(DecisionError, match="later"):
        undo([first.pk], by=moderator, reason="")
    apart = UploaderCluster.objects.filter(rule=UploaderCluster.Rule.BY_HAND)
    assert apart.filter(state=UploaderCluster.State.SPLIT).exists()
    undo([later.pk], by=moderator, reason="")
    assert pairs() == {TWO: ONE, THREE: ONE}
    assert not apart.exists()


def test_a_split_stays_while_a_later_merge_of_some_of_it_stands(moderator: User) -> None:
    one, two, three = (run_of(each) for each in (ONE, TWO, THREE))
    merged(moderator, two, three)
    first = split(moderator, three)
    merged(moderator, one, two)
    with pytest.raises(DecisionError, match="later"):
        undo([first.pk], by=moderator, reason="")
    assert pairs() == {TWO: ONE}


def test_all_of_a_chain_is_taken_back_in_one_go(moderator: User) -> None:
    one, two, three = (run_of(each) for each in (ONE, TWO, THREE))
    made = [merged(moderator, two, three), merged(moderator, two, one), split(moderator, three)]
    undo([each.pk for each in made], by=moderator, reason="")
    assert pairs() == {}
    assert uploaders(one, two, three) == [ONE, TWO, THREE]

"""Attempts to weigh more than one person: fresh accounts, forged laboratories, split voices."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User

from apps.accounts.models import AgentKey, Person
from apps.accounts.services import claim_key
from apps.intake.services.work import drain
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, Standing
from apps.rankings.services import refresh_all
from apps.rankings.simulated_attacks import Attack, try_attack
from apps.runs.clusters.selectors import clusters_waiting
from apps.runs.clusters.services import find_clusters
from apps.runs.models import Run, UploaderCluster, UploaderMerge
from apps.runs.rulings import split_uploader
from apps.runs.services import record_run
from apps.wire.run import BadRunError, read_head
from tests import make
from tests.attacks.levels.conftest import flood, uploaders
from tests.rankings import build

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.attacks.conftest import Weakened
    from tests.attacks.levels.conftest import Clouds

pytestmark = [pytest.mark.attack, pytest.mark.django_db]

TRIALS = 40  # of a seed that is the attack's name: the same each time


def person(name: str, *, days_old: float) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", password=None)
    verified_at = make.NOON - timedelta(days=days_old)
    Person.objects.create(user=user, verified_at=verified_at)
    return user


def claimed_run(user: User, *, at_days: float = 0) -> Run:
    """A run of a key that this person had claimed before it came."""
    agent = make.Agent()
    key = agent.enrolled()
    claim_key(key, user)
    AgentKey.objects.filter(pk=key.pk).update(claimed_at=make.NOON - timedelta(days=30))
    received = make.NOON + timedelta(days=at_days)
    upload = make.upload(
        agent=agent, witnessed=True, received_at=received,
        challenge_issued_at=received - timedelta(minutes=5),
    )  # fmt: skip
    drain()
    return Run.objects.get(pk=upload.pk)


@pytest.mark.parametrize("factor", [10.0, 1.5, 0.67, 0.1])
def test_sixty_fresh_networks_do_not_take_a_plan_from_eight_accounts(
    weakened: Weakened, factor: float
) -> None:
    effect = try_attack(Attack(8, 60, factor, claimed=8), trials=TRIALS)
    assert effect.move_median < 0.10  # from the middle of eight to their 71st percentile at most
    assert effect.move_p95 < 0.25
    assert (effect.ranked_before, effect.ranked_after) == (1, 1)
    assert effect.turned == 0
    with weakened.without_deciding_accounts():
        effect = try_attack(Attack(8, 60, factor, claimed=8), trials=5)
    assert effect.move_median > 0.9 * abs(factor - 1)  # the figure is what the networks say


def test_sixty_fresh_networks_do_not_outlive_accounts_that_rest(weakened: Weakened) -> None:
    effect = try_attack(Attack(8, 60, 10.0, 185, claimed=8), trials=TRIALS)
    assert effect.move_p95 < 0.25
    assert effect.ranked_after == 0  # nor do they make old figures new
    with weakened.without_deciding_accounts():
        assert try_attack(Attack(8, 60, 10.0, 185, claimed=8), trials=5).move_p95 > 1


def test_one_account_does_not_outvote_twelve_networks(weakened: Weakened) -> None:
    effect = try_attack(Attack(12, 1, 10.0, claimed_liars=1), trials=TRIALS)
    assert effect.move_median < 0.05
    assert effect.turned == 0
    with weakened.with_accounts_that_outvote():
        assert try_attack(Attack(12, 1, 10.0, claimed_liars=1), trials=5).move_median > 1


def test_sixty_networks_do_not_move_the_headline_to_another_region(weakened: Weakened) -> None:
    plan = build.plan()
    for place, rate in enumerate(build.SPREAD[:3]):
        build.run(1000 * rate, plan=plan, uploader=f"account:{place}", is_claimed=True,
                  machine=f"m{place}", region="fsn1")  # fmt: skip
    for place in range(30):
        build.run(9000, plan=plan, uploader=f"network:{place}", machine=f"n{place}",
                  region="ash")  # fmt: skip
    refresh_all()
    shown = headline(Standing.objects.filter(plan=plan))
    assert shown is not None
    assert shown.rate_per_s < 2000
    with weakened.with_headlines_by_numbers():
        shown = headline(Standing.objects.filter(plan=plan))
    assert shown is not None
    assert shown.rate_per_s == 9000


def test_an_account_of_six_days_weighs_no_more_than_a_network(weakened: Weakened) -> None:
    assert not claimed_run(person("fresh", days_old=6.9)).is_claimed
    with weakened.without_account_age():
        assert claimed_run(person("fresher", days_old=6.9)).is_claimed
    assert claimed_run(person("old", days_old=7.1)).is_claimed


def test_an_account_that_verified_nothing_weighs_no_more_than_a_network(weakened: Weakened) -> None:
    user = person("nobody", days_old=100)
    Person.objects.filter(pk=user.pk).update(verified_at=None)
    assert not claimed_run(user).is_claimed
    with weakened.with_people_that_verified_nothing():
        assert claimed_run(user).is_claimed


def test_three_networks_do_not_reproduce_a_cell(weakened: Weakened) -> None:
    plan = build.plan()
    build.measure(plan, [1000, 1001, 1002, 1003, 1004, 1005, 1006])
    refresh_all()
    assert not Standing.objects.get(plan=plan).is_reproduced
    with weakened.with_networks_that_reproduce():
        refresh_all()
    assert Standing.objects.get(plan=plan).is_reproduced


def test_one_account_under_three_keys_does_not_reproduce_a_cell(weakened: Weakened) -> None:
    plan = build.plan()
    for place in range(3):
        build.run(1000 + place, plan=plan, uploader="account:1", is_claimed=True,
                  machine=f"m{place}")  # fmt: skip
    refresh_all()
    assert not Standing.objects.get(plan=plan).is_reproduced
    with weakened.with_a_voice_for_each_run():
        refresh_all()
    assert Standing.objects.get(plan=plan).is_reproduced


def test_accounts_that_disagree_do_not_reproduce_a_cell(weakened: Weakened) -> None:
    plan = build.plan()
    for place, rate in enumerate((1000, 1001, 2000)):
        build.run(rate, plan=plan, uploader=f"account:{place}", is_claimed=True,
                  machine=f"m{place}")  # fmt: skip
    refresh_all()
    assert not Standing.objects.get(plan=plan).is_reproduced
    with weakened.with_agreement_about_nothing():
        refresh_all()
    assert Standing.objects.get(plan=plan).is_reproduced


def test_a_payload_cannot_say_that_it_is_of_a_laboratory(weakened: Weakened) -> None:
    upload = make.upload(make.payload(level="lab"), witnessed=True)
    with pytest.raises(BadRunError):
        read_head(upload.payload)
    assert record_run(upload=upload).level == "witnessed"
    with weakened.with_levels_as_sent():
        read_head(upload.payload)
        assert record_run(upload=upload).level == "lab"


def test_a_laboratory_without_our_challenge_is_only_signed(weakened: Weakened) -> None:
    agent = make.Agent()
    AgentKey.objects.filter(pk=agent.enrolled().pk).update(lab_setup_url="https://lab.example/")
    upload = make.upload(agent=agent)
    drain()
    run = Run.objects.get(pk=upload.pk)
    assert (run.level, run.in_standings) == ("signed", False)
    with weakened.without_freshness():
        assert record_run(upload=upload).level == "lab"


def test_laboratories_move_no_figure_of_anybody_else(weakened: Weakened) -> None:
    plan = build.plan()
    build.measure(plan, [1000] * 7)
    for place in range(20):
        build.run(9000, plan=plan, level="lab", uploader=f"account:{place}", machine=f"l{place}",
                  is_claimed=True)  # fmt: skip
    refresh_all()
    rates = dict(Standing.objects.filter(plan=plan).values_list("evidence", "rate_per_s"))
    assert rates == {Evidence.MEASURED: 1000, Evidence.LAB: 9000}
    with weakened.with_laboratories_among_others():
        refresh_all()
    assert Standing.objects.get(plan=plan, evidence=Evidence.MEASURED).rate_per_s == 9000


# --- clusters ------------------------------------------------------------------------------------


def test_keys_that_were_born_together_have_one_voice(weakened: Weakened, clouds: Clouds) -> None:
    runs = flood(clouds)
    with weakened.without_rule_about("births"):
        find_clusters()
    assert len(uploaders(runs)) == 3
    assert find_clusters()
    assert len(uploaders(runs)) == 1
    cluster = clusters_waiting().get(rule="born-together")
    assert cluster.evidence["runs"] == sorted(run.slug for run in runs)
    assert find_clusters() == 0


def test_a_split_by_a_person_is_not_merged_again_at_night(
    weakened: Weakened, clouds: Clouds
) -> None:
    runs = flood(clouds)
    find_clusters()
    (name,) = uploaders(runs)
    assert split_uploader(name)
    assert len(uploaders(runs)) == 3
    find_clusters()
    assert len(uploaders(runs)) == 3
    assert not clusters_waiting().filter(is_merged=True).exists()
    UploaderCluster.objects.filter(rule="born-together").delete()  # found as if anew
    with weakened.without_splits():
        find_clusters()
        assert len(uploaders(runs)) == 1


def test_one_machine_under_three_names_has_one_voice(weakened: Weakened, clouds: Clouds) -> None:
    runs = flood(clouds, minutes=20, payload={"machine": "a" * 32})
    with weakened.without_rule_about("machines"):
        find_clusters()
    assert len(uploaders(runs)) == 3
    assert find_clusters()
    assert clusters_waiting().filter(rule="machine").exists()
    assert len(uploaders(runs)) == 1


def test_who_copies_the_machine_of_an_account_does_not_take_its_voice(
    weakened: Weakened, clouds: Clouds
) -> None:
    victim = person("victim", days_old=400)
    honest = flood(clouds, n=1, payload={"machine": "b" * 32})[0]
    claim_key(AgentKey.objects.get(uploads=honest.pk), victim)
    drain()
    flood(clouds, n=2, minutes=20, payload={"machine": "b" * 32})
    find_clusters()
    assert Run.objects.get(pk=honest.pk).uploader == f"account:{victim.pk}"
    assert not UploaderMerge.objects.filter(into=f"account:{victim.pk}").exists()
    assert clusters_waiting().filter(rule="machine").exists()  # a person sees it
    UploaderCluster.objects.all().delete()  # found as if anew
    with weakened.with_strangers_merged():
        find_clusters()
    assert UploaderMerge.objects.filter(into=f"account:{victim.pk}").exists()


def test_networks_of_a_hoster_that_is_not_the_plans_have_one_voice(
    weakened: Weakened, clouds: Clouds
) -> None:
    honest = flood(clouds, minutes=20, first=50)
    runs = flood(clouds, minutes=20, network_provider="hetzner")
    with weakened.without_rule_about("hosters"):
        find_clusters()
    assert len(uploaders(runs)) == 3
    assert find_clusters()
    assert clusters_waiting().get(rule="one-hoster").evidence["hoster"] == "hetzner"
    assert len(uploaders(runs)) == 1
    assert len(uploaders(honest)) == 3


def test_a_claim_after_a_merge_is_seen_the_next_night(weakened: Weakened, clouds: Clouds) -> None:
    """The account is a new name; its key was born with the others all the same."""
    runs = flood(clouds)
    find_clusters()
    claim_key(AgentKey.objects.get(uploads=runs[0].pk), person("evader", days_old=400))
    drain()
    assert len(uploaders(runs)) == 2
    with weakened.without_rule_about("births"):
        find_clusters()
    assert not names_an_account(clusters_waiting().filter(rule="born-together"))
    find_clusters()
    assert names_an_account(clusters_waiting().filter(rule="born-together"))


def names_an_account(clusters: Iterable[UploaderCluster]) -> bool:
    return any(each.startswith("account:") for cluster in clusters for each in cluster.uploaders)

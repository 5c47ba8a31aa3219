"""What honest people do on the way that attempts on levels take: no attempts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from apps.accounts.services import rotate_key
from apps.runs.clusters.selectors import clusters_waiting
from apps.runs.clusters.services import find_clusters
from apps.runs.models import CloudProof, UploaderCluster
from tests import make
from tests.attacks.levels.conftest import flood, uploaders

if TYPE_CHECKING:
    from tests.attacks.levels.conftest import Clouds


def test_an_honest_document_places_a_run_and_is_thrown_away(
    clouds: Clouds, agent: make.Agent
) -> None:
    """Without this the attempts below would fail for any reason."""
    upload = clouds.upload(agent)
    assert clouds.send(agent, upload).status_code == 202
    assert clouds.level(upload) == ("placed", "")
    proof = CloudProof.objects.get()
    assert (proof.document, proof.signature) == ("", "")
    assert (proof.instance_type, proof.zone) == ("t3.micro", "xx-test-1a")


def test_a_machine_whose_key_was_replaced_twice_is_still_placed(
    clouds: Clouds, agent: make.Agent
) -> None:
    second, third = make.Agent(), make.Agent()
    upload = clouds.upload(agent)
    clouds.send(agent, upload)
    assert clouds.level(upload) == ("placed", "")
    keys = [agent.enrolled(), second.enrolled(), third.enrolled()]
    for old, new in pairwise(keys):
        rotate_key(old, new)
    upload = clouds.upload(third)
    assert clouds.send(third, upload).status_code == 202
    assert clouds.level(upload) == ("placed", "")


def test_keys_born_an_hour_apart_are_three_people(clouds: Clouds) -> None:
    runs = flood(clouds, minutes=20)
    find_clusters()
    assert not UploaderCluster.objects.filter(rule="born-together").exists()
    assert len(uploaders(runs)) == 3


def test_people_who_come_by_a_link_all_day_are_not_one_person(clouds: Clouds) -> None:
    """Three of them within ten minutes are no more than any other three."""
    runs = flood(clouds, n=9, minutes=4)
    find_clusters()
    assert not UploaderCluster.objects.filter(rule="born-together").exists()
    assert len(uploaders(runs)) == 9


def test_customers_of_a_reseller_are_not_one_person(clouds: Clouds) -> None:
    """All of them come from the networks of the hoster whose machines it rents out."""
    runs = flood(clouds, minutes=20, network_provider="hetzner")
    find_clusters()
    assert clusters_waiting().filter(rule="one-hoster", is_merged=False).exists()
    assert len(uploaders(runs)) == 3


def test_customers_of_a_cloud_measure_it_from_its_own_networks(clouds: Clouds) -> None:
    """The other way round, a plan that many measure would have one voice."""
    runs = flood(clouds, minutes=20)
    find_clusters()
    assert len(uploaders(runs)) == 3

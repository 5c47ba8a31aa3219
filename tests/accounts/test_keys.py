"""Agent keys: enrolled once, and never a row that is no key."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import AgentKey
from apps.accounts.selectors import keys_by_id
from apps.accounts.services import enrol_key
from tests import make

pytestmark = pytest.mark.django_db


def test_the_same_key_is_enrolled_once() -> None:
    agent = make.Agent()
    first, is_new = enrol_key(keyid=agent.keyid, public_key=agent.public_key)
    second, is_new_again = enrol_key(keyid=agent.keyid, public_key=agent.public_key)
    assert (is_new, is_new_again) == (True, False)
    assert first == second
    assert second.state == AgentKey.State.ANONYMOUS


def test_only_enrolled_keys_are_found() -> None:
    key = make.agent_key()
    assert keys_by_id([key.keyid, "0" * 64]) == {key.keyid: key}


def test_people_compare_the_ends_of_a_key() -> None:
    key = make.agent_key(keyid="56475a" + "0" * 52 + "a75463")
    assert str(key) == "56475a·a75463"


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"keyid": "A" * 64}, "agentkey_keyid_is_sha256_hex"),
        ({"keyid": "a" * 63}, "agentkey_keyid_is_sha256_hex"),
        ({"public_key": bytes(31)}, "agentkey_public_key_has_32_bytes"),
    ],
)
def test_the_database_refuses_what_is_no_key(changes: dict[str, object], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make.agent_key(**changes)

"""What is kept of people, and what happens while a server is away."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import Client

from apps.accounts.models import Person
from apps.embedded.postgres import free_port
from tests.support.accounts.people import (
    add_totp,
    just_signed_in,
    make_person,
    new_address,
    sign_in,
)
from tests.support.caching import forget_cache

pytestmark = pytest.mark.django_db


def test_a_secret_of_a_second_factor_lies_encrypted(person: User) -> None:
    secret = add_totp(person)
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert "gAAAA" in stored  # how Fernet's begin


def test_a_person_is_verified_once(person: User) -> None:
    first = Person.objects.get(user=person).verified_at
    assert first is not None
    assert Person.objects.get(user=make_person()).verified_at != first


@pytest.mark.parametrize("address", ["/account/login/", "/account/signup/"])
def test_without_valkey_nobody_is_let_in_and_it_is_said_calmly(
    person: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    forget_cache()
    nobody_listens = RedisCache(f"redis://127.0.0.1:{free_port()}/0", {})
    monkeypatch.setattr(vars(caches)["_connections"], "default", nobody_listens)
    client = Client()
    form = {"login": person.email, "email": new_address(), "password": "x", "password1": "x"}
    answer = client.post(address, form)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert "Accounts rest for a moment" in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_a_mail_server_that_is_away_is_said_too(settings: Any) -> None:
    forget_cache()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    form = {"email": new_address(), "password1": "an entirely new phrase", "terms": "on"}
    answer = Client().post("/account/signup/", form)
    assert answer.status_code == 503


def known_by_github(user: User) -> User:
    """Return somebody whom nothing here can ask for a password."""
    user.set_unusable_password()
    user.save()
    SocialAccount.objects.create(user=user, provider="github", uid="1")
    return user


def test_who_is_known_elsewhere_alone_is_asked_there_before_what_hurts(person: User) -> None:
    client = Client()
    client.force_login(known_by_github(person))
    asked = client.post("/account/data/delete/", {"runs": "stay"})
    assert asked.headers["Location"].startswith("/account/github/login/?next=")
    assert User.objects.filter(pk=person.pk).exists()
    back = client.get("/account/data/delete/")  # where GitHub leads back to
    assert back.headers["Location"] == "/account/"
    just_signed_in(client, person)
    client.post("/account/data/delete/", {"runs": "stay"})
    assert not User.objects.filter(pk=person.pk).exists()


def test_an_account_of_before_signs_in_by_its_address() -> None:
    forget_cache()
    user = User.objects.create_user("staff-of-before", "before@example.org", "a phrase of before")
    answer = sign_in(Client(), user, "a phrase of before")
    assert answer.headers["Location"] == "/account/confirm-email/"

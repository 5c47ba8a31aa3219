"""`manage.py check --deploy` finds what must not face strangers; migrations do not wait long."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

from apps.config.checks import check_database, check_deployment
from apps.config.one_machine.environment import ROOT


def ids(found: list[Any]) -> set[str]:
    return {message.id for message in found}


def test_a_site_as_the_demo_runs_it_is_not_ready_for_strangers(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "http://127.0.0.1:8000"
    settings.STATIC_ROOT = None
    assert ids(check_deployment()) == {
        "fsyncmark.W001", "fsyncmark.E001", "fsyncmark.W002", "fsyncmark.W003", "fsyncmark.W004",
        "fsyncmark.W005",
    }  # fmt: skip


def test_a_site_behind_https_with_collected_files_is_ready(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["fsyncmark.example"]
    settings.SITE_URL = "https://fsyncmark.example"
    settings.TRUSTED_PROXY_HOPS = 1
    settings.SECRET_KEY = "k" * 64
    settings.STATIC_ROOT = "/srv/static"
    settings.SITE_CONTACT = "mailto:people@fsyncmark.example"
    settings.SITE_OPERATOR, settings.SITE_ADDRESS = "Jane Doe", "Street 1; Town"
    settings.SOURCE_URL = "https://source.example/fsyncmark"
    assert not check_deployment()


@pytest.mark.django_db
def test_a_database_that_answers_before_it_wrote_is_refused() -> None:
    assert not check_database(databases=["default"])
    assert not check_database()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    assert ids(check_database(databases=["default"])) == {"fsyncmark.E002"}


def test_django_s_own_deploy_check_is_content_behind_https() -> None:
    environment = {
        **{k: v for k, v in os.environ.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"},
        "SITE_URL": "https://fsyncmark.example",
        "STATIC_ROOT": "/srv/static",
        "SITE_CONTACT": "https://fsyncmark.example/contact",
        "SITE_OPERATOR": "Jane Doe",
        "SITE_ADDRESS": "Street 1; Town",
        "SOURCE_URL": "https://source.example/fsyncmark",
        "TRUSTED_PROXY_HOPS": "1",
        "SECRET_KEY": "".join(chr(33 + n) for n in range(64)),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        check=False, cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, stdout=io.StringIO())


@pytest.mark.django_db
def test_a_migration_gives_up_on_a_lock_that_others_hold() -> None:
    def lock_timeout() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            return str(cursor.fetchone()[0])

    seen: list[str] = []

    def look(**_: Any) -> None:
        seen.append(lock_timeout())

    last = apps.get_app_config("auth")  # signals are sent app by app, to those with models
    pre_migrate.connect(look, sender=last)
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(look, sender=last)
    assert seen == ["5s"]
    assert lock_timeout() == "0"

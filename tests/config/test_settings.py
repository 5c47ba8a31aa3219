"""What the settings promise in each role, read as each process would read them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from apps.config.one_machine.environment import ROOT
from apps.config.roles import Role

SETTINGS = "DJANGO_SETTINGS_MODULE"
PROGRAM = (
    "import json; from django.conf import settings as s;"
    "print(json.dumps({n: getattr(s, n) for n in dir(s) if n.isupper()}, default=str))"
)


def settings_of(**environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True, cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "apps.config.settings", **environment},
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("role", list(Role))
def test_every_process_looks_whether_its_connection_still_lives(role: Role) -> None:
    database = settings_of(PROCESS_ROLE=role)["DATABASES"]["default"]
    assert database["CONN_HEALTH_CHECKS"] is True
    assert "pool" not in database["OPTIONS"]


@pytest.mark.parametrize("role", [Role.WEB, Role.WORKER, Role.SWEEPER])
def test_a_thread_keeps_its_connection(role: Role) -> None:
    assert settings_of(PROCESS_ROLE=role)["DATABASES"]["default"]["CONN_MAX_AGE"] == 600


def test_the_web_does_not_wait_for_the_broker() -> None:
    found = settings_of(PROCESS_ROLE="web")
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["socket_timeout"] == 0.5
    assert found["CELERY_TASK_PUBLISH_RETRY"] is False


@pytest.mark.parametrize("role", [Role.WORKER, Role.SWEEPER])
def test_workers_read_the_queue_patiently(role: Role) -> None:
    found = settings_of(PROCESS_ROLE=role)
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["socket_timeout"] > 1  # kombu's own read


def test_over_https_cookies_are_bound_to_this_host() -> None:
    found = settings_of(SITE_URL="https://fsyncmark.example")
    assert found["ALLOWED_HOSTS"] == ["fsyncmark.example"]
    for kind in ("SESSION", "CSRF"):
        assert found[f"{kind}_COOKIE_NAME"].startswith("__Host-")
        assert found[f"{kind}_COOKIE_SECURE"]
        assert found[f"{kind}_COOKIE_HTTPONLY"]
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["SECURE_SSL_REDIRECT"]


def test_a_collected_release_serves_hashed_compressed_files() -> None:
    found = settings_of(STATIC_ROOT="/srv/static")
    assert "CompressedManifest" in found["STORAGES"]["staticfiles"]["BACKEND"]
    assert not found["WHITENOISE_USE_FINDERS"]


@pytest.mark.parametrize(
    ("public", "protocol"),
    [("dumps.example/a", "https:"), ("https://dumps.example/a/", "https:"),
     ("http://dumps.example/a", "http:")],
)  # fmt: skip
def test_readers_of_a_bucket_are_sent_to_its_public_address(public: str, protocol: str) -> None:
    found = settings_of(DUMPS_BUCKET="dumps", DUMPS_PUBLIC_URL=public)
    options = found["STORAGES"]["dumps"]["OPTIONS"]
    assert (options["url_protocol"], options["custom_domain"]) == (protocol, "dumps.example/a")


def test_a_missing_secret_is_named() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "SECRET_KEY"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=False, cwd=ROOT, capture_output=True, text=True,
        env={**environment, "DJANGO_SETTINGS_MODULE": "apps.config.settings"},
    )  # fmt: skip
    assert "Set the SECRET_KEY environment variable" in done.stderr


@pytest.mark.parametrize("module", ["apps.config.edge.server", "apps.config.celery"])
def test_a_process_finds_its_settings_by_itself(module: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != SETTINGS}
    subprocess.run(
        [sys.executable, "-c", f"import {module}"], check=True, cwd=ROOT, env=environment
    )

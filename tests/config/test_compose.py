"""docker/compose.yaml starts the product as ./run does, and nothing in it runs as root."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.config.one_machine.environment import ROOT
from apps.config.processes import DEFAULTS, PROCESSES, Process, filled_in

VALUES = {**DEFAULTS, "WEB_HOST": "0.0.0.0", "WEB_WORKERS": "2"}  # noqa: S104  inside its own network


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    compose = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))
    found: dict[str, Any] = compose["services"]
    return found


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_each_process_has_the_same_command_and_settings(
    process: Process, services: dict[str, Any]
) -> None:
    service = services[process.name]
    assert service["command"] == filled_in(process.argv, VALUES)
    assert service["environment"] == process.environment
    assert service.get("stop_signal", "SIGTERM") == process.stop_signal.name
    assert service["healthcheck"]["test"] == ["CMD", *filled_in(process.health, VALUES)]


def test_nothing_else_of_the_product_runs(services: dict[str, Any]) -> None:
    ours = {name for name, service in services.items() if service["image"] == "fsyncmark"}
    assert ours == {process.name for process in PROCESSES} | {"migrate"}


def test_our_containers_may_write_nothing_and_gain_nothing(services: dict[str, Any]) -> None:
    for name, service in services.items():
        if service["image"] == "fsyncmark":
            assert service["read_only"], name
            assert service["cap_drop"] == ["ALL"], name
            assert service["security_opt"] == ["no-new-privileges:true"], name


def test_the_role_of_the_product_is_no_superuser(services: dict[str, Any]) -> None:
    assert "POSTGRES_USER" not in services["postgres"]["environment"]
    (mount,) = [each for each in services["postgres"]["volumes"] if each.startswith("./")]
    script = (ROOT / "docker" / mount.split(":")[0]).read_text(encoding="utf-8")
    assert re.findall("CREATE ROLE (.*) PASSWORD", script) == ["fsyncmark LOGIN"]
    assert "CREATE DATABASE fsyncmark OWNER fsyncmark;" in script


def test_the_site_is_reached_through_a_proxy_only(services: dict[str, Any]) -> None:
    published = {name: service.get("ports", []) for name, service in services.items()}
    assert published == {name: [] for name in services} | {"web": ["127.0.0.1:8000:8000"]}


@pytest.mark.parametrize("name", ["agent.Dockerfile", "web.Dockerfile"])
def test_images_are_built_in_stages_and_do_not_run_as_root(name: str) -> None:
    lines = (ROOT / "docker" / name).read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("FROM ") for line in lines) > 1
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert users[-1].split(":")[0].isdecimal()
    assert users[-1].split(":")[0] != "0"


@pytest.mark.parametrize("name", ["agent.Dockerfile", "web.Dockerfile"])
def test_what_images_copy_is_there(name: str) -> None:
    for line in (ROOT / "docker" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            assert all((ROOT / Path(source)).exists() for source in sources), line

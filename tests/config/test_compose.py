"""The compose files start the product as ./run does, and nothing in them runs as root."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.config.one_machine.environment import ROOT
from apps.config.processes import (
    DEFAULTS,
    PROCESSES,
    SWEEPER,
    WEB,
    WORKER,
    Process,
    filled_in,
)
from tests.cluster.hosts import NAMES
from tests.cluster.pooler import FILE
from tests.cluster.site import WEB_HOSTS, WORKERS

VALUES = {**DEFAULTS, "WEB_HOST": "0.0.0.0", "WEB_WORKERS": "2"}  # noqa: S104  inside its own network


def services_of(name: str) -> dict[str, Any]:
    compose = yaml.safe_load((ROOT / "docker" / name).read_text(encoding="utf-8"))
    found: dict[str, Any] = compose["services"]
    return found


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return services_of("compose.yaml")


@pytest.fixture(scope="module")
def many() -> dict[str, Any]:
    return services_of("compose.scale.yaml")


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


@pytest.mark.parametrize(
    ("name", "process"),
    [*((name, WEB) for name in WEB_HOSTS), *((name, WORKER) for name in WORKERS),
     ("sweeper", SWEEPER)],
)  # fmt: skip
def test_on_many_machines_each_process_has_the_same_command(
    name: str, process: Process, many: dict[str, Any]
) -> None:
    service, alone = many[name], services_of("compose.yaml")[process.name]
    own = {"DATABASE_POOLED", "DATABASE_REPLICA_URL"}
    environment = {k: v for k, v in service["environment"].items() if k not in own}
    assert service["environment"]["DATABASE_POOLED"] == "true"
    assert ("DATABASE_REPLICA_URL" in service["environment"]) == (process is WEB)
    for key in service.keys() - {"environment", "depends_on"}:
        assert service[key] == alone.get(key), key
    assert environment == alone["environment"]


def test_many_machines_have_the_hosts_that_a_cluster_without_containers_has(
    many: dict[str, Any],
) -> None:
    assert set(NAMES) <= many.keys()
    mounted = {
        Path(volume.split(":")[0]).name
        for service in many.values()
        for volume in service.get("volumes", [])
        if volume.startswith("./scale/")
    }
    assert mounted == {"postgresql.conf", "make-replication.sh", "make-replica.sh", "guard.sh",
                       FILE, "nginx.conf"}  # fmt: skip
    published = {name for name, service in many.items() if "ports" in service}
    assert published == {"nginx"}


def test_on_many_machines_nothing_but_the_queue_writes_outside_of_its_volume(
    many: dict[str, Any],
) -> None:
    for name, service in many.items():
        if name != "valkey":  # its image changes to its own account by itself
            assert service["read_only"], name
            assert service["cap_drop"] == ["ALL"], name
            assert all(":size=" in each for each in service["tmpfs"]), name


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


@pytest.mark.parametrize(
    "name", ["agent.Dockerfile", "web.Dockerfile", "scale/pgbouncer.Dockerfile"]
)
def test_what_images_copy_is_there(name: str) -> None:
    for line in (ROOT / "docker" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            assert all((ROOT / Path(source)).exists() for source in sources), line

"""The texts of the kits: valid, small, and for each provider what was read and agreed to."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs
import pytest
import yaml

from apps.pages.reading.kits.clients import CLIENTS
from apps.plans.models import Plan
from apps.plans.prices.renting import BILLINGS
from tests import make
from tests.pages.reading.kits.places import RENTED, KitTexts, offer, rented_plan

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

HERE: Final = Path(__file__).parent
USER_DATA_BYTES_MAX: Final = 16_384  # EC2's limit, the lowest of all
# What the suite writes is 9 GiB, and there is the system beside.
DISK_GB_MIN: Final = 15
DISK_OF_THE_PLAN: Final = {"akamai-linode", "digitalocean", "hetzner", "ovhcloud", "vultr"}
SHELLCHECK: Final = Path(sys.executable).with_name("shellcheck")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, settings: Settings) -> None:
    offer(tmp_path / "dist", settings)


def schema(name: str) -> jsonschema_rs.Validator:
    """A vendored schema, which is the one that the table beside it names."""
    content = (HERE / "schemas" / name).read_bytes()
    table = (HERE / "schemas" / "README.md").read_text(encoding="utf-8")
    assert f"`{name}`" in table
    assert f"`{hashlib.sha256(content).hexdigest()}`" in table
    return jsonschema_rs.validator_for(json.loads(content))


def check_shell(script: Path) -> None:
    """The script is POSIX shell, by dash and by shellcheck."""
    subprocess.run([str(shutil.which("dash")), "-n", script], check=True)
    found = subprocess.run(
        [SHELLCHECK, "--shell=sh", "--severity=warning", script],
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert found.stdout == ""
    assert found.returncode == 0


def differing(script: str) -> str:
    """What of a script is not the same for each provider."""
    settings = re.search(r"(?ms)^what=.*?^files=", script)
    commands = re.search(r"(?ms)^rent\(\).*?^}\n(?=\nget\(\))", script)
    assert settings
    assert commands
    return settings[0].removesuffix("files=") + commands[0]


def golden(name: str, text: str) -> None:
    """A text is the one that was agreed to; FSYNCMARK_UPDATE=1 writes it anew."""
    file = HERE / "golden" / name
    if os.environ.get("FSYNCMARK_UPDATE"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("provider", RENTED)
def test_the_texts_of_a_provider(provider: str, client: Client, tmp_path: Path) -> None:
    rented_plan(provider)
    texts = KitTexts(client, provider)
    user_data, script = texts.text("yaml"), texts.text("sh")

    assert user_data.startswith("#cloud-config\n")
    schema("cloud-init-22.4.2.json").validate(yaml.safe_load(user_data))
    assert len(user_data.encode()) < USER_DATA_BYTES_MAX
    assert user_data in script
    for name, text in (("rent", script), ("kit", texts.on_the_machine())):
        (tmp_path / name).write_text(text, encoding="utf-8")
        check_shell(tmp_path / name)
    if provider == "hetzner":
        golden("hetzner.sh", script)
    else:
        golden(f"{provider}.txt", differing(script))


def test_every_client_is_tried_here_and_its_provider_s_bills_are_known() -> None:
    assert CLIENTS.keys() == RENTED.keys()
    assert CLIENTS.keys() <= BILLINGS.keys()


def test_a_broken_user_data_would_be_noticed() -> None:
    whole = {"write_files": [{"path": "/run/x", "content": "x"}], "runcmd": [["x"]]}
    cloud_init = schema("cloud-init-22.4.2.json")
    assert cloud_init.is_valid(whole)
    assert not cloud_init.is_valid({**whole, "runcmd": "x"})


def kubernetes(client: Client, query: str = "") -> list[Any]:
    answer = client.get(f"/kits/kubernetes.yaml{query}")
    assert answer.status_code == 200
    return list(yaml.safe_load_all(answer.content))


def test_the_job_of_kubernetes_fits_its_schema(client: Client, tmp_path: Path) -> None:
    volume, job = kubernetes(client)
    valid = schema("kubernetes-1.37.0.json")
    valid.validate(volume)
    valid.validate(job)
    assert not valid.is_valid({**job, "spec": {**job["spec"], "backofLimit": 0}})
    pod = job["spec"]["template"]["spec"]
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == volume["metadata"]["name"]
    (script,) = pod["containers"][0]["args"]
    (tmp_path / "job").write_text("#!/bin/sh\n" + script, encoding="utf-8")
    check_shell(tmp_path / "job")
    assert "./agent run /data --suite standard" in script


def test_the_job_says_which_volume_it_measures(client: Client) -> None:
    owner = make.provider(slug="aws", name="AWS")
    make.plan(provider=owner, slug="aws-gp3", name="EBS it's gp3", kind="volume")
    job = kubernetes(client, "?plan=aws-gp3")[1]
    script = job["spec"]["template"]["spec"]["containers"][0]["args"][0]
    line = "\nset -- \"$@\" --provider 'AWS' --plan 'EBS it'\\''s gp3'\n"
    assert line in script
    make.plan(slug="no-volume", kind="cloud")
    for other in ("nothing", "no-volume"):
        assert client.get(f"/kits/kubernetes.yaml?plan={other}").status_code == 404


@pytest.mark.parametrize("provider", RENTED)
def test_the_disk_that_is_measured_has_room_for_the_suite(provider: str) -> None:
    name, fields = RENTED[provider][1:3]
    is_beside = bool(fields.get("is_ephemeral"))  # a disk of its own is measured
    is_of_the_plan = provider in DISK_OF_THE_PLAN
    size = re.search(r"root-volume=sbs:(\d+)GB", CLIENTS[provider].rent)
    assert (is_beside, is_of_the_plan, size is not None).count(True) == 1, name
    assert size is None or int(size[1]) >= DISK_GB_MIN


@pytest.mark.parametrize("proof", [True, False])
def test_who_pastes_the_user_data_is_told_what_the_cloud_signs(
    client: Client, *, proof: bool
) -> None:
    provider = "aws" if proof else "hetzner"
    rented_plan(provider)
    user_data = KitTexts(client, provider).text("yaml")
    assert ("names your account" in user_data) is proof
    assert f"--ask-cloud={'proof' if proof else 'type'}" in user_data


def test_below_run_nothing_is_executed(client: Client) -> None:
    """Debian and Ubuntu mount it so that nothing can be."""
    rented_plan("hetzner")
    user_data = yaml.safe_load(KitTexts(client, "hetzner").text("yaml"))
    (command,) = user_data["runcmd"]
    (file,) = user_data["write_files"]
    assert command[-2:] == ["/bin/sh", file["path"]]
    place = re.search(r"\nplace=\${FSYNCMARK_PLACE:-(.*)}\n", file["content"])
    assert place
    assert place[1] == "/var/lib/fsyncmark/kit"  # where the agent lies
    assert "/run/" not in file["content"]


@pytest.mark.parametrize(
    ("provider", "region", "status"),
    [
        ("aws", "us-east-1a", 404), ("hetzner", "fsn1-dc14", 404), ("digitalocean", "fra1-b", 404),
        ("microsoft-azure", "east-us", 404), ("scaleway", "fr-par", 404),
        ("scaleway", "fr-par-2", 200), ("google-cloud", "us-central1-f", 200),
        ("ovhcloud", "gra9", 200), ("ovhcloud", "eu-west-par", 200),
    ],
)  # fmt: skip
def test_only_names_that_the_client_takes_are_regions(
    client: Client, provider: str, region: str, status: int
) -> None:
    rented_plan(provider)
    assert client.get(f"/kits/{provider}-x/{region}.sh").status_code == status


@pytest.mark.parametrize(
    ("change", "region"),
    [
        ({}, "mars1"),
        ({}, "us-east-1"),
        ({"regions": "DE"}, "hel1"),
        ({"kind": "dedicated"}, "fsn1"),
        ({"is_retired": True}, "fsn1"),
        ({"is_component": True}, "fsn1"),
        ({"is_listed": False}, "fsn1"),
        ({"is_ephemeral": True}, "fsn1"),
        ({"storage_description": "1 x 1900 GB NVMe; 50 GB boot disk"}, "fsn1"),
    ],
)
def test_where_nobody_rents_it_there_is_no_kit(
    client: Client, change: dict[str, Any], region: str
) -> None:
    rented_plan("hetzner")
    assert client.get("/kits/hetzner-x/nbg1.yaml").status_code == 200
    Plan.objects.filter(pk="hetzner-x").update(**change)
    for ending in ("yaml", "sh"):
        assert client.get(f"/kits/hetzner-x/{region}.{ending}").status_code == 404


def test_a_site_without_an_agent_has_no_kits(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    rented_plan("hetzner")
    settings.AGENT_DIST = tmp_path / "nothing"
    for address in ("hetzner-x/fsn1.yaml", "hetzner-x/fsn1.sh", "kubernetes.yaml"):
        assert client.get(f"/kits/{address}").status_code == 404


def test_where_only_the_console_rents_it_there_is_no_script(client: Client) -> None:
    owner = make.provider(slug="ionos", name="IONOS")
    plan = make.plan(provider=owner, slug="ionos-x", name="vCPU 4", kind="cloud")
    make.price(plan=plan, amount="0.10", period="hour", region="DE")
    assert client.get("/kits/ionos-x/any.sh").status_code == 404
    answer = client.get("/kits/ionos-x/any.yaml")
    assert "region=''" in answer.content.decode()


def test_a_zone_may_be_asked_for_where_machines_are_in_zones(client: Client) -> None:
    rented_plan("google-cloud")
    for region, zone in (("us-central1", "us-central1-b"), ("us-central1-f", "us-central1-f")):
        script = client.get(f"/kits/google-cloud-x/{region}.sh").content.decode()
        assert f"\nzone='{zone}'\n" in script

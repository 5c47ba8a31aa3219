"""What the tests of the kits share: a site with an agent, plans for rent, and their texts."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from apps.plans.models import Plan, Price, Provider
from tests import make

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

NAME: Final = f"fsyncmark-{platform.machine()}-unknown-linux-musl"
# It says how it was called, and fails where the folder has a file of that name.
AGENT: Final = b"""#!/bin/sh
echo "$*" >>calls
! [ -e "fails-$1" ]
"""
# A plan of each provider that is rented from a command line: its name, what it is, where its price
# holds, and where it is rented.
RENTED: Final[dict[str, tuple[str, str, dict[str, Any], str, str]]] = {
    "akamai-linode": (
        "Akamai (Linode)", "Linode 4GB (g6-standard-2)", {}, "", "eu-central"),
    "aws": (
        "AWS", "i4g.large", {"arch": "arm64", "is_ephemeral": True}, "us-east-1", "us-east-1"),
    "digitalocean": ("DigitalOcean", "s-2vcpu-4gb", {}, "", "fra1"),
    "google-cloud": (
        "Google Cloud", "c3-standard-4-lssd", {"is_ephemeral": True}, "us-central1",
        "us-central1"),
    "hetzner": ("Hetzner", "CX23", {}, "fsn1", "fsn1"),
    "microsoft-azure": (
        "Microsoft Azure", "Standard_L8s_v3", {"is_ephemeral": True}, "eastus", "eastus"),
    "ovhcloud": ("OVHcloud", "b3-16", {}, "EU", "gra11"),
    "scaleway": ("Scaleway", "PRO2-S", {"storage_kind": "network"}, "fr-par-1", "fr-par-1"),
    "vultr": ("Vultr", "vc2-2c-4gb", {}, "", "fra"),
}  # fmt: skip


def rented_plan(provider: str, **changes: Any) -> Plan:
    """Return the plan of a provider of the table, with its price by the hour."""
    owner, name, fields, region, _where = RENTED[provider]
    row = Provider.objects.get_or_create(slug=provider, defaults={"name": owner})[0]
    plan = make.plan(
        provider=row, name=name,
        **{
            "slug": f"{provider}-x", "kind": "cloud", "storage_kind": "local-nvme",
            "arch": "x86_64", **fields, **changes,
        },
    )  # fmt: skip
    make.price(
        plan=plan, region=region, amount=Decimal("0.36"), period=Price.Period.HOUR,
        valid_from=date(2026, 11, 1),
    )  # fmt: skip
    return plan


def offer(folder: Path, settings: Settings, site: str = "https://bench.example.org") -> None:
    """Have this site hand out an agent from a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(AGENT)
    line = f"{hashlib.sha256(AGENT).hexdigest()}  {NAME}\n"
    (folder / "SHA256SUMS").write_text(line, encoding="ascii")
    settings.AGENT_DIST, settings.SITE_URL = folder, site


@dataclass(frozen=True)
class KitTexts:
    """The texts of a plan's kit, as they are fetched."""

    client: Client
    provider: str

    def text(self, ending: str) -> str:
        """One of them: yaml or sh."""
        answer = self.client.get(f"/kits/{self.provider}-x/{RENTED[self.provider][4]}.{ending}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        return answer.content.decode()

    def on_the_machine(self) -> str:
        """The script that cloud-init writes to the machine."""
        found: str = yaml.safe_load(self.text("yaml"))["write_files"][0]["content"]
        return found

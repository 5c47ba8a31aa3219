"""Cases of the rules that ask what was measured, on each side of their thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests import make
from tests.runs.rules.changes import both, on, setting, silent, speaks

if TYPE_CHECKING:
    from collections.abc import Callable

    from apps.runs.models import Upload


def claiming(provider: str, plan: str | None = None) -> Callable[[make.Json], None]:
    """Return a change of the claim."""
    return setting("claim", {"provider": provider, "plan": plan, "region": None})


def offering(upload: Upload) -> None:
    """Store a plan of 4 virtual processors and 8 GB."""
    hetzner = make.provider(slug="hetzner", name="Hetzner")
    make.plan(
        provider=hetzner, slug="hetzner-cx33", name="CX33", kind="cloud", vcpus=4, ram_gb=8,
        arch="x86_64",
    )  # fmt: skip


def listing(*complete: str) -> Callable[[Upload], None]:
    """Return what stores a dedicated server with PM9A1 drives in Germany, these lists complete."""

    def before(_upload: Upload) -> None:
        make.plan(
            provider=make.provider(slug="hetzner", name="Hetzner"), slug="hetzner-ax41",
            name="AX41", kind="dedicated", storage_kind="local-nvme", drive_family_hint="PM9A1",
            regions="DE", complete_lists=list(complete),
        )  # fmt: skip

    return before


def at_home_of_ax41(region: str | None = None, **drive: Any) -> Callable[[make.Json], None]:
    """Return a change to a server that is claimed to be of that plan, with a PM9A3."""
    claim = {"provider": "Hetzner", "plan": "AX41", "region": region}
    changes = [setting("claim", claim), setting("env/virt", "none"), setting("env/provider", None)]
    return both(*changes, *([on(**drive)] if drive else []))


def rented(**machine: Any) -> Callable[[make.Json], None]:
    """Return a change to a virtual machine that is claimed to be of that plan."""
    seen = {"virt": "kvm", "cpu_count": 4, "ram_bytes": 8 << 30, **machine}
    parts = [setting(f"env/{name}", value) for name, value in seen.items()]
    return both(claiming("Hetzner", "CX33"), *parts)


CX33 = {"provider": "hetzner", "instance_type": "cx33", "region": "fsn1"}
FROM_HETZNER = {"network_provider": "hetzner"}
IDENTITY = [
    speaks(
        "placement-conflict",
        "the firmware names another provider",
        both(claiming("Hetzner", "AX102"), setting("env/provider", "aws")),
    ),
    silent(
        "placement-conflict",
        "the firmware names the same",
        both(claiming("Amazon", "i9.large"), setting("env/provider", "aws")),
    ),
    silent("placement-conflict", "what was sold", rented(), before=offering),
    speaks("placement-conflict", "a processor too few, by the cloud's own metadata",
           both(rented(cpu_count=1), setting("env/cloud_metadata", CX33)), before=offering),
    silent("plan-contradicted", "by the cloud's own metadata, with a processor too few",
           both(rented(), setting("env/cloud_metadata", CX33)), before=offering),
    silent("plan-contradicted", "what was sold", rented(), before=offering),
    speaks("plan-contradicted", "a processor too few", rented(cpu_count=1), before=offering),
    silent("plan-contradicted", "half the processors", rented(cpu_count=2), before=offering),
    speaks(
        "plan-contradicted", "74.9 % of the memory", rented(ram_bytes=6_434_000_000),
        before=offering,
    ),
    silent("plan-contradicted", "75 % of the memory", rented(ram_bytes=6 << 30), before=offering),
    speaks("plan-contradicted", "bare metal", rented(virt="none"), before=offering),
    speaks("unlisted-for-plan", "another drive", at_home_of_ax41(), before=listing()),
    speaks("plan-contradicted", "another drive than any that there is", at_home_of_ax41(),
           before=listing("drives")),
    silent("unlisted-for-plan", "a drive of a name that nobody knows",
           at_home_of_ax41(model="NO SUCH DRIVE", write_cache="write through"), before=listing()),
    speaks("unlisted-for-plan", "another region",
           at_home_of_ax41("hil", model="NO SUCH DRIVE", write_cache="write through"),
           before=listing()),
    speaks("plan-contradicted", "another region than any that there is",
           at_home_of_ax41("hil", model="NO SUCH DRIVE", write_cache="write through"),
           before=listing("regions")),
    silent("unlisted-for-plan", "its region",
           at_home_of_ax41("fsn1", model="NO SUCH DRIVE", write_cache="write through"),
           before=listing("regions")),
    speaks("plan-contradicted", "another network than any that there is",
           at_home_of_ax41(model="NO SUCH DRIVE", write_cache="write through"),
           before=listing("networks"), upload={"network_provider": "aws"}),
    speaks("network-elsewhere", "another cloud's", claiming("AWS"), upload=FROM_HETZNER),
    silent("network-elsewhere", "the same cloud's", claiming("Hetzner"), upload=FROM_HETZNER),
    silent("network-elsewhere", "a machine at home", claiming("home"), upload=FROM_HETZNER),
    silent("network-elsewhere", "of whom no network is known", claiming("Acme"),
           upload=FROM_HETZNER),
    silent("network-elsewhere", "an unknown network", claiming("AWS")),
    speaks("medium-disagrees", "NVMe flash that reports SATA",
           on(**{"class": "scsi", "transport": "sata"})),
    silent("medium-disagrees", "NVMe flash that does not tell",
           on(**{"class": "scsi", "transport": "unknown"})),
    silent("medium-disagrees", "behind a bridge", on(**{"class": "scsi", "transport": "usb"})),
]  # fmt: skip

"""Reading the payload of a run, in which anything may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show import phrases

if TYPE_CHECKING:
    from apps.runs.models import Run


def text(source: Mapping[str, object], name: str) -> str:
    """A text or number of the payload; empty where it is missing."""
    value = source.get(name)
    return "" if value is None or isinstance(value, dict | list) else str(value)


def whole(source: Mapping[str, object], name: str) -> int | None:
    """A whole number of the payload."""
    value = source.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def part(source: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object inside the payload; empty where it is missing."""
    value = source.get(name)
    return value if isinstance(value, dict) else {}


def items(source: Mapping[str, object], name: str) -> list[object]:
    """A list inside the payload; empty where it is missing."""
    value = source.get(name)
    return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class RunSurroundings:
    """What a run states of its machine and its first drive; empty where it says nothing."""

    environment: Mapping[str, object] = field(default_factory=dict)  # the machine's probe, whole
    device: Mapping[str, object] = field(default_factory=dict)  # the first drive's probe, whole
    n_devices: int = 0
    processor: str = ""
    n_processors: int | None = None
    ram_bytes: int | None = None
    virtualisation: str = ""
    architecture: str = ""
    filesystem: str = ""
    mount_flags: str = ""
    layers: tuple[str, ...] = ()  # between the filesystem and the drive
    kernel: str = ""
    drive_bytes: int | None = None
    transport: str = ""
    write_cache: str = ""
    scheduler: str = ""


def read_surroundings(run: Run) -> RunSurroundings:
    """Read the surroundings of a run once, for its own page and for comparisons."""
    env = part(run.environment, "env")
    devices = [each for each in items(run.environment, "devices") if isinstance(each, dict)]
    device = devices[0] if devices else {}
    virt, cache = text(env, "virt"), text(device, "write_cache")
    return RunSurroundings(
        environment=env,
        device=device,
        n_devices=len(devices),
        processor=run.cpu_model or text(env, "cpu_model"),
        n_processors=whole(env, "cpu_count"),
        ram_bytes=whole(env, "ram_bytes"),
        virtualisation=_("bare metal") if virt == "none" else virt,
        architecture=text(env, "arch"),
        filesystem=run.filesystem or text(env, "fs"),
        mount_flags=", ".join(str(flag) for flag in items(env, "mount_flags")),
        layers=tuple(str(layer) for layer in items(run.environment, "stack")),
        kernel=run.kernel or text(env, "kernel"),
        drive_bytes=whole(device, "size_bytes"),
        transport=text(device, "transport"),
        write_cache="" if cache == "unknown" else phrases.translate(cache),
        scheduler=text(device, "scheduler"),
    )

"""Finds on which filesystem the files of a benchmark lay, in what was pasted around its output.

People paste the command and what mount, findmnt, df or stat said of its folder. Where the paste
does not tell which filesystem it was, nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import re2

from apps.intake.importers.limits import MOUNTS_MAX
from apps.intake.importers.reading import name_of
from apps.runs.imported.facts import FILESYSTEM, MOUNT_OPTIONS, SEPARATOR
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEVICES: Final = "/dev/"  # below it lie disks, although the folder itself is in memory
_SHARED_MEMORY: Final = f"{_DEVICES}shm"  # is in memory on Linux, whatever else was pasted
_TMPFS: Final = "tmpfs"
_SIZE: Final = r"[0-9.]+[KMGTP]?i?B?"
_SOURCE: Final = r"(?P<source>\S+)"
_TARGET: Final = r"(?P<target>/\S*)"
_TYPE: Final = r"(?P<type>[A-Za-z_][\w.-]*)"
_TREE: Final = r"[^\w/\n]{0,9}"  # the lines that findmnt draws
_NUMBERS: Final = rf"{_SIZE}[ \t]+{_SIZE}[ \t]+{_SIZE}[ \t]+(?:[0-9]+%|-)"
_LINES: Final = tuple(
    re2.compile(f"(?m)^[ \\t]*{line}[ \\t\\r]*$")
    for line in (
        # mount: tmpfs on /dev/shm type tmpfs (rw,relatime)
        rf"{_SOURCE} on {_TARGET} type {_TYPE} \((?P<options>[^()\n]*)\)",
        # /proc/mounts and fstab: tmpfs /dev/shm tmpfs rw,relatime 0 0
        rf"{_SOURCE}[ \t]+{_TARGET}[ \t]+{_TYPE}[ \t]+(?P<options>\S+)[ \t]+\d[ \t]+\d",
        # findmnt: /dev/shm tmpfs tmpfs rw,relatime
        rf"{_TREE}{_TARGET}[ \t]+{_SOURCE}[ \t]+{_TYPE}[ \t]+(?P<options>r[wo](?:,\S*)?)",
        # df -T: tmpfs tmpfs 24G 2.1M 24G 1% /dev/shm
        rf"{_SOURCE}[ \t]+{_TYPE}[ \t]+{_NUMBERS}[ \t]+{_TARGET}(?P<options>)",
        # df: tmpfs 24684084 2295368 22388716 10% /dev/shm
        rf"(?P<source>)(?P<type>tmpfs|ramfs)[ \t]+{_NUMBERS}[ \t]+{_TARGET}(?P<options>)",
        # stat -f: ID: e89e946323515ac4 Namelen: 255 Type: tmpfs
        r"(?P<source>)ID: \S+ +Namelen: \S+ +Type: (?P<type>[\w./-]+)(?P<target>)(?P<options>)",
    )
)


@dataclass(frozen=True, slots=True)
class Mount:
    """A filesystem that the paste names, and where it is mounted; empty where it does not say."""

    target: str
    type: str  # or the kind of the device below it, where that is made of memory
    options: tuple[str, ...]  # those alone that keep flushes from the drive

    def holds(self, path: str) -> bool:
        """Whether a file lies below it."""
        return self.target == "/" or f"{path}/".startswith(f"{self.target.rstrip('/')}/")


def surroundings_of(text: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the facts about the filesystem of these files, or of the only one that is named."""
    mounts = list(dict.fromkeys(_mounts(text)))
    found = {_mount_of(path, mounts) for path in paths}
    # Of several jobs one in memory is enough.
    in_memory = {mount for mount in found if mount and mount.type in _memory_layers()}
    chosen = in_memory or found or set(mounts)
    kinds = {(mount.type, mount.options) for mount in chosen if mount is not None}
    if None in chosen or len(kinds) != 1:
        return {}
    filesystem, options = kinds.pop()
    facts = {FILESYSTEM: name_of(filesystem), MOUNT_OPTIONS: SEPARATOR.join(options)}
    return {name: words for name, words in facts.items() if words}


def _mounts(text: str) -> Iterable[Mount]:
    without_flushes = frozenset(thresholds().surroundings.mount_flags_without_flushes.value)
    count = 0
    for pattern in _LINES:
        for match in pattern.finditer(text):
            count += 1
            if count > MOUNTS_MAX:
                return
            options = without_flushes.intersection(match["options"].split(","))
            kind = _layer_of(match["source"]) or match["type"]
            yield Mount(match["target"], kind, tuple(sorted(options)))


def _mount_of(path: str, mounts: Iterable[Mount]) -> Mount | None:
    """Return the innermost of the mounts below which a file lies; None where none is named."""
    if path.startswith(_DEVICES) and not Mount(_SHARED_MEMORY, _TMPFS, ()).holds(path):
        layer = _layer_of(path)
        return Mount("", layer, ()) if layer else None
    around = [mount for mount in mounts if mount.target and mount.holds(path)]
    innermost = max(around, key=lambda mount: len(mount.target), default=None)
    if innermost is not None and innermost.target != "/":
        return innermost
    if path.startswith(_DEVICES):
        return Mount("", _TMPFS, ())
    unplaced = [mount for mount in mounts if not mount.target]
    return innermost or (unplaced[0] if len(unplaced) == 1 else None)


def _layer_of(device: str) -> str:
    """Return the kind of a device of memory, such as zram of /dev/zram0; of any other nothing."""
    kind = device.rpartition("/")[2].rstrip("0123456789")
    return kind if device.startswith(_DEVICES) and kind in _memory_layers() else ""


def _memory_layers() -> frozenset[str]:
    return frozenset(thresholds().surroundings.memory_layers.value)

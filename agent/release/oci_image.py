"""The image of containers, from scratch: the program and nothing else, as an OCI layout in a tar.

Both architectures are in one file: `skopeo copy oci-archive:FILE docker://…`, `podman load`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent.release.facts import LINUX, Release
from agent.static_build import BINARY

MEDIA: Final = "application/vnd.oci.image"
USER: Final = 65_532  # a number, since there is no /etc/passwd
HOME: Final = "home"  # where key and results are kept; a volume on it outlasts the container
HOME_MODE: Final = 0o700
PROGRAM_MODE: Final = 0o755
TEXT_MODE: Final = 0o644

Described = dict[str, Any]


def make_image(release: Release) -> Path:
    """Write a layout, https://specs.opencontainers.org/image-spec/image-layout/, as one tar."""
    blobs: dict[str, bytes] = {}
    of_machines = [
        {
            **manifest_of(release, release.binaries[target].read_bytes(), architecture, blobs),
            "platform": {"architecture": architecture, "os": "linux"},
        }
        for target, architecture in LINUX.items()
        if target in release.binaries
    ]
    index = keep(blobs, f"{MEDIA}.index.v1+json", index_of(of_machines))
    index["annotations"] = {"org.opencontainers.image.ref.name": release.version}
    files = {
        "oci-layout": as_json({"imageLayoutVersion": "1.0.0"}),
        "index.json": as_json(index_of([index])),
        **{f"blobs/sha256/{name}": content for name, content in sorted(blobs.items())},
    }
    image = release.folder / f"{BINARY}-{release.version}-oci.tar"
    image.write_bytes(tar(files, mode=TEXT_MODE, time_s=release.made_s))
    return image


def manifest_of(
    release: Release, program: bytes, architecture: str, blobs: dict[str, bytes]
) -> Described:
    """Keep the layer, the configuration and the manifest of one architecture; describe the last."""
    layer = tar({BINARY: program}, mode=PROGRAM_MODE, time_s=release.made_s, home=HOME)
    created = datetime.fromtimestamp(release.made_s, UTC).isoformat()
    labels = {
        "org.opencontainers.image.title": BINARY,
        "org.opencontainers.image.description": release.description,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.licenses": release.licence,
        "org.opencontainers.image.source": release.source,
    }
    configuration = {
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Entrypoint": [f"/{BINARY}"],
            "Env": [f"FSYNCMARK_HOME=/{HOME}"],
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created": created, "created_by": BINARY}],
    }
    packed = gzip.compress(layer, mtime=0)
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{MEDIA}.manifest.v1+json",
        "config": keep(blobs, f"{MEDIA}.config.v1+json", configuration),
        "layers": [keep_bytes(blobs, f"{MEDIA}.layer.v1.tar+gzip", packed)],
        "annotations": labels,
    }
    return keep(blobs, manifest["mediaType"], manifest)


def index_of(manifests: list[Described]) -> Described:
    """A list of what an image is made of."""
    return {"schemaVersion": 2, "mediaType": f"{MEDIA}.index.v1+json", "manifests": manifests}


def keep(blobs: dict[str, bytes], media: object, document: Described) -> Described:
    """Keep a document among the blobs; return what points to it."""
    return keep_bytes(blobs, media, as_json(document))


def keep_bytes(blobs: dict[str, bytes], media: object, content: bytes) -> Described:
    name = hashlib.sha256(content).hexdigest()
    blobs[name] = content
    return {"mediaType": media, "digest": f"sha256:{name}", "size": len(content)}


def as_json(document: Described) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def tar(files: dict[str, bytes], *, mode: int, time_s: int, home: str = "") -> bytes:
    """An archive in which nothing depends on who makes it; times are seconds since 1970.

    `home` is a folder of the user's own; empty: none.
    """
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, time_s
            archive.addfile(entry, io.BytesIO(content))
        if home:
            folder = tarfile.TarInfo(home)
            folder.type, folder.mode, folder.mtime = tarfile.DIRTYPE, HOME_MODE, time_s
            folder.uid = folder.gid = USER
            archive.addfile(folder)
    return written.getvalue()

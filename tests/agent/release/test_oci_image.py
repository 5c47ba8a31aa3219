"""The image is a layout in which every digest holds, and one file that nobody need trust."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from typing import Any

import pytest

from agent.release.facts import LINUX, Release
from agent.release.oci_image import make_image
from tests.agent.release.conftest import ELSEWHERE, HERE

Files = dict[str, bytes]


@pytest.fixture
def layout(release: Release) -> Files:
    """The files of the image."""
    return unpacked(make_image(release).read_bytes())


def unpacked(content: bytes) -> Files:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        found = {each.name: archive.extractfile(each) for each in archive.getmembers()}
        return {name: file.read() for name, file in found.items() if file is not None}


def pointed(layout: Files, descriptor: dict[str, Any]) -> bytes:
    """What a descriptor points to; its digest and size are those of the bytes."""
    content = layout[f"blobs/{descriptor['digest'].replace(':', '/')}"]
    assert f"sha256:{hashlib.sha256(content).hexdigest()}" == descriptor["digest"]
    assert len(content) == descriptor["size"]
    return content


def test_each_architecture_runs_the_released_program(layout: Files, release: Release) -> None:
    assert json.loads(layout["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    [named] = json.loads(layout["index.json"])["manifests"]
    assert named["annotations"] == {"org.opencontainers.image.ref.name": release.version}
    listed = json.loads(pointed(layout, named))["manifests"]
    assert len(layout) == 2 + 1 + 3 * len(listed)  # nothing that nobody points to
    found = {}
    for each in listed:
        manifest = json.loads(pointed(layout, each))
        configuration = json.loads(pointed(layout, manifest["config"]))
        assert each["platform"] == {"os": "linux", "architecture": configuration["architecture"]}
        [packed] = manifest["layers"]
        layer = gzip.decompress(pointed(layout, packed))
        assert configuration["rootfs"]["diff_ids"] == [
            f"sha256:{hashlib.sha256(layer).hexdigest()}"
        ]
        assert configuration["config"]["Entrypoint"] == ["/fsyncmark"]
        assert configuration["config"]["User"] == "65532:65532"
        assert configuration["config"]["Env"] == ["FSYNCMARK_HOME=/home"]
        found[configuration["architecture"]] = layer
    assert found.keys() == {"amd64", "arm64"}
    for target in (HERE, ELSEWHERE):
        layer = found[LINUX[target]]
        assert unpacked(layer) == {"fsyncmark": release.binaries[target].read_bytes()}
        with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
            program, home = archive.getmembers()
        assert (home.name, home.isdir(), home.mode, home.uid) == ("home", True, 0o700, 65_532)
        assert (program.mode, program.uid, program.mtime) == (0o755, 0, release.made_s)


@pytest.mark.daily
def test_the_same_release_gives_the_same_bytes(release: Release) -> None:
    assert make_image(release).read_bytes() == make_image(release).read_bytes()

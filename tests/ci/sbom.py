"""`./run sbom`: what the server, the site and the agent are made of, as CycloneDX 1.6 in JSON.

Read from the files that pin it: requirements/base.txt, static/vendor/versions.toml and
agent/Cargo.lock. Nothing is asked, so the same commit gives the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from typing import Any, Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress

Component = dict[str, Any]

PIN: Final = re.compile(r"^(?P<name>[\w.-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)(?P<rest>.*)$")
HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
CRATES: Final = "registry+https://github.com/rust-lang/crates.io-index"


def sbom(_arguments: list[str], _progress: Progress) -> int:
    """Print the bill of materials."""
    json.dump(bill(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
    return 0


def bill() -> dict[str, Any]:
    """Return the document; its components are sorted by their address."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages = [*python_packages("embedded.txt"), *python_packages()]  # both are in the image
    return bill_of(project, [*packages, *vendored_files(), *crates()])


def bill_of_agent() -> dict[str, Any]:
    """Return the document of the agent alone, which a release has beside it."""
    manifest = tomllib.loads((ROOT / "agent" / "Cargo.toml").read_text("utf-8"))
    return bill_of(manifest["package"], list(crates()))


def bill_of(project: dict[str, Any], components: list[Component]) -> dict[str, Any]:
    """Return the document of a project, by its name, version and license, and its components."""
    named = {each["bom-ref"]: each for each in components}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [named[name] for name in sorted(named)],
    }


def python_packages(file: str = "base.txt") -> Iterator[Component]:
    """What the server runs, each pin with its hashes: a wheel for each kind of machine."""
    text = (ROOT / "requirements" / file).read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pin = PIN.match(line)
        if pin is None:
            raise ValueError(f"requirements/{file}: no pin: {line[:80]}")
        hashes = HASH.findall(pin["rest"])
        if not hashes:
            raise ValueError(f"requirements/{file}: {pin['name']} has no hash")
        yield _component(f"pkg:pypi/{pin['name'].lower()}@{pin['version']}", hashes)


def vendored_files() -> Iterator[Component]:
    """What browsers get, one component a file: a package may give several."""
    listed = tomllib.loads((ROOT / "static" / "vendor" / "versions.toml").read_text("utf-8"))
    for each in listed["file"]:
        purl = f"pkg:npm/{each['package'].replace('@', '%40')}@{each['version']}"
        component = _component(purl, [each["sha256"]], ref=f"{purl}#{each['file']}")
        yield {**component, "licenses": [{"license": {"name": each["licence"]}}]}


def crates() -> Iterator[Component]:
    """What the agent is built of; our own crate has no source and is left out."""
    lock = tomllib.loads((ROOT / "agent" / "Cargo.lock").read_text("utf-8"))
    for each in lock["package"]:
        if (source := each.get("source")) is None:
            continue
        if source != CRATES:
            raise ValueError(f"agent/Cargo.lock: {each['name']} is from {source}")
        yield _component(f"pkg:cargo/{each['name']}@{each['version']}", [each["checksum"]])


def _component(purl: str, sha256: list[str], *, ref: str = "") -> Component:
    name, _, version = purl.partition("/")[2].rpartition("@")
    return {
        "type": "library",
        "bom-ref": ref or purl,
        "name": name.replace("%40", "@"),
        "version": version,
        "purl": purl,
        "hashes": [{"alg": "SHA-256", "content": each} for each in sha256],
    }

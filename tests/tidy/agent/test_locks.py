"""The fuzz targets are a crate of their own, whose lock knows the agent as it is now.

Nothing builds them every day, so nobody would notice before somebody wants to fuzz.
"""

from __future__ import annotations

import tomllib
from typing import Any

from apps.config.one_machine.environment import ROOT

AGENT = ROOT / "agent"


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((AGENT / name).read_text(encoding="utf-8"))


def libraries_of_a_build(manifest: dict[str, Any]) -> set[str]:
    """What the agent is built with on any system, without what only its own tests use."""
    tables = [manifest["dependencies"], manifest["build-dependencies"]]
    tables += [target.get("dependencies", {}) for target in manifest["target"].values()]
    return {
        name
        for table in tables
        for name, wish in table.items()
        if not (isinstance(wish, dict) and wish.get("optional"))
    }


def test_the_lock_of_the_fuzz_targets_has_the_agent_s_version_and_libraries() -> None:
    manifest = toml("Cargo.toml")
    packages = toml("fuzz/Cargo.lock")["package"]
    agent = next(each for each in packages if each["name"] == "fsyncmark")
    assert agent["version"] == manifest["package"]["version"]
    named = {each.partition(" ")[0] for each in agent["dependencies"]}
    assert named == libraries_of_a_build(manifest), (
        "cargo check in agent/fuzz, then commit its lock"
    )

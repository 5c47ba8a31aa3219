"""What is known of the agents that measure."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from apps.runs.rules.agents import released_agents
from apps.runs.rules.environment.machine.stale_workload import newest_versions
from apps.wire.suites import suites

AGENT = Path(__file__).parents[3] / "agent" / "Cargo.toml"


def test_the_agent_of_this_repository_is_known() -> None:
    version = tomllib.loads(AGENT.read_text(encoding="utf-8"))["package"]["version"]
    assert version in released_agents()


def test_released_binaries_are_named_by_target_and_digest() -> None:
    for version, release in released_agents().items():
        assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9a-z.]+)?", version)
        assert (release.commit is None) == (not release.binaries), "binaries are of one commit"
        assert release.commit is None or re.fullmatch(r"[0-9a-f]{40}", release.commit)
        for target, digest in release.binaries.items():
            assert re.fullmatch(r"[a-z0-9_-]+", target)
            assert re.fullmatch(r"[0-9a-f]{64}", digest)


def test_of_every_workload_the_newest_version_is_known() -> None:
    each_suite = (suite.workloads for suite in suites().values())
    every = {(workload.id, workload.version) for workloads in each_suite for workload in workloads}
    assert newest_versions().keys() == {name for name, _ in every}
    for name, version in newest_versions().items():
        assert version == max(v for other, v in every if other == name)

"""What a tag does elsewhere: these commands, and a key that nothing of others comes near."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from agent.release.checksums import HOW_TO_MAKE, write_checksums
from apps.config.one_machine.environment import ROOT

WORKFLOW: Final = ROOT / ".github" / "workflows" / "release.yml"


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    return found


def lines_of(job: dict[str, Any]) -> list[str]:
    """What a job has a shell do."""
    texts = [step.get("run", "") for step in job["steps"]]
    return [line.strip() for text in texts for line in text.splitlines()]


def test_it_makes_nothing_that_these_commands_do_not(jobs: dict[str, Any]) -> None:
    assert lines_of(jobs["build"]) == [
        "./run agent",
        "./run agent --verify",
        './run release --source "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"',
    ]
    [publication] = lines_of(jobs["publish"])
    assert publication.startswith('gh release create "$GITHUB_REF_NAME" --verify-tag --draft')
    uses = [step["uses"] for step in jobs["publish"]["steps"] if "uses" in step]
    assert any(each.startswith("actions/attest-build-provenance@") for each in uses)


def test_where_the_key_is_nothing_is_built(jobs: dict[str, Any]) -> None:
    with_key = [
        name for name, job in jobs.items() if "environment" in job or "secrets." in str(job)
    ]
    assert with_key == ["sign"]
    uses = [step["uses"].partition("@")[0] for step in jobs["sign"]["steps"] if "uses" in step]
    assert uses == ["actions/download-artifact", "actions/upload-artifact"]
    programs = {line.split()[0] for line in lines_of(jobs["sign"])}
    assert programs == {"umask", "trap", "printf", "sha256sum", "openssl"}


@pytest.mark.parametrize("is_whole", [True, False])
def test_what_was_built_is_signed_and_the_key_is_gone(
    jobs: dict[str, Any], tmp_path: Path, *, is_whole: bool
) -> None:
    release, key, temporary = tmp_path / "release", tmp_path / "key", tmp_path / "temporary"
    release.mkdir()
    temporary.mkdir()
    (release / "file").write_bytes(b"content")
    sums = write_checksums(release)
    if not is_whole:
        (release / "file").write_bytes(b"another")
    subprocess.run([*HOW_TO_MAKE.split()[:-1], key], check=True, capture_output=True)
    [step] = [step for step in jobs["sign"]["steps"] if "run" in step]
    signed = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path, check=False, capture_output=True,
        env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(temporary),
             "FSYNCMARK_RELEASE_KEY": key.read_text(encoding="ascii")},
    )  # fmt: skip
    assert list(temporary.iterdir()) == []
    assert (signed.returncode == 0) is is_whole, signed.stderr
    signature = release / "SHA256SUMS.sig"
    assert signature.exists() is is_whole
    if is_whole:
        checked = subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-rawin", "-inkey", key, "-in", sums,
             "-sigfile", signature],
            check=False, capture_output=True,
        )  # fmt: skip
        assert checked.returncode == 0


def test_a_mac_s_binary_names_its_commit(jobs: dict[str, Any]) -> None:
    assert any(line.startswith("export FSYNCMARK_COMMIT") for line in lines_of(jobs["macos"]))
    checkout = jobs["macos"]["steps"][0]
    assert checkout["with"]["fetch-depth"] == 0  # else a commit of others looks like the last

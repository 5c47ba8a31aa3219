"""./run demo comes up, hears Ctrl-C at any moment, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.config.one_machine import demo
from apps.config.one_machine.environment import ROOT
from apps.embedded.process import ChildError
from tests.embedded.conftest import processes_below, wait_for

INTERRUPTED = 130
DEMO = [sys.executable, "-m", "agent.commands", "demo"]
# what a script's shell does to a program that it starts with "&"
DEAF_TO_INTERRUPTS = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]


@pytest.fixture
def var() -> Iterator[Path]:
    """A state directory on the checkout's own disk: the agent refuses to measure memory."""
    directory = ROOT / "build" / f"demo-{os.getpid()}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    yield directory
    far = directory / "servers-directory"
    if far.exists():
        shutil.rmtree(far.read_text(encoding="utf-8").strip())
    shutil.rmtree(directory)


def said(words: Path, text: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, words.read_text(encoding="utf-8")
    return text in words.read_text(encoding="utf-8")


@pytest.mark.daily
@pytest.mark.slow
@pytest.mark.usefixtures("built_agent")
def test_ctrl_c_in_the_middle_of_a_measurement_stops_everything(var: Path) -> None:
    words = var / "words"
    kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    with words.open("wb") as output:
        process = subprocess.Popen(
            [*DEAF_TO_INTERRUPTS, *DEMO], cwd=ROOT, process_group=0,
            env={**kept, "FSYNCMARK_VAR": str(var)},
            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )  # fmt: skip
    measured = var / "measured"
    try:
        wait_for(lambda: said(words, "commit-8k ", process), "it measures")
        os.killpg(process.pid, signal.SIGINT)  # what a terminal does
        assert process.wait(timeout=180) == INTERRUPTED, words.read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()
    assert not processes_below(var)
    assert not list(measured.iterdir()), "the agent's test file is still there"
    assert "Traceback" not in words.read_text(encoding="utf-8")


def test_memory_is_not_a_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert demo.filesystem_of(Path("/proc/self")) == "proc"
    monkeypatch.setattr(demo, "VAR", tmp_path)
    monkeypatch.setattr(demo, "filesystem_of", lambda _directory: "tmpfs")
    with pytest.raises(ChildError, match="Clone the repository to a disk"):
        demo.directory_on_disk()
    monkeypatch.setattr(demo, "filesystem_of", lambda _directory: "ext4")
    assert demo.directory_on_disk() == tmp_path / "measured"


def test_the_demo_takes_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([*DEMO, "--twice"], check=False, cwd=ROOT, capture_output=True)
    assert done.returncode == 64
    assert b"usage: ./run demo [--once]" in done.stderr

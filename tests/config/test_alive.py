"""Health checks: who goes round is alive, who has stopped or never came up is not."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from apps.config import alive
from apps.config.one_machine.environment import ROOT
from apps.config.processes import SWEEPER, WEB, WORKER, filled_in, in_this_environment
from apps.config.roles import Role
from apps.embedded.process import wait_until
from tests.faults.site.own_site import BACK_SECONDS_MAX, own_site


def test_a_heartbeat_is_fresh_or_it_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(alive.FOLDER, raising=False)
    assert alive.main("sweeper") == 1
    assert alive.heartbeat_file(Role.SWEEPER, "") is None
    monkeypatch.setenv(alive.FOLDER, str(tmp_path))
    assert alive.main("sweeper") == 1
    file = alive.heartbeat_file(Role.SWEEPER, str(tmp_path))
    assert file is not None
    file.touch()
    assert alive.main("sweeper") == 0
    os.utime(file, (0, 0))
    assert alive.main("sweeper") == 1
    assert [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "HEARTBEAT_FOLDER", "there", str(file),
    ]  # fmt: skip


def test_each_process_is_seen_to_live_and_to_be_gone() -> None:
    with own_site(web_workers=1) as site:
        values = site.product.setting.values()

        environment = dict(site.product.setting.environment)

        def is_alive(argv: list[str]) -> bool:
            return not subprocess.run(argv, check=False, cwd=ROOT, env=environment).returncode

        for process in (WEB, WORKER, SWEEPER):
            argv = in_this_environment(filled_in(process.health, values))
            wait_until(
                partial(is_alive, argv),
                what=f"{process.name} is alive", seconds=BACK_SECONDS_MAX,
                children=site.children(),
            )  # fmt: skip
            site.product.children[process.name].kill()
            if process is not WEB:
                file = Path(environment[alive.FOLDER])
                os.utime(file / f"heartbeat-{process.role}", (0, 0))  # as two minutes later
            assert not is_alive(argv)


def test_the_check_starts_without_django() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, apps.config.alive; print('django' in sys.modules)"],
        check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "False\n"

"""The units for systemd start the product as ./run does, and are hardened."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from apps.config.one_machine.environment import ROOT
from apps.config.processes import DEFAULTS, PROCESSES, Process, filled_in

UNITS: Final = ROOT / "docker" / "systemd"
HOME: Final = "/srv/fsyncmark"  # where the units expect the program
VALUES: Final = {**DEFAULTS, "WEB_WORKERS": "2"}
# Of systemd's own scale to 10 in tenths; what is left needs a network and Python's own compilers.
EXPOSURE_MAX: Final = 20

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)"
)


class UnitParser(configparser.ConfigParser):
    """Reads units, whose keys keep their case."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def unit_of(process: Process) -> Path:
    return UNITS / f"fsyncmark-{process.name}.service"


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_each_process_has_the_same_command_and_settings(process: Process) -> None:
    unit = UnitParser(interpolation=None, strict=False, comment_prefixes=("#",))
    unit.read(unit_of(process))
    command = unit["Service"]["ExecStart"].replace("%%", "%").split()
    program, *arguments = filled_in(process.argv, VALUES)
    assert command == [f"{HOME}/.venv/bin/{program}", *arguments]
    assert unit["Service"]["Environment"] == f"PROCESS_ROLE={process.role.value}"


def test_there_is_a_unit_for_each_process_and_no_other() -> None:
    assert sorted(UNITS.glob("*.service")) == sorted(map(unit_of, PROCESSES))


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units where this checkout is what they start."""
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    units = tmp_path / "units"
    shutil.copytree(UNITS, units)
    for file in units.rglob("*.*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8").replace(HOME, str(tmp_path))
            file.write_text(text, encoding="utf-8")
    return units


def analyze(units: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["systemd-analyze", *arguments, *map(str, sorted(units.glob("*.service")))],
        check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{units}:"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


@needs_systemd
def test_systemd_understands_every_line(installed: Path) -> None:
    assert str(installed) not in analyze(installed, "verify")


@needs_systemd
def test_systemd_calls_them_safe(installed: Path) -> None:
    analyze(installed, "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager")

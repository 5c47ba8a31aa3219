"""The units for systemd and the GitHub Action, run as they are written by the real agent."""

from __future__ import annotations

import configparser
import functools
import hashlib
import itertools
import json
import platform
import re
import shlex
import shutil
import subprocess
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from apps.config.one_machine.demo import directory_on_disk
from apps.config.one_machine.environment import ROOT
from apps.stats.histogram import bucket_of

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django.fixtures import Settings

UNITS: Final = ROOT / "agent" / "systemd"
ACTION: Final = ROOT / ".github" / "actions" / "measure" / "action.yml"
RESULT: Final = ROOT / "tests" / "wire" / "v1" / "valid" / "witnessed.json"
NAME: Final = f"fsyncmark-{platform.machine()}-unknown-linux-musl"
USUAL_NS: Final = (100_000, 101_000, 99_000)
SLOW_NS: Final = 150_000
SLOWER: Final = 1  # exit code of the agent
EXPOSURE_MAX: Final = 45  # by systemd-analyze, in tenths: it is root, and writes a folder of others

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)"
)


def remember(home: Path, folder: Path, *, commit_ns: int) -> None:
    """Put a run of this folder into the history, each of whose commits took so long."""
    run = json.loads(RESULT.read_text(encoding="utf-8"))
    run["run_id"] = str(uuid.UUID(int=len(list(home.rglob("*.json")))))
    run["workloads"] = [workload] = run["workloads"][:1]
    for timed in [*workload["passes"], workload]:
        timed["elapsed_ns"] = timed["operations"] * commit_ns
    counts = [[bucket_of(commit_ns), workload["operations"]]]
    same = {"sum_ns": workload["elapsed_ns"], "min_ns": commit_ns, "max_ns": commit_ns}
    workload["histograms"] = {"commit": {"kind": "log128", "counts": counts, **same}}
    history = home / "history"
    history.mkdir(exist_ok=True, parents=True)
    entry = {"dir": str(folder.resolve()), "payload": run}
    (history / f"{run['run_id']}.dsse.json").write_text(json.dumps(entry), encoding="utf-8")


# --- systemd ---


class UnitParser(configparser.ConfigParser):
    """Reads units, whose keys keep their case; of a key that is there twice, all values."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def commands_of_unit(folder: Path) -> list[list[str]]:
    """What the service calls, for a folder."""
    text = (UNITS / "fsyncmark@.service").read_text(encoding="utf-8")
    lines = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    return [shlex.split(line.replace("%f", str(folder)).replace("%%", "%")) for line in lines]


def test_the_service_measures_and_then_fails_where_it_got_slower(
    built_agent: Path, tmp_path: Path
) -> None:
    (program, *measure), (_, *judge) = commands_of_unit(tmp_path)
    assert program == "fsyncmark"

    def ends_in(*words: str) -> int:
        env = {"FSYNCMARK_HOME": str(tmp_path / "home")}
        return subprocess.run([built_agent, *words], env=env, check=False).returncode

    assert ends_in(*measure, "--dry-run") == 0
    for commit_ns in USUAL_NS:
        remember(tmp_path / "home", tmp_path, commit_ns=commit_ns)
    assert ends_in(*judge) == 0
    remember(tmp_path / "home", tmp_path, commit_ns=SLOW_NS)
    assert ends_in(*judge) == SLOWER


def test_the_timer_starts_the_service_of_its_folder_every_night() -> None:
    timer = UnitParser(interpolation=None)
    timer.read(UNITS / "fsyncmark@.timer")
    assert "Unit" not in timer["Timer"], "the service of the same name"
    assert timer["Timer"]["OnCalendar"] == "*-*-* 03:00:00"
    assert timer["Install"]["WantedBy"] == "timers.target"


@needs_systemd
def test_systemd_understands_every_line_and_calls_the_service_safe(
    built_agent: Path, tmp_path: Path
) -> None:
    for unit in UNITS.iterdir():
        text = unit.read_text(encoding="utf-8").replace("=fsyncmark ", f"={built_agent} ")
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    folder = tmp_path / "fsyncmark@srv-data"
    for words in (
        ("verify", f"{folder}.timer", f"{folder}.service"),
        ("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager",
         str(tmp_path / "fsyncmark@.service")),
    ):  # fmt: skip
        done = subprocess.run(
            ["systemd-analyze", *words], check=False, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert str(tmp_path) not in done.stderr


# --- the Action ---


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Job:
    """A job that uses the Action, on a runner of its own."""

    temp: Path
    inputs: dict[str, str]
    action: dict[str, Any] = field(
        default_factory=lambda: yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    )

    @property
    def home(self) -> Path:
        return self.temp / "fsyncmark"

    @property
    def summary(self) -> Path:
        return self.temp / "summary.md"

    def value(self, text: str) -> str:
        """A text with what GitHub puts into it."""
        defaults = {name: given.get("default", "") for name, given in self.action["inputs"].items()}
        known = {f"inputs.{name}": text for name, text in (defaults | self.inputs).items()}
        known["runner.temp"] = str(self.temp)
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text)

    def step(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run a step as GitHub does, by the shell that it names, which ends at a failure."""
        step = next(each for each in self.action["runs"]["steps"] if each["name"] == name)
        assert step["shell"] == "sh"
        env = {key: self.value(text) for key, text in step["env"].items()}
        return subprocess.run(
            ["sh", "-e", "-c", step["run"]], check=False, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "GITHUB_STEP_SUMMARY": str(self.summary), **env},
        )  # fmt: skip


@pytest.fixture
def job(built_agent: Path, tmp_path: Path, client: Client, settings: Settings) -> Iterator[Job]:
    """A job whose site hands out the agent that these tests have."""
    served = tmp_path / "served"
    settings.AGENT_DIST = files = served / "measure" / "download"
    files.mkdir(parents=True)
    shutil.copy(built_agent, files / NAME)
    digest = hashlib.sha256(built_agent.read_bytes()).hexdigest()
    (files / "SHA256SUMS").write_text(f"{digest}  {NAME}\n", encoding="ascii")
    handler = functools.partial(Quiet, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings.SITE_URL = f"http://127.0.0.1:{server.server_port}"
        (served / "install.sh").write_bytes(client.get("/install.sh").content)
        (tmp_path / "temp").mkdir()
        yield Job(
            tmp_path / "temp",
            {"server": settings.SITE_URL, "dir": str(tmp_path), "wait-quiet": "0"},
        )
        server.shutdown()


def test_the_action_fails_when_the_box_got_slower_and_says_so_on_the_page(job: Job) -> None:
    installed = job.step("Install the agent")
    assert installed.returncode == 0, installed.stderr
    assert "Checked: SHA-256" in installed.stderr
    job.inputs["arguments"] = "--only commit-8k --dry-run"
    measured = job.step("Measure")
    assert measured.returncode == 0, measured.stderr
    assert "commit-8k, version 1" in measured.stdout
    folder = Path(job.inputs["dir"])
    remember(job.home, folder, commit_ns=USUAL_NS[0])
    assert job.step("Judge").returncode == 0, "a first run has nothing to be slower than"
    assert "not judged" in job.summary.read_text(encoding="utf-8")
    for commit_ns in USUAL_NS:
        remember(job.home, folder, commit_ns=commit_ns)
    assert job.step("Judge").returncode == 0
    remember(job.home, folder, commit_ns=SLOW_NS)
    slower = job.step("Judge")
    assert slower.returncode == SLOWER, slower.stderr
    assert "commit-8k: **slower**" in job.summary.read_text(encoding="utf-8")
    junit = job.value(job.action["outputs"]["junit"]["value"])
    assert '<failure type="slower"' in Path(junit).read_text(encoding="utf-8")


@pytest.mark.daily  # ten seconds of measuring
def test_the_action_measures_the_folder_and_keeps_the_run(job: Job) -> None:
    job.inputs |= {"dir": str(directory_on_disk()), "arguments": "--only commit-8k-fsync"}
    job.step("Install the agent")
    for count in (1, 2):
        measured = job.step("Measure")
        assert measured.returncode == 0, measured.stderr
        assert len(list((job.home / "history").iterdir())) == count
    job.inputs["workloads"] = "commit-8k-fsync"
    assert job.step("Judge").returncode in {0, SLOWER}
    assert "commit-8k-fsync" in job.summary.read_text(encoding="utf-8")


def test_the_action_keeps_only_runs_that_passed_and_trusts_no_input() -> None:
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    names = [step["name"] for step in steps]
    assert names[-2:] == ["Judge", "Put the history back"], "a failed step ends the Action"
    assert not any("if" in step or "continue-on-error" in step for step in steps)
    for step in steps:
        if "run" in step:
            assert "${{" not in step["run"], "an input would be part of the script"
        else:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), "pinned"
    restored, saved = (step["with"] for step in steps if "uses" in step)
    assert restored["key"] == saved["key"]
    assert restored["key"].startswith(restored["restore-keys"])


def test_no_folder_or_suite_finds_the_history_of_another() -> None:
    steps = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]
    [cache] = [step["with"] for step in steps if "restore-keys" in step.get("with", {})]
    uses = [
        {"runner.name": "box", "inputs.dir": folder, "inputs.suite": suite, "github.run_id": "7",
         "github.run_attempt": "1"}
        for folder in ("/srv/data", "/srv/data-2", "/srv/data/7")
        for suite in ("quick", "standard")
    ]  # fmt: skip
    for use, other in itertools.product(uses, uses):
        is_found = with_values(cache["key"], other).startswith(
            with_values(cache["restore-keys"], use)
        )
        assert is_found is (use == other)


def with_values(text: str, values: dict[str, str]) -> str:
    """A text of a workflow with what GitHub puts into it."""
    return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: values[found[1]], text)

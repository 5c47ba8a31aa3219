"""The bill of materials names every pin; an audit that reached nothing never passes."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from typing import TYPE_CHECKING

import pytest

from apps.config.one_machine.environment import ROOT
from tests.ci import audit, sbom

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def test_every_pin_and_every_vendored_file_is_named_once() -> None:
    bill = sbom.bill()["components"]
    found = [each["bom-ref"] for each in bill]
    assert len(set(found)) == len(found)
    names = {(each["purl"].split(":")[1].split("/")[0], each["name"]) for each in bill}
    assert {("pypi", "django"), ("npm", "htmx.org"), ("cargo", "ed25519-dalek")} <= names
    lock = tomllib.loads((ROOT / "agent" / "Cargo.lock").read_text())["package"]
    assert sum(kind == "cargo" for kind, _ in names) <= len(lock) - 1
    pins: set[str] = set()
    for file in ("base.txt", "embedded.txt"):
        text = (ROOT / "requirements" / file).read_text()
        pins |= set(re.findall(r"^[\w.-]+(?=\[|==)", text, re.MULTILINE))
    assert sum(kind == "pypi" for kind, _ in names) == len(pins)


def test_every_component_has_a_version_and_a_hash() -> None:
    for each in sbom.bill()["components"]:
        assert each["version"][0].isdigit(), each
        assert all(len(known["content"]) == 64 for known in each["hashes"])
        assert each["hashes"]


def test_the_command_prints_it() -> None:
    printed = subprocess.run(
        [ROOT / "run", "sbom"], check=True, capture_output=True, text=True
    ).stdout
    assert json.loads(printed) == sbom.bill()


@pytest.mark.parametrize(
    ("line", "fault"), [("django==5.2\n", "has no hash"), ("django>=5\n", "no pin")]
)
def test_a_package_without_pin_or_hash_is_refused(
    line: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "base.txt").write_text(line)
    monkeypatch.setattr(sbom, "ROOT", tmp_path)
    finding = audit.pins()
    assert finding.faults
    assert fault in finding.faults[0]


def test_a_crate_from_elsewhere_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "Cargo.lock").write_text(
        '[[package]]\nname = "a"\nversion = "1"\nsource = "git+https://example.org/a"\n'
    )
    monkeypatch.setattr(sbom, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"a is from git\+https"):
        list(sbom.crates())


def test_a_vendored_file_that_changed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "static" / "vendor"
    folder.mkdir(parents=True)
    (folder / "versions.toml").write_text('[[file]]\nfile = "a.js"\nsha256 = "0"\n')
    (folder / "a.js").write_text("alert(1)")
    monkeypatch.setattr(audit, "ROOT", tmp_path)
    assert audit.vendored().faults == ["a.js"]


def test_the_offline_audit_passes_here() -> None:
    ended = subprocess.run([ROOT / "run", "audit", "--offline"], check=False, capture_output=True)
    assert ended.returncode == 0, ended.stdout


def pip_audit(**packages: Mapping[str, object]) -> str:
    listed = [
        {"name": name, "version": "1", "vulns": [], **more} for name, more in packages.items()
    ]
    return json.dumps({"dependencies": listed})


FAULT = {"vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}


def test_what_pip_audit_says_is_read() -> None:
    assert audit.read_pip_audit("x", pip_audit(a={}), "").faults == []
    assert audit.read_pip_audit("x", pip_audit(a=FAULT, b={}), "").faults == [
        "a 1: PYSEC-1, mended in ['2']"
    ]


@pytest.mark.parametrize(
    "output", ["", "not JSON", "[]", pip_audit(a={"skip_reason": "not found"})]
)
def test_an_audit_without_advisories_is_a_skip_that_says_so(output: str) -> None:
    finding = audit.read_pip_audit("x", output, "no route\n")
    assert finding.faults is None
    assert str(finding).startswith("skipped")


def test_a_package_that_was_not_asked_about_is_named() -> None:
    finding = audit.read_pip_audit("x", pip_audit(a={}, b={"skip_reason": "no such"}), "")
    assert finding.faults == []
    assert "not asked about: b" in str(finding)


def test_what_cargo_audit_says_is_read() -> None:
    fault = {"package": {"name": "a", "version": "1"}, "advisory": {"id": "RUSTSEC-1"}}
    output = json.dumps({"vulnerabilities": {"list": [fault]}})
    assert audit.read_cargo_audit("x", output, "").faults == ["a 1: RUSTSEC-1"]
    assert audit.read_cargo_audit("x", "", "error: no route").faults is None

"""An account knows what it can run and where it can go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from apps.embedded.account import Account


def test_only_root_changes_to_another_account() -> None:
    account = Account.for_servers()
    assert account.uid != 0
    assert account.is_other == (os.geteuid() == 0)
    assert bool(account.popen_arguments()) == account.is_other


def test_a_program_that_is_missing_or_fails_cannot_be_run(tmp_path: Path) -> None:
    account = Account.current()
    assert account.can_run(Path("/bin/ls"))
    assert not account.can_run(tmp_path / "missing")
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    assert not account.can_run(broken)  # not executable
    broken.chmod(0o755)
    assert not account.can_run(broken)


@pytest.mark.skipif(os.geteuid() != 0, reason="root passes everywhere; others are not root")
def test_nobody_does_not_enter_a_private_directory(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    assert Account.current().can_enter(private)
    assert not Account.for_servers().can_enter(private)
